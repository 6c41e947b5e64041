import TripModel

/// What is to be answered with yes or no.
struct Question: Sendable {
    enum Purpose: Sendable {
        case remove(ItemID)
        /// Make a change, which came to these edits when it was asked about.
        case change(Intention, [Edit])
        /// Delete a trip of that name.
        case deleteTrip(TripID, named: String)
        /// Make a trip of that name.
        case makeTrip(String)
        /// Leave though changes cannot arrive.
        case quit
    }

    let purpose: Purpose
    let text: String
    /// What has happened to what the question is about.
    var news: String?
    /// What is in hand meanwhile, and is again where the answer is no.
    var inHand: Drag?
}
