import TripModel
import TripProtocol

extension TripClient {
    /// The daemon's unrequested messages in order, until the connection ends.
    ///
    /// Only one iterator at a time receives a client's messages. While an iterator exists that has been used,
    /// every other one throws `ClientError.inUse`.
    public struct Notifications: AsyncSequence, Sendable {
        let client: TripClient

        /// Creates an iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(client: client) }

        /// The identity of an iterator.
        final class Reader: Sendable {}

        /// Waits for one notification after the other.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            let client: TripClient
            private let reader = Reader()

            init(client: TripClient) { self.client = client }

            /// The next notification; nil if the connection has ended or the task is cancelled.
            ///
            /// - Throws: `ClientError.inUse` if another iterator or another task reads them.
            public func next() async throws(ClientError) -> TripNotification? {
                try await client.nextNotification(for: reader)
            }
        }
    }
}

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
