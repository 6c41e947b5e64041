import JSONLine
import TripModel

/// An error on the wire: a reason for programs, a message for people, and additional data.
package struct WireError: Error, Equatable, Sendable {
    /// One member of `data`.
    public enum Detail: Equatable, Sendable {
        /// The path of the invalid field.
        case field(String)
        /// The offset in bytes.
        case offset(Int)
        /// The valid days.
        case validDays(ClosedRange<Int>)
        /// The games that prevent the change.
        case games([ItemID])
        /// The game that travel must follow, and the earlier one that it must precede.
        case between(after: ItemID, before: ItemID)
        /// The expected version.
        case expected(Int)
        /// The actual version.
        case actual(Int)
        /// The user who is dragging the item.
        case by(String)
        /// The exceeded limit, and its value.
        case limit(String, max: Int)
        /// The index of an operation of a batch, from 0.
        case opIndex(Int)
        /// The day of an anchor or, if that is gone, of the placement.
        case day(Int)
        /// The undo can never succeed, and its entry was discarded.
        case dropped
        /// The damaged file.
        case file(String)
        /// The versions of both sides.
        case versions(client: ProtocolVersion, server: ProtocolVersion)
    }

    /// The reason code, for programs.
    public let reason: ErrorReason
    /// One sentence for the user.
    public let message: String
    /// The additional data.
    public private(set) var details: [Detail]

    /// Approximate maximum of a message in UTF-8 bytes, which exceeds all messages, even with texts from the request.
    private static let messageBytes = 4096

    /// Creates an error; texts from the request are made printable.
    public init(_ reason: ErrorReason, _ message: String, _ details: Detail...) {
        self.reason = reason
        self.message = TextRule.visible(
            message.utf8.count <= Self.messageBytes
                ? message : String(message.unicodeScalars.prefix(Self.messageBytes / 4)) + "…")
        self.details = details
    }

    /// The same error with one more member of data.
    public func with(_ detail: Detail) -> WireError {
        var copy = self
        copy.details.append(detail)
        return copy
    }

    static func invalid(_ field: FieldPath, _ message: String) -> WireError {
        invalid(field.description, message)
    }

    static func invalid(_ field: String, _ message: String) -> WireError {
        WireError(.invalidParams, "\(field): \(message)", .field(field))
    }

    /// The error for a client with another major version.
    static func unsupported(_ version: ProtocolVersion) -> WireError {
        let ours = ProtocolVersion.current
        let older = version.major < ours.major ? "client" : "daemon"
        return WireError(
            .unsupportedProtocol,
            "the client speaks \(version), the daemon \(ours); the \(older) is older and needs an update",
            .versions(client: version, server: ours))
    }

    /// The error of an exceeded limit.
    package static func limit(_ name: String, max: Int, _ message: String) -> WireError {
        WireError(.limitExceeded, message, .limit(name, max: max))
    }
}

extension WireError {
    /// Writes the `error` object's value.
    package func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.member("code", reason.code)
        json.member("message", message)
        json.key("data")
        json.beginObject()
        json.member("reason", reason.rawValue)
        for detail in details { detail.encode(into: &json) }
        json.endObject()
        json.endObject()
    }
}

extension WireError.Detail {
    fileprivate func encode(into json: inout JSONWriter) {
        switch self {
        case .field(let name): json.member("field", name)
        case .offset(let offset): json.member("offset", offset)
        case .validDays(let days):
            json.key("validDays")
            json.encode(days)
        case .games(let games):
            json.key("games")
            json.encode(games)
        case .between(let after, let before):
            json.member("after", after.description)
            json.member("before", before.description)
        case .expected(let version): json.member("expected", version)
        case .actual(let version): json.member("actual", version)
        case .by(let user): json.member("by", user)
        case .limit(let name, let max):
            json.member("limit", name)
            json.member("max", max)
        case .opIndex(let index): json.member("opIndex", index)
        case .day(let day): json.member("day", day)
        case .dropped: json.member("dropped", true)
        case .file(let path): json.member("file", path)
        case .versions(let client, let server):
            _ = json.required("client", client)
            _ = json.required("server", server)
            let clientIsOlder = (client.major, client.minor) < (server.major, server.minor)
            json.member("older", clientIsOlder ? "client" : "server")
        }
    }
}

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
    /// The message without the request's field path, for users who do not see the request. The name of an item's field is
    /// kept: `cost: no amount`.
    package var sentence: String {
        guard let field, message.hasPrefix("\(field): ") else { return message }
        let name = field.split(separator: ".").last.map(String.init) ?? field
        return (ItemField(name: name) == nil ? "" : "\(name): ") + message.dropFirst(field.count + 2)
    }
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
