import LocalSystem
import TripModel

/// A connection to a daemon before anything is said on it.
package struct DaemonConnection: ~Copyable, Sendable {
    private let socket: Descriptor
    /// What carries the lines to another machine; nil for a daemon of this one.
    let carrier: RemoteCarrier?

    /// A connection to a daemon that runs as the account that is meant: the peer's account is asked before anything is
    /// said, and one that cannot be told is as good as another's. Who serves on another machine is for the program to know that
    /// leads there.
    ///
    /// - Parameter patience: how long to wait at most where the daemon's queue is full; nil: not at all.
    static func open(
        to address: DaemonAddress, patience: Duration?, for audience: RemoteCarrier.Audience = .person
    ) throws(ClientError) -> DaemonConnection {
        if let host = address.host {
            let (carrier, number) = try RemoteCarrier.start(host, for: audience)
            return DaemonConnection(Descriptor(owning: number, kind: .socket), carrier)
        }
        let path = address.path
        var meant = CurrentUser.id
        if let owner = address.owner {
            guard let known = UserDatabase.userID(named: owner) else {
                let name = TextRule.visible(owner)
                throw .otherUser(
                    socket: path,
                    message: "this machine has no account \(name), so nobody at \(path) is believed")
            }
            meant = known
        }
        let peer: PeerCredentials?
        do throws(UnixSocketError) {
            let socket = try UnixSocket.connect(path: path, patience: patience)
            peer = try? UnixSocket.peerCredentials(of: socket)
            if peer?.userID == meant { return DaemonConnection(socket, nil) }
        } catch {
            throw ClientError(error, socket: path)
        }
        throw .otherUser(socket: path, message: Self.stranger(peer?.userID, at: path, insteadOf: meant))
    }

    private static func stranger(_ user: UInt32?, at path: String, insteadOf meant: UInt32) -> String {
        func name(_ user: UInt32) -> String {
            UserDatabase.account(user).name.map { "\(TextRule.visible($0)) (uid \(user))" } ?? "uid \(user)"
        }
        guard let user else {
            return "the system does not tell who listens at \(path), so nothing was said to them"
        }
        let owner = UserDatabase.account(user).name
        let hint = owner.map { "; --owner \(TextRule.visible($0)) says that they are meant" } ?? ""
        return "\(name(user)) listens at \(path), not \(name(meant)), and nothing was said to them\(hint)"
    }

    /// A connection to the daemon at an address; see the other.
    package static func open(to address: DaemonAddress) throws(ClientError) -> DaemonConnection {
        try open(to: address, patience: UnixSocket.usualPatience)
    }

    private init(_ socket: consuming Descriptor, _ carrier: RemoteCarrier?) {
        self.socket = socket
        self.carrier = carrier
    }

    /// Hands over the socket; the carrier is asked for before.
    package consuming func takeSocket() -> Descriptor { socket }
}

extension ClientError {
    init(_ error: UnixSocketError, socket: String) {
        if case .system(let error) = error, error.isNobodyListening {
            self = .noDaemon(socket: socket)
        } else {
            self = .unreachable("\(error)")
        }
    }
}
