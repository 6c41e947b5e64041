import LocalSystem

/// The reason why the measurement failed, which ends the run.
enum BenchFailure: Error, CustomStringConvertible {
    /// The command line is invalid.
    case usage(String)
    /// A system call failed.
    case system(SystemError)
    /// The daemon is not reachable.
    case unreachable(UnixSocketError)
    /// The daemon ended unexpectedly; with its log.
    case daemonEnded(ChildProcess.ExitStatus, log: String)
    /// The other end has closed a connection.
    case disconnected
    /// A line is not the expected answer.
    case unexpected(line: String, wanted: String)
    /// The watchers did not get the last version in time.
    case watchersBehind(wanted: Int, slowest: Int)
    /// A counted part failed; with its output.
    case counting(String, log: String)

    var description: String {
        switch self {
        case .usage(let text): text
        case .system(let error): "\(error)"
        case .unreachable(let error): "the daemon cannot be reached: \(error)"
        case .daemonEnded(.exited(let code), let log):
            "the daemon has ended with code \(code); its log:\n\(log)"
        case .daemonEnded(.signalled(let signal), let log):
            "the daemon was ended by signal \(signal); its log:\n\(log)"
        case .counting(let part, let log): "\(part) failed:\n\(log)"
        case .disconnected: "the daemon has closed a connection"
        case .unexpected(let line, let wanted): "the daemon should have sent \(wanted), but sent: \(line)"
        case .watchersBehind(let wanted, let slowest):
            "a watcher is still at version \(slowest), long after \(wanted) was acknowledged"
        }
    }
}

/// Converts a system error.
func failing<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
) throws(BenchFailure) -> Value {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
}
