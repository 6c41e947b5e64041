/// Every reason of an error on the wire, and the code of its class: the one place that names them.
public enum ErrorReason: String, CaseIterable, Sendable {
    case parseError = "parse_error"
    case lineTooLong = "line_too_long"
    case invalidRequest = "invalid_request"
    case methodNotFound = "method_not_found"
    case invalidParams = "invalid_params"
    case internalError = "internal_error"
    case notInitialized = "not_initialized"
    case unsupportedProtocol = "unsupported_protocol"
    case tripNotFound = "trip_not_found"
    case itemNotFound = "item_not_found"
    case dragNotFound = "drag_not_found"
    case gameImmovable = "game_immovable"
    case dayOutOfRange = "day_out_of_range"
    case outsideValidDays = "outside_valid_days"
    case beforeDepartureGame = "before_departure_game"
    case afterArrivalGame = "after_arrival_game"
    case noValidPosition = "no_valid_position"
    case slugTaken = "slug_taken"
    case textNotAllowed = "text_not_allowed"
    case versionConflict = "version_conflict"
    case itemHeld = "item_held"
    case alreadyDragging = "already_dragging"
    case anchorMoved = "anchor_moved"
    case leaseExpired = "lease_expired"
    case undoConflict = "undo_conflict"
    case nothingToUndo = "nothing_to_undo"
    case nothingToRedo = "nothing_to_redo"
    case duplicateID = "duplicate_id"
    case sequenceReuse = "seq_reuse"
    case sequenceTooOld = "seq_too_old"
    case limitExceeded = "limit_exceeded"
    case storageFull = "storage_full"
    case storageFailed = "storage_failed"
    case outcomeUnknown = "outcome_unknown"
    case tripCorrupt = "trip_corrupt"
    case shuttingDown = "shutting_down"
    case readOnly = "read_only"

    /// The JSON-RPC code of its class.
    public var code: Int {
        switch self {
        case .parseError, .lineTooLong: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .internalError: -32603
        case .notInitialized, .unsupportedProtocol: -32002
        case .tripNotFound, .itemNotFound, .dragNotFound: -32010
        case .gameImmovable, .dayOutOfRange, .outsideValidDays, .beforeDepartureGame, .afterArrivalGame,
            .noValidPosition, .slugTaken, .textNotAllowed:
            -32011
        case .versionConflict, .itemHeld, .alreadyDragging, .anchorMoved, .leaseExpired, .undoConflict,
            .nothingToUndo, .nothingToRedo, .duplicateID, .sequenceReuse, .sequenceTooOld:
            -32012
        case .limitExceeded: -32013
        case .storageFull, .storageFailed, .outcomeUnknown, .tripCorrupt, .shuttingDown: -32014
        case .readOnly: -32015
        }
    }
}
