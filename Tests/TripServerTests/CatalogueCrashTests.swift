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
#endif

/// What is left of trips and their names when the power goes at any call, or the catalogue is spoilt.
@Suite struct CatalogueCrashTests {
    /// Which trips there are, by their slugs.
    private typealias Names = [String: String]

    /// A request, and what there is when it is done.
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

    /// What was there before: 91 is `a`, 92 is `b`.
    private static let before: Names = ["a": id(91), "b": id(92)]

    private static let steps: [Step] = [
        .init(
            method: "trip.create", params: create(93, "c"), after: ["a": id(91), "b": id(92), "c": id(93)]),
        .init(
            method: "trip.update", params: rename(91, "x"), after: ["x": id(91), "b": id(92), "c": id(93)]),
        // Each takes a slug that somebody has just given up.
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

    /// Runs the steps until one fails; how many were acknowledged.
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

    /// What a start finds: the names as the catalogue tells them, each checked against its journal.
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

    @Test("a trip whose torn end finds no room for its copy keeps its slug, though the catalogue is gone")
    func unrepaired() throws {
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
    func `a crash at every call loses no trip, and slugs stay right and unique`(idleTime: Duration) throws {
        let whole = try Self.firstDisk().afterCrash(.keepsAll)
        #expect(try Self.run(on: whole, idleTime: idleTime) == Self.steps.count)
        let calls = whole.log.count
        #expect(calls > 100)
        #expect(try Self.find(on: whole, "whole") == Self.steps.last?.after)
        let base = try Self.firstDisk()
        for call in 0..<calls {
            let disk = base.afterCrash(.keepsAll)
            disk.stop(after: call)
            let count = try Self.run(on: disk, idleTime: idleTime)
            let states = [Self.before] + Self.steps.map(\.after)
            for crash in SimulatedDisk.Crash.allCases {
                let what = "power lost at call \(call), \(crash), \(count) steps acknowledged"
                let names = try Self.find(on: disk.afterCrash(crash), what)
                // The step that was under way was carried out or not.
                #expect(states[count...min(count + 1, Self.steps.count)].contains(names), "\(what): \(names)")
            }
        }
    }

    @Test(
        "what may have been made is called as it was made, though it was asked for again",
        arguments: ["rename", "syncDirectory"])
    func askedForAgain(call: String) throws {
        let base = try Self.firstDisk()
        /// Makes a trip of which the disk keeps more than it says, and asks for it again under another name, until the
        /// power goes.
        func run(on disk: SimulatedDisk, callsLeft: Int?) throws -> Int {
            let server = try TestServer(disk: disk)
            let client = try server.client("ann", client: id(700))
            // The draft's own directory is synced first.
            disk.fail(call, .errorAfterwards(EIO), skip: call == "syncDirectory" ? 1 : 0, on: "/data/trips")
            #expect(try client.reason("trip.create", Self.create(93, "c")) == "outcome_unknown")
            let before = disk.log.count
            if let callsLeft { disk.stop(after: callsLeft) }
            _ = try client.call("trip.create", Self.create(93, "d"))
            let calls = disk.log.count - before
            if callsLeft == nil { server.stopInOrder() }
            return calls
        }
        let calls = try run(on: base.afterCrash(.keepsAll), callsLeft: nil)
        #expect(calls > 0)
        for count in 0...calls {
            let disk = base.afterCrash(.keepsAll)
            _ = try run(on: disk, callsLeft: count)
            let what = "power lost at call \(count)"
            let names = try Self.find(on: disk.afterCrash(.keepsAll), what)
            #expect(names == Self.before.merging(["c": id(93)]) { old, _ in old }, "\(what)")
        }
    }

    @Test func `a catalogue that is missing, cut or flipped anywhere makes the start slow, and nothing else`()
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
        // One that ends between two lines cannot be told from one to which nothing was added yet.
        for count in bytes.indices where count == 0 || bytes[count - 1] != UInt8(ascii: "\n") {
            let disk = base.afterCrash(.keepsAll)
            disk.put(Array(bytes[..<count]), at: path)
            try check(disk, "cut at \(count)")
        }
        // Every bit is flipped where only the bytes are looked at; here one of each byte.
        for byte in bytes.indices {
            let disk = base.afterCrash(.keepsAll)
            var spoilt = bytes
            spoilt[byte] ^= 1 << UInt8(byte % 8)
            disk.put(spoilt, at: path)
            try check(disk, "byte \(byte)")
        }
        // The start mends it, and keeps what was there.
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

    @Test func `a directory that the catalogue does not know is found, and one that is gone is forgotten`()
        throws
    {
        let disk = try Self.firstDisk()
        let catalogue = try #require(disk["/data/catalogue"])
        _ = try Self.run(on: disk, idleTime: .seconds(600))
        // As if the trips' directory had been brought back from elsewhere, beside an older catalogue.
        let restored = disk.afterCrash(.keepsAll)
        restored.put(catalogue, at: "/data/catalogue")
        let server = try TestServer(disk: restored)
        let client = try server.client("ann")
        for (slug, trip) in [("b", id(93)), ("a", id(94))] {
            let told = try client.result("trip.get", #"{"trip":"\#(trip)"}"#)["trip"]
            #expect(told?["slug"]?.string == slug)
        }
        // The older one believed that 91 was still called so.
        for (slug, trip) in [("a", id(94)), ("x", id(91)), ("b", id(93))] {
            #expect(try client.result("trip.get", #"{"trip":"\#(slug)"}"#)["trip"]?["id"]?.string == trip)
        }
        #expect(try client.reason("trip.get", #"{"trip":"\#(id(92))"}"#) == "trip_not_found")
        #expect(try client.result("trip.list")["trips"]?.count == 3)
    }

    @Test func `a damaged trip that is believed to have a healthy one's slug is set aside`() throws {
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
