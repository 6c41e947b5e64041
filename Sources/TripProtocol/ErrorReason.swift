/// Every reason of an error on the wire, and the code of its class: the one place that names them.
public enum ErrorReason: String, CaseIterable, Sendable {
    /// The line is not JSON as the protocol has it.
    case parseError = "parse_error"
    /// The line is longer than the daemon reads.
    case lineTooLong = "line_too_long"
    /// JSON, but no request; or a second hello.
    case invalidRequest = "invalid_request"
    /// There is no such method.
    case methodNotFound = "method_not_found"
    /// A field is missing, of the wrong type, or has a value that it cannot have.
    case invalidParams = "invalid_params"
    /// A bug of the daemon.
    case internalError = "internal_error"
    /// Hello has to come first.
    case notInitialized = "not_initialized"
    /// The major versions differ.
    case unsupportedProtocol = "unsupported_protocol"
    /// No trip has this id or slug.
    case tripNotFound = "trip_not_found"
    /// The item, or a placement's anchor, is not in the trip.
    case itemNotFound = "item_not_found"
    /// This connection holds no such drag.
    case dragNotFound = "drag_not_found"
    /// This connection has no such batch, or not any more.
    case batchNotFound = "batch_not_found"
    /// A game follows its schedule.
    case gameImmovable = "game_immovable"
    /// The trip has no such day.
    case dayOutOfRange = "day_out_of_range"
    /// Travel keeps within its valid days.
    case outsideValidDays = "outside_valid_days"
    /// Travel would come before a game of the city that it leaves.
    case beforeDepartureGame = "before_departure_game"
    /// Travel would come after a game of the city that it reaches.
    case afterArrivalGame = "after_arrival_game"
    /// The games leave the travel no place.
    case noValidPosition = "no_valid_position"
    /// Another trip has the slug.
    case slugTaken = "slug_taken"
    /// The text has a character that is not allowed.
    case textNotAllowed = "text_not_allowed"
    /// The trip or the item is not at the version that was expected.
    case versionConflict = "version_conflict"
    /// Somebody else drags the item.
    case itemHeld = "item_held"
    /// This connection holds a drag in this trip.
    case alreadyDragging = "already_dragging"
    /// The anchor is on another day by now.
    case anchorMoved = "anchor_moved"
    /// The drag ended for lack of a hover.
    case leaseExpired = "lease_expired"
    /// Another client has changed it since.
    case undoConflict = "undo_conflict"
    /// There is nothing of this client's to take back.
    case nothingToUndo = "nothing_to_undo"
    /// There is nothing to make again.
    case nothingToRedo = "nothing_to_redo"
    /// A trip, an item or a game has this id already.
    case duplicateID = "duplicate_id"
    /// The `seq` belongs to another request.
    case sequenceReuse = "seq_reuse"
    /// The `seq` is below the highest kept, and its answer is not kept.
    case sequenceTooOld = "seq_too_old"
    /// There is too much of something.
    case limitExceeded = "limit_exceeded"
    /// The disk has no room; nothing was changed.
    case storageFull = "storage_full"
    /// The disk had failed before; nothing was changed.
    case storageFailed = "storage_failed"
    /// The disk failed while this was written; nobody knows whether it was kept.
    case outcomeUnknown = "outcome_unknown"
    /// The trip's journal is damaged, or of a newer format.
    case tripCorrupt = "trip_corrupt"
    /// Kept for later.
    case shuttingDown = "shutting_down"
    /// Somebody asks for what their access does not allow.
    case readOnly = "read_only"
    /// The account may not do anything at all; the connection ends.
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
