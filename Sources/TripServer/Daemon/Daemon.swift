import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// A complete daemon: locks the data directory and the socket, loads the list of trips, serves, and releases
/// all resources.
package struct Daemon: Sendable {
    private let loop: EventLoop
    private let core: DaemonCore
    private let socket: String
    /// The file of our own socket; nil if the socket was passed by the service manager.
    private let socketFile: SocketFile?
    private let manager: ServiceManager
    private let locks: [LockedDirectory]
    private let access: AccessSource
    private let log: @Sendable (LogLine) -> Void

    /// Acquires all resources. On return the socket accepts connections, which are answered once `run` is
    /// called. The working directory does not matter afterwards.
    ///
    /// - Throws: `DaemonFailure`; nothing is held then.
    package init(_ options: DaemonOptions, log: @escaping @Sendable (LogLine) -> Void) throws(DaemonFailure) {
        Signals.ignoreBrokenPipe()
        Signals.ignoreFileSizeLimit()
        let group = try Self.group(options.allowedGroup)
        try Self.ensure(options.dataDirectory, isDefault: options.dataIsDefault, isShared: false)
        let lock = try Self.lock(options.dataDirectory)
        access = AccessSource(in: PrivateFile.absolute(options.dataDirectory))
        let rules = try Self.rules(of: access)
        let directory = Self.parent(of: options.socket)
        if let group {
            try Self.ensure(directory, sharedWith: group)
        } else {
            try Self.ensure(directory, isDefault: options.socketIsDefault)
        }
        let place = try Self.lock(socket: options.socket)
        socket = options.socket
        manager = ServiceManager()
        let handed: Int32?
        do throws(SystemError) { handed = try manager.takeSocket()?.release() } catch {
            throw DaemonFailure(.unavailable, "the inherited descriptor is not a listening socket")
        }
        if handed == nil { try Self.clear(options.socket) }

        do throws(SystemError) {
            loop = try EventLoop()
            let directory = PrivateFile.absolute(options.dataDirectory)
            let store = JournalStore(
                fileSystem: try RealFileSystem(holding: directory), directory: directory)
            try store.prepare()
            let loop = loop
            var configuration = ServerConfiguration(
                durability: options.durability, account: CurrentUser.name ?? "somebody",
                userID: CurrentUser.id, processID: CurrentUser.processID,
                wallClock: { WallClock.nowMilliseconds }, log: log, whenStopped: { loop.stop() })
            configuration.rules = rules
            core = try DaemonCore(
                store: store, loop: loop, compactAt: options.compactAt, configuration: configuration)
        } catch {
            throw DaemonFailure(.ioFailed, "\(error)")
        }
        do throws(UnixSocketError) {
            socketFile = try Self.listen(on: handed, at: options.socket, sharedWith: group, core.server)
        } catch {
            throw DaemonFailure(.unavailable, "cannot listen: \(error)")
        }
        locks = [lock, place]
        self.log = log
        // If the daemon dies, a client that finds its socket can start it again with the same options.
        let record = ServeRecord(
            data: PrivateFile.absolute(options.dataDirectory), durability: options.durability.rawValue,
            compactAt: options.compactAt, allowedGroup: options.allowedGroup)
        do throws(SystemError) {
            try PrivateFile.write(record.bytes, to: ServeRecord.path(ofSocket: options.socket))
        } catch {
            log(.warning("the options of this daemon could not be saved: \(error)"))
        }
    }

    /// Serves on the calling thread until a signal or a client requests a stop.
    ///
    /// - Throws: `DaemonFailure` if signals cannot be watched.
    package func run() throws(DaemonFailure) {
        let server = core.server
        let (log, manager) = (log, manager)
        do throws(SystemError) {
            try Signals.watch(Self.termination, on: loop) { _ in
                log(.info("stopping"))
                manager.reportStopping()
                server.enter { $0.stop() }
            }
            let (core, access) = (core, access)
            try Signals.watch([Signals.reload], on: loop) { _ in core.readAccess(access) }
        } catch {
            throw DaemonFailure(.ioFailed, "\(error)")
        }
        log(.info("serving at \(socket), process \(CurrentUser.processID)"))
        manager.reportReady()
        if let interval = manager.watchdogInterval { reportAlive(every: interval) }
        loop.run()
        manager.reportStopping()
        core.close()
        do throws(SystemError) {
            if let socketFile, try !socketFile.remove() {
                log(
                    .warning(
                        "the socket \(socketFile.path) belongs to another process now and is not removed"))
            }
        } catch {
            log(.warning("\(error)"))
        }
        // Last: until here a second signal has no further effect.
        Signals.unwatch(Self.termination + [Signals.reload])
        log(.info("stopped"))
    }

    private static let termination = [Signals.terminate, Signals.interrupt]

    /// Notifies the service manager's watchdog while the loop runs.
    private func reportAlive(every interval: Duration) {
        let (daemon, manager) = (self, manager)
        manager.reportAlive()
        _ = loop.schedule(after: interval) { daemon.reportAlive(every: interval) }
    }

    // MARK: Starting

    /// Listens on the passed socket, or on a new one.
    ///
    /// - Returns: the file of the new socket.
    private static func listen(
        on handed: Int32?, at path: String, sharedWith group: UserGroup?, _ server: Server
    ) throws(UnixSocketError) -> SocketFile? {
        let listener: Descriptor
        if let handed {
            listener = Descriptor(owning: handed, kind: .socket)
        } else {
            listener = try UnixSocket.listen(path: path, sharedWith: group)
        }
        do throws(SystemError) {
            let file = handed == nil ? try SocketFile(path: PrivateFile.absolute(path)) : nil
            try server.listen(on: listener)
            return file
        } catch {
            throw .system(error)
        }
    }

    private static func rules(of access: AccessSource) throws(DaemonFailure) -> AccessRules {
        do throws(AccessFailure) { return try access.read() } catch {
            throw DaemonFailure(.badSettings, "\(error)")
        }
    }

    private static func ensure(
        _ directory: String, isDefault: Bool, isShared: Bool = true
    ) throws(DaemonFailure) {
        do throws(PrivateDirectoryError) {
            try PrivateDirectory.ensure(directory, isDefault: isDefault, isShared: isShared)
        } catch {
            throw DaemonFailure(.unavailable, "\(error)")
        }
    }

    private static func ensure(_ directory: String, sharedWith group: UserGroup) throws(DaemonFailure) {
        do throws(PrivateDirectoryError) {
            try PrivateDirectory.ensure(directory, sharedWith: group)
        } catch {
            throw DaemonFailure(.unavailable, "\(error)")
        }
    }

    private static func group(_ name: String?) throws(DaemonFailure) -> UserGroup? {
        guard let name else { return nil }
        guard let group = UserGroup(named: name) else {
            throw DaemonFailure(.badSettings, "--allow-group: this machine has no group \(name)")
        }
        return group
    }

    private static func lock(_ directory: String) throws(DaemonFailure) -> LockedDirectory {
        do throws(DirectoryLockError) {
            return LockedDirectory(try DirectoryLock(directory: directory))
        } catch {
            throw failure(error)
        }
    }

    private static func lock(socket: String) throws(DaemonFailure) -> LockedDirectory {
        do throws(DirectoryLockError) {
            return LockedDirectory(try DirectoryLock(socket: socket))
        } catch {
            guard case .heldBy(_, let process) = error else { throw failure(error) }
            throw Self.servesAlready(process, at: socket)
        }
    }

    private static func failure(_ error: DirectoryLockError) -> DaemonFailure {
        // Another holder may exit, but a network file system remains one.
        if case .ofNetwork = error { return DaemonFailure(.badSettings, "\(error)") }
        return DaemonFailure(.unavailable, "\(error)")
    }

    private static func servesAlready(_ process: Int32?, at socket: String) -> DaemonFailure {
        let holder = process.map { "process \($0)" } ?? "another process"
        return DaemonFailure(.unavailable, "\(holder) serves at \(socket) already")
    }

    /// Removes a stale socket file; any other file at the path is an error.
    private static func clear(_ path: String) throws(DaemonFailure) {
        let state: SocketFile.State
        do throws(UnixSocketError) { state = try SocketFile.state(at: path) } catch {
            throw DaemonFailure(.unavailable, "\(error)")
        }
        switch state {
        case .missing: break
        case .live(let process): throw Self.servesAlready(process, at: path)
        case .stale(let file):
            do throws(SystemError) { try file.remove() } catch {
                throw DaemonFailure(.unavailable, "\(error)")
            }
        case .foreign:
            throw DaemonFailure(
                .unavailable, "\(path) exists and is not a socket; remove it or use another path")
        }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// An exclusive lock on the data directory or on the socket's path, released with the last reference.
final class LockedDirectory: Sendable {
    private let lock: DirectoryLock

    init(_ lock: consuming DirectoryLock) { self.lock = lock }
}

/// The reason why a daemon cannot serve, with its exit code.
package struct DaemonFailure: Error, CustomStringConvertible {
    /// The kind of a failure; the raw value is the exit code (sysexits.h).
    package enum Kind: Int32, Sendable {
        /// The socket or the data directory is not available.
        case unavailable = 69
        /// A system call failed.
        case ioFailed = 74
        /// The `access` file is invalid, the group does not exist, or the trips or the socket are on a
        /// network file system.
        case badSettings = 78
    }

    /// The kind of failure.
    package let kind: Kind
    /// One sentence for the user.
    package let description: String

    /// Creates a failure.
    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
