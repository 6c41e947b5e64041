import TripModel
import TripProtocol

/// Notifications that the app has not read yet. A newer state of a trip replaces an older one, so the size is
/// bounded by the number of trips and drags.
struct NotificationQueue {
    private var waiting: [TripNotification] = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func append(_ notification: TripNotification) {
        switch notification {
        case .snapshot(let newer, _, let skipped, let cause):
            let index = waiting.firstIndex {
                if case .snapshot(let older, _, _, _) = $0 {
                    return older.trip.header.id == newer.trip.header.id
                }
                return false
            }
            guard let index, case .snapshot(_, let first, let skippedBefore, _) = waiting[index] else {
                break
            }
            waiting.remove(at: index)
            waiting.append(
                .snapshot(newer, previous: first, skipped: skippedBefore + skipped + 1, cause: cause))
            return
        case .presence(let trip, _):
            waiting.removeAll {
                if case .presence(trip, _) = $0 { return true }
                return false
            }
        case .dragEnded, .tripDeleted, .goodbye: break
        }
        waiting.append(notification)
    }

    mutating func take() -> TripNotification? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
