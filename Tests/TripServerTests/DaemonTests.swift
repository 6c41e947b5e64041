import LocalSystem
import TestSupport
import Testing

@testable import TripServer

/// A whole daemon: what it takes at its start, refuses, and gives back at its end.
///
/// One at a time: a process has its signals once.
@Suite(.serialized) struct DaemonTests {
    private static func options(_ directory: TemporaryDirectory, socket: String = "s") -> DaemonOptions {
        DaemonOptions(
            socket: directory.path + "/" + socket, socketIsDefault: false,
            dataDirectory: directory.path + "/data",
            dataIsDefault: false)
    }

    private static func failure(_ options: DaemonOptions) -> DaemonFailure? {
        do throws(DaemonFailure) {
            _ = try Daemon(options) { _ in }
            return nil
        } catch {
            return error
        }
    }

    @Test func `it serves what is there, keeps others out, and leaves nothing behind`() throws {
        let directory = try TemporaryDirectory()
        let options = Self.options(directory)
        let daemon = try Daemon(options) { _ in }
        let failures = Guarded<[DaemonFailure]>([])
        let thread = try WorkerThread {
            do throws(DaemonFailure) { try daemon.run() } catch { failures.withLock { $0.append(error) } }
        }
        let client = try LineClient(path: options.socket)
        try client.hello("ann")
        try client.makeTrip()
        #expect(try FileStatus.ofPath(options.socket)?.mode == 0o600)
        #expect(try FileStatus.ofPath(options.dataDirectory)?.mode == 0o700)

        // The same data at another socket, and other data at the same socket.
        let sameData = try #require(Self.failure(Self.options(directory, socket: "other")))
        #expect(sameData.kind == .unavailable)
        #expect(sameData.description.contains("\(CurrentUser.processID)"))
        var otherData = options
        otherData.dataDirectory += "2"
        let sameSocket = try #require(Self.failure(otherData))
        #expect(sameSocket.kind == .unavailable)
        #expect(sameSocket.kind.rawValue == 69)
        #expect(sameSocket.description.contains("\(CurrentUser.processID)"))
        try client.settle()

        let shutdown = try client.post("daemon.shutdown")
        #expect(try client.reply(to: shutdown).result?.count == 0)
        #expect(try client.linesToEnd().map { $0.params?["reason"]?.string } == ["shutting_down"])
        thread.join()
        #expect(failures.withLock { $0.count } == 0)
        #expect(try FileStatus.ofPath(options.socket) == nil)
        // What it has kept is there for the next, whoever that is.
        let next = try TestServer(in: Self.copy(of: options.dataDirectory))
        #expect(try next.client("bob").result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
    }

    @Test func `a process can run one daemon after another`() throws {
        let directory = try TemporaryDirectory()
        let options = Self.options(directory)
        for _ in 0..<3 {
            let daemon = try Daemon(options) { _ in }
            let failures = Guarded<[DaemonFailure]>([])
            let thread = try WorkerThread {
                do throws(DaemonFailure) { try daemon.run() } catch { failures.withLock { $0.append(error) } }
            }
            let client = try LineClient(path: options.socket)
            try client.hello("ann")
            try client.result("daemon.shutdown")
            thread.join()
            #expect(failures.withLock { $0.count } == 0)
        }
    }

    private static func copy(of data: String) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        try TemporaryDirectory.copy(data, to: copy.path)
        return copy
    }

    @Test func `what is no socket stays and is refused, and so is a path that is too long`() throws {
        let directory = try TemporaryDirectory()
        try write(Array("precious".utf8), to: directory.path + "/s")
        let foreign = try #require(Self.failure(Self.options(directory)))
        #expect(foreign.kind == .unavailable)
        #expect(try readFile(directory.path + "/s") == Array("precious".utf8))
        let long = String(repeating: "x", count: 200)
        let tooLong = try #require(Self.failure(Self.options(directory, socket: long)))
        #expect(tooLong.kind == .unavailable)
        #expect(tooLong.description.contains("\(UnixSocket.maximumPathLength)"))
    }
}
