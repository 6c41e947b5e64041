import TripModel
import TripProtocol

/// A request from its parsed line to its answer. While one waits, it blocks the later requests of its connection.
struct Call: Equatable, Sendable {
    /// The commit of a batch becomes its change before anything waits.
    var request: Request
    /// Identifies the request for retries; 0 if it cannot be retried.
    var fingerprint: UInt64
    /// The size of the encoded parameters in bytes.
    let byteCount: Int
    /// Its access is that to the trip of the request once the trip is found.
    var principal: Principal
    /// The position of its answer, which is reserved when the request begins to run.
    var ticket: Ticket
    /// The size of the batch that it commits, which is counted until the request is executed.
    var batchBytes = 0
    /// The trip that a worker has built from its draft.
    var prepared: PreparedTrip?
    /// The changes behind this one in the connection's buffer, which enter the trip with it.
    var followers: [Call] = []

    init(_ parsed: ParsedRequest, by principal: Principal, _ id: RequestID?) {
        (request, fingerprint, byteCount) = (parsed.request, parsed.fingerprint, parsed.byteCount)
        self.principal = principal
        ticket = Ticket(connection: principal.connection, number: -1, request: id)
    }

    /// The rest of a call's followers, of which the first leads now; nil if there are none.
    init?(group calls: some Collection<Call>) {
        guard let first = calls.first else { return nil }
        self = first
        followers = Array(calls.dropFirst())
    }

    /// This call without its followers.
    var alone: Call {
        var call = self
        call.followers = []
        return call
    }

    /// The position of the last answer.
    var lastTicket: Ticket { followers.last?.ticket ?? ticket }

    /// The maximum number of changes in a group.
    static let groupSize = 32

    /// True if it may be one of a group: it changes one item. A whole group is no larger than a small line.
    var isShort: Bool {
        guard case .change(let change) = request, change.edits.count == 1,
            byteCount <= MemoryBudget.smallLine / Self.groupSize
        else { return false }
        return change.edits[0].item != nil && change.method != .commitBatch
    }
}
