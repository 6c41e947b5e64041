import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// A complete daemon: locks the data directory and the socket, loads the list of trips, serves, and releases
/// all resources.
package struct Daemon: Sendable {
    private let loop: EventLoop
    private let core: DaemonCore
    private let socket: SocketPlace
    private let manager: ServiceManager
    private let lock: LockedDirectory
    private let access: AccessSource
    private let record: ServeRecord
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
        do throws(DirectoryLockError) {
            lock = try LockedDirectory(ofData: options.dataDirectory)
        } catch {
            throw DaemonFailure(error)
        }
        access = AccessSource(in: PrivateFile.absolute(options.dataDirectory))
        let rules = try Self.rules(of: access)
        manager = ServiceManager()
        let passed: Int32?
        do throws(SystemError) { passed = try manager.takeSocket()?.release() } catch {
            throw DaemonFailure(.unavailable, "the inherited descriptor is not a listening socket")
        }
        let path = passed.flatMap(UnixSocket.path) ?? options.socket
        socket = try SocketPlace(
            path, isDefault: options.socketIsDefault && path == options.socket, sharedWith: group)

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
        try socket.listen(on: passed, for: core.server)
        self.log = log
        record = ServeRecord(
            data: PrivateFile.absolute(options.dataDirectory), durability: options.durability.rawValue,
            compactAt: options.compactAt, allowedGroup: options.allowedGroup)
        publish()
    }

    /// Tells clients where this daemon listens and, if it is gone, how to start the same one again.
    private func publish() {
        do throws(SystemError) {
            try lock.publish(socket: socket.path)
            try PrivateFile.write(record.bytes, to: ServeRecord.path(ofSocket: socket.path))
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
        log(.info("serving at \(socket.path), process \(CurrentUser.processID)"))
        manager.reportReady()
        if let interval = manager.watchdogInterval { reportAlive(every: interval) }
        watchSocket()
        loop.run()
        manager.reportStopping()
        core.close()
        do throws(SystemError) {
            if try socket.remove() {
                log(.warning("the socket \(socket.path) belongs to another process now and is not removed"))
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

    /// Checks the socket each second, so that a client finds the daemon within two.
    private func watchSocket() {
        let daemon = self
        _ = loop.schedule(after: .seconds(1)) {
            if daemon.socket.check(for: daemon.core.server, daemon.log) { daemon.publish() }
            daemon.watchSocket()
        }
    }

    // MARK: Starting

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

    private static func group(_ name: String?) throws(DaemonFailure) -> UserGroup? {
        guard let name else { return nil }
        guard let group = UserGroup(named: name) else {
            throw DaemonFailure(.badSettings, "--allow-group: this machine has no group \(name)")
        }
        return group
    }
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

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    init(_ error: DirectoryLockError) {
        // Another holder may exit, but a network file system remains one.
        if case .ofNetwork = error {
            self.init(.badSettings, "\(error)")
        } else {
            self.init(.unavailable, "\(error)")
        }
    }
}

/// The options of a daemon.
package struct DaemonOptions: Sendable {
    /// The path of the socket.
    package var socket: String
    /// Whether that is the default path, whose directory must be private.
    package var socketIsDefault: Bool
    /// The directory of the trips.
    package var dataDirectory: String
    /// Whether that is the default directory.
    package var dataIsDefault: Bool
    /// The durability mode.
    package var durability: Durability
    /// The group whose accounts may connect, subject to the `access` file; nil for none.
    package var allowedGroup: String?
    /// The size in bytes above which a journal is compacted.
    package var compactAt = 4 << 20

    package init(
        socket: String, socketIsDefault: Bool, dataDirectory: String, dataIsDefault: Bool,
        durability: Durability = .sync
    ) {
        self.socket = socket
        self.socketIsDefault = socketIsDefault
        self.dataDirectory = dataDirectory
        self.dataIsDefault = dataIsDefault
        self.durability = durability
    }
}
