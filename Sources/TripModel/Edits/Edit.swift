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

/// The result of an accepted batch of edits. The trip's queue, its subscribers, the history and undo share
/// one object.
package final class Commit: Sendable {
    /// The trip's version after the commit; unchanged if nothing changed.
    public let version: Int
    /// The changed items: edited ones, then those with only a new position, then removed ones; each group in
    /// the order of their first changes.
    public let changes: [ItemChange]
    /// The change of the header; nil if there is none.
    public let header: HeaderChange?
    /// The days whose items were re-spaced, in ascending order (R-NORM).
    public let respacedDays: [Int]
    /// The places of unedited items that `undoable` has taken out of the changes.
    package let places: [PlaceChange]

    /// Makes a commit.
    package init(
        version: Int, changes: [ItemChange], header: HeaderChange? = nil, respacedDays: [Int] = [],
        places: [PlaceChange] = []
    ) {
        self.version = version
        self.changes = changes
        self.header = header
        self.respacedDays = respacedDays
        self.places = places
    }

    /// Items moved because their day was removed, in shown order (R-EDIT). Sorted at each call.
    public var displaced: [ItemID] {
        changes.filter(\.lostDay).compactMap { $0.after.map(Row.init) }.sorted().map(\.id)
    }

    /// Whether nothing changed.
    public var isNoop: Bool { changes.isEmpty && header == nil }
}

extension Commit: Equatable {
    /// Whether both describe the same changes.
    public static func == (left: Commit, right: Commit) -> Bool {
        left === right
            || left.version == right.version && left.changes == right.changes
                && left.header == right.header && left.respacedDays == right.respacedDays
                && left.places == right.places
    }
}

/// One item before and after a commit, with everything that a rollback needs.
///
/// The journal, the history, an editor's undo and subscribers share one object.
package final class ItemChange: Sendable {
    /// The item.
    public let id: ItemID
    /// The item before the commit; nil if it is new.
    public let before: Item?
    /// The item after the commit; nil if it was removed.
    public let after: Item?
    /// Whether the item is new.
    public let isAddition: Bool
    /// Whether the item was removed.
    public let isRemoval: Bool
    /// Whether a user edited the item; false if it was only re-spaced or rescheduled.
    public let isEdit: Bool
    /// Whether it was moved because its day was removed (R-EDIT). A journal does not store this for an item
    /// that was also edited, where it is not needed.
    public let lostDay: Bool
    /// Whether it is on another day, or has other neighbours on its day.
    public let isMove: Bool
    /// Its neighbours before the commit. Nil if unknown or not needed: for new items, games, and items that
    /// were only re-spaced.
    public let neighboursBefore: Neighbours?

    /// Makes a change.
    package init(
        id: ItemID, before: Item?, after: Item?, isEdit: Bool, lostDay: Bool = false, isMove: Bool,
        neighboursBefore: Neighbours?
    ) {
        self.id = id
        self.before = before
        self.after = after
        // Stored, because both are read often and looking into an item is slower.
        isAddition = before == nil
        isRemoval = after == nil
        self.isEdit = isEdit
        self.lostDay = lostDay
        self.isMove = isMove
        self.neighboursBefore = neighboursBefore
    }
}

extension ItemChange: Equatable {
    /// Whether both describe the same change of the same item.
    public static func == (left: ItemChange, right: ItemChange) -> Bool {
        left === right
            || left.id == right.id && left.before == right.before && left.after == right.after
                && left.isEdit == right.isEdit && left.lostDay == right.lostDay && left.isMove == right.isMove
                && left.neighboursBefore == right.neighboursBefore
    }
}
