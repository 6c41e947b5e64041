import JSONLine
import LocalSystem
import Testing

/// One line of the daemon.
struct Line: CustomStringConvertible {
    let text: String
    let json: JSONNode

    init(_ bytes: [UInt8]) throws {
        text = String(decoding: bytes, as: UTF8.self)
        json = try JSONDocument(parsing: bytes).root
    }

    var id: Int? { json["id"]?.int }
    var method: String? { json["method"]?.string }
    var result: JSONNode? { json["result"] }
    var params: JSONNode? { json["params"] }
    var reason: String? { json["error"]?["data"]?["reason"]?.string ?? params?["reason"]?.string }
    var version: Int? { (result ?? params)?["version"]?.int }
    /// The line, shortened for a failure's report.
    var description: String { String(text.prefix(400)) }
}

/// A client without any code of the project's own client, which exchanges lines.
final class LineClient {
    /// The daemon closed the connection.
    struct Closed: Error {}

    private let descriptor: Descriptor
    private var framer = LineFramer(limit: 1 << 26)
    private var nextID = 1
    /// Notifications that arrived before an awaited answer, in order.
    private(set) var notes: [Line] = []

    init(path: String) throws { descriptor = try UnixSocket.connect(path: path) }

    // MARK: Sending

    /// Sends bytes as they are.
    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        let timeout = Deadline()
        while !rest.isEmpty {
            switch try descriptor.write(Array(rest)) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try timeout.waitToWrite(descriptor.rawValue, for: "room in the socket")
            case .closed: throw Closed()
            }
        }
    }

    /// Sends a request and returns its id.
    @discardableResult
    func post(_ method: String, _ params: String = "{}") throws -> Int {
        let (id, bytes) = request(method, params)
        try send(bytes)
        return id
    }

    /// A request's id and line, to be sent by `send`.
    func request(_ method: String, _ params: String) -> (id: Int, bytes: [UInt8]) {
        defer { nextID += 1 }
        let text = #"{"jsonrpc":"2.0","id":\#(nextID),"method":"\#(method)","params":\#(params)}"#
        return (nextID, Array((text + "\n").utf8))
    }

    // MARK: Receiving

    /// The next line of any kind; nil at the end of the connection.
    func line() throws -> Line? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let timeout = Deadline()
        while true {
            if case .line(let bytes)? = framer.next() { return try Line(bytes) }
            switch try descriptor.read(into: &buffer) {
            case .bytes(let count): framer.append(buffer[..<count])
            case .wouldBlock: try timeout.waitToRead([descriptor.rawValue], for: "a line of the daemon")
            case .end: return nil
            }
        }
    }

    /// All lines up to the end of the connection.
    func linesToEnd() throws -> [Line] {
        var lines: [Line] = []
        while let line = try line() { lines.append(line) }
        return lines
    }

    /// The answer to a request; notifications before it are kept in `notes`.
    func reply(to id: Int) throws -> Line {
        while let line = try line() {
            guard line.method != nil else {
                try #require(line.id == id, "answers come in order: \(line)")
                return line
            }
            notes.append(line)
        }
        throw Closed()
    }

    /// The next notification of a method that meets a condition, kept or new. Others before it are dropped.
    func next(_ method: String, where condition: (Line) -> Bool = { _ in true }) throws -> Line {
        while true {
            let line: Line
            if notes.isEmpty {
                guard let next = try self.line() else { throw Closed() }
                line = next
            } else {
                line = notes.removeFirst()
            }
            if line.method == method, condition(line) { return line }
        }
    }

    /// Removes the kept notifications and returns those of a method.
    func takeNotes(_ method: String) -> [Line] {
        defer { notes = [] }
        return notes.filter { $0.method == method }
    }

    // MARK: Requests

    func call(_ method: String, _ params: String = "{}") throws -> Line {
        try reply(to: post(method, params))
    }

    /// The result of a request that must succeed.
    @discardableResult
    func result(_ method: String, _ params: String = "{}") throws -> JSONNode {
        let line = try call(method, params)
        return try #require(line.result, "\(method) is to succeed: \(line)")
    }

    func hello(_ user: String, clientID: String? = nil) throws {
        let id = clientID.map { #","clientId":"\#($0)""# } ?? ""
        try result(
            "hello",
            #"{"protocol":{"major":1,"minor":0},"client":{"name":"test","version":"1"},"user":"\#(user)"\#(id)}"#
        )
    }
}
