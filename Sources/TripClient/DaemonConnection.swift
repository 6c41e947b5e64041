import LocalSystem

/// A connection to a daemon before anything is said on it.
package struct DaemonConnection: ~Copyable, Sendable {
    private let socket: Descriptor
    /// What carries the lines to another machine; nil for a daemon of this one.
    let carrier: RemoteCarrier?

    /// A connection to a daemon that belongs to this user: the peer's account is asked before anything is said, and
    /// one that cannot be told is as good as another's. Who serves on another machine is for the program to know that
    /// leads there.
    ///
    /// - Parameters:
    ///   - waitsForRoom: whether to wait where the daemon's queue is full.
    ///   - owner: whose daemon it must be.
    static func open(
        to address: DaemonAddress, waitsForRoom: Bool, for audience: RemoteCarrier.Audience = .person,
        ownedBy owner: UInt32 = CurrentUser.id
    ) throws(ClientError) -> DaemonConnection {
        if let host = address.host {
            let (carrier, number) = try RemoteCarrier.start(host, for: audience)
            return DaemonConnection(Descriptor(owning: number, kind: .socket), carrier)
        }
        let path = address.path
        do throws(UnixSocketError) {
            let socket = try UnixSocket.connect(path: path, waitsForRoom: waitsForRoom)
            if let peer = try? UnixSocket.peerCredentials(of: socket), peer.userID == owner {
                return DaemonConnection(socket, nil)
            }
        } catch {
            throw ClientError(error, socket: path)
        }
        throw .otherUser(socket: path)
    }

    /// A connection to the daemon of this machine at a path; see the other.
    package static func open(path: String) throws(ClientError) -> DaemonConnection {
        try open(to: DaemonAddress(path: path), waitsForRoom: true)
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
