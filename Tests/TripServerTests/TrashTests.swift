import JSONLine
import LocalSystem
import SimulatedSystem
import Testing
import TripJournal
import TripModel
import TripProtocol

@testable import TripServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

/// Deleted trips and removed items, and how they are restored.
@Suite struct TrashTests {
    /// Milliseconds of a day, to pass some.
    private static let day: Int64 = 86_400_000

    private func trash(_ client: LineClient) throws -> [String] {
        try client.result("trip.trash")["trips"]?.elements.compactMap { $0["slug"]?.string } ?? []
    }

    @Test func `a deleted trip is restored with its id, items, version and undo, also after a restart`()
        throws
    {
        let disk = SimulatedDisk()
        for restarts in [false, true] {
            var server = try TestServer(disk: disk)
            var ann = try server.client("ann", client: id(700))
            let number = restarts ? 92 : 91
            try ann.makeTrip("t\(number)", id: number, items: "")
            try ann.result("trip.update", #"{"trip":"t\#(number)","name":"Other"}"#)
            let before = try ann.result("trip.get", #"{"trip":"t\#(number)"}"#)
            try ann.result("trip.delete", #"{"trip":"t\#(number)"}"#)
            #expect(
                try ann.result("trip.list")["trips"]?.elements.contains { $0["slug"]?.string == "t\(number)" }
                    == false)
            if restarts {
                server.stopInOrder()
                server = try TestServer(disk: disk)
                ann = try server.client("ann", client: id(700))
            }
            let row = try #require(ann.result("trip.trash")["trips"]?.elements.first { _ in true })
            #expect(
                row["id"]?.string == id(number) && row["name"]?.string == "Other" && row["version"]?.int == 2)
            let (deleted, kept) = (row["deletedAt"]?.string ?? "", row["keptUntil"]?.string ?? "")
            #expect(
                try #require(Timestamp(kept)).milliseconds - #require(Timestamp(deleted)).milliseconds == 30
                    * Self.day)
            let after = try ann.result("trip.restore", #"{"trip":"\#(id(number))"}"#)
            #expect(after.canonicalBytes() == before.canonicalBytes())
            #expect(try trash(ann).isEmpty)
            #expect(try ann.result("trip.undo", #"{"trip":"t\#(number)"}"#)["version"]?.int == 3)
            server.stopInOrder()
        }
    }

    @Test func `a restored trip gets another slug if its own is in use`() throws {
        let server = try TestServer()
        let ann = try server.client("ann", client: id(700))
        try ann.makeTrip("t", id: 91, items: "")
        try ann.result("trip.update", #"{"trip":"t","name":"Oslo"}"#)
        let epoch = try ann.result("trip.get", #"{"trip":"t"}"#)["epoch"]?.string
        try ann.result("trip.delete", #"{"trip":"t"}"#)
        try ann.makeTrip("t", id: 92, items: "")
        let restored = try ann.result("trip.restore", #"{"trip":"t"}"#)
        #expect(restored["trip"]?["id"]?.string == id(91) && restored["trip"]?["slug"]?.string == "oslo")
        #expect(restored["epoch"]?.string == epoch)
        #expect(restored["version"]?.int == 3, "at version 2 it was called otherwise")
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["trip"]?["id"]?.string == id(92))
        let undone = try ann.result("trip.undo", #"{"trip":"oslo"}"#)
        #expect(undone["summary"]?.string?.hasPrefix("renamed the trip") == true)
    }

    @Test func `an existing trip, or one that was never deleted, cannot be restored`() throws {
        let server = try TestServer()
        let ann = try server.client("ann")
        try ann.makeTrip("t", id: 91, items: "")
        #expect(try ann.reason("trip.restore", #"{"trip":"\#(id(91))"}"#) == "duplicate_id")
        #expect(try ann.reason("trip.restore", #"{"trip":"t"}"#) == "trip_not_found")
        try ann.result("trip.delete", #"{"trip":"t"}"#)
        // The id is used again, so the earlier trip with it is hidden.
        try ann.makeTrip("u", id: 91, items: "")
        #expect(try trash(ann).isEmpty)
        #expect(try ann.reason("trip.restore", #"{"trip":"t"}"#) == "trip_not_found")
        try ann.result("trip.delete", #"{"trip":"u"}"#)
        #expect(try trash(ann) == ["u"], "of one id the last is kept")
    }

    @Test
    func
        `a deleted trip is visible to users with read access, and can be restored by users who may delete it`()
        throws
    {
        let shared = try SharedServer("user ann viewer\nuser bob owner in one\nuser bob viewer in two")
        let owner = try shared.client(SharedServer.own)
        for (slug, number) in [("one", 91), ("two", 92), ("three", 93)] {
            try owner.makeTrip(slug, id: number, items: "")
            try owner.result("trip.delete", #"{"trip":"\#(slug)"}"#)
        }
        let (ann, bob) = (try shared.client(SharedServer.ann), try shared.client(SharedServer.bob))
        #expect(try trash(ann) == ["three", "two", "one"])
        #expect(try ann.reason("trip.restore", #"{"trip":"one"}"#) == "read_only")
        #expect(try trash(bob) == ["two", "one"])
        #expect(try bob.reason("trip.restore", #"{"trip":"two"}"#) == "read_only")
        #expect(try bob.reason("trip.restore", #"{"trip":"three"}"#) == "trip_not_found")
        #expect(try bob.result("trip.restore", #"{"trip":"one"}"#)["trip"]?["id"]?.string == id(91))
        // A line about a slug is about the trip that has it, and a trip that is hidden is not there.
        try owner.result("trip.delete", #"{"trip":"one"}"#)
        try owner.makeTrip("one", id: 94, items: "")
        try owner.makeTrip("secret", id: 95, items: "")
        #expect(try trash(bob) == ["two"])
        for number in [91, 95] {
            #expect(try bob.reason("trip.restore", #"{"trip":"\#(id(number))"}"#) == "trip_not_found")
        }
        #expect(try bob.reason("trip.restore", #"{"trip":"\#(id(94))"}"#) == "duplicate_id")
    }

    @Test(arguments: ["rename", "syncDirectory"])
    func `a failed restore leaves the trip deleted, or its outcome unknown`(call: String) throws {
        let disk = SimulatedDisk()
        let server = try TestServer(disk: disk)
        let ann = try server.client("ann")
        try ann.makeTrip("t", id: 91, items: "")
        try ann.result("trip.delete", #"{"trip":"t"}"#)
        let isOpen = call == "syncDirectory"
        disk.fail(call, .error(isOpen ? EIO : ENOSPC), on: "/data/trips")
        #expect(
            try ann.reason("trip.restore", #"{"trip":"t"}"#)
                == (isOpen ? "outcome_unknown" : "storage_full"))
        #expect(try ann.reason("trip.get", #"{"trip":"t"}"#) == "trip_not_found")
        if isOpen {
            let taken = try ann.call(
                "trip.create",
                #"{"name":"t","slug":"t","startDate":"2026-06-11","timeZone":"UTC","dayCount":3}"#)
            #expect(taken.reason == "slug_taken", "the next start may find the trip")
        } else {
            #expect(try ann.result("trip.restore", #"{"trip":"t"}"#)["trip"]?["slug"]?.string == "t")
        }
    }

    @Test
    func
        `with relaxed durability a deletion syncs acknowledged changes, so that a restored trip has them after a power failure`()
        throws
    {
        let disk = SimulatedDisk()
        let server = try DiskServer(disk, durability: .relaxed)
        let ann = try server.client("ann")
        try ann.makeTrip("t", id: 91, items: "")
        try ann.result("item.add", #"{"trip":"t","item":{"kind":"custom","title":"Tea"}}"#)
        try ann.result("trip.delete", #"{"trip":"t"}"#)
        let store = JournalStore(fileSystem: disk.afterCrash(.losesUnsynced), directory: "/data")
        try store.prepare()
        let deleted = try #require(store.listTrash().first)
        try store.restore(deleted)
        guard case .opened(let journal) = try store.open(deleted.trip, freshEpoch: { "no" }) else {
            Issue.record("it opens")
            return
        }
        #expect(journal.checkpoint.version == 2)
    }

    @Test func `removed items are listed with their neighbours until they are restored`() throws {
        let disk = SimulatedDisk()
        var server = try TestServer(disk: disk)
        var ann = try server.client("ann", client: id(700))
        try ann.makeTrip("t", id: 91, items: "")
        for number in 1...3 {
            try ann.result(
                "item.add",
                #"{"trip":"t","item":{"id":"\#(id(number))","kind":"custom","title":"\#(number)"}}"#)
        }
        try ann.result("item.remove", #"{"trip":"t","item":"\#(id(2))"}"#)
        try ann.result("item.remove", #"{"trip":"t","item":"\#(id(1))"}"#)
        for restarts in [false, true] {
            if restarts {
                server.stopInOrder()
                server = try TestServer(disk: disk)
                ann = try server.client("ann", client: id(700))
            }
            let answer = try ann.result("item.trash", #"{"trip":"t"}"#)
            let rows = answer["items"]?.elements.map { $0 } ?? []
            #expect(rows.compactMap { $0["item"]?["title"]?.string } == ["1", "2"])
            #expect(rows[1]["after"]?.string == id(1) && rows[1]["before"]?.string == id(3))
            #expect(rows[0]["after"] == nil && rows[0]["before"]?.string == id(3))
            #expect(rows[0]["removedBy"]?.string == "ann")
            let now = try #require(Timestamp(rows[0]["removedAt"]?.string ?? "")).milliseconds
            let since = try #require(Timestamp(answer["since"]?.string ?? "")).milliseconds
            #expect(now - since > 30 * Self.day - 60_000, "the history goes back to the start")
        }
        try ann.result("trip.undo", #"{"trip":"t"}"#)
        let left = try ann.result("item.trash", #"{"trip":"t"}"#)["items"]?.elements.map { $0 } ?? []
        #expect(left.compactMap { $0["item"]?["title"]?.string } == ["2"])
        #expect(try ann.reason("item.trash", #"{"trip":"none"}"#) == "trip_not_found")
        server.stopInOrder()
    }
}
