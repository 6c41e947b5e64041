import TripModel

/// What has been said in the status line: one sentence, until the next key.
///
/// A refusal that nobody has read is spoken over only by another one and by what the user has just asked for.
struct StatusLine: Sendable {
    /// A sentence.
    struct Message: Equatable, Sendable {
        enum Tone: Equatable, Sendable { case plain, refusal }

        let text: String
        let tone: Tone
        /// It is true only while another person holds this item.
        var heldItem: ItemID?
    }

    /// What has been said; nil where the line is free for what is in focus.
    private(set) var message: Message?

    /// Whether it is a refusal.
    var isRefusal: Bool { message?.tone == .refusal }

    /// Says what the user has just asked for.
    mutating func say(_ sentence: String) {
        message = Message(text: sentence, tone: .plain)
    }

    /// Says something that the user did not just ask for: not over a refusal, but for one that is true only while
    /// somebody holds an item.
    mutating func mention(_ sentence: String) {
        if !isRefusal || message?.heldItem != nil { say(sentence) }
    }

    /// Says why something is not done.
    ///
    /// - Parameter item: the item that another person holds, if that is why; then the sentence goes with the hold.
    mutating func refuse(_ sentence: String, heldItem item: ItemID? = nil) {
        message = Message(text: sentence, tone: .refusal, heldItem: item)
    }

    /// Takes away what has been said.
    mutating func clear() { message = nil }

    /// Takes away what was true only while somebody held an item that nobody holds any more.
    mutating func clear(unlessHeld isHeld: (ItemID) -> Bool) {
        if let item = message?.heldItem, !isHeld(item) { clear() }
    }
}
