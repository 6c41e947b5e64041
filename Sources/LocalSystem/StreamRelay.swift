#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Carries bytes between a socket and this process's standard streams, both ways, until the socket's other end closes.
package enum StreamRelay {
    /// Carries, and ends the process with 0 when nothing more comes from the socket, or nobody takes it: a reader of
    /// standard input waits for it for ever. What is on its way is bounded by one buffer a direction.
    ///
    /// The end of the input is passed on: the socket's other end reads to its end and may still answer.
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

    /// Copies until the end of one or a failure of the other.
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

    /// After a call that failed: waits where that was for want of bytes or room; false where it was anything else.
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
