import Dispatch
import LocalSystem
import SimulatedSystem
import Testing

@testable import TripJournal

/// The guarantees of relaxed durability, with a simulated clock.
@Suite struct RelaxedTests {
    @Test
    func `a kill loses nothing acknowledged, a power failure at most the last 100 ms`()
        throws
    {
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let clock = Guarded<Int64>(0)
        let reported = Guarded<[(version: Int, at: Int64)]>([])
        let writer = JournalWriter(
            stepping: store, durability: .relaxed, now: { clock.withLock { $0 } })
        var sample = JournalSample(payloads: ["{}"])
        let trip = sample.header.tripID
        writer.create(sample.header, first: sample.encoded[0]) { event in
            guard case .durable(let version) = event else { return }
            reported.withLock { reported in reported.append((version, clock.withLock { $0 })) }
        } completion: { _ in
        }
        _ = writer.step()
        var lost = 0
        for tick in 0..<400 {
            clock.withLock { $0 += 7_000_000 }
            // Now and then there is no change for a while: the sync must come without one.
            if tick % 50 < 40 { writer.append(sample.add("[\(tick)]"), to: trip) }
            _ = writer.step()
            let now = clock.withLock { $0 }
            let reported = reported.withLock { $0 }
            func version(after crash: SimulatedDisk.Crash) -> Int {
                JournalScanner.scan(disk.afterCrash(crash)[store.journal(of: trip)] ?? []).contents?
                    .checkpoint
                    .version ?? 0
            }
            #expect(version(after: .keepsAll) == sample.records.count)
            #expect((reported.last?.version ?? 1) == sample.records.count)
            let kept = version(after: .losesUnsynced)
            lost = max(lost, sample.records.count - kept)
            for one in reported where one.version > kept { #expect(now - one.at <= 100_000_000) }
        }
        #expect(lost > 5, "it is relaxed")
        writer.close()
    }

    @Test func `the caller of append writes at once, and leaves the sync to the thread`() throws {
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let clock = Guarded<Int64>(0)
        let reported = Guarded(0)
        let writer = JournalWriter(
            stepping: store, durability: .relaxed, catalogue: Catalogue(in: "/data", disk),
            writesAtOnce: true,
            now: { clock.withLock { $0 } })
        var sample = JournalSample(payloads: ["{}"])
        let trip = sample.header.tripID
        writer.name(trip, ["a"])
        writer.create(sample.header, first: sample.encoded[0]) { event in
            if case .durable(let version) = event { reported.withLock { $0 = version } }
        } completion: { _ in
        }
        // Earlier requests come first.
        #expect(writer.append([(sample.add("[1]"), trip)]))
        #expect(reported.withLock { $0 } == 0)
        for _ in 0..<2 { _ = writer.step() }
        #expect(reported.withLock { $0 } == 2)
        clock.withLock { $0 += 200_000_000 }
        _ = writer.step()
        #expect(disk.isSynced("journal"))

        let looks = disk.count("status")
        #expect(writer.append([(sample.add("[2]"), trip)]))
        #expect(writer.append([(sample.add("[3]"), trip)]))
        #expect(reported.withLock { $0 } == 4)
        #expect(disk.count("status") == looks + 1, "only the first write after a sync looks at the path")
        #expect(JournalScanner.scan(disk[store.journal(of: trip)] ?? []).contents?.checkpoint.version == 4)
        #expect(!disk.isSynced("journal"))
        #expect(writer.pendingByteCount == 0)
        clock.withLock { $0 += 100_000_000 }
        _ = writer.step()
        #expect(disk.isSynced("journal"))
        writer.close()
        _ = writer.step()
        #expect(!writer.append([(sample.add("[4]"), trip)]))
    }

    @Test func `a sleeping thread syncs what a caller has written`() throws {
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let writer = try JournalWriter(store: store, durability: .relaxed)
        let events = EventLog()
        var sample = JournalSample(payloads: ["{}"])
        let trip = sample.header.tripID
        writer.create(sample.header, first: sample.encoded[0], sink: events.note) { _ in }
        let synced = DispatchSemaphore(value: 0)
        disk.onCall { entry in if entry.name == "syncData" { synced.signal() } }
        for index in 0..<5 {
            #expect(writer.append([(sample.add("[\(index)]"), trip)]))
            try events.wait(for: .durable(upTo: sample.records.count))
            try synced.waitOrFail()
        }
        writer.close()
    }

    @Test func `a slug is on disk for its new owner only after its old owner's release`() throws {
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let writer = JournalWriter(
            stepping: store, durability: .relaxed, catalogue: Catalogue(in: "/data", disk), now: { 0 })
        var sample = JournalSample(payloads: ["{}"])
        let trip = sample.header.tripID
        writer.name(trip, ["a"])
        writer.create(sample.header, first: sample.encoded[0], sink: { _ in }) { _ in }
        _ = writer.step()
        // It is renamed, and releases the name as soon as that is written.
        writer.name(trip, ["a", "b"])
        writer.append(sample.add("{}"), to: trip)
        _ = writer.step()
        writer.name(trip, ["b"])
        _ = writer.step()
        writer.append(sample.add("{}"), to: trip)
        _ = writer.step()
        #expect(!disk.isSynced("journal"))
        writer.name(JournalSample.otherTripID, ["a"])
        _ = writer.step()
        #expect(disk.isSynced("journal"))
        writer.close()
    }
}
