import Dispatch
import LocalSystem
import SimulatedSystem
import Testing

@testable import TripJournal

/// What relaxed durability promises, on a clock of the test's own.
@Suite struct RelaxedTests {
    @Test
    func `a kill loses nothing that was told, a power cut no more than what was told in the last 100 ms`()
        throws
    {
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let clock = Guarded<Int64>(0)
        let told = Guarded<[(version: Int, at: Int64)]>([])
        let writer = JournalWriter(
            stepping: store, durability: .relaxed, now: { clock.withLock { $0 } })
        var sample = JournalSample(payloads: ["{}"])
        let trip = sample.header.tripID
        writer.create(sample.header, first: sample.encoded[0]) { event in
            guard case .durable(let version) = event else { return }
            told.withLock { told in told.append((version, clock.withLock { $0 })) }
        } completion: { _ in
        }
        _ = writer.step()
        var lost = 0
        for tick in 0..<400 {
            clock.withLock { $0 += 7_000_000 }
            // Now and then nothing comes for a while: the sync must come by itself.
            if tick % 50 < 40 { writer.append(sample.add("[\(tick)]"), to: trip) }
            _ = writer.step()
            let now = clock.withLock { $0 }
            let told = told.withLock { $0 }
            func version(after crash: SimulatedDisk.Crash) -> Int {
                JournalScanner.scan(disk.afterCrash(crash)[store.journal(of: trip)] ?? []).contents?
                    .checkpoint
                    .version ?? 0
            }
            #expect(version(after: .keepsAll) == sample.records.count)
            #expect((told.last?.version ?? 1) == sample.records.count)
            let kept = version(after: .losesUnsynced)
            lost = max(lost, sample.records.count - kept)
            for one in told where one.version > kept { #expect(now - one.at <= 100_000_000) }
        }
        #expect(lost > 5, "it is relaxed")
        writer.close()
    }

    @Test func `who appends writes at once, and leaves the sync to the thread`() throws {
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let clock = Guarded<Int64>(0)
        let told = Guarded(0)
        let writer = JournalWriter(
            stepping: store, durability: .relaxed, catalogue: Catalogue(in: "/data", disk),
            writesAtOnce: true,
            now: { clock.withLock { $0 } })
        var sample = JournalSample(payloads: ["{}"])
        let trip = sample.header.tripID
        writer.name(trip, ["a"])
        writer.create(sample.header, first: sample.encoded[0]) { event in
            if case .durable(let version) = event { told.withLock { $0 = version } }
        } completion: { _ in
        }
        // What was given before comes first.
        #expect(writer.append([(sample.add("[1]"), trip)]))
        #expect(told.withLock { $0 } == 0)
        _ = writer.step()
        #expect(told.withLock { $0 } == 2)
        clock.withLock { $0 += 200_000_000 }
        _ = writer.step()
        #expect(disk.isSynced("journal"))

        #expect(writer.append([(sample.add("[2]"), trip), (sample.add("[3]"), trip)]))
        #expect(told.withLock { $0 } == 4)
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

    @Test func `a thread that sleeps syncs what another has written at once`() throws {
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

    @Test func `who takes a name over is on the disk after what gave it up`() throws {
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
        // It is renamed, and gives the name up as soon as that is written.
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
