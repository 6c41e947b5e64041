import LocalSystem
import TestSupport
import Testing

@testable import TripMaintenance
@testable import TripServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A complete daemon: the resources that it acquires at the start, its refusals, and its cleanup.
///
/// Run one at a time, because a process has only one set of signal handlers.
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

    @Test func `a daemon serves existing trips, excludes other daemons, and removes its files at the end`()
        throws
    {
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

        // The same data with another socket, and other data with the same socket.
        let sameData = try #require(Self.failure(Self.options(directory, socket: "other")))
        #expect(sameData.kind == .unavailable)
        #expect(sameData.description.contains("\(CurrentUser.processID)"))
        var otherData = options
        otherData.dataDirectory += "2"
        let sameSocket = try #require(Self.failure(otherData))
        #expect(sameSocket.kind == .unavailable)
        #expect(sameSocket.kind.rawValue == 69)
        #expect(sameSocket.description.contains("\(CurrentUser.processID)"))
        try client.drain()

        let shutdown = try client.post("daemon.shutdown")
        #expect(try client.reply(to: shutdown).result?.count == 0)
        #expect(try client.linesToEnd().map { $0.params?["reason"]?.string } == ["shutting_down"])
        thread.join()
        #expect(failures.withLock { $0.count } == 0)
        #expect(try FileStatus.ofPath(options.socket) == nil)
        // The next server finds the kept data.
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

    /// Starts a daemon and ends it.
    private static func serveOnce(_ options: DaemonOptions) throws {
        let daemon = try Daemon(options) { _ in }
        let thread = try WorkerThread { try? daemon.run() }
        let client = try LineClient(path: options.socket)
        try client.hello("ann")
        try client.result("daemon.shutdown")
        thread.join()
    }

    @Test(arguments: [false, true])
    func `a data directory that is moved, or replaced by a copy, takes no changes until it is back`(
        isReplaced: Bool
    ) throws {
        let parent = try TemporaryDirectory()
        let options = Self.options(parent)
        let (files, data, moved) = (RealFileSystem(), options.dataDirectory, parent.path + "/moved")
        func serve(_ body: (LineClient) throws -> Void) throws {
            let daemon = try Daemon(options) { _ in }
            let thread = try WorkerThread { try? daemon.run() }
            let client = try LineClient(path: options.socket)
            try client.hello("ann")
            try body(client)
            try client.post("daemon.shutdown")
            _ = try client.linesToEnd()
            thread.join()
        }
        func reason(of method: String, _ params: String, _ client: LineClient) throws -> String? {
            try client.reply(to: client.post(method, params)).reason
        }
        try serve { client in
            for (id, slug) in [(1001, "before"), (1002, "other")] {
                try client.makeTrip(slug, id: id, items: "")
            }
            try files.rename(data, to: moved)
            if isReplaced {
                try files.makeDirectory(data)
                try TemporaryDirectory.copy(moved, to: data)
            }
            let change = #"{"trip":"before","name":"Changed","seq":2}"#
            #expect(try reason(of: "trip.update", change, client) == "storage_failed")
            let new = #"{"slug":"new","name":"New","startDate":"2026-06-11","dayCount":5,"timeZone":"UTC"}"#
            #expect(try reason(of: "trip.create", new, client) == "storage_failed")
            #expect(try reason(of: "trip.delete", #"{"trip":"other"}"#, client) == "storage_failed")
            #expect(try client.result("trip.get", #"{"trip":"before"}"#)["version"]?.int == 1)
        }
        if isReplaced { TemporaryDirectory.remove(data) }
        try files.rename(moved, to: data)
        try serve { client in
            let trips = try client.result("trip.list")["trips"]?.elements.compactMap { $0["slug"]?.string }
            #expect(trips?.sorted() == ["before", "other"])
            #expect(
                try client.result("trip.update", #"{"trip":"before","name":"B","seq":1}"#)["version"]?.int
                    == 2)
        }
    }

    private static func copy(of data: String) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        try TemporaryDirectory.copy(data, to: copy.path)
        return copy
    }

    @Test
    func `a start serves several hundred trips without opening any, on a real disk and after a kill`()
        throws
    {
        let directory = try TemporaryDirectory()
        let options = Self.options(directory)
        let count = 300
        func serve(_ body: (LineClient) throws -> Void) throws {
            let daemon = try Daemon(options) { _ in }
            let thread = try WorkerThread { try? daemon.run() }
            let client = try LineClient(path: options.socket)
            try client.hello("ann")
            try body(client)
            try client.post("daemon.shutdown")
            _ = try client.linesToEnd()
            thread.join()
        }
        func slugs(_ client: LineClient) throws -> [String?] {
            try client.result("trip.list")["trips"]?.elements.map { $0["slug"]?.string } ?? []
        }
        let names = (1...count).map { "t\($0)" }.sorted()
        try serve { client in
            for number in 1...count { try client.makeTrip("t\(number)", id: 1000 + number, items: "") }
            let stats = try client.result("daemon.stats")
            #expect(stats["trips"]?.int == count && stats["openTrips"]?.int ?? count <= 66)
        }
        try serve { client in
            #expect(try client.result("daemon.stats")["openTrips"]?.int == 0)
            #expect(try slugs(client) == names)
            #expect(try client.result("daemon.stats")["openTrips"]?.int == 0)
            for number in 1...count {
                let trip = try client.result("trip.get", #"{"trip":"t\#(number)"}"#)
                #expect(trip["trip"]?["id"]?.string == id(1000 + number) && trip["version"]?.int == 1)
            }
            #expect(try client.result("daemon.stats")["openTrips"]?.int ?? count <= 65)
            try client.result("trip.update", #"{"trip":"t7","slug":"t7-renamed"}"#)
            // The state after a kill at this moment, with open trips.
            try TemporaryDirectory.copy(options.dataDirectory, to: Self.made(directory.path + "/killed"))
        }
        var killed = options
        killed.dataDirectory = directory.path + "/killed"
        let daemon = try Daemon(killed) { _ in }
        let thread = try WorkerThread { try? daemon.run() }
        let client = try LineClient(path: options.socket)
        try client.hello("bob")
        #expect(try client.result("trip.get", #"{"trip":"t7-renamed"}"#)["version"]?.int == 2)
        #expect(try client.reason("trip.get", #"{"trip":"t7"}"#) == "trip_not_found")
        #expect(try slugs(client) == names.map { $0 == "t7" ? "t7-renamed" : $0 }.sorted())
        try client.post("daemon.shutdown")
        thread.join()
    }

    private static func made(_ path: String) throws -> String {
        try RealFileSystem().makeDirectory(path)
        return path
    }

    @Test func `a file that is not a socket is not replaced, and a path that is too long is refused`() throws
    {
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

    @Test func `the socket of a starting daemon is not mistaken for a stale one`() throws {
        let directory = try TemporaryDirectory()
        let options = Self.options(directory)
        // Bound, and not listening yet: only the lock distinguishes it from a stale socket.
        let place = try DirectoryLock(socket: options.socket)
        let listener = try UnixSocket.listen(path: options.socket)
        shutdown(listener.rawValue, Int32(SHUT_RDWR))
        let before = try FileStatus.ofPath(options.socket)
        let refused = try #require(Self.failure(options))
        #expect(refused.kind == .unavailable)
        #expect(refused.description.contains("serves at"))
        #expect(try FileStatus.ofPath(options.socket)?.number == before?.number)
        _ = consume place
        // Without a lock it counts as left by a crash.
        try Self.serveOnce(options)
    }

    @Test func `an invalid access file or an unknown group prevents the start`()
        throws
    {
        let directory = try TemporaryDirectory()
        let options = Self.options(directory)
        try PrivateDirectory.ensure(options.dataDirectory, isDefault: true)
        let path = options.dataDirectory + "/access"
        try PrivateFile.write(Array("# who\nuser root ownr\n".utf8), to: path)
        let refused = try #require(Self.failure(options))
        #expect(refused.kind == .badSettings && refused.kind.rawValue == 78)
        #expect(
            refused.description.hasSuffix("/access, line 2: the role is owner, editor or viewer, not ownr"))
        #expect(try DataDirectory(options.dataDirectory).check().problems.map(\.file) == [path])
        try PrivateFile.write(Array("# nobody else\n".utf8), to: path)
        #expect(try DataDirectory(options.dataDirectory).check().problems == [])
        try Self.serveOnce(options)
        var shared = options
        shared.allowedGroup = "no-such-group"
        #expect(Self.failure(shared)?.kind == .badSettings)
    }
}
