import TripModel

/// Everything that the editor shows of a trip at one moment. The live trip makes it, and the editor keeps no
/// other state of the trip.
package struct TripView: Equatable, Sendable {
    /// The trip with all changes of the user, answered or not.
    package var trip: Trip
    /// Its problems.
    package var problems: [Problem]
    /// The user's name, as others see it; nil if the daemon has not given it.
    package var userName: String?
    /// All other users of this trip.
    package var people: [Person] = []
    /// The number of others' changes that are deferred during a drag.
    package var waitingCount = 0
    /// Whether the user may change the trip.
    package var mayChange = true
    /// The state of the connection.
    package var connection = ConnectionStatus.connected
    /// The user's drag of an item of the trip.
    package var drag = DragStatus.none
    /// The number of the user's unanswered changes.
    package var unanswered = 0
    /// The number of those whose outcome is known only after a restart of the daemon, because its disk
    /// failed.
    package var doubtful = 0
    /// Whether the result of an undo or redo is still to be shown.
    package var isCatchingUp = false
    /// Others' changes since the previous view, one per item.
    package var news: [RemoteEdit] = []

    /// A view of a trip without other users.
    package init(trip: Trip, problems: [Problem]) {
        self.trip = trip
        self.problems = problems
    }
}

/// The state of the connection to the daemon.
package enum ConnectionStatus: Equatable, Sendable {
    case connected
    /// Connected, but the daemon has not answered for some seconds.
    case silent
    /// Disconnected, with the reason; the client is reconnecting.
    case lost(String)
    /// Disconnected because the daemon was stopped; it can be started again.
    case stopped
}

/// The state of the user's drag of an item of the trip.
package enum DragStatus: Equatable, Sendable {
    /// No drag, or it was dropped or cancelled.
    case none
    /// The daemon has not granted the lease yet.
    case asked
    /// The lease was granted.
    case held
    /// The daemon has ended the drag, with the reason; `wasHeld` if the lease had been granted.
    case lost(String, wasHeld: Bool)
}
