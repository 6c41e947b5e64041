import LocalSystem

/// A connection after its hello; its owner waits for every answer.
final class WireClient {
    private let socket: BlockingSocket
    private var reader = LineReader()
    private var lastID = 0
    /// The number of unanswered requests.
    private(set) var outstanding = 0

    /// Connects, and sends hello as `user`.
    init(path: String, user: String) throws(BenchFailure) {
        do throws(UnixSocketError) {
            socket = try BlockingSocket(connectingTo: path)
        } catch {
            throw .unreachable(error)
        }
        _ = try call(Self.hello(user: user)) { _ in }
    }

    /// For `poll`; must not be closed.
    var rawValue: Int32 { socket.rawValue }

    /// The first line of a connection.
    static func hello(user: String) -> String {
        """
        "method":"hello","params":{"protocol":{"major":1,"minor":0},\
        "client":{"name":"bench","version":"1"},"user":"\(user)"}}
        """
    }

    /// A request as a whole line.
    ///
    /// - Parameter rest: the text after the id, with the closing brace.
    static func line(id: Int, _ rest: String) -> [UInt8] {
        Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\(rest)\n".utf8)
    }

    /// An id for the next request; answers come in the order of the ids.
    func nextID() -> Int {
        lastID += 1
        outstanding += 1
        return lastID
    }

    /// Sends lines with a request for every id taken since the last call.
    func send(_ lines: [UInt8]) throws(BenchFailure) { try socket.write(lines) }

    /// Sends a request and reads its answer.
    func call<Value>(_ rest: String, _ body: (LineScan) -> Value) throws(BenchFailure) -> Value {
        precondition(outstanding == 0, "this answer would be behind others")
        try send(Self.line(id: nextID(), rest))
        return try receive(body)
    }

    /// Waits for the next answer, which must be a result.
    func receive<Value>(_ body: (LineScan) -> Value) throws(BenchFailure) -> Value {
        while true {
            if let value = try receiveIfRead(body) { return value }
            try reader.fill(from: socket)
        }
    }

    /// Reads once, after `poll` has reported input, and passes on complete answers.
    func receiveAll(_ body: (LineScan) throws(BenchFailure) -> Void) throws(BenchFailure) {
        try reader.fill(from: socket)
        while let line = try receiveIfRead({ $0 }) { try body(line) }
    }

    private func receiveIfRead<Value>(_ body: (LineScan) -> Value) throws(BenchFailure) -> Value? {
        guard let range = reader.next() else { return nil }
        let line = LineScan(reader.bytes, range)
        let wanted = lastID - outstanding + 1
        guard line.isResult, line.id == wanted else {
            throw .unexpected(line: line.text, wanted: "the result of request \(wanted)")
        }
        outstanding -= 1
        return body(line)
    }
}
