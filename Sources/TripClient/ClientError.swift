import TripProtocol

/// Why something could not be done.
public enum ClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nobody listens at the socket.
    case noDaemon(socket: String)
    /// The socket could not be reached for another reason.
    case unreachable(String)
    /// The daemon refused the request.
    case refused(RemoteError)
    /// The connection ended; with the daemon's reason where it gave one.
    case closed(GoodbyeReason?)
    /// The daemon sent what is not of this protocol.
    case garbled(String)
    /// The change was not made, and why: it was never sent, or it is certain that the daemon did not make it.
    case notMade(String)
    /// The change was sent, and nobody knows whether it was made: why its answer did not come.
    case mayBeMade(String)
    /// The trip was deleted.
    case tripDeleted
    /// Nothing was said to whoever listens at the socket: it is somebody else than the owner that was meant.
    case otherUser(socket: String, message: String)
    /// The caller was cancelled and waits no longer; what was asked for is asked for still.
    case cancelled

    /// Whether the connection is gone, so that nobody knows what became of a request in flight.
    public var isLossOfConnection: Bool {
        switch self {
        case .closed, .unreachable, .noDaemon, .mayBeMade: true
        case .refused, .garbled, .notMade, .tripDeleted, .otherUser, .cancelled: false
        }
    }

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .noDaemon(let socket): "no daemon listens at \(socket)"
        case .unreachable(let message): message
        case .refused(let error): error.message
        case .closed(.shuttingDown?): "the daemon has stopped"
        case .closed(.slowConsumer?): "the daemon gave up on this connection: it did not read"
        case .closed(.badLines?): "the daemon gave up on this connection: it sent garbage"
        case .closed(.handshakeTimeout?): "the daemon gave up on this connection: it said no hello"
        case .closed(.accessChanged?): "the daemon closed the connection: what you may do has changed"
        case .closed(nil): "the daemon closed the connection"
        case .garbled(let message): "the daemon sent something else than the protocol: \(message)"
        case .notMade(let message): message
        case .mayBeMade(let message): "it may or may not have been made: \(message)"
        case .tripDeleted: "the trip was deleted"
        case .otherUser(_, let message): message
        case .cancelled: "nobody waits for it any longer"
        }
    }
}
