#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What is written to a terminal or a pipe without ever waiting for it: what it does not take now waits here.
///
/// It has a descriptor of its own for the same terminal, since not to block is a property that all users of one share.
/// On one thread.
package final class OutputStream: Sendable {
    private struct State {
        var backlog: [UInt8] = []
        var written = 0
        var failure: SystemError?
    }

    /// The descriptor to be watched for writing while `isStuck`; nil where writing waits, as to a file.
    package let descriptor: Int32?
    private let number: Int32
    private let state = Guarded(State())

    /// A stream beside a descriptor, which stays open for as long as this is used.
    package init(beside number: Int32) {
        self.number = number
        var status = stat()
        let isTerminal = isatty(number) == 1
        let isPipe = fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        var own: Int32 = -1
        if isTerminal || isPipe {
            #if os(Linux)
            own = open("/proc/self/fd/\(number)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            #endif
            if own < 0, isTerminal, let name = ttyname(number) {
                own = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            }
        }
        descriptor = own >= 0 ? own : nil
    }

    deinit { if let descriptor { close(descriptor) } }

    /// Whether something waits until it can be written.
    package var isStuck: Bool { state.withLock { !$0.backlog.isEmpty } }

    /// Bytes that wait.
    package var waitingCount: Int { state.withLock { $0.backlog.count - $0.written } }

    /// Why nothing can be written any more; nil while it can.
    package var failure: SystemError? { state.withLock { $0.failure } }

    /// Writes bytes behind those that wait.
    package func write(_ bytes: [UInt8]) {
        state.withLock { $0.backlog += bytes }
        flush()
    }

    /// Writes what waits, as far as it is taken.
    package func flush() {
        state.withLock { state in
            while state.written < state.backlog.count {
                let count = state.backlog[state.written...].withUnsafeBytes {
                    systemWrite(descriptor ?? number, $0.baseAddress, $0.count)
                }
                if count > 0 {
                    state.written += count
                    continue
                }
                let code = errno
                if code == EINTR { continue }
                if code == EAGAIN || code == EWOULDBLOCK { return }
                state.failure = state.failure ?? SystemError(call: "write", code: code)
                break
            }
            (state.backlog, state.written) = ([], 0)
        }
    }

    /// Writes what waits, for a while; what is not taken by then is dropped, with what the terminal itself has not shown.
    package func finish(milliseconds: Int32) {
        if let descriptor, isStuck {
            var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if systemPoll(&poll, 1, milliseconds) > 0 { flush() }
            if isStuck { tcflush(descriptor, TCOFLUSH) }
        }
        state.withLock { ($0.backlog, $0.written) = ([], 0) }
    }
}
