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

    init(_ parsed: ParsedRequest, by principal: Principal, _ id: RequestID?) {
        (request, fingerprint, byteCount) = (parsed.request, parsed.fingerprint, parsed.byteCount)
        self.principal = principal
        ticket = Ticket(connection: principal.connection, number: -1, request: id)
    }
}

extension Request {
    /// The trip that must be open for it; nil for none, or if its drag determines the trip.
    var trip: TripReference? {
        switch self {
        case .getTrip(let trip, _), .deleteTrip(let trip, _, _), .gaps(let trip, _), .unsubscribe(let trip),
            .sync(let trip), .beginDrag(let trip, _, _), .undo(let trip, _), .redo(let trip, _),
            .focus(let trip, _), .openBatch(let trip), .removedItems(let trip):
            trip
        case .history(let history): history.trip
        case .change(let change): change.trip
        case .subscribe(let subscribe): subscribe.trip
        case .createTrip(let draft): draft.id.map { .id($0) }
        case .drop(let drop): drop.trip
        // A commit of a batch has a trip once `resolveBatch` has turned it into a change.
        case .ping, .discover, .hello, .restrict, .listTrips, .listTrash, .restoreTrip, .hover, .cancelDrag,
            .stats, .shutdown, .addToBatch, .commitBatch, .dropBatch:
            nil
        }
    }

    /// The drag that it continues or ends.
    var drag: DragID? {
        switch self {
        case .hover(let drag, _), .cancelDrag(let drag): drag
        case .drop(let drop): drop.drag
        default: nil
        }
    }

    /// True if later requests of the connection wait until its answer is sent.
    var blocksLater: Bool {
        switch method.traits.blocksLater {
        case .never: false
        case .always: true
        case .renames:
            if case .change(let change) = self { change.edits.contains { $0.slug != nil } } else { false }
        }
    }
}

extension Edit {
    /// The slug that the request gives its trip.
    var slug: String? {
        if case .trip(let change) = self { change.slug } else { nil }
    }
}
