import TripModel

/// Actions available only as commands.
extension EditorState {
    /// Changes fields of an item.
    mutating func update(_ item: Item, _ changes: [FieldChange]) {
        let names = changes.map(\.field.spokenName).joined(separator: ", ")
        apply(
            [.update(item.id, changes)],
            as: .change(item.id, title: item.content.title, fields: names))
    }

    /// Adds a removed item as a new one with changes, at its former place.
    mutating func addAgain(_ item: Item, at insertionPoint: InsertionPoint?, _ changes: [FieldChange]) {
        guard let trip = board?.outline.trip else { return }
        let id = newItemID()
        apply(
            editsToAddAgain(item, as: id, at: insertionPoint, changes, in: trip),
            as: .add([id], what: item.content.title))
    }
}

extension Drag {
    /// The gap of a placement; nil if there is none.
    func gap(for placement: Placement, in outline: Outline) -> Int? {
        outline.rowAbove(placement).map(gap(belowRow:))
    }
}
