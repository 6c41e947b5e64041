import LocalSystem

/// The minimum cost of a request and its answer: a thread reads 200 bytes from a Unix socket and writes them
/// back with blocking calls.
struct EchoFloor: ~Copyable {
    static let messageSize = 200

    private let socket: BlockingSocket
    private let echo: WorkerThread
    private var message = [UInt8](repeating: UInt8(ascii: "x"), count: messageSize)

    init() throws(BenchFailure) {
        let ends = try failing(UnixSocket.pair).release()
        let socket = try BlockingSocket(Descriptor(owning: ends.first, kind: .socket))
        let other = ends.second
        let echo = try failing { () throws(SystemError) in
            try WorkerThread { Self.answer(other) }
        }
        self.socket = socket
        self.echo = echo
    }

    // The thread ends with its socket, and its own deinit joins it.
    deinit { socket.shutDown() }

    private static func answer(_ number: Int32) {
        do throws(BenchFailure) {
            let socket = try BlockingSocket(Descriptor(owning: number, kind: .socket))
            var message = [UInt8](repeating: 0, count: messageSize)
            while true {
                try socket.read(exactly: messageSize, into: &message)
                try socket.write(message)
            }
        } catch {
            // The other end was closed: nobody is left to answer.
        }
    }

    /// Round trips for a number of seconds; the nanoseconds of each.
    mutating func measure(seconds: Double) throws(BenchFailure) -> [Int64] {
        var message = message
        return try Stopwatch.times(for: seconds) { () throws(BenchFailure) in
            try socket.write(message)
            try socket.read(exactly: Self.messageSize, into: &message)
        }
    }
}
