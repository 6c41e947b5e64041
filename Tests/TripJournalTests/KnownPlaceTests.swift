import LocalSystem
import SimulatedSystem
import Testing

@testable import TripJournal

/// A valid journal that is not the expected one.
@Suite struct KnownPlaceTests {
    private let disk = SimulatedDisk()
    private let store: JournalStore
    private var sample: JournalSample

    init() throws {
        store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        sample = JournalSample(payloads: [#"{"a":1}"#, #"{"b":2}"#, #"{"c":3}"#])
        _ = try store.create(sample.header, first: sample.encoded[0])
    }

    private var path: String { store.journal(of: sample.header.tripID) }

    private func known(_ checkpoint: JournalCheckpoint, epoch: String? = nil) -> CatalogueEntry {
        CatalogueEntry(
            slugs: ["a"], place: JournalPlace(epoch: epoch ?? sample.header.epoch, checkpoint: checkpoint))
    }

    /// Replaces the journal by its header and first records.
    private func put(_ count: Int, _ more: String = "") {
        disk.put(
            sample.header.encoded() + sample.encoded[..<count].flatMap(\.bytes) + Array(more.utf8), at: path)
    }

    private func reason(_ known: CatalogueEntry) throws -> JournalDamage.Reason? {
        let before = disk[path]
        switch try store.open(sample.header.tripID, known: known, freshEpoch: { "fresh" }) {
        case .quarantined(_, let damage):
            #expect(disk[path] == before, "nothing is touched")
            #expect(disk.names(in: store.directory(of: sample.header.tripID)) == ["journal"])
            #expect(damage.isOtherFile)
            return damage.reason
        case .opened: return nil
        case .newerFormat:
            Issue.record("it is of this format")
            return nil
        }
    }

    @Test func `a journal that contains the known position is used, however much it has grown`() throws {
        for count in 1...3 {
            put(3)
            #expect(try reason(known(sample.encoded[count - 1].end)) == nil)
        }
    }

    @Test func `an older journal is refused, torn or not`() throws {
        put(2)
        #expect(try reason(known(sample.encoded[2].end)) == .older(known: 3, found: 2))
        // Without the known position the journal would be cut, and the trip served at version 2.
        put(2, "9 3 0123")
        #expect(try reason(known(sample.encoded[2].end)) == .older(known: 3, found: 2))
        #expect(try reason(known(sample.encoded[1].end)) == nil)
    }

    @Test func `a different record at the position is refused, at the end and before it`() throws {
        put(3)
        for version in 2...3 {
            let place = JournalCheckpoint(version: version, checksum: 1)
            #expect(try reason(known(place)) == .otherRecord(version))
        }
    }

    @Test func `another epoch is refused, unless a kept copy explains it`() throws {
        put(3)
        #expect(
            try reason(known(sample.encoded[0].end, epoch: "another")) == .otherHistory(known: "another"))
        // A torn end is cut, and the copy explains the position that was known before.
        put(3, "9 4 0123")
        let place = known(sample.encoded[2].end)
        #expect(try reason(place) == nil)
        guard
            case .opened(let again) = try store.open(sample.header.tripID, known: place, freshEpoch: { "no" })
        else {
            Issue.record("the trip opens again, although the catalogue lacks the repair")
            return
        }
        #expect(again.header.epoch == "fresh")
        #expect(again.records == sample.records)
    }

    @Test func `a cleanly closed file is not synced again`() throws {
        put(3)
        var entry = known(sample.encoded[2].end)
        func syncs() throws -> Int {
            let before = disk.count("syncData") + disk.count("syncDirectory")
            _ = try store.open(sample.header.tripID, known: entry, freshEpoch: { "no" })
            return disk.count("syncData") + disk.count("syncDirectory") - before
        }
        #expect(try syncs() == 2)
        let stamp = try #require(try store.stamp(of: sample.header.tripID))
        let header = CatalogueTests.entry(1, ["a"]).summary?.header
        entry.summary = TripDigest(header: try #require(header), version: 3, itemCount: 0, stamp: stamp)
        #expect(try syncs() == 0)
    }
}
