import LocalSystem
import SimulatedSystem
import TestSupport
import Testing
import TripModel

@testable import TripJournal

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a directory remembers of a life that left things unsynced.
@Suite struct LineageTests {
    private static func store(on disk: SimulatedDisk) throws -> JournalStore {
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        return store
    }

    private static func begin(
        _ durability: Durability, on disk: SimulatedDisk, start: String?, fresh tag: String
    ) throws -> Lineage {
        try store(on: disk).beginLineage(durability, machineStart: start, freshTag: { tag })
    }

    @Test("synced lives leave no trace")
    func synced() throws {
        let disk = SimulatedDisk()
        for start in ["one", "two", nil] {
            #expect(try Self.begin(.sync, on: disk, start: start, fresh: "new").tag == nil)
        }
        #expect(try disk.list("/data").contains("lineage") == false)
    }

    @Test("a relaxed life that ended in order is like a synced one")
    func inOrder() throws {
        let disk = SimulatedDisk()
        for start in ["one", "two"] {
            #expect(try Self.begin(.relaxed, on: disk, start: start, fresh: "new").tag == nil)
            try JournalWriter(store: try Self.store(on: disk), durability: .relaxed).close()
        }
        #expect(try Self.begin(.sync, on: disk, start: "three", fresh: "new").tag == nil)
    }

    @Test(
        "after another start of the machine the past is another", arguments: [Durability.sync, .relaxed],
        ["two", nil])
    func powerCut(next durability: Durability, start: String?) throws {
        let disk = SimulatedDisk()
        #expect(try Self.begin(.relaxed, on: disk, start: "one", fresh: "a").tag == nil)
        #expect(try Self.begin(durability, on: disk, start: start, fresh: "b").tag == "b")
        // It stays so, also for synced lives.
        let last = durability == .sync ? "b" : "c"
        #expect(try Self.begin(.sync, on: disk, start: "three", fresh: "c").tag == last)
        #expect(try Self.begin(.sync, on: disk, start: "four", fresh: "d").tag == last)
    }

    @Test(
        "a process that was killed has lost nothing, and its journals are synced before anything is told of them"
    )
    func killed() throws {
        var disk = SimulatedDisk()
        #expect(try Self.begin(.relaxed, on: disk, start: "one", fresh: "a").tag == nil)
        let writer = JournalWriter(stepping: try Self.store(on: disk), durability: .relaxed, now: { 0 })
        var sample = JournalSample(payloads: ["{}"])
        writer.create(sample.header, first: sample.encoded[0], sink: { _ in }) { _ in }
        _ = writer.step()
        writer.append(sample.add("{}"), to: sample.header.tripID)
        _ = writer.step()
        #expect(!disk.isSynced("journal"))
        disk = disk.afterKill()
        #expect(try Self.begin(.sync, on: disk, start: "one", fresh: "b").tag == nil)
        #expect(disk.isSynced("journal"))
        // Now it is all the same when the machine stops.
        #expect(try Self.begin(.sync, on: disk, start: "two", fresh: "c").tag == nil)
    }

    @Test(
        "what cannot be read as a lineage counts as a power cut",
        arguments: [
            "", "x", "itineraryd lineage 1\ntag A\nunsynced -\nbroken -\n",
            "itineraryd lineage 1\ntag -\nunsynced -\n",
        ])
    func damaged(text: String) throws {
        let disk = SimulatedDisk()
        _ = try Self.store(on: disk)
        let file = try OpenFile("/data/lineage", .create, in: disk)
        try file.writeAll(Array(text.utf8))
        #expect(try Self.begin(.sync, on: disk, start: "one", fresh: "b").tag == "b")
        #expect(try Self.begin(.sync, on: disk, start: "one", fresh: "c").tag == "b")
    }

    @Test("epochs are told with the tag and written without")
    func epochs() {
        let lineage = Lineage(tag: "b")
        #expect(lineage.told("e") == "e-b")
        #expect(lineage.written("e-b") == "e")
        #expect(Lineage().told("e-b") == "e-b")
        #expect(Lineage().written("e-b") == "e-b")
    }

    @Test("what could not be synced is written anew, under another epoch")
    func broken() throws {
        var disk = SimulatedDisk()
        #expect(try Self.begin(.sync, on: disk, start: "one", fresh: "a").tag == nil)
        let store = try Self.store(on: disk)
        let writer = JournalWriter(stepping: store, durability: .sync, now: { 0 })
        var sample = JournalSample(payloads: ["{}"])
        writer.create(sample.header, first: sample.encoded[0], sink: { _ in }) { _ in }
        _ = writer.step()
        let number = try store.stamp(of: sample.header.tripID)?.number
        disk.fail("syncData", .error(EIO))
        writer.append(sample.add("{}"), to: sample.header.tripID)
        _ = writer.step()
        disk = disk.afterKill()
        #expect(try Self.begin(.sync, on: disk, start: "one", fresh: "b").tag == "b")
        #expect(try Self.store(on: disk).stamp(of: sample.header.tripID)?.number != number)
        #expect(disk.isSynced("journal"))
        // It is whole now, and the epoch stays.
        #expect(try Self.begin(.sync, on: disk, start: "one", fresh: "c").tag == "b")
    }

    @Test("on a disk that takes no note, every life has epochs of its own")
    func full() throws {
        let disk = SimulatedDisk()
        _ = try Self.store(on: disk)
        disk.leave(room: 0)
        #expect(try Self.begin(.relaxed, on: disk, start: "one", fresh: "a").tag == "a")
        #expect(try Self.begin(.relaxed, on: disk, start: "one", fresh: "b").tag == "b")
    }

    @Test("a life that could not be noted clears nothing of what the one before has left")
    func unnoted() throws {
        let disk = SimulatedDisk()
        #expect(try Self.begin(.relaxed, on: disk, start: "one", fresh: "a").tag == nil)
        // The power went; the next life finds no room for a note, and ends in order when there is some again.
        disk.leave(room: 0)
        let lineage = try Self.begin(.relaxed, on: disk, start: "two", fresh: "b")
        #expect(lineage.tag == "b")
        disk.leave(room: nil)
        try JournalWriter(store: try Self.store(on: disk), durability: .relaxed, lineage: lineage).close()
        #expect(try Self.begin(.sync, on: disk, start: "two", fresh: "c").tag == "c")
    }
}
