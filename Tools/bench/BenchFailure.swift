import LocalSystem

/// Why there is no measurement; the run ends with it.
enum BenchFailure: Error, CustomStringConvertible {
    /// The command line makes no sense.
    case usage(String)
    /// The system refused.
    case system(SystemError)
    /// The daemon cannot be reached.
    case unreachable(UnixSocketError)
    /// The daemon ended before it was told to, or not as it should; with what it wrote to its log.
    case daemonEnded(ChildProcess.ExitStatus, log: String)
    /// The other end has closed a connection.
    case disconnected
    /// A line is not the answer that belongs here.
    case unexpected(line: String, wanted: String)
    /// The watchers did not get the last version in time.
    case watchersBehind(wanted: Int, slowest: Int)
    /// A part that was to be counted failed; with what it wrote.
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

/// Makes a system's error one of this run.
func failing<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
) throws(BenchFailure) -> Value {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
}
