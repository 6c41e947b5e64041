#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Non-blocking output to a terminal or a pipe: bytes that cannot be written now wait in a buffer.
///
/// It opens its own descriptor for the same terminal, because all users of one share its non-blocking mode.
/// For one thread.
package final class OutputStream: Sendable {
    private struct State {
        var backlog: [UInt8] = []
        var written = 0
        var failure: SystemError?
    }

    /// The descriptor to watch for writing while `isStuck`; nil if writes block, as to a file.
    package let descriptor: Int32?
    private let number: Int32
    private let state = Guarded(State())

    /// A stream for the file of a descriptor, which must stay open.
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

    /// True if bytes wait to be written.
    package var isStuck: Bool { state.withLock { !$0.backlog.isEmpty } }

    /// The number of waiting bytes.
    package var waitingCount: Int { state.withLock { $0.backlog.count - $0.written } }

    /// The reason why nothing more can be written; nil otherwise.
    package var failure: SystemError? { state.withLock { $0.failure } }

    /// Appends bytes to the waiting ones, and writes.
    package func write(_ bytes: [UInt8]) {
        state.withLock { $0.backlog += bytes }
        flush()
    }

    /// Writes waiting bytes until the descriptor accepts no more.
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

    /// Writes waiting bytes up to a timeout, and drops the rest together with the terminal's own unshown output.
    package func finish(milliseconds: Int32) {
        if let descriptor, isStuck {
            var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if systemPoll(&poll, 1, milliseconds) > 0 { flush() }
            if isStuck { tcflush(descriptor, TCOFLUSH) }
        }
        state.withLock { ($0.backlog, $0.written) = ([], 0) }
    }
}
