import LocalSystem

/// The path of a daemon's socket, where the daemon listens again if others remove the socket.
final class SocketPlace: Sendable {
    /// The absolute path of the socket.
    let path: String
    private let isDefault: Bool
    private let group: UserGroup?
    private let state: Guarded<State>

    private struct State {
        /// The lock of the path.
        var lock: LockedDirectory?
        /// The socket that is at the path if nobody has removed it.
        var file: SocketFile?
        /// Whether this daemon has created that socket, which it then removes at its end.
        var isOwn = false
        /// The reason why the socket cannot be created again; nil if it is in its place.
        var problem: String?
    }

    /// A socket at a path whose directory is created if it is missing.
    ///
    /// - Parameter isDefault: whether the path is the default one, whose directory must be private.
    init(_ path: String, isDefault: Bool, sharedWith group: UserGroup?) throws(DaemonFailure) {
        self.path = PrivateFile.absolute(path)
        self.isDefault = isDefault
        self.group = group
        try Self.ensureDirectory(of: path, isDefault: isDefault, sharedWith: group)
        state = Guarded(State(lock: try Self.lock(path)))
    }

    /// Listens at the path, on the socket that the service manager passed or else on a new one.
    func listen(on passed: Int32?, for server: Server) throws(DaemonFailure) {
        guard let passed else { return try open(for: server) }
        try Self.system { () throws(SystemError) in
            try server.listen(on: Descriptor(owning: passed, kind: .socket))
        }
        let file = try? SocketFile(path: path)
        state.withLock { $0.file = file }
    }

    /// Listens again if the socket is no longer at its path: a cleaner or the end of a login session may remove the
    /// directory of a daemon that continues to run. Connections are not affected. On the loop.
    ///
    /// - Returns: whether it listens again.
    func check(for server: Server, _ log: (LogLine) -> Void) -> Bool {
        if state.withLock({ $0.file?.isInPlace ?? false }) { return false }
        do throws(DaemonFailure) {
            try Self.ensureDirectory(of: path, isDefault: isDefault, sharedWith: group)
            // The file of the old lock may be gone, and the same process cannot lock it twice.
            state.withLock { $0.lock = nil }
            let lock = try Self.lock(path)
            state.withLock { $0.lock = lock }
            try open(for: server)
            state.withLock { $0.problem = nil }
            log(.warning("the socket \(path) was removed; the daemon listens there again"))
            return true
        } catch {
            let problem = "\(error)"
            let isNew = state.withLock { state in
                defer { state.problem = problem }
                return state.problem != problem
            }
            if isNew { log(.warning("the socket \(path) was removed and cannot be created: \(problem)")) }
            return false
        }
    }

    /// Creates the socket and listens on it.
    private func open(for server: Server) throws(DaemonFailure) {
        try Self.clear(path)
        do throws(UnixSocketError) {
            let listener = try UnixSocket.listen(path: path, sharedWith: group)
            do throws(SystemError) {
                let file = try SocketFile(path: path)
                try server.listen(on: listener)
                state.withLock { ($0.file, $0.isOwn) = (file, true) }
            } catch {
                throw .system(error)
            }
        } catch {
            throw DaemonFailure(.unavailable, "cannot listen: \(error)")
        }
    }

    /// Removes the socket that this daemon has created.
    ///
    /// - Returns: whether the path has another file now.
    func remove() throws(SystemError) -> Bool {
        guard let file = state.withLock({ $0.isOwn ? $0.file : nil }) else { return false }
        return try !file.remove()
    }

    // MARK: Steps

    private static func ensureDirectory(
        of path: String, isDefault: Bool, sharedWith group: UserGroup?
    ) throws(DaemonFailure) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        do throws(PrivateDirectoryError) {
            if let group {
                try PrivateDirectory.ensure(directory, sharedWith: group)
            } else {
                try PrivateDirectory.ensure(directory, isDefault: isDefault)
            }
        } catch {
            throw DaemonFailure(.unavailable, "\(error)")
        }
    }

    private static func lock(_ path: String) throws(DaemonFailure) -> LockedDirectory {
        do throws(DirectoryLockError) {
            return try LockedDirectory(ofSocket: path)
        } catch {
            guard case .heldBy(_, let holder) = error else { throw DaemonFailure(error) }
            throw servesAlready(holder?.process, at: path)
        }
    }

    private static func servesAlready(_ process: Int32?, at socket: String) -> DaemonFailure {
        let holder = process.map { "process \($0)" } ?? "another process"
        return DaemonFailure(.unavailable, "\(holder) serves at \(socket) already")
    }

    /// Removes a stale socket file; any other file at the path is an error.
    private static func clear(_ path: String) throws(DaemonFailure) {
        let found: SocketFile.State
        do throws(UnixSocketError) { found = try SocketFile.state(at: path) } catch {
            throw DaemonFailure(.unavailable, "\(error)")
        }
        switch found {
        case .missing: break
        case .live(let process): throw servesAlready(process, at: path)
        case .stale(let file): try system { () throws(SystemError) in _ = try file.remove() }
        case .foreign:
            throw DaemonFailure(
                .unavailable, "\(path) exists and is not a socket; remove it or use another path")
        }
    }

    private static func system(_ body: () throws(SystemError) -> Void) throws(DaemonFailure) {
        do throws(SystemError) { try body() } catch { throw DaemonFailure(.unavailable, "\(error)") }
    }
}
