import JSONLine
import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One line of the daemon.
struct Line: CustomStringConvertible {
    let text: String
    let json: JSONNode

    init(_ bytes: [UInt8]) throws {
        text = String(decoding: bytes, as: UTF8.self)
        json = try JSONDocument(parsing: bytes).root
        try #require(json["jsonrpc"]?.string == "2.0", "every line is JSON-RPC 2.0: \(text)")
    }

    var id: Int? { json["id"]?.int }
    var method: String? { json["method"]?.string }
    var result: JSONNode? { json["result"] }
    var error: JSONNode? { json["error"] }
    var params: JSONNode? { json["params"] }
    var data: JSONNode? { json["error"]?["data"] }
    var reason: String? { data?["reason"]?.string }
    var version: Int? { (result ?? params)?["version"]?.int }
    /// The line, shortened for a failure's report.
    var description: String { String(text.prefix(400)) }
}

/// A client that exchanges lines over a real socket. It waits for expected lines with a timeout.
final class LineClient {
    enum Failure: Error { case timeout, closed }

    /// Far longer than any step; it only ends a failing test.
    static let timeout: Int32 = 120_000

    private let descriptor: Descriptor
    private var framer = LineFramer(limit: 1 << 28)
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var nextID = 1
    /// An object that must live as long as the client.
    var owner: AnyObject?
    /// Notifications that arrived before an awaited line, in order.
    private(set) var notes: [Line] = []

    init(path: String) throws { descriptor = try UnixSocket.connect(path: path) }

    // MARK: Sending

    func send(raw bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch try descriptor.write(Array(rest.prefix(1 << 18))) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try wait(POLLOUT)
            case .closed: throw Failure.closed
            }
        }
    }

    /// Sends a text and a newline.
    func send(_ text: String) throws { try send(raw: Array((text + "\n").utf8)) }

    /// Sends a request; returns its id.
    @discardableResult
    func post(_ method: String, _ params: String = "{}") throws -> Int {
        try send(request(method, params))
        return nextID - 1
    }

    /// The text of a request with the next id.
    func request(_ method: String, _ params: String = "{}") -> String {
        defer { nextID += 1 }
        return #"{"jsonrpc":"2.0","id":\#(nextID),"method":"\#(method)","params":\#(params)}"#
    }

    /// The id of the latest request.
    var lastID: Int { nextID - 1 }

    func closeWriting() { shutdown(descriptor.rawValue, Int32(SHUT_WR)) }

    // MARK: Receiving

    /// The next line of any kind.
    func line() throws -> Line {
        while true {
            if let frame = framer.next() {
                guard case .line(let bytes) = frame else { throw Failure.closed }
                return try Line(bytes)
            }
            switch try descriptor.read(into: &buffer) {
            case .bytes(let count): framer.append(buffer[..<count])
            case .wouldBlock: try wait(POLLIN)
            case .end: throw Failure.closed
            }
        }
    }

    /// Reads at most so many bytes, if there are any, and drops them.
    func skip(bytes count: Int) throws {
        var few = [UInt8](repeating: 0, count: count)
        _ = try descriptor.read(into: &few)
    }

    /// All lines up to the end of the connection.
    func linesToEnd() throws -> [Line] {
        var lines: [Line] = []
        while true {
            do { lines.append(try line()) } catch Failure.closed { return lines }
        }
    }

    /// The answer to a request; notifications before it are kept in `notes`.
    func reply(to id: Int) throws -> Line {
        while true {
            let line = try line()
            if line.method != nil {
                notes.append(line)
            } else {
                try #require(line.id == id, "answers come in order: \(line)")
                return line
            }
        }
    }

    /// The next notification of a method, kept or new. Other notifications before it are kept.
    func next(_ method: String) throws -> Line {
        if let index = notes.firstIndex(where: { $0.method == method }) { return notes.remove(at: index) }
        while true {
            let line = try line()
            if line.method == method { return line }
            try #require(line.method != nil, "a notification \(method) was expected: \(line)")
            notes.append(line)
        }
    }

    /// Keeps a notification for later.
    func keep(_ note: Line) { notes.append(note) }

    /// Removes the kept notifications and returns those of a method.
    @discardableResult
    func takeNotes(_ method: String? = nil) -> [Line] {
        defer { notes = [] }
        return notes.filter { method == nil || $0.method == method }
    }

    private func wait(_ event: Int32) throws {
        var wanted = pollfd(fd: descriptor.rawValue, events: Int16(event), revents: 0)
        let count = poll(&wanted, 1, Self.timeout)
        if count == 0 { throw Failure.timeout }
    }

    // MARK: Requests

    /// Sends a request and waits for its answer.
    func call(_ method: String, _ params: String = "{}") throws -> Line {
        try reply(to: post(method, params))
    }

    /// The result of a request that must succeed.
    @discardableResult
    func result(_ method: String, _ params: String = "{}") throws -> JSONNode {
        let line = try call(method, params)
        return try #require(line.result, "\(method) is to succeed: \(line)")
    }

    /// The reason of a request that must be refused.
    func reason(_ method: String, _ params: String = "{}") throws -> String {
        let line = try call(method, params)
        return try #require(line.reason, "\(method) is to be refused: \(line)")
    }

    @discardableResult
    func hello(_ user: String, role: String = "editor", client: String? = nil) throws -> JSONNode {
        let id = client.map { #","clientId":"\#($0)""# } ?? ""
        return try result(
            "hello",
            #"{"protocol":{"major":1,"minor":0},"client":{"name":"test","version":"1"},"user":"\#(user)","#
                + #""role":"\#(role)"\#(id)}"#)
    }

    /// Waits until the daemon has handled everything sent so far and this client has all its answers.
    func drain() throws { try result("ping") }
}
