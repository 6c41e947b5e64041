import TripModel

/// The message in the status line, shown until the next key.
///
/// An unread refusal is replaced only by another refusal or by an answer to the user's own action.
struct StatusLine: Sendable {
    /// A sentence.
    struct Message: Equatable, Sendable {
        enum Tone: Equatable, Sendable { case plain, refusal }

        let text: String
        let tone: Tone
        /// The item whose drag by another user is the reason; the message is valid only during that drag.
        var heldItem: ItemID?
    }

    /// The message; nil while the line describes the focus.
    private(set) var message: Message?

    /// Whether it is a refusal.
    var isRefusal: Bool { message?.tone == .refusal }

    /// Shows an answer to the user's own action.
    mutating func say(_ sentence: String) {
        message = Message(text: sentence, tone: .plain)
    }

    /// Shows a message that the user did not cause. It does not replace a refusal, unless that is about
    /// another user's drag.
    mutating func mention(_ sentence: String) {
        if !isRefusal || message?.heldItem != nil { say(sentence) }
    }

    /// Shows why an action is refused.
    ///
    /// - Parameter item: the item that another user is dragging, if that is the reason; the message
    ///   disappears when the drag ends.
    mutating func refuse(_ sentence: String, heldItem item: ItemID? = nil) {
        message = Message(text: sentence, tone: .refusal, heldItem: item)
    }

    /// Removes the message.
    mutating func clear() { message = nil }

    /// Removes a message about a drag that has ended.
    mutating func clear(unlessHeld isHeld: (ItemID) -> Bool) {
        if let item = message?.heldItem, !isHeld(item) { clear() }
    }
}
