import JSONLine
import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One line of the daemon.
package struct Line: CustomStringConvertible {
    package let text: String
    package let json: JSONNode

    package init(_ bytes: [UInt8]) throws {
        text = String(decoding: bytes, as: UTF8.self)
        json = try JSONDocument(parsing: bytes).root
        guard json["jsonrpc"]?.string == "2.0" else {
            throw LineClient.Failure.unexpected("every line is JSON-RPC 2.0: \(text)")
        }
    }

    package var id: Int? { json["id"]?.int }
    package var method: String? { json["method"]?.string }
    package var result: JSONNode? { json["result"] }
    package var error: JSONNode? { json["error"] }
    package var params: JSONNode? { json["params"] }
    package var data: JSONNode? { json["error"]?["data"] }
    package var reason: String? { (data ?? params)?["reason"]?.string }
    package var version: Int? { (result ?? params)?["version"]?.int }
    /// The line, shortened for a failure's report.
    package var description: String { String(text.prefix(400)) }
}

/// A client without any code of the project's own client, which exchanges lines over a real socket. It waits for expected
/// lines with a timeout.
package final class LineClient {
    package enum Failure: Error {
        case timeout, closed
        case unexpected(String)
    }

    /// Milliseconds, far longer than any step; only a failing test waits so long.
    private static let timeout: Int32 = 120_000

    private let descriptor: Descriptor
    private var framer = LineFramer(limit: 1 << 28)
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var nextID = 1
    /// An object that must live as long as the client.
    package var owner: AnyObject?
    /// Is called with every sent and every received document.
    package var audit: (sent: (JSONNode) -> Void, received: (JSONNode) -> Void)?
    /// Notifications that arrived before an awaited line, in order.
    package private(set) var notes: [Line] = []

    package init(path: String) throws { descriptor = try UnixSocket.connect(path: path) }

    // MARK: Sending

    /// Sends bytes as they are.
    package func send(raw bytes: [UInt8]) throws {
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
    package func send(line: [UInt8]) throws {
        if let audit, let document = try? JSONDocument(parsing: line).root { audit.sent(document) }
        try send(raw: line + [UInt8(ascii: "\n")])
    }

    /// Sends a text and a newline.
    package func send(_ text: String) throws { try send(line: Array(text.utf8)) }

    /// Sends a request; returns its id.
    @discardableResult
    package func post(_ method: String, _ params: String = "{}") throws -> Int {
        try send(request(method, params))
        return lastID
    }

    /// The text of a request with the next id.
    package func request(_ method: String, _ params: String = "{}") -> String {
        defer { nextID += 1 }
        return #"{"jsonrpc":"2.0","id":\#(nextID),"method":"\#(method)","params":\#(params)}"#
    }

    /// The id of the latest request.
    package var lastID: Int { nextID - 1 }

    package func closeWriting() { shutdown(descriptor.rawValue, Int32(SHUT_WR)) }

    // MARK: Receiving

    /// The next line of any kind.
    package func line() throws -> Line {
        guard let line = try lineOrEnd() else { throw Failure.closed }
        return line
    }

    /// The next line of any kind; nil at the end of the connection.
    package func lineOrEnd() throws -> Line? {
        while true {
            if let frame = framer.next() {
                guard case .line(let bytes) = frame else { throw Failure.closed }
                let line = try Line(bytes)
                audit?.received(line.json)
                return line
            }
            switch try descriptor.read(into: &buffer) {
            case .bytes(let count): framer.append(buffer[..<count])
            case .wouldBlock: try wait(POLLIN)
            case .end: return nil
            }
        }
    }

    /// Reads at most so many bytes, if there are any, and drops them.
    package func skip(bytes count: Int) throws {
        var few = [UInt8](repeating: 0, count: count)
        _ = try descriptor.read(into: &few)
    }

    /// All lines up to the end of the connection.
    package func linesToEnd() throws -> [Line] {
        var lines: [Line] = []
        while let line = try lineOrEnd() { lines.append(line) }
        return lines
    }

    /// The answer to a request; notifications before it are kept in `notes`.
    package func reply(to id: Int) throws -> Line {
        while true {
            let line = try line()
            if line.method == nil {
                guard line.id == id else { throw Failure.unexpected("answers come in order: \(line)") }
                return line
            }
            notes.append(line)
        }
    }

    /// The next notification of a method that meets a condition, kept or new. Others of the method before it are dropped,
    /// those of other methods are kept.
    @discardableResult
    package func next(_ method: String, where condition: (Line) -> Bool = { _ in true }) throws -> Line {
        while let index = notes.firstIndex(where: { $0.method == method }) {
            let note = notes.remove(at: index)
            if condition(note) { return note }
        }
        while true {
            let line = try line()
            guard line.method != nil else {
                throw Failure.unexpected("a notification \(method) was expected: \(line)")
            }
            if line.method != method { notes.append(line) } else if condition(line) { return line }
        }
    }

    /// Keeps a notification for later.
    package func keep(_ note: Line) { notes.append(note) }

    /// Removes the kept notifications and returns those of a method.
    @discardableResult
    package func takeNotes(_ method: String? = nil) -> [Line] {
        defer { notes = [] }
        return notes.filter { method == nil || $0.method == method }
    }

    private func wait(_ event: Int32) throws {
        var wanted = pollfd(fd: descriptor.rawValue, events: Int16(event), revents: 0)
        if poll(&wanted, 1, Self.timeout) == 0 { throw Failure.timeout }
    }

    // MARK: Requests

    /// Sends a request and waits for its answer.
    package func call(_ method: String, _ params: String = "{}") throws -> Line {
        try reply(to: post(method, params))
    }

    /// The result of a request that must succeed.
    @discardableResult
    package func result(_ method: String, _ params: String = "{}") throws -> JSONNode {
        let line = try call(method, params)
        guard let result = line.result else { throw Failure.unexpected("\(method) is to succeed: \(line)") }
        return result
    }

    /// The reason of a request that must be refused.
    package func reason(_ method: String, _ params: String = "{}") throws -> String {
        let line = try call(method, params)
        guard let reason = line.reason else {
            throw Failure.unexpected("\(method) is to be refused: \(line)")
        }
        return reason
    }

    @discardableResult
    package func hello(_ user: String, role: String = "editor", client: String? = nil) throws -> JSONNode {
        let id = client.map { #","clientId":"\#($0)""# } ?? ""
        return try result(
            "hello",
            #"{"protocol":{"major":1,"minor":0},"client":{"name":"test","version":"1"},"user":"\#(user)","#
                + #""role":"\#(role)"\#(id)}"#)
    }

    /// Waits until the daemon has handled everything sent so far and this client has all its answers.
    package func drain() throws { try result("ping") }
}
