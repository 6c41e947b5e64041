import TripProtocol

/// What the daemon says unasked, in order, until the connection ends.
public struct Notifications: AsyncSequence, Sendable {
    let client: TripClient

    /// Makes the iterator; a client has one at a time.
    public func makeAsyncIterator() -> Iterator { Iterator(client: client) }

    /// Waits for one notification after the other.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let client: TripClient

        /// The next notification; nil when the connection has ended or the task is cancelled.
        public func next() async -> Notification? { await client.nextNotification() }
    }
}
