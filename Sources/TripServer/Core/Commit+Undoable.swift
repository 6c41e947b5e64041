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

    /// The approximate memory size of the commit.
    var size: Int {
        let header = 256
        return changes.reduce(headerBefore == nil ? 64 : 2 * header) {
            $0 + ($1.before?.size ?? 0) + ($1.after?.size ?? 0)
        }
    }
}

extension Item {
    fileprivate var size: Int { 192 + modifiedBy.utf8.count + content.textBytes }
}
