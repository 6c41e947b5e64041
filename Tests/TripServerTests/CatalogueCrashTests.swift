import LocalSystem
import SimulatedSystem
import Testing
import TripJournal
import TripModel

@testable import TripServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

/// Trips and their names after a power failure at any call, or with a damaged catalogue.
@Suite struct CatalogueCrashTests {
    /// The trips by their slugs.
    private typealias Names = [String: String]

    /// A request, and the trips after it.
    private struct Step {
        let method: String
        let params: String
        let after: Names
    }

    private static func create(_ number: Int, _ slug: String) -> String {
        #"{"id":"\#(id(number))","name":"\#(slug)","slug":"\#(slug)","startDate":"2026-06-11","timeZone":"UTC","#
            + #""dayCount":3}"#
    }

    private static func rename(_ number: Int, _ slug: String) -> String {
        #"{"trip":"\#(id(number))","slug":"\#(slug)"}"#
    }

    /// The trips before: 91 is `a`, 92 is `b`.
    private static let before: Names = ["a": id(91), "b": id(92)]

    private static let steps: [Step] = [
        .init(
            method: "trip.create", params: create(93, "c"), after: ["a": id(91), "b": id(92), "c": id(93)]),
        .init(
            method: "trip.update", params: rename(91, "x"), after: ["x": id(91), "b": id(92), "c": id(93)]),
        // Each request uses a slug that was just released.
        .init(
            method: "trip.create", params: create(94, "a"),
            after: ["x": id(91), "b": id(92), "c": id(93), "a": id(94)]),
        .init(
            method: "trip.delete", params: #"{"trip":"\#(id(92))"}"#,
            after: ["x": id(91), "c": id(93), "a": id(94)]),
        .init(
            method: "trip.update", params: rename(93, "b"), after: ["x": id(91), "b": id(93), "a": id(94)]),
        .init(
            method: "trip.update", params: rename(91, "c"), after: ["c": id(91), "b": id(93), "a": id(94)]),
        .init(
            method: "trip.undo", params: #"{"trip":"\#(id(91))"}"#,
            after: ["x": id(91), "b": id(93), "a": id(94)]),
        // Its slug, which is b, has another owner now; its name is q.
        .init(
            method: "trip.restore", params: #"{"trip":"\#(id(92))"}"#,
            after: ["x": id(91), "b": id(93), "a": id(94), "q": id(92)]),
        .init(
            method: "trip.delete", params: #"{"trip":"\#(id(94))"}"#,
            after: ["x": id(91), "b": id(93), "q": id(92)]),
        .init(
            method: "trip.restore", params: #"{"trip":"a"}"#,
            after: ["x": id(91), "b": id(93), "a": id(94), "q": id(92)]),
    ]

    private static func firstDisk() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let server = try TestServer(disk: disk)
        let client = try server.client("ann", client: id(700))
        try client.result("trip.create", create(91, "a"))
        try client.result("trip.create", create(92, "q"))
        try client.result("trip.update", rename(92, "b"))
        server.stopInOrder()
        return disk
    }

    /// Runs the steps until one fails; returns the number of acknowledged steps.
    private static func run(on disk: SimulatedDisk, idleTime: Duration) throws -> Int {
        let server: TestServer
        do throws(SystemError) { server = try make(disk, idleTime) } catch { return 0 }
        let client = try server.client("ann", client: id(700))
        var count = 0
        for step in steps {
            guard try client.call(step.method, step.params).result != nil else { break }
            count += 1
        }
        server.stopInOrder()
        return count
    }

    private static func make(_ disk: SimulatedDisk, _ idleTime: Duration) throws(SystemError) -> TestServer {
        do { return try TestServer(idleTime: idleTime, disk: disk) } catch {
            throw error as? SystemError ?? SystemError(call: "start", code: 0)
        }
    }

    /// The trips that a start finds: names from the catalogue, each checked against its journal.
    private static func find(on disk: SimulatedDisk, _ what: String) throws -> Names {
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let loader = TripLoader(store: store, lineage: Lineage(), log: { _ in })
        let inventory = try TripInventory(loader)
        #expect(inventory.quarantined.isEmpty, "\(what): \(inventory.quarantined)")
        var names: Names = [:]
        for (trip, closed) in inventory.closed {
            guard case .loaded(let core, _, _) = loader.load(trip, closed.known) else {
                Issue.record("\(what): \(trip) cannot be opened")
                continue
            }
            let slug = core.trip.header.slug
            #expect(closed.known.slugs == [slug], "\(what): the catalogue is right")
            #expect(
                names.updateValue(trip.description, forKey: slug) == nil, "\(what): two trips are \(slug)")
        }
        return names
    }

    @Test func `a trip that cannot be repaired on a full disk keeps its slug, even without a catalogue`()
        throws
    {
        let disk = try Self.firstDisk().afterCrash(.keepsAll)
        let store = JournalStore(fileSystem: disk, directory: "/data")
        let trip = try #require(TripID(id(92)))
        let journal = try OpenFile(store.journal(of: trip), .append, in: disk)
        _ = try journal.write(Array("99 4 01234567 {".utf8)[...])
        try disk.unlink(Catalogue.path(in: "/data"))
        disk.leave(room: 0)
        let server = try TestServer(disk: disk)
        let client = try server.client("ann", client: id(700))
        let refused = try client.call("trip.create", Self.create(93, "b")).error?["data"]?["reason"]
        #expect(refused?.string == "slug_taken")
        disk.leave(room: nil)
        let header = try client.result(
            "trip.create", #"{"name":"b","startDate":"2026-06-11","timeZone":"UTC","dayCount":3}"#)
        #expect(header["trip"]?["slug"]?.string == "b-2")
        #expect(try client.result("trip.get", #"{"trip":"b"}"#)["trip"]?["id"]?.string == id(92))
        server.stopInOrder()
    }

    @Test(arguments: [Duration.seconds(600), .zero])
    func `after a crash at any call no trip is lost, and slugs are correct and unique`(idleTime: Duration)
        throws
    {
        let whole = try Self.firstDisk().afterCrash(.keepsAll)
        #expect(try Self.run(on: whole, idleTime: idleTime) == Self.steps.count)
        let calls = whole.log.count
        #expect(calls > 100)
        #expect(try Self.find(on: whole, "whole") == Self.steps.last?.after)
        let base = try Self.firstDisk()
        // Without idle time each step also closes its trips, which are many more calls: every second one, after the first.
        for call in stride(from: 0, to: calls, by: idleTime == .zero ? 2 : 1) {
            let disk = base.afterCrash(.keepsAll)
            disk.stop(after: call)
            let count = try Self.run(on: disk, idleTime: idleTime)
            let states = [Self.before] + Self.steps.map(\.after)
            for crash in SimulatedDisk.Crash.allCases {
                let what = "power lost at call \(call), \(crash), \(count) steps acknowledged"
                let names = try Self.find(on: disk.afterCrash(crash), what)
                // The interrupted step was applied completely or not at all.
                #expect(states[count...min(count + 1, Self.steps.count)].contains(names), "\(what): \(names)")
            }
        }
    }

    @Test(arguments: ["rename", "syncDirectory"])
    func `a trip whose creation has an unknown outcome keeps its slug, even if requested again`(call: String)
        throws
    {
        let disk = try Self.firstDisk().afterCrash(.keepsAll)
        let server = try TestServer(disk: disk)
        let client = try server.client("ann", client: id(700))
        // The draft's own directory is synced first. The disk keeps more than it reports.
        disk.fail(call, .errorAfterwards(EIO), skip: call == "syncDirectory" ? 1 : 0, on: "/data/trips")
        #expect(try client.reason("trip.create", Self.create(93, "c")) == "outcome_unknown")
        let calls = disk.log.count
        for slug in ["d", "c"] {
            #expect(try client.reason("trip.create", Self.create(93, slug)) == "outcome_unknown")
        }
        #expect(disk.log.count == calls)
        #expect(try client.reason("trip.create", Self.create(94, "c")) == "slug_taken")
        server.stopInOrder()
        let names = try Self.find(on: disk.afterCrash(.keepsAll), call)
        #expect(names == Self.before.merging(["c": id(93)]) { old, _ in old })
    }

    @Test func `a missing, truncated or corrupted catalogue only makes the start slower`()
        throws
    {
        let base = try Self.firstDisk()
        let path = "/data/catalogue"
        let bytes = try #require(base[path])
        func check(_ disk: SimulatedDisk, _ what: String) throws {
            #expect(try Self.find(on: disk, what) == Self.before, "\(what)")
        }
        let missing = base.afterCrash(.keepsAll)
        try missing.unlink(path)
        try check(missing, "missing")
        // A catalogue cut between two lines is the same as one without the later lines.
        for count in stride(from: 0, to: bytes.count, by: 3)
        where count == 0 || bytes[count - 1] != UInt8(ascii: "\n") {
            let disk = base.afterCrash(.keepsAll)
            disk.put(Array(bytes[..<count]), at: path)
            try check(disk, "cut at \(count)")
        }
        // Every bit is flipped in tests of the bytes alone; here one bit of every third byte.
        for byte in stride(from: 0, to: bytes.count, by: 3) {
            let disk = base.afterCrash(.keepsAll)
            var spoilt = bytes
            spoilt[byte] ^= 1 << UInt8(byte % 8)
            disk.put(spoilt, at: path)
            try check(disk, "byte \(byte)")
        }
        // The start repairs the catalogue and keeps its content.
        let disk = base.afterCrash(.keepsAll)
        disk.put(Array(bytes.dropLast(3)), at: path)
        let server = try TestServer(disk: disk)
        #expect(try server.client("ann").result("trip.list")["trips"]?.count == 2)
        server.stopInOrder()
        #expect(disk["/data/catalogue.damaged"] == Array(bytes.dropLast(3)))
        guard case .whole = try CatalogueReading(in: "/data", disk) else {
            Issue.record("it is whole again")
            return
        }
    }

    @Test func `a directory missing from the catalogue is found, and a deleted one is removed from it`()
        throws
    {
        let disk = try Self.firstDisk()
        let catalogue = try #require(disk["/data/catalogue"])
        _ = try Self.run(on: disk, idleTime: .seconds(600))
        // The trips' directory is newer than the catalogue, as after a restore.
        let restored = disk.afterCrash(.keepsAll)
        restored.put(catalogue, at: "/data/catalogue")
        let server = try TestServer(disk: restored)
        let client = try server.client("ann")
        for (slug, trip) in [("b", id(93)), ("a", id(94)), ("q", id(92))] {
            let received = try client.result("trip.get", #"{"trip":"\#(trip)"}"#)["trip"]
            #expect(received?["slug"]?.string == slug)
        }
        // The older catalogue had this name for 91.
        for (slug, trip) in [("a", id(94)), ("x", id(91)), ("b", id(93))] {
            #expect(try client.result("trip.get", #"{"trip":"\#(slug)"}"#)["trip"]?["id"]?.string == trip)
        }
        #expect(try client.result("trip.get", #"{"trip":"q"}"#)["trip"]?["id"]?.string == id(92))
        #expect(try client.result("trip.list")["trips"]?.count == 4)
    }

    @Test func `a damaged trip with the slug of a healthy one is quarantined`() throws {
        let disk = try Self.firstDisk()
        let catalogue = try #require(disk["/data/catalogue"])
        _ = try Self.run(on: disk, idleTime: .seconds(600))
        let restored = disk.afterCrash(.keepsAll)
        restored.put(catalogue, at: "/data/catalogue")
        let path = "/data/trips/\(id(91))/journal"
        restored.put(Array("nothing of ours\n".utf8), at: path)
        let server = try TestServer(disk: restored)
        let client = try server.client("ann")
        #expect(try client.result("trip.get", #"{"trip":"a"}"#)["trip"]?["id"]?.string == id(94))
        #expect(try client.reason("trip.get", #"{"trip":"\#(id(91))"}"#) == "trip_corrupt")
    }
}
