import TripProtocol

/// The reason why a call failed.
///
/// A call that changes something fails in one of three ways: `refused`, `notMade` (nothing was sent, or the daemon
/// certainly did nothing), and `outcomeUnknown` (the request was sent and its answer is missing). A call that only reads
/// fails with the reason itself, for example `closed`, as there is nothing to be uncertain about.
@nonexhaustive
public enum ClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No process listens at the socket.
    case noDaemon(socket: String)
    /// The socket could not be reached, or the daemon did not answer in time.
    case unreachable(String)
    /// The daemon refused the request.
    case refused(RemoteError)
    /// The daemon ended the connection; with its reason if it gave one.
    case closed(GoodbyeReason?)
    /// The app closed this client or live trip.
    case clientClosed
    /// The daemon sent something that is not this protocol.
    case garbled(String)
    /// The change was not applied, with the reason: its request was never sent, or the daemon certainly did nothing.
    case notMade(String)
    /// The request was sent, and it is unknown whether the daemon applied it; with the reason why the answer
    /// is missing.
    case outcomeUnknown(String)
    /// The trip was deleted.
    case tripDeleted
    /// Another account's process listens at the socket; nothing was sent to it.
    case otherUser(socket: String, message: String)
    /// Something that allows one user at a time is already in use in this process: a client's notifications,
    /// or a client id in a trip.
    case inUse(String)
    /// The task was cancelled during a call that changes nothing.
    case cancelled

    /// Whether there is no connection to the daemon.
    public var isLossOfConnection: Bool {
        switch self {
        case .closed, .unreachable, .noDaemon: true
        case .refused, .garbled, .notMade, .outcomeUnknown, .tripDeleted, .otherUser, .clientClosed, .inUse,
            .cancelled:
            false
        }
    }

    /// Whether a request in flight may have been applied.
    package var leavesRequestOpen: Bool {
        if case .outcomeUnknown = self { true } else { isLossOfConnection }
    }

    /// One sentence for the user.
    public var description: String {
        switch self {
        case .noDaemon(let socket): "no daemon listens at \(socket)"
        case .unreachable(let message): message
        case .refused(let error): error.message
        case .closed(.shuttingDown?): "the daemon has stopped"
        case .closed(.slowConsumer?): "the daemon closed the connection: this client read too slowly"
        case .closed(.badLines?): "the daemon closed the connection: this client sent invalid lines"
        case .closed(.handshakeTimeout?):
            "the daemon closed the connection: this client sent no hello in time"
        case .closed(.accessChanged?): "the daemon closed the connection: your permissions have changed"
        case .closed(nil): "the daemon closed the connection"
        case .clientClosed: "this client was closed"
        case .garbled(let message): "the daemon sent an invalid message: \(message)"
        case .notMade(let message): message
        case .outcomeUnknown(let message): "it may or may not have been applied: \(message)"
        case .tripDeleted: "the trip was deleted"
        case .otherUser(_, let message): message
        case .inUse(let message): message
        case .cancelled: "the task was cancelled"
        }
    }

    /// The error of a call that was cancelled before anything was sent.
    static let cancelledBefore = ClientError.notMade("the task was cancelled before the request was sent")
}
