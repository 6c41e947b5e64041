import TripModel

/// A change requested by the user, with the data to describe it in a message.
enum ChangeDescription: Sendable {
    /// Moves an item away from a described place; after a drag, also animates its return if the drop is
    /// refused.
    case move(ItemID, title: String, from: String, drag: Drag?)
    case add([ItemID], what: String)
    case remove(title: String)
    case change(ItemID, title: String, fields: String)
    /// Any other change: its message on success, such as `Inserted a day after day 3.`, and its description
    /// on failure, such as `inserting a day`.
    case other(done: String, name: String)
    case undo
    case redo
}
