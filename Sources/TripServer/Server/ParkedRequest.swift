import JSONLine
import TripProtocol

/// A request that waits until its trip is open. What the same connection asks behind it is not read meanwhile, so
/// there is at most one of them a connection.
struct ParkedRequest {
    let request: Request
    let params: JSONNode?
    let ticket: Ticket
    let principal: Principal
}

extension Request {
    /// Whether it is carried out even when nobody is there to be answered any more.
    var outlivesConnection: Bool {
        switch self {
        case .createTrip, .deleteTrip, .change, .undo, .redo: true
        case .ping, .discover, .hello, .listTrips, .getTrip, .gaps, .subscribe, .unsubscribe, .sync,
            .beginDrag, .hover, .drop, .cancelDrag, .history, .stats, .shutdown:
            false
        }
    }

    /// The trip that must be open for it; nil where there is none, or where a drag says which.
    var trip: TripReference? {
        switch self {
        case .getTrip(let trip), .deleteTrip(let trip, _, _), .gaps(let trip, _), .unsubscribe(let trip),
            .sync(let trip), .beginDrag(let trip, _, _), .undo(let trip, _), .redo(let trip, _),
            .history(let trip, _, _):
            trip
        case .change(let change): change.trip
        case .subscribe(let subscribe): subscribe.trip
        case .createTrip(let draft): draft.id.map { .id($0) }
        case .drop(let drop): drop.trip
        case .ping, .discover, .hello, .listTrips, .hover, .cancelDrag, .stats, .shutdown: nil
        }
    }
}
