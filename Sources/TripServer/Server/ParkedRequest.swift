import TripModel
import TripProtocol

/// A request that waits until its trip is open, or until the disk has the name that it asks for. What the same
/// connection asks behind it is not read meanwhile, so there is at most one of them a connection.
struct ParkedRequest: Equatable, Sendable {
    let request: Request
    /// Tells a repeat of it from another request; 0 where it cannot be repeated.
    let fingerprint: UInt64
    let ticket: Ticket
    var principal: Principal
    /// Bytes of its parameters as they came.
    let byteCount: Int
    /// Bytes of the batch that it commits, which count until it is carried out.
    var batchBytes = 0
    /// What its draft has come to on another thread.
    var made: MadeTrip?
}

extension Request {
    /// The trip that must be open for it; nil where there is none, or where a drag says which.
    var trip: TripReference? {
        switch self {
        case .getTrip(let trip), .deleteTrip(let trip, _, _), .gaps(let trip, _), .unsubscribe(let trip),
            .sync(let trip), .beginDrag(let trip, _, _), .undo(let trip, _), .redo(let trip, _),
            .focus(let trip, _), .openBatch(let trip):
            trip
        case .history(let history): history.trip
        case .change(let change): change.trip
        case .subscribe(let subscribe): subscribe.trip
        case .createTrip(let draft): draft.id.map { .id($0) }
        case .drop(let drop): drop.trip
        // That of a commit is known when it has become the change that it asks for.
        case .ping, .discover, .hello, .restrict, .listTrips, .hover, .cancelDrag, .stats, .shutdown,
            .addToBatch, .commitBatch, .dropBatch:
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

    /// Whether what the same connection asks behind it waits until its answer leaves.
    var holdsBack: Bool {
        switch method.traits.holdsBack {
        case .never: false
        case .always: true
        case .renames:
            if case .change(let change) = self { change.edits.contains { $0.slug != nil } } else { false }
        }
    }
}

extension Edit {
    /// The slug that it gives the trip.
    var slug: String? {
        if case .trip(let change) = self { change.slug } else { nil }
    }
}
