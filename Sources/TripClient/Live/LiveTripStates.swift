/// The states of a live trip, the newest first and only: a reader that is slow skips those in between.
///
/// Any number of readers may go over it, each at its own pace. It ends behind the state that says
/// `LiveConnection.ended`, and where the reader's task is cancelled.
public struct LiveTripStates: AsyncSequence, Sendable {
    /// What it gives.
    public typealias Element = LiveTripState

    let trip: LiveTrip

    /// Begins with the state of now.
    public func makeAsyncIterator() -> Iterator { Iterator(trip: trip) }

    /// Waits for one state after the other.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let trip: LiveTrip
        private var seen = 0

        init(trip: LiveTrip) { self.trip = trip }

        /// The newest state that has not been given yet; nil behind the last one and where the task is cancelled.
        public mutating func next() async -> LiveTripState? {
            guard let (state, number) = await trip.state(after: seen) else { return nil }
            seen = number
            return state
        }
    }
}
