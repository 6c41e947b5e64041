import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The reason why a Unix-domain socket could not be created or reached.
package enum UnixSocketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path has more bytes than a socket's address holds.
    case pathTooLong(path: String, length: Int, limit: Int)
    /// The listener did not accept the connection in time: its backlog stayed full.
    case notTaken(path: String, after: Duration)
    /// The system refused; a code of `ENOENT` or `ECONNREFUSED` from `connect` means that no process listens.
    case system(SystemError)

    /// One sentence for the user.
    package var description: String {
        switch self {
        case .pathTooLong(let path, let length, let limit):
            "the socket path \(path) is \(length) bytes long; this system allows at most \(limit)"
        case .notTaken(let path, let time):
            "the process that listens at \(path) has not accepted the connection for \(time)"
        case .system(let error): error.description
        }
    }
}

/// The process at the other end of a socket.
package struct PeerCredentials: Equatable, Sendable {
    /// The effective user id when it connected.
    package let userID: UInt32
    /// The process id when it connected.
    package let processID: Int32

    package init(userID: UInt32, processID: Int32) {
        self.userID = userID
        self.processID = processID
    }
}

/// Stream sockets in the file system: all are non-blocking, close-on-exec, and never raise SIGPIPE.
package enum UnixSocket {
    /// Maximum bytes of a socket's path: the size of `sun_path` without its final zero.
    package static let maximumPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// A listening socket at `path`. From the start, only its owner can access the file (mode 0600); then a
    /// group can, too (0660), if one is given.
    ///
    /// An existing file at the path is the error `EADDRINUSE`, see `SocketFile`.
    ///
    /// - Parameter backlog: the maximum number of connections that wait to be accepted; the system limits it.
    package static func listen(
        path: String, sharedWith group: UserGroup? = nil, backlog: Int32 = .max
    ) throws(UnixSocketError) -> Descriptor {
        do throws(SystemError) {
            return try withAddress(path) { address, length throws(SystemError) in
                let socket = try make()
                #if !canImport(Darwin)
                // On Linux the file gets the socket's own mode, so it is never more accessible. The
                // process-wide umask, which other threads rely on, is not changed.
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

    /// The default timeout for a full backlog: longer than a running daemon needs, and finite for a stopped one.
    package static let defaultTimeout = Duration.seconds(10)

    /// Connects to the listener at `path`. Later reads and writes do not block.
    ///
    /// - Parameter timeout: the timeout if the listener's backlog is full; nil for none, which gives `EAGAIN` then.
    package static func connect(
        path: String, timeout: Duration? = defaultTimeout
    ) throws(UnixSocketError) -> Descriptor {
        do throws(SystemError) {
            return try withAddress(path) { address, length throws(SystemError) in
                let socket = try make()
                // A non-blocking connect to a full backlog fails at once, and such a socket cannot be polled.
                if let timeout {
                    try socket.setNonBlocking(false)
                    // Zero would mean no timeout to the system.
                    try setTimeout(max(timeout, .milliseconds(1)), of: socket)
                }
                try systemCall("connect", path) { systemConnect(socket.rawValue, address, length) }
                if timeout != nil { try setTimeout(.zero, of: socket) }
                try socket.setNonBlocking(true)
                return socket
            }
        } catch {
            if let timeout, error.call == "connect", error.code == EAGAIN {
                throw .notTaken(path: path, after: timeout)
            }
            throw .of(error, path)
        }
    }

    /// Accepts the next connection; nil if none is waiting.
    ///
    /// Throws `EMFILE` or `ENFILE` if no descriptor is free: the connection stays in the backlog, so the
    /// caller must stop watching the listener until one is free.
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

    /// The peer's credentials, which the kernel recorded at the time of the connection.
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

    /// Sets the timeout of blocking calls; zero for none.
    private static func setTimeout(_ timeout: Duration, of socket: borrowing Descriptor) throws(SystemError) {
        let (seconds, attoseconds) = timeout.components
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

    /// Nothing to do: the socket was created with all options.
    private static func prepare(_ socket: borrowing Descriptor) throws(SystemError) {}
    #endif

    /// The path at which a socket is bound; nil if it has none.
    package static func path(of number: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            UnsafeMutableRawPointer(pointer).withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(number, $0, &length)
            }
        }
        guard code == 0 else { return nil }
        let bytes = withUnsafeBytes(of: &address.sun_path) { $0.prefix { $0 != 0 } }
        return bytes.first == UInt8(ascii: "/") ? String(decoding: bytes, as: UTF8.self) : nil
    }

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
    /// One end of the connection.
    package let first: Descriptor
    /// The other end of the connection.
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
