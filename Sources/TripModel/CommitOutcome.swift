/// What a commit came to, told in the same words whether it has just been made or is read back from a journal.
struct CommitOutcome {
    private struct Entry {
        let id: ItemID
        let before: Item?
        var after: Item?
        let isEdit: Bool

        /// Whether it only stands elsewhere: nobody edited it.
        var isPlaced: Bool { !isEdit && before != nil && after != nil }
        /// Whether it was re-spaced: it has another order on its day.
        var isRespaced: Bool {
            isPlaced && before?.isGame == false && before?.position.day == after?.position.day
                && before?.position != after?.position
        }
        /// Whether its day is gone, and it was moved.
        var isDisplaced: Bool {
            isPlaced && before?.isGame == false && before?.position.day != after?.position.day
        }
        /// Edited items first, then those that only stand elsewhere, then those that are gone: the order of a record.
        var rank: Int { after == nil ? 2 : isEdit ? 0 : 1 }
    }

    private let rowsBefore: RowList
    private let rowsAfter: RowList
    private var entries: [Entry] = []

    init(rowsBefore: RowList, rowsAfter: RowList) {
        self.rowsBefore = rowsBefore
        self.rowsAfter = rowsAfter
    }

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ id: ItemID, before: Item?, after: Item?, isEdit: Bool) {
        entries.append(Entry(id: id, before: before, after: after, isEdit: isEdit))
    }

    /// Leaves out what is as it was.
    mutating func dropUnchanged() -> [ItemID] {
        let respaced = respacedDays
        // By place, not by copies: a commit may change every item of a trip.
        let dropped = entries.indices.filter { index in
            entries[index].before?.position == entries[index].after?.position
                && entries[index].before?.content == entries[index].after?.content
                && !(entries[index].isEdit && isMove(entries[index], respaced))
        }
        guard !dropped.isEmpty else { return [] }
        let ids = dropped.map { entries[$0].id }
        var (kept, next) = ([Entry](), dropped[...])
        for index in entries.indices {
            if next.first == index { next.removeFirst() } else { kept.append(entries[index]) }
        }
        entries = kept
        return ids
    }

    /// Lets every item that is there be stamped.
    mutating func stamp(_ body: (inout Item, _ isEdit: Bool) -> Void) {
        for index in entries.indices {
            guard var item = entries[index].after else { continue }
            body(&item, entries[index].isEdit)
            entries[index].after = item
        }
    }

    func commit(
        version: Int, headerBefore: TripHeader?, headerAfter: TripHeader, respacedDays: [Int] = [],
        displaced: Set<ItemID> = []
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
        // Which of the edited items lost their day too, a journal does not tell; nor does an undo ask.
        let moved = entries.indices.filter { entries[$0].isDisplaced || displaced.contains(entries[$0].id) }
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
