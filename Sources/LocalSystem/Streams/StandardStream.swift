#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The process's standard output and error, with blocking writes.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    private static let failures = Guarded<[Int32: SystemError]>([:])

    /// The reason of the first failed write; nil if there was none.
    package var failure: SystemError? { Self.failures.withLock { $0[rawValue] } }

    /// Occupies closed standard streams, so that no later file gets their numbers. Writes to such a stream fail.
    package static func occupy() {
        for number in 0...2 as ClosedRange<Int32> where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes a text and a newline; blocks until they are written. A failure is recorded in `failure`.
    package func print(_ text: String) { write(Array((text + "\n").utf8)) }

    /// Writes bytes; blocks until they are written.
    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(rawValue, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK:
                var poll = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = systemPoll(&poll, 1, -1)
            case let code:
                Self.failures.withLock { failures in
                    if failures[rawValue] == nil {
                        failures[rawValue] = SystemError(call: "write", code: code)
                    }
                }
                return
            }
        }
    }
}

extension StandardStream {
    /// Waits until the reader of this pipe or socket is gone; false if that cannot be detected, as with a file. Blocks.
    package func waitForReaderExit() -> Bool {
        while true {
            var state = pollfd(fd: rawValue, events: 0, revents: 0)
            let count = systemPoll(&state, 1, -1)
            if count < 0, errno == EINTR { continue }
            return count > 0 && Int32(state.revents) & Int32(POLLERR) != 0
        }
    }
}

// The C functions under names that methods of the same name do not hide.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

func systemPoll(
    _ descriptors: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, _ timeout: Int32
) -> Int32 {
    poll(descriptors, count, timeout)
}
