import LocalSystem
import TripClient
import TripProtocol

/// Starts the daemon that lies beside this program, in a session of its own, as tmux starts its server.
struct DaemonStarter {
    let socket: String
    let socketIsDefault: Bool
    let environment: ProcessEnvironment

    /// How long a daemon may take until it serves; one that stops may take five seconds before.
    static let patience = Duration.seconds(10)
    /// How soon to try again where another daemon, which may be about to stop, has the place.
    static let pauseForAnother = Duration.milliseconds(100)

    /// Daemons that this process has started and that have not been reaped.
    private static let children = Guarded<[ChildProcess]>([])

    /// Takes a child that nobody waits for, to be reaped when it has ended.
    static func adopt(_ child: ChildProcess) { children.withLock { $0.append(child) } }

    /// Takes note of those that have ended; to be called when a child has.
    static func reap() {
        children.withLock { children in
            children.removeAll { child in
                if let status = try? child.poll() { _ = status; return true } else { return false }
            }
        }
    }

    /// How the daemon of this socket was started last; nil where it has not said so.
    var record: ServeRecord? {
        let path = ServeRecord.path(ofSocket: socket)
        guard let file = try? OpenFile(path, .read, in: RealFileSystem()),
            let bytes = try? file.read(at: 0, count: 64 * 1024)
        else { return nil }
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

    /// What the daemon says goes here.
    private var logPath: String { socket + ".log" }

    /// Starts it.
    func start() throws(ClientError) -> ChildProcess {
        let arguments = try arguments()
        guard let own = ExecutablePath.current, let slash = own.lastIndex(of: "/") else {
            throw .unreachable("no daemon listens at \(socket), and where itineraryd lies is not known")
        }
        let directory = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        do throws(PrivateDirectoryError) {
            try PrivateDirectory.ensure(directory.isEmpty ? "/" : directory, isDefault: socketIsDefault)
        } catch {
            throw .unreachable("no daemon listens at \(socket), and none can be started: \(error)")
        }
        var plan = ChildProcess.Plan(String(own[..<slash]) + "/itineraryd", arguments)
        plan.environment = environment.variables
        plan.isInNewSession = true
        plan.input = .null
        plan.output = .null
        plan.error = .log(path: logPath)
        do throws(SystemError) {
            let daemon = try ChildProcess(plan)
            Self.children.withLock { $0.append(daemon) }
            return daemon
        } catch {
            throw .unreachable("no daemon listens at \(socket), and none can be started: \(error)")
        }
    }

    /// Tries again until the daemon answers, or ends, or takes too long.
    func waitUntilServing<Value: Sendable>(
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
            case .exited(CommandFailure.unavailable)?:
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
