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
