import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Many connections with many moves in flight each, served by one thread: each answer is replaced by a
/// request at once, with one read and one write for all that arrived together.
struct PipelinedRun {
    private let clients: [WireClient]
    private let script: TripScript
    private let inFlight: Int
    /// The last version that each client received.
    private var versions: [Int]
    /// The number of acknowledged moves.
    private(set) var moveCount = 0
    private var lines: [UInt8] = []

    init(_ clients: [WireClient], _ script: TripScript, inFlight: Int, version: Int) {
        self.clients = clients
        self.script = script
        self.inFlight = inFlight
        versions = Array(repeating: version, count: clients.count)
    }

    /// The newest version that any client received.
    var newest: Int? { versions.max() }

    /// Sends for a number of seconds and waits for all answers. Returns the total duration in seconds.
    mutating func moves(seconds: Double) throws(BenchFailure) -> Double {
        let watch = Stopwatch()
        let end = Int64(seconds * 1e9)
        for client in clients.indices { try send(inFlight, by: client) }
        var polled = clients.map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        var outstanding = clients.count * inFlight
        while outstanding > 0 {
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            let isOver = watch.elapsed >= end
            for client in clients.indices where polled[client].revents != 0 {
                let answers = try receive(by: client)
                if isOver { outstanding -= answers } else { try send(answers, by: client) }
            }
        }
        return Double(watch.elapsed) / 1e9
    }

    private mutating func send(_ count: Int, by client: Int) throws(BenchFailure) {
        guard count > 0 else { return }
        lines.removeAll(keepingCapacity: true)
        for _ in 0..<count {
            script.appendMove(id: clients[client].nextID(), by: client, of: clients.count, to: &lines)
        }
        try clients[client].send(lines)
    }

    private mutating func receive(by client: Int) throws(BenchFailure) -> Int {
        var last = versions[client]
        var count = 0
        try clients[client].receiveAll { line throws(BenchFailure) in
            guard let version = line.version, version > last else {
                throw .unexpected(line: line.text, wanted: "a version above \(last)")
            }
            last = version
            count += 1
        }
        versions[client] = last
        moveCount += count
        return count
    }
}
