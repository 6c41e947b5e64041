import TripModel

/// What the user has asked for, as far as it is to be spoken of. Whether it is shown, and whether it is made, is for
/// others to know.
enum Deed: Sendable {
    /// An item is moved, from a place in words; by a drag also back from where it was dropped if that is refused.
    case move(ItemID, title: String, from: String, drag: Drag?)
    case add([ItemID], what: String)
    case remove(title: String)
    case change(ItemID, title: String, fields: String)
    case importGames(Int)
    /// Anything else: what is said when it is made, as `Inserted a day after day 3.`, and what it is called where it is
    /// not, as `inserting a day`.
    case other(done: String, name: String)
    case undo
    case redo
}
