import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A process that this one started. Nothing of this one leaks into it: it has its three standard streams and no
/// other descriptor, default signals, and the environment that it was given.
package final class ChildProcess: Sendable {
    /// What a standard stream of the child is.
    package enum Stream: Equatable, Sendable {
        /// The same as this process's.
        case inherited
        /// `/dev/null`.
        case null
        /// A descriptor of this process, which keeps it.
        case descriptor(Int32)
        /// A file to append to, made with mode 0600 if there is none.
        case log(path: String)
        /// A terminal; the child's controlling one if it leads a session of its own.
        case terminal(path: String)
    }

    /// How a process ended.
    package enum ExitStatus: Equatable, Sendable {
        /// It returned a code, 0…255.
        case exited(Int32)
        /// A signal ended it.
        case signalled(Int32)
    }

    /// What to start, and around what.
    package struct Plan: Sendable {
        /// The path of the file to run; it is not searched for.
        package var executable: String
        /// The arguments after the program's name.
        package var arguments: [String] = []
        /// The whole environment.
        package var environment: [String: String] = [:]
        /// Its working directory; nil for this process's.
        package var directory: String?
        /// Whether it leads a session of its own, out of reach of this terminal's Ctrl-C and hang-up.
        package var isInNewSession = false
        /// What it reads.
        package var input = Stream.inherited
        /// The destination of its output.
        package var output = Stream.inherited
        /// Where its errors go.
        package var error = Stream.inherited

        /// A plan to run `executable`.
        package init(_ executable: String, _ arguments: [String] = []) {
            self.executable = executable
            self.arguments = arguments
        }
    }

    /// The child's process id.
    package let processID: Int32
    /// Set once the child has been reaped, from when on its id may be another process's.
    private let status = Guarded<ExitStatus?>(nil)

    /// Starts a process; throws if its file cannot be run or a stream cannot be opened.
    package init(_ plan: Plan) throws(SystemError) {
        processID = try spawn(plan)
    }

    /// Waits for the child to end. Blocks the thread; from any thread, any number of times.
    package func wait() throws(SystemError) -> ExitStatus {
        while true {
            if let status = try poll() { return status }
            // Does not reap, so that the id stays the child's while the lock is not held.
            var information = siginfo_t()
            try systemCall("waitid") { waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) }
        }
    }

    /// How the child ended; nil while it runs.
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

    /// How the child ended, which is waited for a while; nil where it goes on. Blocks the thread.
    package func end(within patience: Duration) -> ExitStatus? {
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        while true {
            if let status = (try? poll()) ?? nil { return status }
            guard clock.now < deadline else { return nil }
            _ = systemPoll(nil, 0, 1)
        }
    }

    /// Sends the child a signal; nothing happens if it has been waited for.
    package func kill(_ signal: Int32) {
        status.withLock { status in
            if status == nil { _ = sendSignal(processID, signal) }
        }
    }
}

// The C function under a name that the method above does not hide.
private func sendSignal(_ process: Int32, _ signal: Int32) -> Int32 { kill(process, signal) }
