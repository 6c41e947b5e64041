extension LiveTrip {
    /// The states of a live trip, from the current one on: a slow reader skips intermediate ones.
    ///
    /// There may be several iterators. The sequence ends after the state with `LiveTrip.Connection.ended`, and when
    /// the reader's task is cancelled. It keeps the live trip open, as does each iterator.
    public struct States: AsyncSequence, Sendable {
        /// A state.
        public typealias Element = LiveTrip.State

        let trip: LiveTrip

        /// Creates an iterator that begins with the current state.
        public func makeAsyncIterator() -> Iterator { Iterator(trip: trip) }

        /// Waits for one state after the other.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            let trip: LiveTrip
            private var seen = -1

            init(trip: LiveTrip) { self.trip = trip }

            /// The newest state that was not returned yet; nil after the last one and if the task is cancelled.
            public mutating func next() async -> LiveTrip.State? { await nextShown()?.state }

            mutating func nextShown() async -> ShownState? {
                guard let shown = await trip.driver.state(after: seen) else { return nil }
                seen = shown.revision
                return shown
            }
        }
    }
}
