import TripModel
import TripProtocol

// Trips without a daemon, for previews and tests of an app.

extension LiveTrip.State {
    /// Makes a state for a preview or a test. Its version is that of the trip.
    public init(
        of trip: Trip, connection: LiveTrip.Connection = .connected, people: [PresentUser] = [],
        user: String? = nil, role: Hello.Role = .editor, pendingCount: Int = 0, drag: LiveTrip.Drag = .none
    ) {
        self.init(
            trip: trip, problems: trip.problems, epoch: "", version: trip.version, lastCause: nil,
            connection: connection, people: people, user: user, role: role, connectionID: nil,
            clientID: .random(), pendingCount: pendingCount, unsentCount: 0, doubtfulCount: 0,
            isCatchingUp: false, isSilent: false, lastLoss: nil, waitingVersions: 0, drag: drag)
    }
}

extension LiveTrip {
    /// Makes a live trip without a daemon, for a preview or a test. It shows the trip of a state, with its connection,
    /// people, user and role. Edits are shown and stay pending, as without a connection; an undo has no effect.
    ///
    /// - Throws: `unreachable` if the process cannot start a thread.
    public convenience init(preview state: LiveTrip.State) throws(ClientError) {
        self.init(LiveTripDriver(LiveTripCore(preview: state), on: try ClientThread.start()))
    }
}

extension LiveTripCore {
    /// A core that never connects.
    fileprivate init(preview state: LiveTrip.State) {
        let hello = Hello(
            clientName: "TripClient", clientVersion: ProtocolVersion.program, user: state.user,
            clientID: state.clientID, role: state.role)
        self.init(.init(trip: .id(state.trip.header.id), hello: hello, seed: 0))
        confirmed = ConfirmedTrip(
            Snapshot(trip: state.trip, epoch: state.epoch, problems: state.problems), cause: state.lastCause)
        connection = state.connection
        link.people = state.people
    }
}
