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

@Suite struct CompactionTests {
    private let payload = "{\"n\":\"" + String(repeating: "x", count: 90) + "\"}"

    private func opened(_ bench: WriterBench, on disk: SimulatedDisk? = nil) throws -> OpenedJournal? {
        let store = JournalStore(fileSystem: disk ?? bench.disk, directory: "/data")
        try store.prepare()
        let opening = try store.open(bench.sample.header.tripID) { "epoch-2" }
        if case .opened(let journal) = opening { return journal }
        return nil
    }

    @Test func `a compacted journal begins with its state, followed by the same bytes of later records`()
        throws
    {
        let reports = CompactionLog()
        let bench = try WriterBench(compaction: Ledger.plan(floor: 1000, reports))
        for _ in 0..<7 {
            bench.append(payload)
            try bench.events.wait(for: .durable(upTo: bench.sample.records.count))
        }
        _ = try reports.next()
        let compacted = bench.sample.records.count
        bench.append(payload)
        try bench.events.wait(for: .durable(upTo: compacted + 1))
        let bytes = try #require(bench.disk[bench.path])
        let contents = try #require(JournalScanner.scan(bytes).contents)
        #expect(contents.header == bench.sample.header, "the epoch stays")
        #expect(contents.snapshot?.version == compacted)
        #expect(contents.entries.map(\.version) == [compacted + 1])
        let line = bench.sample.encoded[compacted].bytes
        #expect(Array(bytes[contents.entries[0].offset...]) == line)
        #expect(contents.checkpoint == bench.sample.encoder.checkpoint, "the chain goes on")
        #expect(bench.writer.statistics.compactions == 1)
        for crash in SimulatedDisk.Crash.allCases {
            let journal = try #require(try opened(bench, on: bench.disk.afterCrash(crash)))
            #expect(Ledger.records(of: journal) == bench.sample.records)
            #expect(journal.repair == nil && journal.baseEnd == contents.baseEnd)
        }
        bench.writer.close()
        #expect(bench.disk.openCount == 0)
        #expect(bench.disk.names(in: bench.store.directory(of: bench.sample.header.tripID)) == ["journal"])
    }

    @Test func `commits continue while the state is written, and are included`() throws {
        let reports = CompactionLog()
        let bench = try WriterBench(compaction: Ledger.plan(floor: 1000, reports))
        // Once the journal exists, only a compaction syncs a file with all its attributes.
        let gate = Gate(bench.disk, at: "sync")
        for _ in 0..<10 { bench.append(payload) }
        try gate.waitUntilEntered()
        for _ in 0..<7 {
            bench.append(payload)
            try bench.events.wait(for: .durable(upTo: bench.sample.records.count))
        }
        #expect(reports.all.isEmpty, "it is held, and the commits were not")
        gate.open()
        guard case .compacted = try reports.next() else {
            Issue.record("it is compacted: \(reports.all)")
            return
        }
        // Nothing else is synced before: the changes made during the compaction were already reported durable.
        for crash in SimulatedDisk.Crash.allCases {
            let journal = try #require(try opened(bench, on: bench.disk.afterCrash(crash)))
            #expect(Ledger.records(of: journal) == bench.sample.records)
        }
        bench.append(payload)
        try bench.events.wait(for: .durable(upTo: bench.sample.records.count))
        let contents = try #require(JournalScanner.scan(bench.disk[bench.path] ?? []).contents)
        #expect(contents.snapshot != nil, "how much it holds is up to how fast the commits came")
        let journal = try #require(try opened(bench, on: bench.disk.afterCrash(.losesUnsynced)))
        #expect(Ledger.records(of: journal) == bench.sample.records)
    }

    @Test func `a journal is compacted again at the given multiple of its state, not before`() throws {
        let reports = CompactionLog()
        let bench = try WriterBench(compaction: Ledger.plan(floor: 1000, reports))
        var sizes: [Int] = []
        for _ in 0..<80 {
            bench.append(payload)
            try bench.events.wait(for: .durable(upTo: bench.sample.records.count))
            let size = bench.disk[bench.path]?.count ?? 0
            if size >= max(1000, 4 * (sizes.last ?? 0)) {
                guard case .compacted(_, from: _, to: let left) = try reports.next() else { return }
                sizes.append(left)
            }
        }
        // The ledger keeps every record, so each state is about four times the one before.
        #expect((2...3).contains(sizes.count), "\(sizes)")
        #expect(reports.all.count == sizes.count)
    }

    /// Every call of a compaction fails once, with every error of a disk.
    @Test(arguments: [ENOSPC, EDQUOT, EIO, EMFILE])
    func `a failed compaction leaves the journal in use, and is retried later`(_ code: Int32) throws {
        var failed = 0
        for index in 0..<60 {
            let reports = CompactionLog()
            let bench = try WriterBench(
                compaction: Ledger.plan(floor: 1000, reports), usesOneThread: true)
            let isArmed = Guarded((isOn: false, index: index))
            let trip = bench.sample.header.tripID
            for _ in 0..<4 {
                bench.append(payload)
                try bench.events.wait(for: .durable(upTo: bench.sample.records.count))
            }
            let disk = bench.disk
            bench.disk.onCall { entry in
                let isOurs = entry.path.hasSuffix("journal.new") || entry.name == "read"
                guard isOurs, entry.name != "unlink" else { return }
                let isTime = isArmed.withLock { state in
                    defer {
                        if state.isOn { state.index -= 1 }
                        // From here on the draft is the journal.
                        if entry.name == "rename" { state.isOn = false }
                    }
                    return state.isOn && state.index == 0
                }
                if isTime { disk.fail(entry.name, .error(code)) }
            }
            isArmed.withLock { $0.isOn = true }
            #expect((bench.disk[bench.path]?.count ?? 0) < 1000)
            // Up to the change that makes the compaction due: the next one could already find the trip read-only.
            while (bench.disk[bench.path]?.count ?? .max) < 1000 {
                bench.append(payload)
                try bench.events.wait(for: .durable(upTo: bench.sample.records.count))
            }
            let isCompacted = if case .compacted = try reports.next() { true } else { false }
            if !isCompacted { failed += 1 }
            // Except the last rename: for a closed trip the daemon's note is written, by a rename too.
            let renameIsUnknown = bench.disk.log.contains { entry in
                entry.name == "rename" && entry.path.hasSuffix("journal.new")
            }
            if !isCompacted, code == EIO, renameIsUnknown {
                // The rename may have been done: nothing is written until a restart shows its state.
                bench.append(payload)
                guard case .failed(.readOnly) = try bench.events.next() else {
                    Issue.record("read-only")
                    return
                }
            } else {
                for _ in 0..<20 {
                    bench.append(payload)
                    try bench.events.wait(for: .durable(upTo: bench.sample.records.count))
                }
                if !isCompacted {
                    // It is retried once, not in a loop.
                    guard case .compacted = try reports.next() else {
                        Issue.record("tried again: \(reports.all), call \(index)")
                        return
                    }
                    // Once it has succeeded, the journal may grow up to the next one.
                    let failures = reports.all.count { if case .compacted = $0 { false } else { true } }
                    #expect(failures == 1)
                }
                let journal = try #require(try opened(bench, on: bench.disk.afterCrash(.losesUnsynced)))
                #expect(Ledger.records(of: journal) == bench.sample.records)
                bench.writer.close()
                #expect(bench.disk.names(in: bench.store.directory(of: trip)) == ["journal"])
            }
            if isCompacted { break }
        }
        #expect(failed >= 10, "the calls are \(failed)")
    }

    @Test(arguments: [Durability.sync, .relaxed])
    func `a failed sync of the directory after the rename makes the trip read-only without a loss`(
        _ durability: Durability
    ) throws {
        let reports = CompactionLog()
        // The failure waits until everything is reported durable.
        let isTold = DispatchSemaphore(value: 0)
        defer { isTold.signal() }
        let plan = CompactionPlan(
            floor: 1000,
            summarize: { (journal) throws(CompactionFailure) in
                isTold.wait()
                isTold.signal()
                return Ledger.summarize(journal)
            }, report: { reports.note($0) })
        let bench = try WriterBench(durability, compaction: plan)
        bench.disk.fail("syncDirectory", .error(EIO))
        for _ in 0..<9 { bench.append(payload) }
        try bench.events.wait(for: .durable(upTo: 10))
        isTold.signal()
        guard case .failed = try reports.next() else { return }
        let error = SystemError(
            call: "syncDirectory", path: bench.store.directory(of: bench.sample.header.tripID), code: EIO)
        try bench.events.wait(for: .failed(.readOnly(error)))
        let acknowledged = bench.sample.records
        bench.append(payload)
        try bench.events.wait(for: .failed(.readOnly(error)))
        for crash in SimulatedDisk.Crash.allCases {
            let journal = try #require(try opened(bench, on: bench.disk.afterCrash(crash)))
            #expect(Ledger.records(of: journal) == acknowledged)
        }
    }

    @Test func `a draft that reads back differently does not replace the journal`() throws {
        let reports = CompactionLog()
        // The state that is read from the draft differs from the written one.
        let plan = CompactionPlan(
            floor: 1000,
            summarize: { journal in Ledger.snapshot(of: Ledger.records(of: journal).dropFirst()) },
            report: { reports.note($0) })
        let bench = try WriterBench(compaction: plan)
        for _ in 0..<9 { bench.append(payload) }
        try bench.events.wait(for: .durable(upTo: 10))
        let trip = bench.sample.header.tripID
        guard case .failed(trip, .damaged) = try reports.next() else {
            Issue.record("it is compacted")
            return
        }
        #expect(JournalScanner.scan(bench.disk[bench.path] ?? []).contents?.snapshot == nil)
        #expect(bench.disk.names(in: bench.store.directory(of: trip)) == ["journal"])
    }

    @Test(arguments: [true, false])
    func `a draft that is on disk otherwise than written does not replace the journal`(isLonger: Bool) throws
    {
        let reports = CompactionLog()
        var plan = Ledger.plan(floor: 1000, reports)
        // Only the first draft is decoded.
        plan.decodingInterval = 1000
        let bench = try WriterBench(compaction: plan)
        let disk = bench.disk
        func appendUntilReport() throws -> CompactionReport {
            // On a busy machine the thread that compacts may wait for long, and later compactions are due at larger sizes.
            for _ in 0..<10_000 where reports.all.count == count {
                bench.append(payload)
                try bench.events.wait(for: .durable(upTo: bench.sample.records.count))
            }
            count += 1
            return try reports.next()
        }
        var count = 0
        guard case .compacted = try appendUntilReport() else {
            Issue.record("the first one")
            return
        }
        disk.onCall { entry in
            guard entry.name == "read", entry.path.hasSuffix("journal.new"), var bytes = disk[entry.path]
            else {
                return
            }
            if isLonger { bytes.append(.newline) } else { bytes[bytes.count / 2] ^= 1 }
            disk.spoil(bytes, at: entry.path)
        }
        let trip = bench.sample.header.tripID
        var report = try appendUntilReport()
        // On a busy machine the next compaction may have read its draft before it was spoiled.
        if case .compacted = report { report = try appendUntilReport() }
        guard case .failed(trip, .damaged) = report else {
            Issue.record("it is compacted")
            return
        }
        let journal = try #require(try opened(bench, on: disk.afterCrash(.losesUnsynced)))
        #expect(Ledger.records(of: journal) == bench.sample.records)
        #expect(disk.names(in: bench.store.directory(of: trip)) == ["journal"])
    }

    @Test func `the first draft and then one of each interval is decoded, a refused one again`() throws {
        let reports = CompactionLog()
        let decoded = Guarded([Int]())
        var plan = Ledger.plan(floor: 1000, reports)
        plan.growth = 1
        plan.decodingInterval = 3
        plan.summarize = { journal in
            decoded.withLock { $0.append(reports.all.count) }
            let records = Ledger.records(of: journal)
            return Ledger.snapshot(of: reports.all.isEmpty ? records.dropFirst() : records[...])
        }
        let bench = try WriterBench(compaction: plan)
        for _ in 0..<6 {
            for _ in 0..<12 { bench.append(payload) }
            _ = try reports.next()
        }
        let isCompacted = reports.all.map { if case .compacted = $0 { true } else { false } }
        #expect(isCompacted.prefix(6) == [false, true, true, true, true, true])
        #expect(decoded.withLock { $0.prefix(3) } == [0, 1, 4])
    }

    @Test func `a compaction is cancelled when its trip is closed or deleted`() throws {
        for isDeletion in [false, true] {
            let reports = CompactionLog()
            let bench = try WriterBench(compaction: Ledger.plan(floor: 1000, reports))
            let gate = Gate(bench.disk, at: "sync")
            for _ in 0..<9 { bench.append(payload) }
            try gate.waitUntilEntered()
            try bench.events.wait(for: .durable(upTo: 10))
            let isDone = DispatchSemaphore(value: 0)
            let trip = bench.sample.header.tripID
            if isDeletion {
                bench.writer.delete(
                    trip, at: bench.sample.encoder.checkpoint, now: Timestamp(milliseconds: 0)
                ) { _ in isDone.signal() }
            } else {
                bench.writer.detach(trip) { _ in isDone.signal() }
            }
            try isDone.waitOrFail()
            gate.open()
            bench.writer.close()
            #expect(reports.all.isEmpty)
            #expect(bench.writer.statistics.compactions == 0)
            if isDeletion {
                #expect(try JournalStore(fileSystem: bench.disk, directory: "/data").listTrips() == [])
            } else {
                let journal = try #require(try opened(bench))
                #expect(journal.records == bench.sample.records && journal.snapshot == nil)
                #expect(bench.disk.names(in: bench.store.directory(of: trip)) == ["journal"])
            }
        }
    }

    @Test func `leftovers of a compaction are removed when the trip is opened`() throws {
        let bench = try WriterBench()
        bench.writer.close()
        let directory = bench.store.directory(of: bench.sample.header.tripID)
        for name in ["journal.new", "journal.tmp"] { bench.disk.put([1, 2], at: directory + "/" + name) }
        _ = try #require(try opened(bench))
        #expect(bench.disk.names(in: directory) == ["journal"])
    }
}
