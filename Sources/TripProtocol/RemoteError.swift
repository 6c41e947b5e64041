import JSONLine

/// An error as received by a client; this version may not know its reason.
public struct RemoteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The JSON-RPC code.
    public let code: Int
    /// The reason code, for programs.
    public let reason: String
    /// One sentence for the user.
    public let message: String
    /// Additional data as received JSON text; nil if there is none.
    package let data: [UInt8]?

    /// Creates an error.
    public init(code: Int, reason: String, message: String) {
        self.init(code: code, reason: reason, message: message, data: nil)
    }

    /// Creates an error with additional data as JSON text.
    package init(code: Int, reason: String, message: String, data: [UInt8]?) {
        self.code = code
        self.reason = reason
        self.message = message
        self.data = data
    }

    private var members: JSONNode? { data.flatMap { try? JSONDocument(parsing: $0).root } }

    /// Of several changes, the index of the refused one.
    public var opIndex: Int? { members?["opIndex"]?.int }
    /// The path of the invalid field, such as `set.time`.
    public var field: String? { members?["field"]?.string }
    /// The user whose drag locks the item.
    public var by: String? { members?["by"]?.string }
    /// The days on which the travel is valid.
    public var validDays: ClosedRange<Int>? {
        let days = members?["validDays"]?.elements.compactMap { $0.int } ?? []
        return days.count == 2 && days[0] <= days[1] ? days[0]...days[1] : nil
    }
    /// The limit that is exceeded.
    public var max: Int? { members?["max"]?.int }
    /// Whether the refused undo or redo was discarded, so that the next one reverses an earlier change.
    public var dropped: Bool { members?["dropped"]?.bool == true }

    /// The reason, if this version knows it.
    public var known: ErrorReason? { ErrorReason(rawValue: reason) }

    /// True if this error for a retry leaves the outcome of the first attempt unknown: the daemon returns it before it
    /// looks up the sequence number, or cannot look. A reason that this version does not know counts as such.
    public var leavesRepeatOpen: Bool {
        switch known {
        case .parseError, .lineTooLong, .invalidRequest, .methodNotFound, .invalidParams, .internalError,
            .notInitialized, .unsupportedProtocol, .tripNotFound, .storageFailed, .outcomeUnknown,
            .tripCorrupt,
            .shuttingDown, .readOnly, .accessDenied, .sequenceReuse, .batchNotFound, nil:
            true
        case .itemNotFound, .dragNotFound, .gameImmovable, .dayOutOfRange, .outsideValidDays,
            .beforeDepartureGame, .afterArrivalGame, .noValidPosition, .slugTaken, .textNotAllowed,
            .versionConflict, .itemHeld, .alreadyDragging, .anchorMoved, .leaseExpired, .undoConflict,
            .nothingToUndo, .nothingToRedo, .duplicateID, .sequenceTooOld, .limitExceeded, .storageFull:
            false
        }
    }

    /// The message and the reason.
    public var description: String { "\(message) (\(reason))" }
}
