import LocalSystem
import TripClient

/// Starts the daemon that lies beside this program, in a session of its own, as tmux starts its server.
struct DaemonStarter {
    let socket: String
    let socketIsDefault: Bool
    let environment: ProcessEnvironment

    /// How long a daemon may take until it serves.
    static let patience = Duration.seconds(10)
    /// How long to look for the other daemon where ours found its place taken.
    static let patienceWithAnother = Duration.seconds(3)

    /// What the daemon says goes here.
    private var logPath: String { socket + ".log" }

    /// Starts it.
    func start() throws(ClientError) -> ChildProcess {
        guard let own = ExecutablePath.current, let slash = own.lastIndex(of: "/") else {
            throw .unreachable("no daemon listens at \(socket), and where itineraryd lies is not known")
        }
        let directory = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        do throws(PrivateDirectoryError) {
            try PrivateDirectory.ensure(directory.isEmpty ? "/" : directory, isDefault: socketIsDefault)
        } catch {
            throw .unreachable("no daemon listens at \(socket), and none can be started: \(error)")
        }
        var plan = ChildProcess.Plan(String(own[..<slash]) + "/itineraryd", ["serve", "--socket", socket])
        plan.environment = environment.variables
        plan.isInNewSession = true
        plan.input = .null
        plan.output = .null
        plan.error = .log(path: logPath)
        do throws(SystemError) {
            return try ChildProcess(plan)
        } catch {
            throw .unreachable("no daemon listens at \(socket), and none can be started: \(error)")
        }
    }

    /// Tries again until the daemon answers, or ends, or takes too long.
    func waitUntilServing<Value: Sendable>(
        _ daemon: ChildProcess, _ connect: () async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        let clock = ContinuousClock()
        var deadline = clock.now + Self.patience
        var pause = Duration.milliseconds(2)
        while true {
            do throws(ClientError) {
                return try await connect()
            } catch {
                guard case .noDaemon = error else { throw error }
            }
            switch try? daemon.poll() {
            case .exited(CommandFailure.unavailable)?:
                // Of two clients that start a daemon at the same time one finds the other's serving.
                deadline = min(deadline, clock.now + Self.patienceWithAnother)
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
