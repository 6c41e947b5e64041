import JSONLine
import TripModel

/// An error as it goes over the wire: a reason for programs, a message for people, and what belongs to them.
public struct WireError: Error, Equatable, Sendable {
    /// One fact about an error, by its name in `data`.
    public enum Detail: Equatable, Sendable {
        /// The field that is wrong, by its path.
        case field(String)
        /// Where, in bytes.
        case offset(Int)
        /// The days that are valid.
        case validDays(ClosedRange<Int>)
        /// The games that are in the way.
        case games([ItemID])
        /// The game that travel follows and the earlier one that it precedes.
        case between(after: ItemID, before: ItemID)
        /// The version that was expected.
        case expected(Int)
        /// The version that there is.
        case actual(Int)
        /// Who holds the item.
        case by(String)
        /// The limit that is passed, and its value.
        case limit(String, max: Int)
        /// Which operation of a batch, from 0.
        case opIndex(Int)
        /// The day that matters: where an anchor is now or, where it is gone, the one that the placement names.
        case day(Int)
        /// An undo is refused for good, and what it would have taken back is given up.
        case dropped
        /// The damaged file.
        case file(String)
        /// What both sides speak.
        case versions(client: ProtocolVersion, server: ProtocolVersion)
    }

    /// The reason, for programs.
    public let reason: ErrorReason
    /// One sentence, for a person.
    public let message: String
    /// What belongs to it.
    public private(set) var details: [Detail]

    /// UTF-8 bytes of a message, about and at most: above what any of ours needs, though it names what a request named.
    private static let messageBytes = 4096

    /// Makes an error; what a request has put into the message is made fit to be shown.
    public init(_ reason: ErrorReason, _ message: String, _ details: Detail...) {
        self.reason = reason
        self.message = TextRule.visible(
            message.utf8.count <= Self.messageBytes
                ? message : String(message.unicodeScalars.prefix(Self.messageBytes / 4)) + "…")
        self.details = details
    }

    /// The same error with one more fact.
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

    /// The error of a client that speaks another major version.
    static func unsupported(_ version: ProtocolVersion) -> WireError {
        let ours = ProtocolVersion.current
        let older = version.major < ours.major ? "client" : "daemon"
        return WireError(
            .unsupportedProtocol,
            "the client speaks \(version), the daemon \(ours); the \(older) is older and needs an update",
            .versions(client: version, server: ours))
    }

    /// The error of a limit that is passed.
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
            json.key("client")
            json.encode(client)
            json.key("server")
            json.encode(server)
            let clientIsOlder = (client.major, client.minor) < (server.major, server.minor)
            json.member("older", clientIsOlder ? "client" : "server")
        }
    }
}
