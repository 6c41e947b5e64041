import TripModel

/// The limits of the protocol and of a daemon; those of a trip's content are `TripLimits`.
public enum WireLimits {
    /// Maximum bytes of a request's line, without its newline.
    public static let lineBytes = 1 << 20
    /// Maximum depth of nested arrays and objects in a request.
    public static let depth = 32
    /// Maximum number of trips of a daemon.
    public static let trips = 10_000
    /// Maximum number of connections of a daemon.
    public static let connections = 256
    /// The bytes of waiting answers of all connections above which requests with large answers must wait.
    public static let waitingBytes = 256 << 20
    /// Maximum number of unanswered requests of one connection.
    public static let requestsInFlight = 256
    /// Maximum bytes queued for one connection, without snapshots and presence.
    public static let queuedBytes = 8 << 20
    /// The number of consecutive lines that are invalid JSON or too long after which a connection is closed.
    public static let badLines = 16
    /// The timeout for hello in seconds.
    public static let handshakeSeconds = 10
    /// The duration of a lease without a hover in milliseconds.
    public static let leaseMilliseconds = 15_000
    /// The number of cached answers per client and trip.
    public static let cachedAnswers = 256
    /// Maximum number of subscriptions of one connection.
    public static let subscriptions = 128
    /// Maximum number of presence updates per second.
    public static let presencePerSecond = 10

    /// How long a deleted trip and a removed item are kept, in milliseconds.
    public static let trashMilliseconds: Int64 = 30 * 86_400_000

    /// Maximum bytes that one change writes: its items and its cached answer.
    public static let changeBytes = 16 << 20
    /// Maximum bytes of the previous states of items that one change removes or edits, which its undo writes.
    public static let undoBytes = 64 << 20

    /// Maximum number of operations of a batch.
    public static let batchOperations = 10_000
    /// The lifetime of a batch after its last addition, in seconds.
    public static let batchSeconds = 60
    /// Maximum number of batches of one connection.
    public static let batches = 8
    /// Maximum bytes of all batches of all connections.
    public static let batchBytes = 64 << 20

    /// The limits that hello announces, by their names on the wire.
    static let announced: [(name: String, value: Int)] =
        [("lineBytes", lineBytes), ("depth", depth)]
        + Limit.allCases.map { ($0.rawValue, $0.maximum) }
        + [
            ("trips", trips), ("connections", connections), ("requestsInFlight", requestsInFlight),
            ("queuedBytes", queuedBytes), ("badLines", badLines), ("handshakeSeconds", handshakeSeconds),
            ("leaseMilliseconds", leaseMilliseconds), ("keptAnswers", cachedAnswers),
            ("subscriptions", subscriptions), ("presencePerSecond", presencePerSecond),
            ("changeBytes", changeBytes), ("undoBytes", undoBytes),
            ("itemBytes", TripLimits.itemBytes), ("batchOps", batchOperations),
            ("batchSeconds", batchSeconds), ("batches", batches), ("batchBytes", batchBytes),
        ]

    /// The announced limits by name.
    package static var byName: [String: Int] {
        Dictionary(uniqueKeysWithValues: announced.map { ($0.name, $0.value) })
    }
}

/// The version of the protocol: major versions are incompatible, minor ones only add.
public struct ProtocolVersion: Hashable, Sendable {
    /// Incremented by incompatible changes.
    public let major: Int
    /// Incremented by additions.
    public let minor: Int

    /// Creates a version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// The version of this implementation.
    public static let current = ProtocolVersion(major: 1, minor: 3)

    /// The version of the programs, as sent in hello and printed by `--version`.
    public static let program = "0.1.0"
}

extension ProtocolVersion: CustomStringConvertible {
    /// `1.0`
    public var description: String { "\(major).\(minor)" }
}
