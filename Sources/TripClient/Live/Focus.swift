import TripModel
import TripProtocol

/// Where the user's cursor is, and what the daemon knows of it: one word is under way at a time, and the newest follows.
struct Focus: Sendable {
    /// The item that it is on; nil for none.
    var item: ItemID?
    /// What was said last on this connection.
    private var told: ItemID?
    private var isUnderWay = false

    /// What is to be said now; nil where nothing is.
    ///
    /// - Returns: nil inside for on no item.
    mutating func next() -> ItemID?? {
        guard !isUnderWay, told != item else { return nil }
        isUnderWay = true
        told = item
        return .some(item)
    }

    /// The daemon has answered.
    mutating func answered() { isUnderWay = false }

    /// There is another connection, which knows nothing yet.
    mutating func forget() { (told, isUnderWay) = (nil, false) }
}

extension LiveTripCore {
    mutating func point(at item: ItemID?) {
        focus.item = item
        tellFocus()
    }

    /// Tells where the cursor is, if that is news and the daemon of a kind to listen.
    mutating func tellFocus() {
        guard phase == .live, takesFocus, let item = focus.next() else { return }
        send(.focus(reference, item), expecting: .focus)
    }
}
