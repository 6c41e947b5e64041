import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Why a Unix-domain socket could not be made or reached.
package enum UnixSocketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path has more bytes than a socket's address holds.
    case pathTooLong(path: String, length: Int, limit: Int)
    /// The listener did not accept the connection in time: its queue stayed full.
    case notTaken(path: String, after: Duration)
    /// The system refused; a code of `ENOENT` or `ECONNREFUSED` from `connect` means that nobody listens.
    case system(SystemError)

    /// One sentence for a person.
    package var description: String {
        switch self {
        case .pathTooLong(let path, let length, let limit):
            "the socket path \(path) is \(length) bytes long; this system allows at most \(limit)"
        case .notTaken(let path, let time):
            "nobody has taken the connection at \(path) for \(time); the process that listens there stands still"
        case .system(let error): error.description
        }
    }
}

/// Who is at the other end of a socket.
package struct PeerCredentials: Equatable, Sendable {
    /// The effective user id when it connected.
    package let userID: UInt32
    /// The process id when it connected.
    package let processID: Int32

    /// Credentials, for comparing.
    package init(userID: UInt32, processID: Int32) {
        self.userID = userID
        self.processID = processID
    }
}

/// Stream sockets in the file system: all are non-blocking, close-on-exec, and never raise SIGPIPE.
package enum UnixSocket {
    /// How many bytes a socket's path may have: the size of `sun_path` less its final zero.
    package static let maximumPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// A listening socket at `path`, whose file is from its first moment open to its owner only (mode 0600), and then to
    /// a group, too (0660), where one is given.
    ///
    /// Whatever is at the path already makes it fail with `EADDRINUSE`, see `SocketFile`.
    ///
    /// - Parameter backlog: connections that may wait to be accepted; the system lowers it to its own maximum.
    package static func listen(
        path: String, sharedWith group: UserGroup? = nil, backlog: Int32 = .max
    ) throws(UnixSocketError) -> Descriptor {
        do throws(SystemError) {
            return try withAddress(path) { address, length throws(SystemError) in
                let socket = try make()
                #if !canImport(Darwin)
                // On Linux the file gets the socket's own mode, so there is no moment at which it is wider; the
                // process-wide umask, which other threads rely on, stays as it is.
                try systemCall("fchmod", path) { fchmod(socket.rawValue, 0o600) }
                #endif
                try systemCall("bind", path) { bind(socket.rawValue, address, length) }
                try systemCall("chmod", path) { chmod(path, 0o600) }
                if let group {
                    try systemCall("chown", path) { lchown(path, uid_t.max, group.id) }
                    try systemCall("chmod", path) { chmod(path, 0o660) }
                }
                try systemCall("listen", path) { systemListen(socket.rawValue, backlog) }
                return socket
            }
        } catch {
            throw .of(error, path)
        }
    }

    /// How long a connection waits for room in a full queue unless more or less is said: longer than a daemon that serves
    /// takes, and not for ever behind one that stands still.
    package static let usualPatience = Duration.seconds(10)

    /// A connection to whoever listens at `path`.
    ///
    /// Later reads and writes do not block.
    ///
    /// - Parameter patience: how long to wait at most where the listener's queue is full; nil: not at all, it is `EAGAIN`
    ///   there.
    package static func connect(
        path: String, patience: Duration? = usualPatience
    ) throws(UnixSocketError) -> Descriptor {
        do throws(SystemError) {
            return try withAddress(path) { address, length throws(SystemError) in
                let socket = try make()
                // A non-blocking connect to a full queue fails at once, and such a socket cannot be waited for.
                if let patience {
                    try socket.setNonBlocking(false)
                    // None at all would be without end to the system.
                    try setPatience(max(patience, .milliseconds(1)), of: socket)
                }
                try systemCall("connect", path) { systemConnect(socket.rawValue, address, length) }
                if patience != nil { try setPatience(.zero, of: socket) }
                try socket.setNonBlocking(true)
                return socket
            }
        } catch {
            if let patience, error.call == "connect", error.code == EAGAIN {
                throw .notTaken(path: path, after: patience)
            }
            throw .of(error, path)
        }
    }

    /// The next connection, nil when none is waiting.
    ///
    /// Throws `EMFILE` or `ENFILE` when there is no descriptor left: the connection then stays in the queue, so
    /// stop watching the listener until one is free.
    package static func accept(_ listener: borrowing Descriptor) throws(SystemError) -> Descriptor? {
        while true {
            let number = shim_accept(listener.rawValue)
            if number >= 0 { return Descriptor(owning: number, kind: .socket) }
            let code = errno
            switch code {
            case EINTR, ECONNABORTED: continue
            case EAGAIN, EWOULDBLOCK: return nil
            default: throw SystemError(call: "accept", code: code)
            }
        }
    }

    /// Who connected, or who listened: taken down by the kernel when the connection was made.
    package static func peerCredentials(
        of connection: borrowing Descriptor
    ) throws(SystemError) -> PeerCredentials {
        var user: UInt32 = 0
        var process: Int32 = 0
        try systemCall("getsockopt") { shim_peer_credentials(connection.rawValue, &user, &process) }
        return PeerCredentials(userID: user, processID: process)
    }

    /// Two sockets connected to each other.
    package static func pair() throws(SystemError) -> SocketPair {
        var ends: [Int32] = [-1, -1]
        try systemCall("socketpair") { socketpair(AF_UNIX, streamType, 0, &ends) }
        let pair = SocketPair(
            first: Descriptor(owning: ends[0], kind: .socket),
            second: Descriptor(owning: ends[1], kind: .socket))
        try prepare(pair.first)
        try prepare(pair.second)
        return pair
    }

    /// Says how long a call that blocks may take; zero for without end.
    private static func setPatience(_ patience: Duration, of socket: borrowing Descriptor) throws(SystemError)
    {
        let (seconds, attoseconds) = patience.components
        var time = timeval()
        time.tv_sec = .init(seconds)
        time.tv_usec = .init(attoseconds / 1_000_000_000_000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        try systemCall("setsockopt") { setsockopt(socket.rawValue, SOL_SOCKET, SO_SNDTIMEO, &time, size) }
    }

    private static func make() throws(SystemError) -> Descriptor {
        let number = try systemCall("socket") { socket(AF_UNIX, streamType, 0) }
        let descriptor = Descriptor(owning: number, kind: .socket)
        try prepare(descriptor)
        return descriptor
    }

    #if canImport(Darwin)
    private static let streamType = SOCK_STREAM

    private static func prepare(_ socket: borrowing Descriptor) throws(SystemError) {
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        try systemCall("setsockopt") { setsockopt(socket.rawValue, SOL_SOCKET, SO_NOSIGPIPE, &on, size) }
        try systemCall("fcntl") { fcntl(socket.rawValue, F_SETFD, FD_CLOEXEC) }
        try socket.setNonBlocking(true)
    }
    #else
    private static let streamType = Int32(
        SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    /// Everything is set when a socket is made.
    private static func prepare(_ socket: borrowing Descriptor) throws(SystemError) {}
    #endif

    private static func withAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Descriptor
    ) throws(SystemError) -> Descriptor {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.utf8
        if bytes.count > maximumPathLength { throw SystemError(call: "bind", path: path, code: ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return try withUnsafePointer(to: &address) { pointer throws(SystemError) in
            try UnsafeRawPointer(pointer).withMemoryRebound(to: sockaddr.self, capacity: 1) {
                address throws(SystemError) in
                try body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Two sockets connected to each other.
package struct SocketPair: ~Copyable, Sendable {
    /// One of them.
    package let first: Descriptor
    /// The other.
    package let second: Descriptor

    /// Gives up ownership: the caller closes both.
    package consuming func release() -> (first: Int32, second: Int32) {
        (first.release(), second.release())
    }
}

extension UnixSocketError {
    fileprivate static func of(_ error: SystemError, _ path: String) -> UnixSocketError {
        let length = path.utf8.count
        if length <= UnixSocket.maximumPathLength { return .system(error) }
        return .pathTooLong(path: path, length: length, limit: UnixSocket.maximumPathLength)
    }
}

// The C functions under names that the functions above do not hide.
private func systemListen(_ socket: Int32, _ backlog: Int32) -> Int32 { listen(socket, backlog) }

private func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32
{
    connect(socket, address, length)
}
