import JSONLine
import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

/// A client that exchanges lines over a real socket, with timeouts, and checks every line of both sides
/// against the schema.
final class WireClient {
    enum Failure: Error { case timeout, closed }

    /// Much longer than any answer takes; only a failing test waits so long.
    private static let timeout: Int32 = 20_000

    private let descriptor: Descriptor
    private let audit: Audit
    private var exchange = Audit.Exchange()
    private var framer = LineFramer(limit: 1 << 28)
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var nextID = 1
    private var notes: [JSONNode] = []
    /// An object to keep alive as long as the client.
    var owner: AnyObject?

    init(path: String, audit: Audit) throws {
        descriptor = try UnixSocket.connect(path: path)
        self.audit = audit
    }

    // MARK: Sending

    /// Sends bytes as they are.
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

    /// Sends bytes that may not be a request, and a newline.
    func send(line bytes: [UInt8]) throws {
        if let request = try? JSONDocument(parsing: bytes).root { audit.sent(request, &exchange) }
        try send(raw: bytes + [UInt8(ascii: "\n")])
    }

    /// Sends a request.
    func send(_ request: JSONNode) throws {
        audit.sent(request, &exchange)
        try send(raw: Array(request.rawBytes) + [UInt8(ascii: "\n")])
    }

    // MARK: Receiving

    /// The next line of any kind; nil at the end of the connection.
    func next() throws -> JSONNode? {
        while true {
            if let frame = framer.next() {
                guard case .line(let bytes) = frame else { throw Failure.closed }
                let line = try JSONDocument(parsing: bytes).root
                audit.received(line, &exchange)
                return line
            }
            switch try descriptor.read(into: &buffer) {
            case .bytes(let count): framer.append(buffer[..<count])
            case .wouldBlock: try wait(POLLIN)
            case .end: return nil
            }
        }
    }

    private func wait(_ event: Int32) throws {
        var wanted = pollfd(fd: descriptor.rawValue, events: Int16(event), revents: 0)
        if poll(&wanted, 1, Self.timeout) == 0 { throw Failure.timeout }
    }

    // MARK: Requests

    /// Sends a request and waits for its answer; notifications before it are kept.
    @discardableResult
    func call(_ method: String, _ params: String = "{}") throws -> JSONNode {
        let id = nextID
        nextID += 1
        let text = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
        try send(JSONDocument(parsing: Array(text.utf8)).root)
        while let line = try next() {
            if line["method"] == nil {
                try #require(line["id"]?.int == id, "answers come in order: \(line.excerpt)")
                return line
            }
            notes.append(line)
        }
        throw Failure.closed
    }

    /// The result of a request that must succeed.
    @discardableResult
    func result(_ method: String, _ params: String = "{}") throws -> JSONNode {
        let line = try call(method, params)
        return try #require(line["result"], "\(method) is to succeed: \(line.excerpt)")
    }

    /// The reason of a request that must be refused.
    func reason(_ method: String, _ params: String = "{}") throws -> String {
        let line = try call(method, params)
        return try #require(
            line["error"]?["data"]?["reason"]?.string, "\(method) is to be refused: \(line.excerpt)")
    }

    /// The next notification of a method, kept or new.
    @discardableResult
    func notification(_ method: String) throws -> JSONNode {
        if let index = notes.firstIndex(where: { $0["method"]?.string == method }) {
            return notes.remove(at: index)
        }
        while let line = try next() {
            if line["method"]?.string == method { return line }
            notes.append(line)
        }
        throw Failure.closed
    }

    @discardableResult
    func hello(_ user: String, role: String = "editor") throws -> JSONNode {
        try result(
            "hello",
            #"{"protocol":{"major":1,"minor":0},"client":{"name":"test","version":"1"},"user":"\#(user)","#
                + #""role":"\#(role)"}"#)
    }
}
