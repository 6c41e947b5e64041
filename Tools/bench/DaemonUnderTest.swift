import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A daemon for this run, with its own data directory.
final class DaemonUnderTest {
    enum Durability: String {
        case sync
        case relaxed
    }

    /// The counters of `daemon.stats`.
    struct Counters {
        let commits: Int
        let syncs: Int
        let sentSnapshots: Int
    }

    let socket: String
    private let log: String
    private let process: ChildProcess
    private var isStopped = false

    /// Starts the program at `executable` and waits until it answers.
    ///
    /// - Parameter directory: the parent of its data, socket and log.
    init(_ executable: String, _ durability: Durability, in directory: String) throws(BenchFailure) {
        let place = "\(directory)/\(durability.rawValue)"
        socket = "\(place)/socket"
        log = "\(place)/log"
        var plan = ChildProcess.Plan(
            executable,
            ["serve", "--socket", socket, "--data", "\(place)/data", "--durability", durability.rawValue])
        plan.environment = ProcessEnvironment.current.variables
        plan.input = .null
        plan.output = .null
        plan.error = .log(path: log)
        let started = plan
        process = try failing { () throws(SystemError) in
            let files = RealFileSystem()
            if try files.status(place) == nil { try files.makeDirectory(place) }
            return try ChildProcess(started)
        }
        try waitUntilItListens()
    }

    deinit {
        if isStopped { return }
        process.kill(SIGKILL)
        _ = try? process.wait()
    }

    private func waitUntilItListens() throws(BenchFailure) {
        while true {
            if let status = try failing({ () throws(SystemError) in try process.poll() }) {
                throw ended(status)
            }
            do throws(UnixSocketError) {
                _ = try UnixSocket.connect(path: socket)
                return
            } catch {
                guard case .system(let error) = error, error.isNobodyListening else {
                    throw .unreachable(error)
                }
                usleep(1000)
            }
        }
    }

    private func ended(_ status: ChildProcess.ExitStatus) -> BenchFailure {
        let text = try? OpenFile(log, .read, in: RealFileSystem()).readAll()
        return .daemonEnded(status, log: String(decoding: text ?? [], as: UTF8.self))
    }

    /// Runs `body`; if it fails because the daemon has ended, throws that reason.
    func using<Value>(_ body: () throws(BenchFailure) -> Value) throws(BenchFailure) -> Value {
        do throws(BenchFailure) { return try body() } catch {
            // A process that has just closed its sockets may exist a moment longer.
            usleep(100_000)
            if case .some(.some(let status)) = try? process.poll() { throw ended(status) }
            throw error
        }
    }

    /// Kills the daemon, like a crash.
    func kill() throws(BenchFailure) {
        process.kill(SIGKILL)
        _ = try failing { () throws(SystemError) in try process.wait() }
        isStopped = true
    }

    /// Stops the daemon and waits for its end.
    ///
    /// - Throws: `daemonEnded` if it does not end properly.
    func stop() throws(BenchFailure) {
        process.kill(SIGTERM)
        let status = try failing { () throws(SystemError) in try process.wait() }
        isStopped = true
        if status != .exited(0) { throw ended(status) }
    }

    // MARK: State

    /// The current counters.
    func counters(by client: WireClient) throws(BenchFailure) -> Counters {
        try client.call("\"method\":\"daemon.stats\"}") { line in
            Counters(
                commits: line.integer(after: "\"commits\":") ?? 0,
                syncs: line.integer(after: "\"syncs\":") ?? 0,
                sentSnapshots: line.integer(after: "\"sentSnapshots\":") ?? 0)
        }
    }

    /// The resources used so far; nil if the system does not report them.
    var usage: ProcessUsage? { ProcessUsage(of: process.processID) }
}
