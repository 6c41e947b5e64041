/// What takes a commit back: the states that its items had before it, and where they stood.
///
/// Only what somebody edited is restored, and what was moved because its day went; re-spacing is not (R-NORM). Games
/// follow the schedule again, and those that stood between others of their minute come back there.
public struct Reversal: Equatable, Sendable {
    /// The items as they were before, and as the commit left them.
    public let items: [ItemChange]
    /// Games as they were before that nobody edited, and whose places their minutes alone do not tell.
    let followers: [Item]
    /// The header before, where the commit changed it.
    public let header: TripHeader?
    /// The header after, where the commit changed it.
    public let headerAfter: TripHeader?
    /// Neighbours from before that have been re-spaced by the commit or since: their numbers are not those beside
    /// which the items stood.
    public let respaced: Set<ItemID>

    /// What takes a commit back.
    ///
    /// - Parameter isRespaced: whether an item has been re-spaced by the commit or since.
    public init(of commit: Commit, isRespaced: (ItemID) -> Bool) {
        items = commit.changes.filter { $0.isEdit || $0.lostDay }
        followers = commit.changes.compactMap { $0.followsWithinMinute ? $0.before : nil }
        header = commit.headerBefore
        headerAfter = commit.headerAfter
        var respaced: Set<ItemID> = []
        for change in items {
            for id in [change.neighboursBefore?.above, change.neighboursBefore?.below].compactMap(\.self)
            where isRespaced(id) {
                respaced.insert(id)
            }
        }
        self.respaced = respaced
    }
}

extension ItemChange {
    /// Whether it is of a game that nobody edited and that shared, or shares, its minute with others: the schedule alone
    /// does not put it back.
    package var followsWithinMinute: Bool {
        guard !isEdit, let before, let after, before.isGame, after.isGame else { return false }
        return [before, after].contains { $0.position.sortOrder != $0.position.sortOrder.rounded(.down) }
    }
}
