import JSONLine
import LocalSystem
import TestSupport
import TripProtocol

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A server at a socket that sends a test's lines to one client.
final class FakeDaemon {
    /// The connection to the client: its requests, and answers to them.
    final class Peer {
        struct Failed: Error {
            var isTimeout = false
        }

        private let descriptor: Descriptor
        private var framer = LineFramer(limit: 1 << 20)

        fileprivate init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

        /// The id of the next request.
        func request() throws -> Int {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                if case .line(let bytes)? = framer.next() {
                    guard let id = try JSONDocument(parsing: bytes).root["id"]?.int else { throw Failed() }
                    return id
                }
                switch try descriptor.read(into: &buffer) {
                case .bytes(let count): framer.append(buffer[..<count])
                case .wouldBlock: try FakeDaemon.wait(descriptor.rawValue, POLLIN)
                case .end: throw Failed()
                }
            }
        }

        /// Sends bytes in pieces of this size.
        func send(_ text: String, endingWith end: String = "\n", inPiecesOf size: Int = .max) throws {
            var rest = Array((text + end).utf8)[...]
            while !rest.isEmpty {
                switch try descriptor.write(Array(rest.prefix(size))) {
                case .wrote(let count): rest = rest.dropFirst(count)
                case .wouldBlock: try FakeDaemon.wait(descriptor.rawValue, POLLOUT)
                case .closed: throw Failed()
                }
            }
        }

        func answer(_ id: Int, _ result: String = "{}", inPiecesOf size: Int = .max) throws {
            try send(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#, inPiecesOf: size)
        }

        /// Answers hello as a daemon does.
        func welcome(inPiecesOf size: Int = .max) throws {
            try answer(
                request(),
                #"{"protocol":{"major":1,"minor":4},"server":{"name":"fake","version":"1","pid":7},"#
                    + #""clientId":"00000000-0000-4000-8000-000000000001","connectionId":3,"role":"editor"}"#,
                inPiecesOf: size)
        }
    }

    private let directory: TemporaryDirectory
    let socket: String
    private var thread: WorkerThread?

    /// Starts a thread that accepts one connection, runs the body and closes the connection.
    init(_ conversation: @escaping @Sendable (Peer) throws -> Void) throws {
        directory = try TemporaryDirectory()
        socket = directory.path + "/s"
        let listener = try Listener(UnixSocket.listen(path: socket))
        thread = try WorkerThread {
            // Some tests are about a client that closes the connection early.
            guard let peer = try? listener.accept() else { return }
            try? conversation(peer)
        }
    }

    deinit { waitForEnd() }

    /// Waits for the end of the connection.
    func waitForEnd() { thread.take()?.join() }

    private final class Listener: Sendable {
        private let descriptor: Descriptor

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

        func accept() throws -> Peer {
            while true {
                if let accepted = try UnixSocket.accept(descriptor) { return Peer(accepted) }
                try FakeDaemon.wait(descriptor.rawValue, POLLIN)
            }
        }
    }

    /// Waits for an event that must come in a passing test.
    private static func wait(_ number: Int32, _ event: Int32) throws {
        var wanted = pollfd(fd: number, events: Int16(event), revents: 0)
        // Longer than the whole suite takes: the client's tasks may wait behind all other tests.
        if poll(&wanted, 1, 900_000) <= 0 { throw Peer.Failed(isTimeout: true) }
    }
}
