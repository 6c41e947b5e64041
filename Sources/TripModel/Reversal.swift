/// The reverse of a commit: the former states and neighbours of its items.
///
/// It restores edited items, and those whose day the commit removed. Games follow the schedule again. Those that shared
/// a minute return to their order within it. Re-spaced items stay (R-NORM), unless a game left their day or came to it:
/// then their new orders have no relation to the game's old one.
public struct Reversal: Equatable, Sendable {
    /// The changes to reverse.
    public let items: [ItemChange]
    /// Unedited games as they were before, whose order within a minute the schedule alone does not restore.
    let followers: [Item]
    /// Re-spaced items.
    let respaced: [ItemChange]
    /// The header's values before the commit; nil if it did not change.
    public let header: HeaderValues?

    /// Makes the reverse of a commit.
    public init(of commit: Commit) {
        items = commit.changes.filter { $0.isEdit || $0.lostDay }
        followers = commit.changes.compactMap { $0.followsWithinMinute ? $0.before : nil }
        respaced = commit.undoable.changes.filter(\.isRespacing)
        header = commit.header?.before
    }

    /// Restored items that were next to each other, in shown order.
    struct Run {
        var items: [Item]
        let day: Int
        /// The items that were above the first and below the last.
        let above: ItemID?
        var below: ItemID?
    }

    /// The runs of restored items with their old positions, in shown order.
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

extension Commit {
    /// The commit without changes that an undo ignores: most re-spaced items, and games whose place follows from
    /// their schedule.
    package var undoable: Commit {
        if respacedDays.isEmpty, changes.allSatisfy(\.isEdit) { return self }
        var gameDays: Set<Int> = []
        if changes.contains(where: \.isRespacing) {
            for change in changes {
                for item in [change.before, change.after] {
                    if let item, item.isGame { gameDays.insert(item.position.day) }
                }
            }
        }
        let relevant = changes.filter { change in
            change.isEdit || change.lostDay || change.followsWithinMinute
                || change.isRespacing && change.before.map { gameDays.contains($0.position.day) } ?? false
        }
        guard relevant.count < changes.count || !respacedDays.isEmpty else { return self }
        return Commit(version: version, changes: relevant, header: header)
    }
}

extension ItemChange {
    /// Whether it is the change of an unedited movable item that got another order on its day.
    var isRespacing: Bool {
        guard !isEdit, !lostDay, let before, let after, !before.isGame, !after.isGame else { return false }
        return before.position.day == after.position.day
    }

    /// Whether it is the change of an unedited game that shared its minute with others before or after. The
    /// schedule alone does not restore its order.
    package var followsWithinMinute: Bool {
        guard !isEdit, let before, let after, before.isGame, after.isGame else { return false }
        return [before, after].contains { $0.position.sortOrder != $0.position.sortOrder.rounded(.down) }
    }
}
