import TripModel
import TripProtocol

/// What `watch` prints of one notification.
enum WatchLine {
    /// As the daemon sends it.
    static func json(_ notification: Notification) -> String {
        String(decoding: notification.line().dropLast(), as: UTF8.self)
    }

    /// As a person reads it.
    static func plain(_ notification: Notification) -> String {
        switch notification {
        case .snapshot(let snapshot, _, let skipped, let cause):
            let who = cause.map { " by \(PlainText.visible($0.user)) (\($0.method))" } ?? ""
            let more = skipped == 0 ? "" : ", \(skipped) skipped"
            return "version \(snapshot.trip.version)\(who), \(snapshot.trip.itemCount) items\(more)"
        case .presence(_, let users):
            let names = users.map { user in
                PlainText.visible(user.user) + (user.dragging == nil ? "" : " (dragging)")
            }
            return "here: \(names.joined(separator: ", "))"
        case .dragEnded(_, _, let reason): return "drag ended: \(reason.rawValue)"
        case .tripDeleted: return "the trip is deleted"
        case .goodbye(let reason): return "goodbye: \(reason.rawValue)"
        }
    }
}
