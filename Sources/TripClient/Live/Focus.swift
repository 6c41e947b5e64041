import TripModel
import TripProtocol

/// The row at the user's cursor, and the one last sent to the daemon. One request is in flight at a time,
/// and the newest row is sent next.
struct Focus: Sendable {
    /// The row; nil for none.
    var row: ListRow?
    /// The row last sent on this connection.
    private var sent: ListRow?
    private var isInFlight = false

    /// The row to send now; nil if nothing must be sent.
    ///
    /// - Returns: an inner nil for no row.
    mutating func next() -> ListRow?? {
        guard !isInFlight, sent != row else { return nil }
        isInFlight = true
        sent = row
        return .some(row)
    }

    /// The daemon has answered.
    mutating func answered() { isInFlight = false }

    /// Resets for a new connection, on which nothing was sent.
    mutating func reset() { (sent, isInFlight) = (nil, false) }
}

extension LiveTripCore {
    mutating func point(at row: ListRow?) {
        focus.row = row
        sendFocus()
    }

    /// Sends the focused row if it has changed and the daemon supports this. A daemon without `focusDay` takes a day
    /// for no item.
    mutating func sendFocus() {
        guard phase == .live, takesFocus, let row = focus.next() else { return }
        send(.focus(reference, row), expecting: .focus)
    }
}
