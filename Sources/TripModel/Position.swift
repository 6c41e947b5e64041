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
    /// Between two items of that day: right below the first or, where that is gone or elsewhere, right above the
    /// second.
    case between(ItemID, ItemID, day: Int)
    /// Above everything of the day.
    case start(day: Int)
    /// Below everything of the day.
    case end(day: Int)
    /// At an order, stored as it is.
    case order(Double, day: Int)

    /// The day the item is to be on.
    public var day: Int {
        switch self {
        case .after(_, let day), .before(_, let day), .between(_, _, let day), .start(let day), .end(let day),
            .order(_, let day):
            day
        }
    }
}

extension Placement {
    /// The items that it leans on.
    public var anchors: [ItemID] {
        switch self {
        case .after(let id, _), .before(let id, _): [id]
        case .between(let above, let below, _): [above, below]
        case .start, .end, .order: []
        }
    }
}
