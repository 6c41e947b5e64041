import TripModel

/// The parts of a trip that the undo of a commit restores: fields and places of items, whole items, fields of the
/// header, things to do and acceptances.
struct UndoneParts {
    private let changes: [ItemID: ItemChange]
    /// Whole items, things to do and acceptances.
    private let wholes: Set<ItemID>
    private let header: HeaderValues

    init(of commit: Commit) {
        let changes = [ItemID: ItemChange](commit.changes.map { ($0.id, $0) }) { $1 }
        self.changes = changes
        wholes = Set(
            commit.touched.map(\.id).filter { changes[$0]?.before == nil || changes[$0]?.after == nil })
        header = commit.header?.after ?? HeaderValues()
    }

    /// Whether a later commit has changed one of the parts.
    func areChanged(by later: Commit) -> Bool {
        if let other = later.header?.after, other.sharesField(with: header) { return true }
        if later.touched.contains(where: { wholes.contains($0.id) }) { return true }
        return later.changes.contains { other in
            changes[other.id].map { $0.restoresPart(changedBy: other) } ?? false
        }
    }
}

extension ItemChange {
    /// Whether the undo of this change of an item restores a field or the place that a later change of it has changed.
    ///
    /// A removal changes no part: an undo fails while the item is gone. An item that returned may have other fields.
    fileprivate func restoresPart(changedBy other: ItemChange) -> Bool {
        guard let before, let after, let end = other.after else { return false }
        if isPlaced, other.isPlaced { return true }
        guard let mine = FieldChange.between(before.content, and: after.content),
            let others = FieldChange.between((other.before ?? after).content, and: end.content)
        else { return true }
        return mine.contains { change in others.contains { $0.field == change.field } }
    }

    /// Whether somebody has placed the item. The schedule places events.
    private var isPlaced: Bool { after?.isGame == false && (isMove || lostDay || isAddition) }
}

extension Commit {
    /// The items, things to do and acceptances for which an undo must know the last editor, and whether the commit
    /// removes each.
    var touched: [(id: ItemID, isRemoval: Bool)] {
        var touched = changes.map { (id: $0.id, isRemoval: $0.isRemoval) }
        guard let values = header?.after else { return touched }
        touched += values.todo.map { (id: ItemID($0.id), isRemoval: $0.isRemoval) }
        touched += values.accepted.map { (id: Problem.acceptance(ofKey: $0), isRemoval: false) }
        touched += values.revoked.map { (id: Problem.acceptance(ofKey: $0), isRemoval: true) }
        return touched
    }

    /// The approximate memory size of the commit.
    var size: Int {
        let header = header.map { $0.before.byteCount + $0.after.byteCount } ?? 0
        return changes.reduce(64 + header + MemoryLayout<Shift>.stride * shifts.count) {
            $0 + ($1.before?.size ?? 0) + ($1.after?.size ?? 0)
        }
    }
}

extension Item {
    fileprivate var size: Int { 192 + modifiedBy.utf8.count + textBytes }
}
