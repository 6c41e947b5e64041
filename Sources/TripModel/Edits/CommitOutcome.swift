/// Describes the changes of a commit, identically for a new commit and for one read from a journal.
struct CommitOutcome {
    private struct Entry {
        let id: ItemID
        let before: Item?
        var after: Item?
        /// Both rows are stored, because they are read much more often than the items.
        let rowBefore: Row?
        let rowAfter: Row?
        let isEdit: Bool
        /// Whether it has another order on its day without having been edited.
        let isRespaced: Bool
        /// Whether its day was removed and it was not edited.
        let isDisplaced: Bool
        /// Whether its day was removed. For an edited item only a new commit knows this; a journal does not
        /// store it.
        let lostDay: Bool
        /// The order in a record: edited items, then items with only a new position, then removed items.
        let rank: Int

        // Everything is derived once, because a commit may change every item of a trip.
        init(_ id: ItemID, before: Item?, after: Item?, isEdit: Bool, lostDay: Bool) {
            self.id = id
            self.lostDay = lostDay
            rowBefore = before.map(Row.init)
            rowAfter = after.map(Row.init)
            self.before = before
            self.after = after
            self.isEdit = isEdit
            rank = rowAfter == nil ? 2 : isEdit ? 0 : 1
            if !isEdit, let rowBefore, let rowAfter, !rowBefore.isGame {
                isRespaced = rowBefore.day == rowAfter.day && rowBefore.sortOrder != rowAfter.sortOrder
                isDisplaced = rowBefore.day != rowAfter.day
            } else {
                isRespaced = false
                isDisplaced = false
            }
        }

        var hasSamePosition: Bool {
            rowBefore?.day == rowAfter?.day && rowBefore?.sortOrder == rowAfter?.sortOrder
        }
    }

    private let rowsBefore: RowList
    private let rowsAfter: RowList
    private var entries: [Entry] = []

    /// - Parameter count: the number of items that will be added.
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

    /// Drops unchanged items and returns their ids and former states.
    mutating func dropUnchanged() -> [(id: ItemID, before: Item?)] {
        let respaced = respacedDays
        // Works on indexes to avoid copies: a commit may change every item of a trip.
        let dropped = entries.indices.filter { index in
            entries[index].hasSamePosition
                && entries[index].before?.content == entries[index].after?.content
                && !(entries[index].isEdit && isMove(index, respaced))
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

    /// Sets the commit's version on every remaining item, and its author on every edited one.
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
        version: Int, header: HeaderChange?, respacedDays: [Int] = []
    ) -> Commit {
        let respaced = self.respacedDays
        var changes: [ItemChange] = []
        changes.reserveCapacity(entries.count)
        // Works on indexes to avoid copies: a commit may change every item of a trip.
        for rank in 0...2 {
            for index in entries.indices where entries[index].rank == rank {
                changes.append(change(index, respaced))
            }
        }
        return Commit(version: version, changes: changes, header: header, respacedDays: respacedDays)
    }

    // MARK: Places

    private var respacedDays: Set<Int> {
        Set(entries.lazy.filter(\.isRespaced).compactMap(\.rowBefore?.day))
    }

    /// One change. Takes an index to avoid a copy of the entry.
    private func change(_ index: Int, _ respaced: Set<Int>) -> ItemChange {
        var neighbours: Neighbours?
        if let row = entries[index].rowBefore, !row.isGame,
            entries[index].isEdit || entries[index].isDisplaced
        {
            neighbours = rowsBefore.neighbours(of: row)
        }
        return ItemChange(
            id: entries[index].id, before: entries[index].before, after: entries[index].after,
            isEdit: entries[index].isEdit,
            lostDay: entries[index].isDisplaced || (entries[index].lostDay && entries[index].rowAfter != nil),
            isMove: isMove(index, respaced), neighboursBefore: neighbours)
    }

    /// Whether an item changed its place among the others. After re-spacing, a different `sortOrder` does not
    /// show a move.
    private func isMove(_ index: Int, _ respaced: Set<Int>) -> Bool {
        guard let before = entries[index].rowBefore, let after = entries[index].rowAfter,
            !entries[index].isRespaced
        else { return false }
        guard before.day == after.day else { return true }
        guard respaced.contains(before.day), !before.isGame, !after.isGame else {
            return before.sortOrder != after.sortOrder
        }
        return rowsBefore.neighbours(of: before) != rowsAfter.neighbours(of: after)
    }
}
