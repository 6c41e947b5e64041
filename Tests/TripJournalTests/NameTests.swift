import Dispatch
import LocalSystem
import SimulatedSystem
import Testing
import TripModel

@testable import TripJournal

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Names are written to the catalogue before the records that need them.
@Suite struct NameTests {
    private let disk = SimulatedDisk()
    private let store: JournalStore
    private let writer: JournalWriter
    private let events = EventLog()
    private var sample = JournalSample(payloads: ["{}"])
    private var trip: TripID { sample.header.tripID }

    init() throws {
        store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        writer = try JournalWriter(
            store: store, durability: .sync, catalogue: Catalogue(in: "/data", disk))
    }

    private func create(_ slug: String = "a") throws -> Result<Void, JournalStoreError> {
        let result = Guarded<Result<Void, JournalStoreError>?>(nil)
        let done = DispatchSemaphore(value: 0)
        writer.name(trip, [slug])
        writer.create(sample.header, first: sample.encoded[0], sink: events.note) { created in
            result.withLock { $0 = created }
            done.signal()
        }
        try done.waitOrFail()
        return try #require(result.withLock { $0 })
    }

    private func detach(_ content: TripContent? = nil) throws -> CatalogueEntry? {
        let entry = Guarded<CatalogueEntry?>(nil)
        let done = DispatchSemaphore(value: 0)
        writer.detach(trip, content) { known in
            entry.withLock { $0 = known }
            done.signal()
        }
        try done.waitOrFail()
        return entry.withLock { $0 }
    }

    /// Waits for a batch of the writer, and for the end of the one before.
    private func awaitRound() throws {
        let done = DispatchSemaphore(value: 0)
        writer.detach(JournalSample.otherTripID) { _ in done.signal() }
        try done.waitOrFail()
    }

    /// The catalogue's entry of the trip after a power failure now.
    private func slugsAfterPowerCut() throws -> Set<String>? {
        let after = disk.afterCrash(.losesUnsynced)
        guard case .whole(let catalogue) = try CatalogueReading(in: "/data", after) else { return nil }
        return catalogue.entries[trip]?.slugs
    }

    @Test func `a name is on disk before its trip`() throws {
        guard case .success = try create() else {
            Issue.record("it is created")
            return
        }
        let named = try #require(
            disk.log.firstIndex { $0.name == "sync" && $0.path.hasSuffix("catalogue.tmp") })
        let made = try #require(
            disk.log.firstIndex { $0.name == "makeDirectory" && $0.path.contains(trip.description) })
        #expect(named < made)
        #expect(try slugsAfterPowerCut() == ["a"])
    }

    @Test mutating func `a rename's record waits for the name, and fails with it`() throws {
        _ = try create()
        let path = store.journal(of: trip)
        let size = disk[path]?.count
        disk.fail("syncData", .error(ENOSPC))
        // The whole file that is tried in its place, if the record comes in its own batch.
        disk.fail("sync", .error(ENOSPC))
        writer.name(trip, ["a", "b"])
        writer.append(sample.add("{}"), to: trip)
        guard case .failed(.full(let error, let checkpoint)) = try events.next() else {
            Issue.record("the record fails")
            return
        }
        #expect(error.code == ENOSPC)
        #expect(checkpoint == sample.encoded[0].end)
        #expect(disk[path]?.count == size, "nothing of it was written")
        disk.heal()
        writer.name(trip, ["a"])
        try awaitRound()
        try awaitRound()
        var encoder = JournalEncoder(resuming: checkpoint)
        writer.name(trip, ["a", "c"])
        writer.append(try encoder.encode(version: 2, payload: [UInt8(ascii: "1")]), to: trip)
        #expect(try events.next() == .durable(upTo: 2))
        #expect(try slugsAfterPowerCut() == ["a", "c"])
    }

    @Test
    mutating func `a rolled-back name blocks nothing, and a reserved one survives a read of the trip`()
        throws
    {
        _ = try create()
        // The name's sync, and the whole file in its place; the batch that rolls back the name must not need one.
        disk.fail("syncData", .error(EIO))
        disk.fail("sync", .error(EIO))
        writer.name(trip, ["a", "b"])
        try awaitRound()
        writer.name(trip, ["a"])
        try awaitRound()
        for _ in 0..<8 { disk.fail("sync", .error(EIO)) }
        writer.append(sample.add("{}"), to: trip)
        #expect(try events.next() == .durable(upTo: 2))
        disk.heal()
        let read = CatalogueEntry(slugs: ["a"])
        writer.name(trip, ["a", "c"])
        writer.note(trip, read)
        try awaitRound()
        try awaitRound()
        #expect(try slugsAfterPowerCut() == ["a", "c"])
    }

    @Test func `a creation whose name cannot be stored fails, and leaves nothing behind`() throws {
        disk.fail("sync", .error(EIO))
        disk.fail("sync", .error(EIO))
        guard case .failure(.unchanged(let error)) = try create() else {
            Issue.record("it fails")
            return
        }
        #expect(error.code == EIO)
        #expect(disk.names(in: "/data/trips") == [])
        disk.heal()
        writer.name(trip, [])
        try awaitRound()
        try awaitRound()
        guard case .success = try create("b") else {
            Issue.record("the next attempt succeeds, in a new file")
            return
        }
        #expect(try slugsAfterPowerCut() == ["b"])
    }

    @Test func `the summary of a closed trip matches its file`() throws {
        _ = try create()
        let header = try #require(CatalogueTests.entry(1, ["a"], id: trip).summary?.header)
        let entry = try #require(try detach(TripContent(header: header, itemCount: 5)))
        #expect(entry.place?.checkpoint == sample.encoded[0].end)
        #expect(entry.summary?.version == 1 && entry.summary?.itemCount == 5)
        #expect(entry.summary?.stamp == (try store.stamp(of: trip)))
        writer.close()
        guard case .whole(let catalogue) = try CatalogueReading(in: "/data", disk) else {
            Issue.record("it is whole")
            return
        }
        #expect(catalogue.entries[trip]?.place == entry.place)
    }

    @Test mutating func `a journal whose end is unknown gets no summary`() throws {
        _ = try create()
        let header = try #require(CatalogueTests.entry(1, ["a"], id: trip).summary?.header)
        disk.fail("syncData", .error(EIO))
        writer.append(sample.add("{}"), to: trip)
        guard case .failed(.outcomeUnknown) = try events.next() else {
            Issue.record("the sync fails")
            return
        }
        #expect(try detach(TripContent(header: header, itemCount: 5)) == nil)
    }

    @Test func `a catalogue without disk space is not retried until a name must be stored`() throws {
        _ = try create()
        disk.fail("write", .error(ENOSPC))
        // A hint that is not written.
        writer.note(
            trip, CatalogueEntry(slugs: ["a"], summary: CatalogueTests.entry(1, ["a"], id: trip).summary))
        try awaitRound()
        try awaitRound()
        let opens = disk.log.count { $0.name == "open" && $0.path.hasSuffix("catalogue") }
        for _ in 0..<5 { try awaitRound() }
        #expect(disk.log.count { $0.name == "open" && $0.path.hasSuffix("catalogue") } == opens)
        writer.name(trip, ["a", "b"])
        try awaitRound()
        try awaitRound()
        guard case .whole(let catalogue) = try CatalogueReading(in: "/data", disk) else {
            Issue.record("it is whole")
            return
        }
        #expect(catalogue.entries[trip]?.slugs == ["a", "b"])
        #expect(catalogue.entries[trip]?.summary != nil)
    }

    @Test func `a repaired journal is known by its new epoch, even without the copy of the old one`()
        throws
    {
        _ = try create()
        writer.close()
        let path = store.journal(of: trip)
        disk.put((disk[path] ?? []) + Array("99 2 12345".utf8), at: path)
        guard case .whole(let catalogue) = try CatalogueReading(in: "/data", disk) else {
            Issue.record("it is whole")
            return
        }
        let known = try #require(catalogue.entries[trip])
        guard case .opened(let journal) = try store.open(trip, known: known, freshEpoch: { "epoch-2" }) else {
            Issue.record("it is repaired")
            return
        }
        let next = try JournalWriter(store: store, durability: .sync, catalogue: catalogue)
        next.attach(journal, sink: { _ in })
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            next.detach(JournalSample.otherTripID) { _ in done.signal() }
            try done.waitOrFail()
        }
        // The process is killed, and a user moves files.
        let later = disk.afterKill()
        try later.unlink(try #require(journal.repair?.copy))
        guard case .whole(let after) = try CatalogueReading(in: "/data", later),
            case .opened(let again) = try JournalStore(fileSystem: later, directory: "/data").open(
                trip, known: after.entries[trip], freshEpoch: { "epoch-3" })
        else {
            Issue.record("it is served")
            return
        }
        #expect(again.header.epoch == "epoch-2")
    }

    @Test func `a deleted trip's slug is released before another trip reserves it`() throws {
        _ = try create()
        let done = DispatchSemaphore(value: 0)
        writer.delete(trip, at: sample.encoder.checkpoint, now: Timestamp(milliseconds: 0)) { _ in
            done.signal()
        }
        try done.waitOrFail()
        let other = JournalSample.otherTripID
        writer.name(other, ["a"])
        writer.close()
        let bytes = try #require(disk["/data/catalogue"])
        // After a cut behind any line, no slug has two owners.
        var seen = 0
        for end in bytes.indices.filter({ bytes[$0] == .newline }) {
            let scan = CatalogueScan(Array(bytes[...end]))
            #expect(scan.entries.values.filter { $0.slugs.contains("a") }.count <= 1)
            seen += 1
        }
        #expect(seen >= 2)
    }
}
