/// Where an item stands: a day, and an order within the day. Never a row number (R-DATA-01).
public struct Position: Hashable, Sendable {
    /// The 1-based day of the trip; a game's may lie outside the trip.
    public let day: Int
    /// The order within the day, finite, from −1e15 to 1e15.
    public let sortOrder: Double

    /// The bound of `sortOrder` on both sides of zero.
    public static let maximumOrder = 1e15

    /// Makes a position; negative zero becomes zero, so that equal positions have equal text.
    public init(day: Int, sortOrder: Double) {
        precondition(sortOrder.magnitude <= Self.maximumOrder, "a sort order is finite and within ±1e15")
        self.day = day
        self.sortOrder = sortOrder == 0 ? 0 : sortOrder
    }
}

/// Where a user wants an item to go, said by what is around it.
public enum Placement: Hashable, Sendable {
    /// Right below an item of that day.
    case after(ItemID, day: Int)
    /// Right above an item of that day.
    case before(ItemID, day: Int)
    /// Above everything of the day.
    case start(day: Int)
    /// Below everything of the day.
    case end(day: Int)
    /// At an order, stored as it is.
    case order(Double, day: Int)

    /// The day the item is to be on.
    public var day: Int {
        switch self {
        case .after(_, let day), .before(_, let day), .start(let day), .end(let day), .order(_, let day): day
        }
    }
}
