import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Writes lines to a descriptor on its own thread, so that a slow reader blocks nobody.
///
/// Lines that do not fit into a bounded buffer are dropped, and their number is written once there is space.
/// All functions may be called from any thread, and none but `close` blocks.
package final class LogWriter: Sendable {
    /// Maximum bytes of waiting lines.
    package static let maximumBytes = 256 << 10
    /// Bytes per write: a writable pipe accepts as many without blocking.
    private static let portion = 4096
    /// The interval in milliseconds in which the thread checks for its end.
    private static let timeout: Int32 = 100

    private struct State {
        /// The waiting bytes; the first line may be partially written.
        var bytes: [UInt8] = []
        /// The number of lines dropped since the last accepted one.
        var dropped = 0
        /// The time at which waiting lines are dropped, in nanoseconds of the monotonic clock; nil until `close`.
        var end: Int64?
    }

    private final class Shared: Sendable {
        let descriptor: Int32
        /// Called each time this many bytes have been written.
        let renewal: Renewal?
        let state = Guarded(State())
        let bell = DispatchSemaphore(value: 0)

        init(_ descriptor: Int32, _ renewal: Renewal?) {
            self.descriptor = descriptor
            self.renewal = renewal
        }

        func run() {
            var written: Int64 = 0
            while true {
                bell.wait()
                while let portion = next() {
                    let count = writeSome(portion, to: descriptor, within: LogWriter.timeout)
                    state.withLock { $0.bytes.removeFirst(min(count, $0.bytes.count)) }
                    written += Int64(count)
                    if let renewal, written >= renewal.bytes {
                        written = 0
                        if let line = renewal.renew() { add(line) }
                    }
                }
                if state.withLock({ $0.end != nil }) { return }
            }
        }

        /// Adds a line without its newline; false if there is no space for it, or after the end.
        @discardableResult
        func add(_ line: String) -> Bool {
            state.withLock { state in
                if state.end != nil { return false }
                let note =
                    state.dropped > 0
                    ? "\(state.dropped) lines were dropped: the reader of the log was too slow\n" : ""
                guard state.bytes.count + note.utf8.count + line.utf8.count < LogWriter.maximumBytes else {
                    state.dropped += 1
                    return false
                }
                state.dropped = 0
                state.bytes += note.utf8
                state.bytes += line.utf8
                state.bytes.append(UInt8(ascii: "\n"))
                return true
            }
        }

        /// The next bytes to write; nil if there are none.
        private func next() -> [UInt8]? {
            state.withLock { state in
                if let end = state.end, MonotonicClock.nowNanoseconds >= end { state.bytes = [] }
                return state.bytes.isEmpty ? nil : Array(state.bytes.prefix(LogWriter.portion))
            }
        }
    }

    /// An action after a number of bytes has been written, such as a log rotation.
    package struct Renewal: Sendable {
        let bytes: Int64
        let renew: @Sendable () -> String?

        /// Runs `renew` on the writer's thread between two writes, each time this many bytes have been
        /// written. Its result is logged as one more line.
        package init(every bytes: Int64, _ renew: @escaping @Sendable () -> String?) {
            self.bytes = bytes
            self.renew = renew
        }
    }

    private let shared: Shared
    private let thread: Mutex<WorkerThread?>

    /// A writer to a descriptor, which the caller owns and keeps open; throws if the system cannot create a thread.
    package init(_ descriptor: Int32, renewal: Renewal? = nil) throws(SystemError) {
        let shared = Shared(descriptor, renewal)
        self.shared = shared
        thread = Mutex(try WorkerThread { shared.run() })
    }

    deinit { close(within: .zero) }

    /// Adds a line without its newline; after `close` it is dropped.
    package func write(_ line: String) {
        if shared.add(line) { shared.bell.signal() }
    }

    /// Rejects further lines, waits for the writing of the others up to a timeout, and ends the thread. A
    /// second call does nothing.
    package func close(within time: Duration) {
        shared.state.withLock { state in
            let (seconds, attoseconds) = time.components
            let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
            state.end = state.end ?? MonotonicClock.nowNanoseconds + nanoseconds
        }
        shared.bell.signal()
        let thread = thread.withLock { $0.take() }
        thread?.join()
    }
}

/// Writes once if the descriptor becomes writable within `milliseconds`; returns the number of bytes that
/// need not be written again.
private func writeSome(_ bytes: [UInt8], to descriptor: Int32, within milliseconds: Int32) -> Int {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&request, 1, milliseconds) == 1 else { return 0 }
    let count = write(descriptor, bytes, bytes.count)
    if count >= 0 { return count }
    // Any other failure is permanent: the reader is gone, or the disk is full.
    return errno == EINTR || errno == EAGAIN ? 0 : bytes.count
}
