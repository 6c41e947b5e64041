import SimulatedSystem
import Testing
import TripModel

@testable import TripServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

/// The visible effects of disk failures, from the system call to the answer.
@Suite struct DiskFaultTests {
    private let add = #"{"trip":"t","item":{"kind":"custom","title":"more"}}"#

    private func served(floor: Int = 4 << 20) throws -> (server: DiskServer, client: LineClient) {
        let server = try DiskServer(floor: floor)
        let client = try server.client("ann")
        try client.makeTrip("t", id: 91)
        try client.makeTrip("other", id: 92)
        return (server, client)
    }

    private func tripID(_ number: Int) throws -> TripID { try #require(TripID(id(number))) }

    @Test(arguments: [ENOSPC, EDQUOT, EFBIG])
    func
        `on a full disk a change is refused and rolled back, reads and other trips continue, and later changes succeed`(
            _ code: Int32
        ) throws
    {
        let (server, client) = try served()
        let before = try client.result("trip.get", #"{"trip":"t"}"#).text
        for isShort in [false, true] {
            if isShort { server.disk.fail("write", .short(11)) }
            server.disk.fail("write", .error(code))
            let line = try client.call("item.add", add)
            #expect(line.reason == "storage_full", "\(line)")
            #expect(try client.result("trip.get", #"{"trip":"t"}"#).text == before)
            try client.result("item.add", add.replacing("\"t\"", with: "\"other\""))
        }
        #expect(server.log.contains { $0.contains("could not be stored") })
        #expect(try client.result("item.add", add)["version"]?.int == 2)
        for crash in SimulatedDisk.Crash.allCases {
            #expect(try server.replay(tripID(91), after: crash)?.trip.version == 2)
            #expect(try server.replay(tripID(92), after: crash)?.trip.version == 3)
        }
    }

    @Test(arguments: ["write", "syncData"])
    func
        `a failed write or sync gives outcome_unknown for changes in flight, then read-only, and is not retried`(
            _ call: String
        ) throws
    {
        let (server, client) = try served()
        let before = try client.result("trip.get", #"{"trip":"t"}"#).text
        server.disk.fail(call, .error(EIO))
        #expect(try client.reason("item.add", add) == "outcome_unknown")
        let syncs = server.disk.count("syncData")
        for _ in 0..<3 { #expect(try client.reason("item.add", add) == "storage_failed") }
        #expect(server.disk.count("syncData") == syncs, "never again on that descriptor")
        #expect(try client.result("trip.get", #"{"trip":"t"}"#).text == before)
        #expect(server.log.contains { $0.contains("the stored changes are unknown") })
        // Other trips continue.
        #expect(
            try client.result("item.add", add.replacing("\"t\"", with: "\"other\""))["version"]?.int == 2)
        for crash in SimulatedDisk.Crash.allCases {
            let version = try server.replay(tripID(91), after: crash)?.trip.version
            #expect(version == 1 || version == 2, "unknown means either")
        }
    }

    @Test func `an interrupted sync or a short write is not a failure`() throws {
        let (server, client) = try served()
        for count in [1, 3, 50] { server.disk.fail("write", .short(count)) }
        #expect(try client.result("item.add", add)["version"]?.int == 2)
        #expect(try server.replay(tripID(91), after: .losesUnsynced)?.trip.version == 2)
    }

    @Test(arguments: [EMFILE, ENFILE])
    func `without a free descriptor for a journal the change is refused, and the next is stored`(
        _ code: Int32
    ) throws {
        let (server, client) = try served()
        server.disk.fail("open", .error(code))
        #expect(try client.reason("item.add", add) == "storage_failed")
        #expect(try client.result("item.add", add)["version"]?.int == 2)
        #expect(try server.replay(tripID(91), after: .losesUnsynced)?.trip.version == 2)
    }

    @Test func `a trip whose creation fails is refused and can be created again`() throws {
        let (server, client) = try served()
        for (call, code, reason) in [
            ("makeDirectory", ENOSPC, "storage_full"), ("write", EDQUOT, "storage_full"),
            ("sync", EIO, "storage_failed"), ("rename", ENOSPC, "storage_full"),
        ] {
            server.disk.fail(call, .error(code))
            let line = try client.call("trip.create", Self.draft)
            #expect(line.reason == reason, "\(call): \(line)")
        }
        try client.result("trip.create", Self.draft)
        #expect(try server.replay(tripID(93), after: .losesUnsynced)?.trip.version == 1)
        server.disk.fail("syncDirectory", .error(EIO))
        #expect(try client.reason("trip.delete", #"{"trip":"new"}"#) == "outcome_unknown")
    }

    /// POSIX says only of EIO that the rename may have been done.
    @Test(arguments: ["trip.create", "trip.delete"])
    func `a rename with an unknown result is outcome_unknown`(_ method: String) throws {
        let (server, client) = try served()
        server.disk.fail("rename", .error(EIO))
        let params = method == "trip.create" ? Self.draft : #"{"trip":"t"}"#
        #expect(try client.reason(method, params) == "outcome_unknown")
        #expect(try client.call("item.add", add).reason == (method == "trip.create" ? nil : "storage_failed"))
        // Other trips continue.
        try client.result("item.add", add.replacing("\"t\"", with: "\"other\""))
    }

    /// A deletion depends on the changes before it: if they fail, it is refused with them.
    @Test(arguments: ["write", "syncData"])
    func `a deletion after a failed change is refused, and the trip continues`(_ call: String)
        throws
    {
        let (server, client) = try served()
        server.disk.fail(call, .error(call == "write" ? ENOSPC : EIO))
        let requests = [client.request("item.add", add), client.request("trip.delete", #"{"trip":"t"}"#)]
        try client.send(requests.joined(separator: "\n"))
        let reasons = [try client.line().reason, try client.line().reason]
        #expect(reasons == Array(repeating: call == "write" ? "storage_full" : "outcome_unknown", count: 2))
        #expect(try client.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
        let next = try client.call("item.add", add)
        for crash in SimulatedDisk.Crash.allCases {
            let version = try server.replay(tripID(91), after: crash)?.trip.version
            #expect(version == (call == "write" ? 2 : 1) || next.reason == "storage_failed" && version == 2)
        }
        #expect(next.reason == (call == "write" ? nil : "storage_failed"))
    }

    @Test func `a deletion after a rename whose slug cannot be stored is refused`() throws {
        let disk = SimulatedDisk()
        let server = try TestServer(disk: disk)
        let client = try server.client("ann")
        try client.makeTrip("t", id: 91)
        try client.result("trip.update", #"{"trip":"t","slug":"other"}"#)
        let gate = Gate(disk) { entry in
            guard entry.path.contains("/catalogue"), ["write", "sync", "syncData"].contains(entry.name) else {
                return false
            }
            disk.fail(entry.name, .error(ENOSPC))
            return true
        }
        try client.send(client.request("trip.undo", #"{"trip":"other"}"#))
        try gate.waitUntilEntered()
        try client.send(client.request("trip.delete", #"{"trip":"other"}"#))
        try server.wait { $0.connections.values.contains { $0.outbox.inFlight == 2 } }
        gate.open()
        #expect(try client.line().reason == "storage_full")
        #expect(try client.line().reason == "storage_full")
        disk.stopCalling()
        let added = try client.result("item.add", add.replacing(#""t""#, with: #""other""#))
        #expect(added["version"]?.int == 3)
        #expect(disk.names(in: "/data/trips") == [id(91)])
    }

    @Test func `a trip that is deleted before it is durable can be created again at once`() throws {
        let disk = SimulatedDisk()
        let server = try TestServer(disk: disk)
        let (client, bob) = (try server.client("ann"), try server.client("bob"))
        disk.fail("makeDirectory", .error(ENOSPC))
        let gate = Gate(disk, at: "makeDirectory")
        try client.send(client.request("trip.create", Self.draft))
        try gate.waitUntilEntered()
        // The change and the deletion are sent during the creation.
        try bob.send(
            [
                bob.request("item.add", add.replacing(#""t""#, with: #""new""#)),
                bob.request("trip.delete", #"{"trip":"new"}"#),
            ].joined(separator: "\n"))
        let trip = try tripID(93)
        while try server.ask({ $0.servedTrip(trip)?.read { $0.inFlight.entries.count } }) != 3 {}
        gate.open()
        #expect(try client.line().reason == "storage_full")
        #expect(try bob.line().reason == "storage_full")
        #expect(try bob.line().reason == "storage_full")
        #expect(try client.result("trip.create", Self.draft)["version"]?.int == 1)
        #expect(disk.names(in: "/data/trips") == [id(93)])
    }

    private static let draft =
        #"{"id":"\#(id(93))","name":"new","slug":"new","startDate":"2026-06-11","timeZone":"UTC","dayCount":2}"#

    @Test func `a trip is compacted while its clients change it, and reads back the same`() throws {
        let (server, client) = try served(floor: 20_000)
        let bob = try server.client("bob")
        #expect(try client.result("daemon.stats")["lastCompactionAt"] == nil)
        for number in 0..<400 {
            let day = 1 + number % 4
            let one = number.isMultiple(of: 3) ? bob : client
            _ = try one.call("item.move", #"{"trip":"t","item":"\#(id(4 + number % 3))","to":\#(end(day))}"#)
        }
        try server.awaitLog("is compacted")
        _ = try client.call("trip.undo", #"{"trip":"t"}"#)
        let stats = try client.result("daemon.stats")
        #expect(stats["compactions"]?.int ?? 0 > 0)
        #expect(stats["lastCompactionAt"]?.string.flatMap { Timestamp($0) } != nil)
        let trip = try client.result("trip.get", #"{"trip":"t"}"#)
        let history = try client.result("trip.history", #"{"trip":"t","limit":100}"#).text
        for crash in SimulatedDisk.Crash.allCases {
            let replay = try #require(try server.replay(tripID(91), after: crash))
            #expect(replay.trip.version == trip["version"]?.int)
            #expect(replay.edits.lines.count >= 380)
        }
        #expect(history.contains("undid"))
        #expect(!server.log.contains { $0.contains("is not compacted") })
    }

    @Test func `a compaction without disk space affects no client`() throws {
        let (server, client) = try served(floor: 6000)
        let disk = server.disk
        disk.onCall { entry in
            if entry.name == "sync", entry.path.hasSuffix("journal.new") { disk.fail("sync", .error(ENOSPC)) }
        }
        for number in 0..<120 {
            try client.result(
                "item.update", #"{"trip":"t","item":"\#(id(4))","set":{"title":"t\#(number)"}}"#)
        }
        try server.awaitLog("is not compacted")
        #expect(try server.replay(tripID(91), after: .losesUnsynced)?.trip.version == 121)
    }

    @Test func `the retry of a durable change does not fail with later changes`() throws {
        let disk = SimulatedDisk()
        let server = try TestServer(disk: disk)
        let (client, bob) = (try server.client("ann", client: id(77)), try server.client("bob"))
        let again = try server.client("ann", client: id(77))
        try client.makeTrip("t", id: 91)
        let numbered = add.replacing(#""trip":"t""#, with: #""trip":"t","seq":7"#)
        let gate = Gate(disk, at: "syncData")
        try client.send(client.request("item.add", numbered))
        try gate.waitUntilEntered()
        // Behind the change that is being synced: another change, for which there will be no space, and a
        // repeat of the first.
        try bob.send(bob.request("item.add", add))
        let trip = try tripID(91)
        while try server.ask({ $0.servedTrip(trip)?.read { $0.inFlight.entries.count } }) != 2 {}
        try again.send(again.request("item.add", numbered))
        while try server.ask({ $0.servedTrip(trip)?.read { $0.inFlight.entries.count } }) != 3 {}
        disk.fail("write", .error(ENOSPC))
        gate.open()
        let first = try client.line()
        #expect(first.reason == nil)
        #expect(try bob.line().reason == "storage_full")
        #expect(try again.line().result?.text == first.result?.text)
    }
}
