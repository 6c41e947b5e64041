import TripModel

/// What only words can ask for.
extension EditorState {
    /// Changes fields of an item.
    mutating func update(_ item: Item, _ changes: [FieldChange]) {
        let names = changes.map(\.field.spokenName).joined(separator: ", ")
        apply(
            [.update(item.id, changes)],
            as: .change(item.id, title: item.content.title, fields: names))
    }

    /// Adds an item that somebody has removed as a new one, with changes, where it was.
    mutating func addAgain(_ item: Item, at spot: Spot?, _ changes: [FieldChange]) {
        guard let trip = board?.outline.trip else { return }
        let id = newItemID()
        apply(
            editsToAddAgain(item, as: id, at: spot, changes, in: trip),
            as: .add([id], what: item.content.title))
    }
}

extension Drag {
    /// The gap that a placement means; nil if it means none.
    func gap(for placement: Placement, in outline: Outline) -> Int? {
        outline.rowAbove(placement).map(gap(belowRow:))
    }
}
