import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Writes lines to a descriptor from a thread of its own, so that nobody waits for whoever reads them.
///
/// Lines that find no room in a bounded buffer are dropped, and their number is written as soon as there is room again.
/// All functions may be called from any thread, and none but `close` blocks.
package final class LogWriter: Sendable {
    /// Bytes that may wait for their reader.
    package static let maximumBytes = 256 << 10
    /// Bytes that are written at a time: a pipe with room at all takes as many without blocking.
    private static let portion = 4096
    /// Milliseconds after which the thread looks whether it is still wanted.
    private static let patience: Int32 = 100

    private struct State {
        /// What waits; the first line may be begun.
        var bytes: [UInt8] = []
        /// Lines that were dropped since the last one that was taken.
        var dropped = 0
        /// When what waits is given up, in nanoseconds of the monotonic clock; nil until `close`.
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
                    let count = writeSome(portion, to: descriptor, within: LogWriter.patience)
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

        /// Takes a line, without its newline; false where there is no room for it, or after the end.
        @discardableResult
        func add(_ line: String) -> Bool {
            state.withLock { state in
                if state.end != nil { return false }
                let note = state.dropped > 0 ? "\(state.dropped) lines were dropped: nobody read them\n" : ""
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

        /// What is to be written next; nil where nothing waits, or what does is given up.
        private func next() -> [UInt8]? {
            state.withLock { state in
                if let end = state.end, MonotonicClock.nowNanoseconds >= end { state.bytes = [] }
                return state.bytes.isEmpty ? nil : Array(state.bytes.prefix(LogWriter.portion))
            }
        }
    }

    /// What is done to a descriptor when much has been written to it.
    package struct Renewal: Sendable {
        let bytes: Int64
        let renew: @Sendable () -> String?

        /// Something to be done, on the writer's thread and between two writes, each time this many bytes have been written;
        /// what it returns is one more line.
        package init(every bytes: Int64, _ renew: @escaping @Sendable () -> String?) {
            self.bytes = bytes
            self.renew = renew
        }
    }

    private let shared: Shared
    private let thread: Mutex<WorkerThread?>

    /// A writer to a descriptor that stays the caller's, and open as long as this lives; throws when the system gives
    /// it no thread.
    package init(_ descriptor: Int32, renewal: Renewal? = nil) throws(SystemError) {
        let shared = Shared(descriptor, renewal)
        self.shared = shared
        thread = Mutex(try WorkerThread { shared.run() })
    }

    deinit { close(within: .zero) }

    /// Takes a line, without its newline; after `close` it is dropped.
    package func write(_ line: String) {
        if shared.add(line) { shared.bell.signal() }
    }

    /// Takes no more lines, waits for a time at most until those that wait are written, and ends the thread. A second
    /// call does nothing.
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

/// Writes once, if there is room within `milliseconds`; returns how many bytes need not be written again.
private func writeSome(_ bytes: [UInt8], to descriptor: Int32, within milliseconds: Int32) -> Int {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&request, 1, milliseconds) == 1 else { return 0 }
    let count = write(descriptor, bytes, bytes.count)
    if count >= 0 { return count }
    // With any other failure nobody will ever read it: the reader is gone, or the file has no room.
    return errno == EINTR || errno == EAGAIN ? 0 : bytes.count
}
