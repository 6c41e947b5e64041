/// What takes a commit back: the states that its items had before it, and where they stood.
///
/// Only what somebody edited is restored, and what was moved because its day went; re-spacing is not (R-NORM).
public struct Reversal: Equatable, Sendable {
    /// The items as they were before, and as the commit left them.
    public let items: [ItemChange]
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
        let displaced = Set(commit.displaced)
        items = commit.changes.filter { $0.isEdit || displaced.contains($0.id) }
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
