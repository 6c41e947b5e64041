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
