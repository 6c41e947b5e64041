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
    /// New exchange rates; empty to remove them.
    @Verbatim public var rates: String?
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
        dayCount: Int? = nil, rates: String? = nil, acceptance: Acceptance? = nil, todo: TodoChange? = nil
    ) {
        self.name = name
        self.slug = slug
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
        self.rates = rates
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

/// A new value of one field of an item; nil clears an optional field.
public struct FieldChange: Equatable, Sendable {
    /// The field.
    public let field: ItemField
    /// Its new value; nil for none.
    package let value: FieldValue?

    /// Makes a change. Traps for a value of the wrong type and for nil in a required field: both are bugs of
    /// the caller.
    package init(_ field: ItemField, _ value: FieldValue?) {
        precondition(value != nil || !field.isRequired, "\(field) is required")
        self.field = field
        self.value = value
    }
}

extension FieldChange {
    /// The changes that turn one content into another of the same kind.
    ///
    /// - Returns: nil if the kinds differ.
    public static func between(_ old: ItemContent, and new: ItemContent) -> [FieldChange]? {
        guard old.kind == new.kind else { return nil }
        return new.kind.fields.compactMap { field in
            let value = new[field]
            return value == old[field] ? nil : FieldChange(field, value)
        }
    }

    /// Whether the change affects only the values last imported from the item's source, which are not shown.
    package func isOnlySaid(of old: ItemContent) -> Bool {
        guard field == .source, case .source(let before)? = old[.source], case .source(let after)? = value
        else { return false }
        return before.isSame(as: after)
    }

    /// The labels of the fields that differ between two contents of one kind, such as `cost, note and time`;
    /// nil for none or too many.
    package static func words(from old: ItemContent, to new: ItemContent) -> String? {
        let changes = between(old, and: new)?.filter { !$0.isOnlySaid(of: old) } ?? []
        let names = changes.map(\.field.spokenName)
        guard let last = names.last, names.count <= 3 else { return nil }
        return names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
