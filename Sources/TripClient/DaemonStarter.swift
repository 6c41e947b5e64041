import LocalSystem
import TripProtocol

/// Starts the user's daemon in a session of its own, as tmux starts its server.
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

    /// How long a daemon may take until it serves; one that stops may take five seconds before.
    private static let patience = Duration.seconds(10)
    /// How soon to try again where another daemon, which may be about to stop, has the place.
    private static let pauseForAnother = Duration.milliseconds(100)
    /// What a daemon exits with that finds another one in its place.
    private static let placeIsTaken: Int32 = 69

    /// Starts daemons at an address of this machine and account.
    ///
    /// - Parameter executable: the path of `itineraryd`; left out, the one beside this program.
    public init(at address: DaemonAddress = .standard, executable: String? = nil) {
        let environment = ProcessEnvironment.current
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let paths = DefaultPaths(environment: environment.variables, userID: CurrentUser.id, home: home)
        self.init(
            at: address, socketIsDefault: address.path == paths.socket(), environment: environment,
            executable: executable)
    }

    /// Starts daemons at an address, in an environment.
    ///
    /// - Parameter socketIsDefault: whether the socket's place is the default, whose directory must then be private.
    package init(
        at address: DaemonAddress, socketIsDefault: Bool, environment: ProcessEnvironment,
        executable: String? = nil
    ) {
        self.address = address
        self.socketIsDefault = socketIsDefault
        self.environment = environment
        self.executable = executable
    }

    /// Starts the daemon unless one serves, and returns when one does. It keeps the trips that the last daemon at this
    /// address kept.
    ///
    /// - Parameter loss: why the last connection ended; nil if there was none. A daemon that was stopped on purpose is not
    ///   started again, nor one whose trips' place is not known.
    /// - Throws: `noDaemon` if none is to be started here, `unreachable` if it does not start.
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

    /// Finds out whether a daemon serves.
    private func connect() throws(ClientError) { _ = try DaemonConnection.open(to: address).takeSocket() }

    /// How the daemon of this socket was started last; nil where it has not said so.
    package var record: ServeRecord? { Self.record(ofSocket: socket) }

    /// How the daemon of a socket was started last; nil where it has not said so.
    package static func record(ofSocket socket: String) -> ServeRecord? {
        // Beside a socket in a directory of everybody's, somebody else could have put one.
        let path = ServeRecord.path(ofSocket: socket)
        guard let bytes = try? PrivateFile.read(path, maximumBytes: 64 * 1024) else { return nil }
        return ServeRecord(bytes: bytes)
    }

    /// What to start: the daemon that served here before or, where none ever did, one with the usual places.
    ///
    /// - Throws: `ClientError` where nobody can know what served here.
    private func arguments() throws(ClientError) -> [String] {
        if let record {
            guard (try? FileStatus.ofPath(record.data))??.kind == .directory else {
                throw .unreachable(
                    "no daemon listens at \(socket); the one that did kept its trips in \(record.data), which is not there"
                )
            }
            return record.arguments(socket: socket)
        }
        if !socketIsDefault, (try? FileStatus.ofPath(socket)) ?? nil != nil {
            throw .unreachable(
                "no daemon listens at \(socket), and where the one that did kept its trips is not known; start it with itineraryd serve"
            )
        }
        return ["serve", "--socket", socket]
    }

    private static var besideThisProgram: String? {
        guard let own = ExecutablePath.current, let slash = own.lastIndex(of: "/") else { return nil }
        return String(own[..<slash]) + "/itineraryd"
    }

    /// What the daemon says goes here.
    private var logPath: String { socket + ".log" }

    /// Starts it.
    package func start() throws(ClientError) -> ChildProcess {
        let arguments = try arguments()
        guard let executable = executable ?? Self.besideThisProgram else {
            throw .unreachable("no daemon listens at \(socket), and where itineraryd lies is not known")
        }
        let directory = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        do throws(PrivateDirectoryError) {
            try PrivateDirectory.ensure(directory.isEmpty ? "/" : directory, isDefault: socketIsDefault)
        } catch {
            throw .unreachable("no daemon listens at \(socket), and none can be started: \(error)")
        }
        do throws(LogFileError) { _ = try LogFile(path: logPath).open().excess } catch {
            throw .unreachable("no daemon listens at \(socket), and none can be started: \(error)")
        }
        var plan = ChildProcess.Plan(executable, arguments)
        plan.environment = environment.variables
        plan.isInNewSession = true
        // By itself it begins its log anew when that has grown long.
        plan.arguments += ["--log", PrivateFile.absolute(logPath)]
        plan.input = .null
        plan.output = .null
        plan.error = .log(path: logPath)
        do throws(SystemError) {
            let daemon = try ChildProcess(plan)
            StartedChildren.add(daemon)
            return daemon
        } catch {
            throw .unreachable("no daemon listens at \(socket), and none can be started: \(error)")
        }
    }

    /// Tries again until the daemon answers, or ends, or takes too long.
    package func waitUntilServing<Value: Sendable>(
        _ daemon: ChildProcess, _ connect: () async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        let clock = ContinuousClock()
        var daemon = daemon
        var deadline = clock.now + Self.patience
        var nextStart: ContinuousClock.Instant?
        var pause = Duration.milliseconds(2)
        while true {
            do throws(ClientError) {
                return try await connect()
            } catch {
                guard case .noDaemon = error else { throw error }
            }
            switch try? daemon.poll() {
            case .exited(Self.placeIsTaken)?:
                // Another one has the place: one that somebody else starts, or one that is about to stop.
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
                throw .unreachable("itineraryd could not be started: \(lastWords)")
            }
            // A listening socket is all there is to wait for; the daemon has no way to call back.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
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
