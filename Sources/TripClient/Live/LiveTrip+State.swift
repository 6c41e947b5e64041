import TripModel
import TripProtocol

extension LiveTrip {
    /// An immutable state of a trip for an app to show.
    public struct State: Equatable, Sendable {
        /// The trip with all changes of this client, including unanswered ones. Its own `version` counts those
        /// changes too; the daemon's version is `version` of this state.
        public let trip: Trip
        /// The scheduling problems of `trip`.
        public let problems: [Problem]
        /// The epoch that `version` belongs to.
        public let epoch: String
        /// The newest daemon version that is shown.
        public let version: Int
        /// The author of the change that led to `version`; nil if unknown, as for the first state.
        public let lastCause: Cause?
        /// The state of the connection.
        public let connection: Connection
        /// All users who have the trip open, including this one and viewers; empty while not connected.
        public let people: [PresentUser]
        /// The name of this client's user, as last reported by the daemon and as others see it; before the first
        /// connection the name that this client requests, nil if none.
        public let user: String?
        /// This client's role in the trip, as last reported by the daemon; a viewer's changes are refused at once.
        public let role: Hello.Role
        /// This client's id among `people`; nil while not connected.
        public let connectionID: Int?
        /// This client's id, as in `lastCause`.
        public let clientID: ClientID
        /// The number of unanswered changes.
        public let pendingCount: Int
        /// The number of those that are not in flight: they wait for a connection or for earlier changes.
        public let unsentCount: Int
        /// The number of those that the daemon can answer only after a restart, because its disk failed.
        public let doubtfulCount: Int
        /// True if an undo or redo was answered, and the shown trip does not contain it yet.
        public let isCatchingUp: Bool
        /// True if the daemon has not answered on this connection for some seconds.
        public let isSilent: Bool
        /// The reason why the last connection ended; nil if there was none, and while connected.
        public let lastLoss: ClientError?
        /// The number of versions by others that are held back while this client drags.
        public let waitingVersions: Int
        /// This client's own drag.
        public let drag: Drag
    }

    /// The state of the connection.
    public enum Connection: Equatable, Sendable {
        /// Connected; newer states arrive.
        case connected
        /// Not connected, retrying: the number of the attempt, from 1, and the reason why there is no connection;
        /// nil before the first attempt.
        case connecting(attempt: Int, reason: ClientError?)
        /// Permanently ended: it was closed, or retrying is pointless.
        case ended(ClientError)
    }

    /// A client's own drag.
    public enum Drag: Equatable, Sendable {
        /// No drag, or it was dropped or cancelled.
        case none
        /// The user drags the item, and the daemon has not granted the lease yet.
        case asked(ItemID)
        /// The daemon has granted the lease.
        case held(ItemID)
        /// The last drag ended unexpectedly, with the reason; until the next one begins.
        case lost(ItemID, reason: DragLoss)
    }

    /// The reason why a drag ended other than by a drop or a cancellation.
    @nonexhaustive
    public enum DragLoss: Equatable, Sendable {
        /// It could not be requested.
        case notBegun(String)
        /// The daemon did not grant it.
        case refused(RemoteError)
        /// The daemon ended it.
        case ended(DragEnd)
        /// The connection was lost, which ends its drags.
        case disconnected
        /// The app has not called `hover` for too long; see `LiveTrip.Options.dragTimeout`.
        case abandoned
    }

    /// The states of a live trip, from the current one on: a slow reader skips intermediate ones.
    ///
    /// There may be several iterators. The sequence ends after the state with `LiveTrip.Connection.ended`, and when
    /// the reader's task is cancelled. It keeps the live trip open, as does each iterator.
    public struct States: AsyncSequence, Sendable {
        /// A state.
        public typealias Element = State

        let trip: LiveTrip

        /// Creates an iterator that begins with the current state.
        public func makeAsyncIterator() -> Iterator { Iterator(trip: trip) }

        /// Waits for one state after the other.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            let trip: LiveTrip
            private var seen = -1

            init(trip: LiveTrip) { self.trip = trip }

            /// The newest state that was not returned yet; nil after the last one and if the task is cancelled.
            public mutating func next() async -> State? { await nextShown()?.state }

            mutating func nextShown() async -> ShownState? {
                guard let shown = await trip.driver.state(after: seen) else { return nil }
                seen = shown.revision
                return shown
            }
        }
    }
}
