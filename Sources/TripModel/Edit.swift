/// One change of a trip; `Trip.apply` is the only way to make one.
public enum Edit: Equatable, Sendable {
    /// A new item. A game takes no placement; without one a custom item goes to the end of day 1, travel to its
    /// first valid gap.
    case add(ItemID, ItemContent, to: Placement?)
    /// An item goes elsewhere.
    case move(ItemID, to: Placement)
    /// Fields of an item change.
    case update(ItemID, [FieldChange])
    /// An item goes away; its id is free again.
    case remove(ItemID)
    /// The trip's own fields change.
    case trip(TripChange)
}

extension Edit {
    /// The item it is about; nil for a change of the trip itself.
    package var item: ItemID? {
        switch self {
        case .add(let id, _, _), .move(let id, _), .update(let id, _), .remove(let id): id
        case .trip: nil
        }
    }
}

/// New values of a trip's own fields; what is nil stays.
public struct TripChange: Equatable, Sendable {
    /// A new name.
    @Verbatim public var name: String?
    /// A new short name; that it is free is for the owner of all trips to know.
    @Verbatim public var slug: String?
    /// A new date of day 1.
    public var startDate: CalendarDate?
    /// A new zone for games that name none.
    @Verbatim public var timeZone: String?
    /// A new number of days.
    public var dayCount: Int?

    /// Makes a change.
    public init(
        name: String? = nil, slug: String? = nil, startDate: CalendarDate? = nil, timeZone: String? = nil,
        dayCount: Int? = nil
    ) {
        self.name = name
        self.slug = slug
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
    }
}

/// Who edits, and when.
public struct Author: Equatable, Sendable {
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

/// What an accepted batch of edits did: one object, which the trip's queue, what is told of it, the history and undo hold.
public final class Commit: Sendable {
    /// The trip's version after it; the present one where nothing changed.
    public let version: Int
    /// The items that changed: those that somebody edited, then those that only stand elsewhere, then those that
    /// are gone, each in the order they were first touched.
    public let changes: [ItemChange]
    /// The header before, where it changed.
    public let headerBefore: TripHeader?
    /// The header after, where it changed.
    public let headerAfter: TripHeader?
    /// The days whose items were re-spaced, rising (R-NORM).
    public let respacedDays: [Int]

    /// Makes a commit.
    package init(
        version: Int, changes: [ItemChange], headerBefore: TripHeader?, headerAfter: TripHeader?,
        respacedDays: [Int]
    ) {
        self.version = version
        self.changes = changes
        self.headerBefore = headerBefore
        self.headerAfter = headerAfter
        self.respacedDays = respacedDays
    }

    /// Items moved because their day is gone, in shown order (R-EDIT). Sorted anew at each call.
    public var displaced: [ItemID] {
        changes.filter(\.lostDay).compactMap { $0.after.map(Row.init) }.sorted().map(\.id)
    }

    /// Whether nothing changed.
    public var isNoop: Bool { changes.isEmpty && headerBefore == nil }
}

extension Commit: Equatable {
    /// Whether they tell the same.
    public static func == (left: Commit, right: Commit) -> Bool {
        left === right
            || left.version == right.version && left.changes == right.changes
                && left.headerBefore == right.headerBefore && left.headerAfter == right.headerAfter
                && left.respacedDays == right.respacedDays
    }
}

/// One item before and after a commit: all that is needed to take the commit back.
///
/// The journal, the history, an editor's undo and whoever is told of it hold the same one.
public final class ItemChange: Sendable {
    /// The item.
    public let id: ItemID
    /// As it was; nil if it is new.
    public let before: Item?
    /// As it is; nil if it is gone.
    public let after: Item?
    /// Whether it is new: there is none before.
    public let isAddition: Bool
    /// Whether it is gone: there is none after.
    public let isRemoval: Bool
    /// Whether somebody edited it; not so where it was only re-spaced or its schedule order re-derived.
    public let isEdit: Bool
    /// Whether it was moved because its day is gone (R-EDIT). Of an item that somebody edited as well, a journal does not
    /// tell it, and nobody asks.
    public let lostDay: Bool
    /// Whether it stands elsewhere among the others of its day, or on another day.
    public let isMove: Bool
    /// What stood around it before; nil where that is not known or nobody needs it: of new items, games, and items
    /// that were only re-spaced.
    public let neighboursBefore: Neighbours?

    /// Makes a change.
    package init(
        id: ItemID, before: Item?, after: Item?, isEdit: Bool, lostDay: Bool = false, isMove: Bool,
        neighboursBefore: Neighbours?
    ) {
        self.id = id
        self.before = before
        self.after = after
        // Stored, because both are read often and looking at an item costs more.
        isAddition = before == nil
        isRemoval = after == nil
        self.isEdit = isEdit
        self.lostDay = lostDay
        self.isMove = isMove
        self.neighboursBefore = neighboursBefore
    }
}

extension ItemChange: Equatable {
    /// Whether they tell the same of the same item.
    public static func == (left: ItemChange, right: ItemChange) -> Bool {
        left === right
            || left.id == right.id && left.before == right.before && left.after == right.after
                && left.isEdit == right.isEdit && left.lostDay == right.lostDay && left.isMove == right.isMove
                && left.neighboursBefore == right.neighboursBefore
    }
}
