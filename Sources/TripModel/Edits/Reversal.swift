/// The reverse of a commit: the former states and neighbours of its items.
///
/// An exact undo restores every item of the commit. It is possible if the trip is as the commit left it. Otherwise edited
/// items, and those whose day the commit removed, are restored; re-spaced items stay (R-NORM). Games follow the schedule
/// again. Those that shared a minute return to their order within it.
package struct Reversal: Equatable, Sendable {
    /// The changes to reverse.
    public let items: [ItemChange]
    /// Unedited games as they were before, whose order within a minute the schedule alone does not restore.
    let followers: [Item]
    /// The places of unedited items, which only an exact undo restores.
    let places: [PlaceChange]
    /// The header's values before the commit; nil if it did not change.
    public let header: HeaderValues?

    /// Makes the reverse of a commit.
    public init(of commit: Commit) {
        items = commit.changes.filter { $0.isEdit || $0.lostDay }
        followers = commit.changes.compactMap { $0.followsWithinMinute ? $0.before : nil }
        places = commit.places + commit.changes.compactMap(PlaceChange.init)
        header = commit.header?.before
    }

    /// Restored items that were next to each other, in shown order.
    struct Run {
        var items: [Item]
        /// The old position of the first.
        let position: Position
        /// The items that were above the first and below the last.
        let above: ItemID?
        var below: ItemID?

        var day: Int { position.day }
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
                        items: [item], position: item.position, above: neighbours?.above,
                        below: neighbours?.below))
            }
        }
        return runs
    }
}

/// The place of an unedited item before and after a commit.
package struct PlaceChange: Equatable, Sendable {
    /// The item.
    package let id: ItemID
    /// Its place before the commit.
    package let before: Position
    /// Its place after the commit.
    package let after: Position

    /// Makes a change of a place.
    package init(id: ItemID, before: Position, after: Position) {
        self.id = id
        self.before = before
        self.after = after
    }

    /// Nil for an item that every undo restores.
    fileprivate init?(_ change: ItemChange) {
        guard !change.isEdit, !change.lostDay, !change.followsWithinMinute, let before = change.before,
            let after = change.after
        else { return nil }
        self.init(id: change.id, before: before.position, after: after.position)
    }
}

extension Commit {
    /// What an undo needs of the commit: of re-spaced items and of games that follow their schedule only the places.
    package var undoable: Commit {
        if respacedDays.isEmpty, changes.allSatisfy(\.isEdit) { return self }
        let relevant = changes.filter { $0.isEdit || $0.lostDay || $0.followsWithinMinute }
        guard relevant.count < changes.count || !respacedDays.isEmpty else { return self }
        return Commit(
            version: version, changes: relevant, header: header,
            places: places + changes.compactMap(PlaceChange.init))
    }
}

extension ItemChange {
    /// Content with the former values of the fields that this change has changed.
    func restored(in content: ItemContent) -> ItemContent {
        guard let before, let after, content.kind == before.content.kind,
            let changes = FieldChange.between(after.content, and: before.content)
        else { return before?.content ?? content }
        return content.with(changes)
    }

    /// Whether it is the change of an unedited game that shared its minute with others before or after. The
    /// schedule alone does not restore its order.
    package var followsWithinMinute: Bool {
        guard !isEdit, let before, let after, before.isGame, after.isGame else { return false }
        return [before, after].contains { $0.position.sortOrder != $0.position.sortOrder.rounded(.down) }
    }
}
