import JSONLine
import TripProtocol

/// A request that waits until its trip is open, or until the disk has the name that it asks for. What the same
/// connection asks behind it is not read meanwhile, so there is at most one of them a connection.
struct ParkedRequest: Sendable {
    let request: Request
    /// Tells a repeat of it from another request; 0 where it cannot be repeated.
    let fingerprint: UInt64
    let ticket: Ticket
    let principal: Principal
}

extension Request {
    /// Tells a repeat of the request from another one: the method and the parameters, in their canonical form.
    ///
    /// Made when it is read, so that the text it came in need not be kept while it waits.
    func fingerprint(_ method: Method, _ params: JSONNode?) -> UInt64 {
        let isRepeatable =
            switch self {
            case .change(let change): change.options.seq != nil
            case .undo(_, let options), .redo(_, let options): options.seq != nil
            case .drop(let drop): drop.options.seq != nil
            // Only one that names the id can be repeated.
            case .createTrip(let draft): draft.id != nil
            default: false
            }
        guard isRepeatable else { return 0 }
        return TripServer.fingerprint(of: Array(method.rawValue.utf8) + (params?.canonicalBytes() ?? []))
    }

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
