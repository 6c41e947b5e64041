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

/// A directory's notes about an earlier process that left unsynced data.
@Suite struct LineageTests {
    private static func store(on disk: SimulatedDisk) throws -> JournalStore {
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        return store
    }

    private static func begin(
        _ durability: Durability, on disk: SimulatedDisk, start: String?, fresh tag: String
    ) throws -> Lineage {
        try store(on: disk).beginLineage(durability, bootID: start, freshTag: { tag })
    }

    @Test func `runs with sync durability leave no file`() throws {
        let disk = SimulatedDisk()
        for start in ["one", "two", nil] {
            #expect(try Self.begin(.sync, on: disk, start: start, fresh: "new").tag == nil)
        }
        #expect(try disk.list("/data").contains("lineage") == false)
    }

    @Test func `a relaxed run that ended cleanly is like one with sync durability`() throws {
        let disk = SimulatedDisk()
        for start in ["one", "two"] {
            #expect(try Self.begin(.relaxed, on: disk, start: start, fresh: "new").tag == nil)
            try JournalWriter(store: try Self.store(on: disk), durability: .relaxed).close()
        }
        #expect(try Self.begin(.sync, on: disk, start: "three", fresh: "new").tag == nil)
    }

    @Test(
        arguments: [Durability.sync, .relaxed],
        ["two", nil])
    func `after a reboot with unsynced data the lineage has a new tag`(
        next durability: Durability, start: String?
    ) throws {
        let disk = SimulatedDisk()
        #expect(try Self.begin(.relaxed, on: disk, start: "one", fresh: "a").tag == nil)
        #expect(try Self.begin(durability, on: disk, start: start, fresh: "b").tag == "b")
        // It stays so after synced processes too.
        let last = durability == .sync ? "b" : "c"
        #expect(try Self.begin(.sync, on: disk, start: "three", fresh: "c").tag == last)
        #expect(try Self.begin(.sync, on: disk, start: "four", fresh: "d").tag == last)
    }

    @Test func `a killed process has lost nothing, and its journals are synced before they are served`()
        throws
    {
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
        // Now it is the same after the machine stops.
        #expect(try Self.begin(.sync, on: disk, start: "two", fresh: "c").tag == nil)
    }

    @Test(arguments: [
        "", "x", "itineraryd lineage 1\ntag A\nunsynced -\nbroken -\n",
        "itineraryd lineage 1\ntag -\nunsynced -\n",
    ])
    func `an invalid lineage file counts as a power failure`(text: String) throws {
        let disk = SimulatedDisk()
        _ = try Self.store(on: disk)
        let file = try OpenFile("/data/lineage", .create, in: disk)
        try file.writeAll(Array(text.utf8))
        #expect(try Self.begin(.sync, on: disk, start: "one", fresh: "b").tag == "b")
        #expect(try Self.begin(.sync, on: disk, start: "one", fresh: "c").tag == "b")
    }

    @Test func `clients see epochs with the tag, journals store them without`() {
        let lineage = Lineage(tag: "b")
        #expect(lineage.clientEpoch(for: "e") == "e-b")
        #expect(lineage.journalEpoch(for: "e-b") == "e")
        #expect(Lineage().clientEpoch(for: "e-b") == "e-b")
        #expect(Lineage().journalEpoch(for: "e-b") == "e-b")
    }

    @Test func `a journal that could not be synced is rewritten, under another epoch`() throws {
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
        // It is complete now, and the epoch stays.
        #expect(try Self.begin(.sync, on: disk, start: "one", fresh: "c").tag == "b")
    }

    @Test func `on a disk that cannot store the lineage every run has its own epochs`() throws {
        let disk = SimulatedDisk()
        _ = try Self.store(on: disk)
        disk.leave(room: 0)
        #expect(try Self.begin(.relaxed, on: disk, start: "one", fresh: "a").tag == "a")
        #expect(try Self.begin(.relaxed, on: disk, start: "one", fresh: "b").tag == "b")
    }

    @Test func `if writing the lineage fails, the previous run's unsynced marker survives`() throws {
        let disk = SimulatedDisk()
        #expect(try Self.begin(.relaxed, on: disk, start: "one", fresh: "a").tag == nil)
        // After a power failure the next process finds no space for a note, and ends cleanly when there is space again.
        disk.leave(room: 0)
        let lineage = try Self.begin(.relaxed, on: disk, start: "two", fresh: "b")
        #expect(lineage.tag == "b")
        disk.leave(room: nil)
        try JournalWriter(store: try Self.store(on: disk), durability: .relaxed, lineage: lineage).close()
        #expect(try Self.begin(.sync, on: disk, start: "two", fresh: "c").tag == "c")
    }
}
