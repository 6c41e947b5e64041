import TripModel

extension Commit {
    /// The commit without what no undo looks at: items that were only re-spaced, and games whose schedule alone tells
    /// where they were.
    var undoable: Commit {
        if respacedDays.isEmpty, changes.allSatisfy({ $0.isEdit }) { return self }
        let kept = changes.filter { $0.isEdit || $0.lostDay || $0.followsWithinMinute }
        guard kept.count < changes.count || !respacedDays.isEmpty else { return self }
        return Commit(
            version: version, changes: kept, headerBefore: headerBefore, headerAfter: headerAfter,
            respacedDays: [])
    }

    /// Bytes that it takes to keep, about: its texts, and something for the rest.
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
