/// An item's place: a day, and an order within the day; never a row number (R-DATA-01).
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

/// A place that a user asks for, described by its surroundings.
public enum Placement: Hashable, Sendable {
    /// Directly below an item of that day.
    case after(ItemID, day: Int)
    /// Directly above an item of that day.
    case before(ItemID, day: Int)
    /// Between two items of that day: directly below the first or, if that is not on the day any more,
    /// directly above the second.
    case between(ItemID, ItemID, day: Int)
    /// Above everything of the day.
    case start(day: Int)
    /// Below everything of the day.
    case end(day: Int)
    /// At an explicit order.
    case order(Double, day: Int)

    /// The day of the place.
    public var day: Int {
        switch self {
        case .after(_, let day), .before(_, let day), .between(_, _, let day), .start(let day), .end(let day),
            .order(_, let day):
            day
        }
    }
}

extension Placement {
    /// The items that it refers to.
    public var anchors: [ItemID] {
        switch self {
        case .after(let id, _), .before(let id, _): [id]
        case .between(let above, let below, _): [above, below]
        case .start, .end, .order: []
        }
    }
}
