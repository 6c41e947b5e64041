/// The reverse of a commit: the states that its items had before it, and where they stood.
///
/// It restores what somebody edited, and what was moved because its day was removed; re-spaced items stay (R-NORM). Games
/// follow the schedule again, and those that stood between others of their minute come back there.
public struct Reversal: Equatable, Sendable {
    /// The items as they were before, and as the commit left them.
    public let items: [ItemChange]
    /// Games as they were before that nobody edited, and whose places their minutes alone do not tell.
    let followers: [Item]
    /// The header before, if the commit changed it.
    public let header: TripHeader?
    /// The header after, if the commit changed it.
    public let headerAfter: TripHeader?

    /// Makes the reverse of a commit.
    public init(of commit: Commit) {
        items = commit.changes.filter { $0.isEdit || $0.lostDay }
        followers = commit.changes.compactMap { $0.followsWithinMinute ? $0.before : nil }
        header = commit.headerBefore
        headerAfter = commit.headerAfter
    }

    /// Restored items that stood next to each other, in shown order.
    struct Run {
        var items: [Item]
        let day: Int
        /// The items that stood above the first and below the last.
        let above: ItemID?
        var below: ItemID?
    }

    /// The runs of the items that are restored with their old positions, in shown order.
    func runs(of restored: [ItemID: Item]) -> [Run] {
        var runs: [Run] = []
        let rows = items.compactMap { change in
            restored[change.id].map { (row: Row($0), item: $0, neighbours: change.neighboursBefore) }
        }
        for (_, item, neighbours) in rows.sorted(by: { $0.row < $1.row }) {
            if let neighbours, let last = runs.last, neighbours.above == last.items.last?.id,
                last.day == item.position.day
            {
                runs[runs.count - 1].items.append(item)
                runs[runs.count - 1].below = neighbours.below
            } else {
                runs.append(
                    Run(
                        items: [item], day: item.position.day, above: neighbours?.above,
                        below: neighbours?.below))
            }
        }
        return runs
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
