import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct UnixSocketTests {
    @Test func `two ends exchange data and know each other's user`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let listener = try UnixSocket.listen(path: path)
        #expect(try UnixSocket.accept(listener) == nil)
        let client = try UnixSocket.connect(path: path)
        guard let server = try UnixSocket.accept(listener) else {
            Issue.record("a connection was waiting")
            return
        }
        try client.send("ping")
        #expect(try server.receive() == "ping")
        try server.send("pong")
        #expect(try client.receive() == "pong")
        let us = PeerCredentials(userID: CurrentUser.id, processID: CurrentUser.processID)
        #expect(try UnixSocket.peerCredentials(of: server) == us)
        #expect(try UnixSocket.peerCredentials(of: client) == us)
        for number in [listener.rawValue, client.rawValue, server.rawValue] {
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
        }
    }

    @Test func `only its owner can use the socket's file`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let listener = try UnixSocket.listen(path: path)
        let status = try FileStatus.ofPath(path)
        #expect(status?.mode == 0o600)
        #expect(status?.kind == .socket)
        _ = listener.rawValue
    }

    @Test func `the longest path works, and a longer path is refused with its length`() throws {
        let directory = try TemporaryDirectory()
        let limit = UnixSocket.maximumPathLength
        let name = String(repeating: "s", count: limit - directory.path.utf8.count - 1)
        let longest = directory.path + "/" + name
        let listener = try UnixSocket.listen(path: longest)
        #expect(
            try UnixSocket.peerCredentials(of: UnixSocket.connect(path: longest)).userID == CurrentUser.id)
        _ = listener.rawValue
        let tooLong = longest + "s"
        let expected = UnixSocketError.pathTooLong(path: tooLong, length: limit + 1, limit: limit)
        #expect(throws: expected) { try UnixSocket.connect(path: tooLong).rawValue }
        #expect(throws: expected) { try UnixSocket.listen(path: tooLong).rawValue }
        #expect(expected.description.contains("is \(limit + 1) bytes long"))
        #expect(expected.description.contains("at most \(limit)"))
    }

    @Test func `the file at a socket's path decides whether the path may be replaced`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        #expect(try SocketFile.state(at: path) == .missing)
        #expect(throws: UnixSocketError.system(SystemError(call: "connect", path: path, code: ENOENT))) {
            try UnixSocket.connect(path: path).rawValue
        }
        let listener = try UnixSocket.listen(path: path)
        let file = try SocketFile(path: path)
        #expect(try SocketFile.state(at: path) == .live(processID: CurrentUser.processID))
        #expect(throws: UnixSocketError.system(SystemError(call: "bind", path: path, code: EADDRINUSE))) {
            try UnixSocket.listen(path: path).rawValue
        }
        // A child that another test starts at this moment may have a copy; this ends the socket for all.
        shutdown(listener.rawValue, Int32(SHUT_RDWR))
        close(listener.release())
        #expect(try SocketFile.state(at: path) == .stale(file))
        #expect(try file.remove())
        #expect(try SocketFile.state(at: path) == .missing)
        #expect(try !file.remove())
        _ = try OpenFile(path, .create, in: RealFileSystem()).size()
        #expect(try SocketFile.state(at: path) == .foreign)
    }

    #if !canImport(Darwin)
    /// On other systems a full queue refuses at once.
    @Test(.timeLimit(.minutes(10)))
    func `a socket with a full queue counts as in use, without waiting`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let listener = try UnixSocket.listen(path: path, backlog: 1)
        var waiting: [Int32] = []
        defer { for number in waiting { close(number) } }
        do throws(UnixSocketError) {
            while waiting.count < 64 {
                waiting.append(try UnixSocket.connect(path: path, timeout: nil).release())
            }
            Issue.record("the queue is never full")
        } catch {
            #expect(error == .system(SystemError(call: "connect", path: path, code: EAGAIN)))
        }
        #expect(try SocketFile.state(at: path) == .live(processID: nil))
        _ = listener.rawValue
    }
    #endif

    #if !canImport(Darwin)
    @Test func `a burst of connections waits in the queue, and none is refused`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let listener = try UnixSocket.listen(path: path)
        var waiting: [Int32] = []
        defer { for number in waiting { close(number) } }
        for _ in 0..<300 { waiting.append(try UnixSocket.connect(path: path, timeout: nil).release()) }
        var accepted = 0
        while let connection = try UnixSocket.accept(listener) {
            accepted += 1
            close(connection.release())
        }
        #expect(accepted == 300)
    }
    #endif

    @Test func `the socket of another process at the same path is not changed`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let old = try UnixSocket.listen(path: path)
        let file = try SocketFile(path: path)
        try RealFileSystem().rename(path, to: path + ".old")
        let new = try UnixSocket.listen(path: path)
        #expect(try !file.remove())
        #expect(try SocketFile.state(at: path) == .live(processID: CurrentUser.processID))
        _ = (old.rawValue, new.rawValue)
    }

    @Test func `connecting to a listener that does not accept ends after a timeout`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let listener = try UnixSocket.listen(path: path, backlog: 1)
        // As many as its queue accepts; none is taken from it.
        var waiting: [Int32] = []
        defer { for number in waiting { close(number) } }
        while waiting.count < 100, let next = try? UnixSocket.connect(path: path, timeout: nil) {
            waiting.append(next.release())
        }
        #expect(waiting.count < 100)
        let timeout = Duration.milliseconds(30)
        #if !canImport(Darwin)
        #expect(throws: UnixSocketError.notTaken(path: path, after: timeout)) {
            try UnixSocket.connect(path: path, timeout: timeout).rawValue
        }
        #endif
        // The limit does not apply to an established connection.
        while let taken = try UnixSocket.accept(listener) { close(taken.release()) }
        let client = try UnixSocket.connect(path: path, timeout: timeout)
        var time = timeval()
        var size = socklen_t(MemoryLayout<timeval>.size)
        #expect(getsockopt(client.rawValue, SOL_SOCKET, SO_SNDTIMEO, &time, &size) == 0)
        #expect(time.tv_sec == 0 && time.tv_usec == 0)
    }
}
