/// One change of a trip, applied only by `Trip.apply`.
public enum Edit: Equatable, Sendable {
    /// Adds an item. A game has no placement. Without one, a custom item goes to the end of day 1 and travel
    /// to its first valid gap.
    case add(ItemID, ItemContent, to: Placement?)
    /// Moves an item.
    case move(ItemID, to: Placement)
    /// Changes fields of an item.
    case update(ItemID, [FieldChange])
    /// Removes an item; its id may be used again.
    case remove(ItemID)
    /// Changes the trip's own fields.
    case trip(TripChange)
}

extension Edit {
    /// The changed item; nil for a change of the trip itself.
    package var item: ItemID? {
        switch self {
        case .add(let id, _, _), .move(let id, _), .update(let id, _), .remove(let id): id
        case .trip: nil
        }
    }
}

/// New values of a trip's own fields; nil leaves a field unchanged.
public struct TripChange: Equatable, Sendable {
    /// A new name.
    @Verbatim public var name: String?
    /// A new slug. The owner of all trips checks that it is not in use.
    @Verbatim public var slug: String?
    /// A new date of day 1.
    public var startDate: CalendarDate?
    /// A new zone for games without one of their own.
    @Verbatim public var timeZone: String?
    /// A new number of days.
    public var dayCount: Int?
    /// A problem to accept, or an acceptance to revoke.
    public var acceptance: Acceptance?
    /// A change of the list of things to do.
    public var todo: TodoChange?

    /// Whether a problem is accepted as intended.
    public struct Acceptance: Equatable, Sendable {
        /// The problem's key.
        public let problem: String
        /// Whether the problem is accepted.
        public let isAccepted: Bool

        /// Makes an acceptance.
        public init(of problem: String, _ isAccepted: Bool) {
            self.problem = problem
            self.isAccepted = isAccepted
        }
    }

    /// Makes a change.
    public init(
        name: String? = nil, slug: String? = nil, startDate: CalendarDate? = nil, timeZone: String? = nil,
        dayCount: Int? = nil, acceptance: Acceptance? = nil, todo: TodoChange? = nil
    ) {
        self.name = name
        self.slug = slug
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
        self.acceptance = acceptance
        self.todo = todo
    }
}

/// Who edits, and when.
package struct Author: Equatable, Sendable {
    /// The user's name.
    @Verbatim public private(set) var name: String
    /// The moment of the edit.
    public let at: Timestamp

    /// Makes an author.
    public init(name: String, at: Timestamp) {
        self.name = name
        self.at = at
    }
}
