#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Copies bytes between a socket and this process's standard streams in both directions, until the socket's
/// other end closes.
package enum StreamRelay {
    /// Copies, and exits with 0 when the socket ends or its output cannot be written, because a blocked read
    /// of standard input could not be ended otherwise. Each direction has one buffer.
    ///
    /// The end of the input is passed on: the socket's other end reads it and may still answer.
    package static func carry(_ socket: consuming Descriptor) throws(SystemError) -> Never {
        let number = socket.release()
        let downward = try WorkerThread {
            copy(from: number, to: 1)
            ProcessExit.now(0)
        }
        copy(from: 0, to: number)
        _ = shutdown(number, Int32(SHUT_WR))
        downward.join()
        ProcessExit.now(0)
    }

    /// Copies until the source ends or a call fails.
    private static func copy(from source: Int32, to target: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 16) { buffer in
            while true {
                let count = read(source, buffer.baseAddress, buffer.count)
                if count == 0 { return }
                if count < 0 {
                    guard waits(source, for: POLLIN) else { return }
                    continue
                }
                var sent = 0
                while sent < count {
                    let written = write(target, buffer.baseAddress?.advanced(by: sent), count - sent)
                    if written >= 0 {
                        sent += written
                    } else if !waits(target, for: POLLOUT) {
                        return
                    }
                }
            }
        }
    }

    /// Waits after a failed call if it would have blocked; false for any other failure.
    private static func waits(_ number: Int32, for event: some BinaryInteger) -> Bool {
        switch errno {
        case EINTR: return true
        case EAGAIN, EWOULDBLOCK:
            var state = pollfd(fd: number, events: Int16(event), revents: 0)
            _ = systemPoll(&state, 1, -1)
            return true
        default: return false
        }
    }
}
