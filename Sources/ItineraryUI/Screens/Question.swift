import TripModel

/// A yes-or-no question.
struct Question: Sendable {
    enum Purpose: Sendable {
        case remove(ItemID)
        /// Apply a change, with its edits at the time of the question.
        case change(Intention, [Edit])
        /// Delete a trip with this name and number of items.
        case deleteTrip(TripID, named: String, itemCount: Int)
        /// Create a trip with this name.
        case makeTrip(String)
        /// Quit although changes cannot be delivered.
        case quit
    }

    let purpose: Purpose
    let text: String
    /// A message about a change of the question's subject.
    var news: String?
    /// The drag, which continues if the answer is no.
    var suspendedDrag: Drag?
}
