import TripModel

/// All that the editor knows of the trip at one moment: whoever keeps the trip and the user's changes makes it. The
/// editor shows it and keeps nothing of it beside it.
package struct TripView: Equatable, Sendable {
    /// The trip with everything that the user has changed, whether the daemon has answered it or not.
    package var trip: Trip
    /// What does not fit in it.
    package var problems: [Problem]
    /// The other people on this trip, all of them.
    package var people: [Person] = []
    /// So many changes of others are held back while something is in the user's hand.
    package var waitingCount = 0
    /// Whether the daemon lets the user change the trip.
    package var mayChange = true
    /// How the daemon can be reached.
    package var connection = ConnectionStatus.connected
    /// The item of the trip that the user has in hand.
    package var drag = DragStatus.none
    /// The user's changes that the daemon has not answered.
    package var unanswered = 0
    /// Those of them that it can answer only when it has been started again: its disk failed under them.
    package var doubtful = 0
    /// What the user has taken back, or made again, is about to be shown.
    package var isCatchingUp = false
    /// What others have done since the view before, each item once.
    package var news: [RemoteEdit] = []

    /// Makes a view of a trip that nobody else has open.
    package init(trip: Trip, problems: [Problem]) {
        self.trip = trip
        self.problems = problems
    }
}

/// How the daemon can be reached.
package enum ConnectionStatus: Equatable, Sendable {
    case connected
    /// There is a connection, and the daemon has owed an answer on it for some seconds.
    case silent
    /// There is none, and why; it is tried again.
    case lost(String)
    /// There is none, as somebody stopped the daemon; it can be started again.
    case stopped
}

/// How far the user's drag of an item of the trip has come.
package enum DragStatus: Equatable, Sendable {
    /// There is none, or it was dropped or given back.
    case none
    /// The daemon has not said yet whether the item may be in hand.
    case asked
    /// It may.
    case held
    /// The drag has ended by itself, and why; `wasHeld` if it had been granted.
    case lost(String, wasHeld: Bool)
}
