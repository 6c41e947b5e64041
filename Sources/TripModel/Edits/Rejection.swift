/// The reason why a place is refused, with the rule and the games (R-REASON).
public enum PlaceRefusal: Error, Hashable, Sendable {
    /// A game cannot be moved (R-CONS-01).
    case gameImmovable
    /// The trip has no such day (R-CONS-04).
    case dayOutOfRange(day: Int, dayCount: Int)
    /// Travel must be on one of these days (R-CONS-02).
    case outsideValidDays(ClosedRange<Int>)
    /// Travel would not come after these games of the city it leaves (R-CONS-03).
    case beforeDepartureGame([ItemID])
    /// Travel would not come before these games of the city it reaches (R-CONS-03).
    case afterArrivalGame([ItemID])
    /// No place is valid: the last game to follow is not before the first game to precede.
    case noValidPosition(after: ItemID, before: ItemID)
}

/// The reason why an edit is refused. A refused edit does not change the trip.
public enum Rejection: Error, Hashable, Sendable {
    /// The place is invalid.
    case place(PlaceRefusal)
    /// No item has this id.
    case itemNotFound(ItemID)
    /// The caller has only read access.
    case readOnly
    /// Another connection is dragging the item.
    case itemHeld(ItemID)
    /// The trip or item has a newer version than the caller expected.
    case versionConflict(expected: Int, actual: Int)
    /// The item that a placement refers to does not exist.
    case anchorNotFound(ItemID, day: Int)
    /// The item that a placement refers to is on another day.
    case anchorMoved(ItemID, nowOnDay: Int)
    /// An item has this id already.
    case duplicateItemID(ItemID)
    /// A game has this gameID already.
    case duplicateGameID(String)
    /// An undo cannot restore the former state, for the given reason.
    case overtaken(String)
    /// Another trip has this slug.
    case slugTaken(String)
    /// Text with a forbidden character, such as a control character.
    case textNotAllowed(field: String, scalar: UInt32)
    /// A limit is exceeded.
    case limitExceeded(Limit, field: String)
    /// A field has an invalid value; the text says what would be valid.
    case invalid(field: String, String)
}

/// The refused edit of a batch, and the reason.
package struct EditFailure: Error, Hashable, Sendable {
    /// The 0-based index of the edit.
    public let index: Int
    /// The reason.
    public let rejection: Rejection

    /// Makes a failure.
    public init(index: Int, rejection: Rejection) {
        self.index = index
        self.rejection = rejection
    }
}
