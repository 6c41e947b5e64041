import LocalSystem
import TripModel

/// A connection to a daemon on which nothing was sent yet.
package struct DaemonConnection: ~Copyable, Sendable {
    private let socket: Descriptor
    /// The program that connects to another machine; nil for a local daemon.
    let carrier: RemoteCarrier?

    /// Connects to a daemon and verifies its account before anything is sent; an unknown account counts as a
    /// wrong one. For another machine the connecting program is responsible for this.
    ///
    /// - Parameter timeout: the timeout if the daemon's backlog is full; nil for none.
    static func open(
        to address: DaemonAddress, timeout: Duration?, for audience: RemoteCarrier.Audience = .person
    ) throws(ClientError) -> DaemonConnection {
        if let host = address.host {
            let (carrier, number) = try RemoteCarrier.start(host, for: audience)
            return DaemonConnection(Descriptor(owning: number, kind: .socket), carrier)
        }
        let path = address.listeningPath
        var meant = CurrentUser.id
        if let owner = address.owner {
            guard let known = UserDatabase.userID(named: owner) else {
                let name = TextRule.visible(owner)
                throw .otherUser(
                    socket: path,
                    message: "this machine has no account \(name), so the daemon at \(path) is not trusted")
            }
            meant = known
        }
        let peer: PeerCredentials?
        do throws(UnixSocketError) {
            let socket = try UnixSocket.connect(path: path, timeout: timeout)
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
            return "the system does not report the owner of the socket \(path), so nothing was sent to it"
        }
        let owner = UserDatabase.account(user).name
        let hint = owner.map { "; --owner \(TextRule.visible($0)) allows this account" } ?? ""
        return "\(name(user)) listens at \(path), not \(name(meant)), so nothing was sent\(hint)"
    }

    /// Connects to the daemon at an address with the default timeout.
    package static func open(to address: DaemonAddress) throws(ClientError) -> DaemonConnection {
        try open(to: address, timeout: UnixSocket.defaultTimeout)
    }

    private init(_ socket: consuming Descriptor, _ carrier: RemoteCarrier?) {
        self.socket = socket
        self.carrier = carrier
    }

    /// Gives up ownership of the socket; the carrier must be read before.
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
