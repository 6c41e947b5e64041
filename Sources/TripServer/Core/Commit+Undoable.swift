import TripModel

extension Commit {
    /// The commit without changes that an undo ignores: re-spaced items, and games whose place follows from
    /// their schedule.
    var undoable: Commit {
        if respacedDays.isEmpty, changes.allSatisfy({ $0.isEdit }) { return self }
        let relevant = changes.filter { $0.isEdit || $0.lostDay || $0.followsWithinMinute }
        guard relevant.count < changes.count || !respacedDays.isEmpty else { return self }
        return Commit(
            version: version, changes: relevant, headerBefore: headerBefore, headerAfter: headerAfter,
            respacedDays: [])
    }

    /// The items and things to do for which an undo must know the last editor, and whether the commit removes each.
    var touched: [(id: ItemID, isRemoval: Bool)] {
        var touched = changes.compactMap { change in
            change.followsWithinMinute ? nil : (id: change.id, isRemoval: change.isRemoval)
        }
        if let before = headerBefore, let after = headerAfter {
            touched += after.todo.changedIDs(since: before.todo).map { id in
                (id: id, isRemoval: !after.todo.contains { $0.id == id })
            }
        }
        return touched
    }

    /// Whether it changes the header, apart from the things to do.
    var touchesHeader: Bool {
        guard var before = headerBefore, let after = headerAfter else { return false }
        before.todo = after.todo
        return before != after
    }

    /// The approximate memory size of the commit.
    var size: Int {
        let header = 256 + 600 * max(headerBefore?.todo.count ?? 0, headerAfter?.todo.count ?? 0)
        return changes.reduce(headerBefore == nil ? 64 : 2 * header) {
            $0 + ($1.before?.size ?? 0) + ($1.after?.size ?? 0)
        }
    }
}

extension Item {
    fileprivate var size: Int { 192 + modifiedBy.utf8.count + textBytes }
}
