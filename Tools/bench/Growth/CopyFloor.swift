import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The minimum cost of notifying many connections: the same bytes written to each of many sockets, one write
/// per socket, with a separate thread that reads them.
final class CopyFloor {
    private final class End: Sendable {
        let socket: BlockingSocket
        init(_ number: Int32) throws(BenchFailure) {
            socket = try BlockingSocket(Descriptor(owning: number, kind: .socket))
        }
    }

    private let ends: [End]
    private let reader: WorkerThread

    /// Sockets for a number of listeners.
    init(listeners: Int) throws(BenchFailure) {
        var ends: [End] = []
        var others: [Int32] = []
        for _ in 0..<listeners {
            let pair = try failing(UnixSocket.pair).release()
            ends.append(try End(pair.first))
            others.append(pair.second)
        }
        self.ends = ends
        let numbers = others
        reader = try failing { () throws(SystemError) in
            try WorkerThread { Self.read(numbers) }
        }
    }

    // The thread ends with the sockets, and its own deinit joins it.
    deinit { for end in ends { end.socket.shutDown() } }

    /// The CPU time of this thread in seconds for writing to all listeners in turn, without the reader's time.
    func cost(bytes: Int, writes: Int) throws(BenchFailure) -> Double {
        let message = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
        let before = Self.processorSeconds
        for number in 0..<writes { try ends[number % ends.count].socket.write(message) }
        return Self.processorSeconds - before
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func read(_ numbers: [Int32]) {
        do throws(BenchFailure) {
            var open: [End] = []
            for number in numbers { open.append(try End(number)) }
            var polled = open.map { pollfd(fd: $0.socket.rawValue, events: Int16(POLLIN), revents: 0) }
            var buffer = [UInt8](repeating: 0, count: 1 << 18)
            while true {
                guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
                for index in open.indices where polled[index].revents != 0 {
                    _ = try open[index].socket.read(into: &buffer, at: 0)
                }
            }
        } catch {
            // The other ends were closed: nothing is left to read.
        }
    }
}
