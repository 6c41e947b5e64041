/// What a commit came to, told in the same words whether it has just been made or is read back from a journal.
struct CommitOutcome {
    private struct Entry {
        let id: ItemID
        let before: Item?
        var after: Item?
        let isEdit: Bool
        /// Whether it was re-spaced: nobody edited it, and it has another order on its day.
        let isRespaced: Bool
        /// Whether its day is gone, and nobody edited it beside that.
        let isDisplaced: Bool
        /// Whether its day went, as it was told when it happened; a journal tells it only where nobody edited the item.
        let lostDay: Bool
        /// Edited items first, then those that only stand elsewhere, then those that are gone: the order of a record.
        let rank: Int

        // All is told apart here, once: a commit may change every item of a trip.
        init(_ id: ItemID, before: Item?, after: Item?, isEdit: Bool, lostDay: Bool) {
            self.id = id
            self.lostDay = lostDay
            self.before = before
            self.after = after
            self.isEdit = isEdit
            rank = after == nil ? 2 : isEdit ? 0 : 1
            if !isEdit, let before, let after, !before.isGame {
                let staysOnDay = before.position.day == after.position.day
                isRespaced = staysOnDay && before.position != after.position
                isDisplaced = !staysOnDay
            } else {
                isRespaced = false
                isDisplaced = false
            }
        }
    }

    private let rowsBefore: RowList
    private let rowsAfter: RowList
    private var entries: [Entry] = []

    /// - Parameter count: how many items will be added.
    init(rowsBefore: RowList, rowsAfter: RowList, reserving count: Int) {
        self.rowsBefore = rowsBefore
        self.rowsAfter = rowsAfter
        entries.reserveCapacity(count)
    }

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ id: ItemID, before: Item?, after: Item?, isEdit: Bool) {
        entries.append(Entry(id, before: before, after: after, isEdit: isEdit, lostDay: false))
    }

    mutating func add(_ touch: ChangeLog.Touch, after: Item?) {
        entries.append(
            Entry(
                touch.id, before: touch.before, after: after, isEdit: touch.isEdit, lostDay: touch.isDisplaced
            ))
    }

    /// Leaves out what is as it was, and tells what that is.
    mutating func dropUnchanged() -> [(id: ItemID, before: Item?)] {
        let respaced = respacedDays
        // By place, not by copies: a commit may change every item of a trip.
        let dropped = entries.indices.filter { index in
            entries[index].before?.position == entries[index].after?.position
                && entries[index].before?.content == entries[index].after?.content
                && !(entries[index].isEdit && isMove(entries[index], respaced))
        }
        guard !dropped.isEmpty else { return [] }
        let unchanged = dropped.map { (entries[$0].id, entries[$0].before) }
        var (kept, next) = ([Entry](), dropped[...])
        for index in entries.indices {
            if next.first == index { next.removeFirst() } else { kept.append(entries[index]) }
        }
        entries = kept
        return unchanged
    }

    /// Gives every item that is there the commit's version, and an edited one its author.
    mutating func stamp(version: Int, _ author: Author, _ body: (Item) -> Void) {
        for index in entries.indices {
            entries[index].after?.version = version
            if entries[index].isEdit {
                entries[index].after?.modifiedAt = author.at
                entries[index].after?.modifiedBy = author.name
            }
            if let item = entries[index].after { body(item) }
        }
    }

    func commit(
        version: Int, headerBefore: TripHeader?, headerAfter: TripHeader, respacedDays: [Int] = []
    ) -> Commit {
        let respaced = self.respacedDays
        var changes: [ItemChange] = []
        changes.reserveCapacity(entries.count)
        // By place, not by copies: a commit may change every item of a trip.
        for rank in 0...2 {
            for index in entries.indices where entries[index].rank == rank {
                changes.append(change(entries[index], respaced))
            }
        }
        // Which of the edited items lost their day too, no undo asks.
        let moved = entries.indices.filter { entries[$0].isDisplaced || entries[$0].lostDay }
        return Commit(
            version: version, changes: changes, headerBefore: headerBefore,
            headerAfter: headerBefore == nil ? nil : headerAfter, respacedDays: respacedDays,
            displaced: moved.compactMap { entries[$0].after.map(Row.init) }.sorted().map(\.id))
    }

    // MARK: Places

    private var respacedDays: Set<Int> {
        Set(entries.lazy.filter(\.isRespaced).compactMap(\.before?.position.day))
    }

    private func change(_ entry: Entry, _ respaced: Set<Int>) -> ItemChange {
        var neighbours: Neighbours?
        if let before = entry.before, !before.isGame, entry.isEdit || entry.isDisplaced {
            neighbours = rowsBefore.neighbours(of: Row(before))
        }
        return ItemChange(
            id: entry.id, before: entry.before, after: entry.after, isEdit: entry.isEdit,
            isMove: isMove(entry, respaced), neighboursBefore: neighbours)
    }

    /// Whether an item stands elsewhere among the others. Where a day was re-spaced its number says nothing.
    private func isMove(_ entry: Entry, _ respaced: Set<Int>) -> Bool {
        guard let before = entry.before, let after = entry.after, !entry.isRespaced else { return false }
        guard before.position.day == after.position.day else { return true }
        guard respaced.contains(before.position.day), !before.isGame, !after.isGame else {
            return before.position != after.position
        }
        return rowsBefore.neighbours(of: Row(before)) != rowsAfter.neighbours(of: Row(after))
    }
}
