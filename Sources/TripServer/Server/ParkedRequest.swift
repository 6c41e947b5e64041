import TripModel
import TripProtocol

/// A request that is parked until its trip is open, or until a name it asks for is durable. It blocks later
/// requests of its connection, so each connection has at most one.
struct ParkedRequest: Equatable, Sendable {
    let request: Request
    /// Identifies the request for retries; 0 if it cannot be retried.
    let fingerprint: UInt64
    let ticket: Ticket
    var principal: Principal
    /// The size of the encoded parameters in bytes.
    let byteCount: Int
    /// The size of the batch that it commits, which is counted until the request is executed.
    var batchBytes = 0
    /// The trip that a worker has built from its draft.
    var prepared: PreparedTrip?
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
