import TripModel

/// The limits of the wire and of a daemon; those of a trip's content are `TripLimits`.
public enum WireLimits {
    /// Bytes of a request's line, without its newline.
    public static let lineBytes = 1 << 20
    /// Nested arrays and objects of a request.
    public static let depth = 32
    /// Trips of a daemon.
    public static let trips = 10_000
    /// Connections of a daemon.
    public static let connections = 256
    /// Bytes of answers that wait for all connections together before large ones are made to wait.
    public static let waitingBytes = 256 << 20
    /// Requests of one connection that are read and not yet answered.
    public static let requestsInFlight = 256
    /// Bytes queued for one connection, snapshots and presence apart.
    public static let queuedBytes = 8 << 20
    /// Lines in a row that are no JSON or too long before a connection is closed.
    public static let badLines = 16
    /// Seconds that a connection has to say hello.
    public static let handshakeSeconds = 10
    /// Milliseconds that a drag lives without a hover.
    public static let leaseMilliseconds = 15_000
    /// Commits of one client whose answers are kept, per trip.
    public static let keptAnswers = 256
    /// Trips that one connection is subscribed to.
    public static let subscriptions = 128
    /// Times a second that presence is told at the most.
    public static let presencePerSecond = 10

    /// Bytes of what one change writes: its items and its kept answer.
    public static let changeBytes = 16 << 20
    /// Bytes of the items that one change removes or edits, as they were before it: what its undo writes.
    public static let undoBytes = 64 << 20

    /// Operations of a batch that is brought in several lines.
    public static let batchOperations = 10_000
    /// Seconds that such a batch is held after what was brought last.
    public static let batchSeconds = 60
    /// Such batches of one connection.
    public static let batches = 8
    /// Bytes of all such batches of all connections.
    public static let batchBytes = 64 << 20

    /// All limits by their names on the wire, as hello announces them.
    static let announced: [(name: String, value: Int)] =
        [("lineBytes", lineBytes), ("depth", depth)]
        + Limit.allCases.map { ($0.rawValue, $0.maximum) }
        + [
            ("trips", trips), ("connections", connections), ("requestsInFlight", requestsInFlight),
            ("queuedBytes", queuedBytes), ("badLines", badLines), ("handshakeSeconds", handshakeSeconds),
            ("leaseMilliseconds", leaseMilliseconds), ("keptAnswers", keptAnswers),
            ("subscriptions", subscriptions), ("presencePerSecond", presencePerSecond),
            ("changeBytes", changeBytes), ("undoBytes", undoBytes),
            ("itemBytes", TripLimits.itemBytes), ("batchOps", batchOperations),
            ("batchSeconds", batchSeconds), ("batches", batches), ("batchBytes", batchBytes),
        ]

    /// The announced limits, to look one up.
    package static var byName: [String: Int] {
        Dictionary(uniqueKeysWithValues: announced.map { ($0.name, $0.value) })
    }
}
