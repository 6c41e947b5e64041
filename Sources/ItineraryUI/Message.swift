import TripModel

/// A sentence in the status line, until the next key.
struct Message: Equatable, Sendable {
    enum Tone: Equatable, Sendable { case plain, refusal }

    let text: String
    let tone: Tone
    /// It is true only while another person holds this item.
    var heldItem: ItemID?
}
