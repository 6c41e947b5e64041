/// All error reasons of the protocol, with the codes of their classes.
@nonexhaustive
public enum ErrorReason: String, CaseIterable, Sendable {
    /// The line is not valid JSON.
    case parseError = "parse_error"
    /// The line is longer than the limit.
    case lineTooLong = "line_too_long"
    /// JSON that is not a request; or a second hello.
    case invalidRequest = "invalid_request"
    /// The method does not exist.
    case methodNotFound = "method_not_found"
    /// A field is missing, or has a wrong type or an invalid value.
    case invalidParams = "invalid_params"
    /// A bug of the daemon.
    case internalError = "internal_error"
    /// The first request must be hello.
    case notInitialized = "not_initialized"
    /// The major versions differ.
    case unsupportedProtocol = "unsupported_protocol"
    /// No trip has this id or slug.
    case tripNotFound = "trip_not_found"
    /// The item, or a placement's anchor, is not in the trip.
    case itemNotFound = "item_not_found"
    /// This connection has no such drag.
    case dragNotFound = "drag_not_found"
    /// This connection has no such batch, or it has expired.
    case batchNotFound = "batch_not_found"
    /// A game's place follows from its schedule.
    case gameImmovable = "game_immovable"
    /// The trip has no such day.
    case dayOutOfRange = "day_out_of_range"
    /// Travel must stay within its valid days.
    case outsideValidDays = "outside_valid_days"
    /// Travel would precede a game of the city that it leaves.
    case beforeDepartureGame = "before_departure_game"
    /// Travel would follow a game of the city that it reaches.
    case afterArrivalGame = "after_arrival_game"
    /// The games leave no valid place for the travel.
    case noValidPosition = "no_valid_position"
    /// Another trip has the slug.
    case slugTaken = "slug_taken"
    /// The text contains a forbidden character.
    case textNotAllowed = "text_not_allowed"
    /// The trip or the item does not have the expected version.
    case versionConflict = "version_conflict"
    /// Another client is dragging the item.
    case itemHeld = "item_held"
    /// This connection has a drag in this trip already.
    case alreadyDragging = "already_dragging"
    /// The anchor is on another day now.
    case anchorMoved = "anchor_moved"
    /// The drag ended for lack of a hover.
    case leaseExpired = "lease_expired"
    /// Another client has changed the item since.
    case undoConflict = "undo_conflict"
    /// This client has no change to undo.
    case nothingToUndo = "nothing_to_undo"
    /// This client has no undo to redo.
    case nothingToRedo = "nothing_to_redo"
    /// A trip, an item or a game has this id already.
    case duplicateID = "duplicate_id"
    /// The `seq` belongs to another request.
    case sequenceReuse = "seq_reuse"
    /// The `seq` is below the highest one, and its answer is not cached.
    case sequenceTooOld = "seq_too_old"
    /// A limit is exceeded.
    case limitExceeded = "limit_exceeded"
    /// The disk is full; nothing was changed.
    case storageFull = "storage_full"
    /// The disk has failed before; nothing was changed.
    case storageFailed = "storage_failed"
    /// The disk failed during the write; it is unknown whether the change was stored.
    case outcomeUnknown = "outcome_unknown"
    /// The trip's journal is damaged, or of a newer format.
    case tripCorrupt = "trip_corrupt"
    /// Reserved.
    case shuttingDown = "shutting_down"
    /// The access does not allow the request.
    case readOnly = "read_only"
    /// The account has no access at all; the connection ends.
    case accessDenied = "access_denied"

    /// The JSON-RPC code of its class.
    public var code: Int {
        switch self {
        case .parseError, .lineTooLong: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .internalError: -32603
        case .notInitialized, .unsupportedProtocol: -32002
        case .tripNotFound, .itemNotFound, .dragNotFound, .batchNotFound: -32010
        case .gameImmovable, .dayOutOfRange, .outsideValidDays, .beforeDepartureGame, .afterArrivalGame,
            .noValidPosition, .slugTaken, .textNotAllowed:
            -32011
        case .versionConflict, .itemHeld, .alreadyDragging, .anchorMoved, .leaseExpired, .undoConflict,
            .nothingToUndo, .nothingToRedo, .duplicateID, .sequenceReuse, .sequenceTooOld:
            -32012
        case .limitExceeded: -32013
        case .storageFull, .storageFailed, .outcomeUnknown, .tripCorrupt, .shuttingDown: -32014
        case .readOnly, .accessDenied: -32015
        }
    }
}
