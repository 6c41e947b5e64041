import TripModel
import TripProtocol

/// What an app shows of a trip: one moment of it, as a value.
public struct LiveTripState: Equatable, Sendable {
    /// The trip with everything that this client has changed, also what the daemon has not answered yet. Its own
    /// `version` counts those changes too; what the daemon has is `version` of this state.
    public let trip: Trip
    /// What does not fit in `trip`.
    public let problems: [Problem]
    /// Names the unbroken history that `version` belongs to.
    public let epoch: String
    /// The newest version of the daemon's that is shown.
    public let version: Int
    /// Who made the change that led to `version`; nil where that was not told, as for the first state.
    public let lastCause: Cause?
    /// How the daemon can be reached.
    public let connection: LiveConnection
    /// Everybody who has the trip open, oneself and viewers included; empty while not connected.
    public let people: [PresentUser]
    /// What this client may do in the trip, as far as the daemon has said; a viewer's changes are refused at once.
    public let role: Hello.Role
    /// Names this client among `people`; nil while not connected.
    public let connectionID: Int?
    /// This client, as `lastCause` names it.
    public let clientID: ClientID
    /// Changes that the daemon has not answered.
    public let pendingCount: Int
    /// Those of them that are not under way: they wait for a connection, or for others before them.
    public let unsentCount: Int
    /// Those of them that the daemon can answer only when it has been started again: its disk failed under them.
    public let doubtfulCount: Int
    /// Whether something was taken back, or made again, that the shown trip does not have yet: what it comes to is about to
    /// be told.
    public let isCatchingUp: Bool
    /// Whether the daemon has owed an answer on this connection for some seconds.
    public let isSilent: Bool
    /// Why the last connection ended; nil where there was none, and while there is one.
    public let lastLoss: ClientError?
    /// Versions made by others that are held back while this client drags.
    public let waitingVersions: Int
    /// This client's own drag.
    public let drag: LiveDrag
}

/// How the daemon can be reached.
public enum LiveConnection: Equatable, Sendable {
    /// It is; newer states come.
    case connected
    /// Not now, and it is tried again: the number of the attempt, from 1, and why there is no connection; nil
    /// before the first one.
    case connecting(attempt: Int, reason: ClientError?)
    /// Not any more: it was closed, or trying again makes no sense.
    case ended(ClientError)
}

/// A client's own drag.
public enum LiveDrag: Equatable, Sendable {
    /// There is none, or it was dropped or cancelled.
    case none
    /// The item is in the user's hand, and the daemon has not said yet whether it may be.
    case asked(ItemID)
    /// The item is held for this client.
    case held(ItemID)
    /// The last drag ended by itself, and why; until the next one begins.
    case lost(ItemID, reason: LiveDragLoss)
}

/// Why a drag ended otherwise than by its drop or by being cancelled.
public enum LiveDragLoss: Equatable, Sendable {
    /// It could not even be asked for.
    case notBegun(String)
    /// The daemon did not grant it.
    case refused(RemoteError)
    /// The daemon ended it.
    case ended(DragEnd)
    /// The connection was lost, and every drag of it with it.
    case disconnected
    /// The app called `hover` too long ago; see `LiveTrip.Options.dragTimeout`.
    case abandoned
}
