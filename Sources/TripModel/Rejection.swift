/// Why a place is refused for an item, by rule and by game (R-REASON).
public enum PlaceRefusal: Error, Hashable, Sendable {
    /// A game follows the schedule; nobody moves it (R-CONS-01).
    case gameImmovable
    /// The trip has no such day (R-CONS-04).
    case dayOutOfRange(day: Int, dayCount: Int)
    /// Travel keeps within these days (R-CONS-02).
    case outsideValidDays(ClosedRange<Int>)
    /// It would come before, or level with, these games of the city it leaves (R-CONS-03).
    case beforeDepartureGame([ItemID])
    /// It would come after, or level with, these games of the city it reaches (R-CONS-03).
    case afterArrivalGame([ItemID])
    /// There is no place at all: the last game to follow is not before the first game to precede.
    case noValidPosition(after: ItemID, before: ItemID)
}

/// Why an edit is refused. The trip is then as it was.
public enum Rejection: Error, Hashable, Sendable {
    /// A rule about places.
    case place(PlaceRefusal)
    /// No item has this id.
    case itemNotFound(ItemID)
    /// The caller may only read.
    case readOnly
    /// Somebody else holds the item in a drag.
    case itemHeld(ItemID)
    /// The trip, or the item, has moved on since the caller looked.
    case versionConflict(expected: Int, actual: Int)
    /// The anchor of a placement for that day is not there.
    case anchorNotFound(ItemID, day: Int)
    /// The anchor of a placement is on another day by now.
    case anchorMoved(ItemID, nowOnDay: Int)
    /// An item has this id already.
    case duplicateItemID(ItemID)
    /// A game has this gameID already.
    case duplicateGameID(String)
    /// What was there before cannot come back: something else has its place by now, as this sentence says.
    case overtaken(String)
    /// Another trip has this slug.
    case slugTaken(String)
    /// Text with a character that another person's terminal must not get.
    case textNotAllowed(field: String, scalar: UInt32)
    /// Too much of something.
    case limitExceeded(Limit, field: String)
    /// A field with a value that it cannot have, and what would be right.
    case invalid(field: String, String)
}

/// Which edit of a batch was refused, and why.
public struct EditFailure: Error, Hashable, Sendable {
    /// The 0-based index of the edit.
    public let index: Int
    /// Why.
    public let rejection: Rejection

    /// Makes a failure.
    public init(index: Int, rejection: Rejection) {
        self.index = index
        self.rejection = rejection
    }
}
