import JSONLine
import TripModel

extension Notification {
    /// The notification as a line of the wire, newline included.
    package func line() -> [UInt8] {
        switch self {
        case .snapshot(let snapshot, let previous, let skipped, let cause):
            ServerLine.notification("trip.snapshot") { json in
                json.member("previous", previous)
                json.member("skipped", skipped)
                if let cause {
                    json.key("cause")
                    json.encode(cause)
                }
                json.encodeMembers(of: snapshot)
            }
        case .presence(let trip, let users): ServerLine.presence(trip, users)
        case .dragEnded(let drag, let item, let reason):
            ServerLine.dragEnded(drag, item: item, reason: reason)
        case .tripDeleted(let trip): ServerLine.tripDeleted(trip)
        case .goodbye(let reason): ServerLine.goodbye(reason)
        }
    }
}

extension JSONWriter {
    /// `trip`, `epoch`, `version`, `items` and `problems`.
    package mutating func encodeMembers(of snapshot: Snapshot) {
        key("trip")
        encode(snapshot.trip.header)
        member("epoch", snapshot.epoch)
        member("version", snapshot.trip.version)
        key("items")
        beginArray()
        for item in snapshot.trip.items { encode(item) }
        endArray()
        key("problems")
        beginArray()
        for problem in snapshot.problems { encode(problem) }
        endArray()
    }
}
