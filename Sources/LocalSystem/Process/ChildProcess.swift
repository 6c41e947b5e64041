import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A child process. It inherits nothing but its three standard streams: signals have their default actions,
/// and the environment is explicit.
package final class ChildProcess: Sendable {
    /// A standard stream of the child.
    package enum Stream: Equatable, Sendable {
        /// The same as this process's.
        case inherited
        /// `/dev/null`.
        case null
        /// A descriptor of this process, which keeps it.
        case descriptor(Int32)
        /// A file to append to, created with mode 0600 if needed.
        case log(path: String)
        /// A terminal; the controlling one if the child leads a session.
        case terminal(path: String)
    }

    /// The exit status of a process.
    package enum ExitStatus: Equatable, Sendable {
        /// The exit code, 0…255.
        case exited(Int32)
        /// The signal that ended it.
        case signalled(Int32)
    }

    /// The description of a process to start.
    package struct Plan: Sendable {
        /// The path of the executable; `PATH` is not searched.
        package var executable: String
        /// The arguments after the program's name.
        package var arguments: [String] = []
        /// The whole environment.
        package var environment: [String: String] = [:]
        /// The working directory; nil for this process's.
        package var directory: String?
        /// Whether it leads a new session, so that Ctrl-C and a hang-up of this terminal do not reach it.
        package var isInNewSession = false
        /// Standard input.
        package var input = Stream.inherited
        /// Standard output.
        package var output = Stream.inherited
        /// Standard error.
        package var error = Stream.inherited

        /// A plan to run `executable`.
        package init(_ executable: String, _ arguments: [String] = []) {
            self.executable = executable
            self.arguments = arguments
        }
    }

    /// The child's process id.
    package let processID: Int32
    /// Set once the child is reaped; from then on its id may belong to another process.
    private let status = Guarded<ExitStatus?>(nil)

    /// Starts a process; throws if its file cannot be run or a stream cannot be opened.
    package init(_ plan: Plan) throws(SystemError) {
        processID = try spawn(plan)
    }

    /// Waits for the child to end. Blocks; may be called from any thread, repeatedly.
    package func wait() throws(SystemError) -> ExitStatus {
        while true {
            if let status = try poll() { return status }
            // This call does not reap, so the id stays the child's while the lock is not held.
            var information = siginfo_t()
            try systemCall("waitid") { waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) }
        }
    }

    /// The exit status; nil while the child runs.
    package func poll() throws(SystemError) -> ExitStatus? {
        try status.withLock { status throws(SystemError) in
            if let status { return status }
            var word: Int32 = 0
            if try systemCall("waitpid", nil, { waitpid(processID, &word, WNOHANG) }) == 0 { return nil }
            let signal = word & 0x7f
            status = signal == 0 ? .exited((word >> 8) & 0xff) : .signalled(signal)
            return status
        }
    }

    /// Waits for the child to end within a timeout; nil if it still runs. Blocks.
    package func end(within timeout: Duration) -> ExitStatus? {
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        while true {
            if let status = (try? poll()) ?? nil { return status }
            guard clock.now < deadline else { return nil }
            _ = systemPoll(nil, 0, 1)
        }
    }

    /// Sends the child a signal, unless it has been reaped.
    package func kill(_ signal: Int32) {
        status.withLock { status in
            if status == nil { _ = sendSignal(processID, signal) }
        }
    }
}

// The C function under a name that the method above does not hide.
private func sendSignal(_ process: Int32, _ signal: Int32) -> Int32 { kill(process, signal) }
