import LocalSystem
import TripProtocol

/// Starts the user's daemon in its own session, as tmux starts its server.
///
/// ```swift
/// let starter = DaemonStarter(executable: "/usr/local/bin/itineraryd")
/// LiveTrip.Options { loss throws(ClientError) in try await starter.startDaemon(after: loss) }
/// ```
public struct DaemonStarter: Sendable {
    private let address: DaemonAddress
    private let socketIsDefault: Bool
    private let environment: ProcessEnvironment
    /// The path of `itineraryd`; nil if it is beside this program.
    private let executable: String?

    private var socket: String { address.path }

    /// The timeout for a daemon to serve.
    private static let timeout = Duration.seconds(10)
    /// The timeout if another process has the socket or the data directory: it may be starting or stopping, or listen
    /// again at a socket that was removed.
    private static let timeoutOfTakenPlace = Duration.seconds(2)
    /// The pause before another attempt if another daemon, which may be stopping, has the socket.
    private static let pauseForAnother = Duration.milliseconds(100)
    /// The exit code of a daemon whose socket or directory is in use by another one.
    private static let placeIsTaken: Int32 = 69

    /// Starts daemons at an address of this machine and account.
    ///
    /// - Parameter executable: the path of `itineraryd`; nil if it is beside this program.
    public init(at address: DaemonAddress = .standard, executable: String? = nil) {
        self.init(at: address, environment: .current, executable: executable)
    }

    /// Starts daemons at an address, in an environment.
    package init(at address: DaemonAddress, environment: ProcessEnvironment, executable: String? = nil) {
        self.address = address
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let paths = DefaultPaths(environment: environment.variables, userID: CurrentUser.id, home: home)
        socketIsDefault = address.path == paths.socket()
        self.environment = environment
        self.executable = executable
    }

    /// Starts the daemon unless one serves, and returns when one does. It uses the data directory of the last
    /// daemon at this address.
    ///
    /// - Parameter loss: the reason why the last connection ended; nil if there was none. A daemon that was
    ///   stopped on purpose, or whose data directory is unknown, is not started again.
    /// - Throws: `noDaemon` if none may be started here, `unreachable` if it does not start.
    public func startDaemon(after loss: ClientError? = nil) async throws(ClientError) {
        do throws(ClientError) {
            return try connect()
        } catch {
            guard case .noDaemon = error, address.isOwn, loss != .closed(.shuttingDown),
                loss == nil || record != nil
            else { throw error }
        }
        try await waitUntilServing(start()) { () async throws(ClientError) in try connect() }
    }

    /// Throws unless a daemon serves.
    private func connect() throws(ClientError) { _ = try DaemonConnection.open(to: address).takeSocket() }

    /// The options of the last daemon at this socket; nil if they are unknown.
    package var record: ServeRecord? { Self.record(ofSocket: socket) }

    /// The options of the last daemon at a socket; nil if they are unknown.
    package static func record(ofSocket socket: String) -> ServeRecord? {
        // In a shared directory another user could have created the file.
        let path = ServeRecord.path(ofSocket: socket)
        guard let bytes = try? PrivateFile.read(path, maximumBytes: 64 * 1024) else { return nil }
        return ServeRecord(bytes: bytes)
    }

    /// The arguments of the last daemon at this socket, or the defaults if there was none.
    ///
    /// - Throws: `ClientError` if the last daemon's options are unknown.
    private func arguments() throws(ClientError) -> [String] {
        if let record {
            guard (try? FileStatus.ofPath(record.data))??.kind == .directory else {
                throw .unreachable(
                    "no daemon listens at \(socket); the last one used the data directory \(record.data), which does not exist"
                )
            }
            return record.arguments(socket: socket)
        }
        if !socketIsDefault, (try? FileStatus.ofPath(socket)) ?? nil != nil {
            throw .unreachable(
                "no daemon listens at \(socket), and the data directory of the last one is unknown; start it with itineraryd serve"
            )
        }
        return ["serve", "--socket", socket]
    }

    private static var besideThisProgram: String? {
        guard let own = ExecutablePath.current, let slash = own.lastIndex(of: "/") else { return nil }
        return String(own[..<slash]) + "/itineraryd"
    }

    /// The daemon's log.
    private var logPath: String { socket + ".log" }

    /// Starts the daemon.
    package func start() throws(ClientError) -> ChildProcess {
        let arguments = try arguments()
        guard let executable = executable ?? Self.besideThisProgram else {
            throw .unreachable("no daemon listens at \(socket), and the program itineraryd was not found")
        }
        let directory = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        do throws(PrivateDirectoryError) {
            try PrivateDirectory.ensure(directory.isEmpty ? "/" : directory, isDefault: socketIsDefault)
        } catch {
            throw .unreachable("no daemon listens at \(socket), and it could not be started: \(error)")
        }
        do throws(LogFileError) { _ = try LogFile(path: logPath).open().excess } catch {
            throw .unreachable("no daemon listens at \(socket), and it could not be started: \(error)")
        }
        var plan = ChildProcess.Plan(executable, arguments)
        plan.environment = environment.variables
        plan.isInNewSession = true
        // The daemon rotates the log itself when it is too long.
        plan.arguments += ["--log", PrivateFile.absolute(logPath)]
        plan.input = .null
        plan.output = .null
        plan.error = .log(path: logPath)
        do throws(SystemError) {
            let daemon = try ChildProcess(plan)
            StartedChildren.add(daemon)
            return daemon
        } catch {
            throw .unreachable("no daemon listens at \(socket), and it could not be started: \(error)")
        }
    }

    /// Retries until the daemon answers, exits, or exceeds the timeout.
    ///
    /// - Parameter daemon: the daemon that was started; nil if another process has the data directory.
    package func waitUntilServing<Value: Sendable>(
        _ daemon: ChildProcess?, _ connect: () async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        let clock = ContinuousClock()
        var daemon = daemon
        var deadline = clock.now + (daemon == nil ? Self.timeoutOfTakenPlace : Self.timeout)
        var nextStart: ContinuousClock.Instant?
        var pause = Duration.milliseconds(2)
        while true {
            do throws(ClientError) {
                return try await connect()
            } catch {
                guard case .noDaemon = error, daemon != nil || address.holder != nil else { throw error }
            }
            switch try? daemon?.poll() {
            case .exited(Self.placeIsTaken)?:
                deadline = min(deadline, clock.now + Self.timeoutOfTakenPlace)
                let due = nextStart ?? clock.now + Self.pauseForAnother
                nextStart = due
                if due <= clock.now {
                    daemon = try start()
                    nextStart = nil
                }
            case .some: deadline = clock.now
            case nil: break
            }
            guard clock.now < deadline, !Task.isCancelled else {
                throw .unreachable(problem)
            }
            // A listening socket can only be polled; the daemon has no way to call back.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    /// The reason why no daemon serves, with the remedy.
    private var problem: String {
        guard let holder = address.holder else { return "itineraryd could not be started: \(lastWords)" }
        let (process, directory) = (holder.process, address.dataDirectory ?? "")
        return "no daemon listens at \(holder.socket ?? address.path), but process \(process) uses its data "
            + "directory \(directory); kill \(process) ends that process"
    }

    /// The last line of the log.
    private var lastWords: String {
        guard let file = try? OpenFile(logPath, .read, in: RealFileSystem()), let size = try? file.size(),
            let bytes = try? file.read(at: max(0, size - 4096), count: 4096)
        else { return "see \(logPath)" }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        return lines.last.map { String(decoding: $0, as: UTF8.self) } ?? "see \(logPath)"
    }
}
