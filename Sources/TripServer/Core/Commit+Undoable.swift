import TripModel

extension Commit {
    /// The items, things to do and acceptances for which an undo must know the last editor, and whether the commit
    /// removes each.
    var touched: [(id: ItemID, isRemoval: Bool)] {
        var touched = changes.compactMap { change in
            change.isEdit || change.lostDay ? (id: change.id, isRemoval: change.isRemoval) : nil
        }
        guard let values = header?.after else { return touched }
        touched += values.todo.map { (id: ItemID($0.id), isRemoval: $0.isRemoval) }
        touched += values.accepted.map { (id: Problem.acceptance(ofKey: $0), isRemoval: false) }
        touched += values.revoked.map { (id: Problem.acceptance(ofKey: $0), isRemoval: true) }
        return touched
    }

    /// The approximate memory size of the commit.
    var size: Int {
        let header = header.map { $0.before.byteCount + $0.after.byteCount } ?? 0
        return changes.reduce(64 + header + MemoryLayout<PlaceChange>.stride * places.count) {
            $0 + ($1.before?.size ?? 0) + ($1.after?.size ?? 0)
        }
    }
}

extension Item {
    fileprivate var size: Int { 192 + modifiedBy.utf8.count + textBytes }
}
