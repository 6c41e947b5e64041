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

@Suite struct JournalWriterFaultTests {
    @Test(arguments: [[], [1], [10], [10, 10, 1]])
    func `a full disk rolls the batch back, and the next attempt succeeds`(shortWrites: [Int]) throws {
        let bench = try WriterBench()
        bench.append()
        #expect(try bench.events.next() == .durable(upTo: 2))
        let before = try #require(bench.disk[bench.path])
        let good = bench.sample
        for code in [ENOSPC, EDQUOT, EFBIG] {
            for count in shortWrites { bench.disk.fail("write", .short(count)) }
            bench.disk.fail("write", .error(code))
            bench.append()
            let error = SystemError(call: "write", path: bench.path, code: code)
            #expect(try bench.events.next() == .failed(.full(error, resumeFrom: good.encoder.checkpoint)))
            #expect(bench.disk[bench.path] == before)
            #expect(bench.disk.afterCrash(.losesUnsynced)[bench.path] == before, "permanently rolled back")
            bench.sample = good
        }
        bench.append()
        #expect(try bench.events.next() == .durable(upTo: 3))
        bench.writer.close()
        #expect(JournalScanner.scan(try #require(bench.disk[bench.path])).contents?.entries.count == 3)
    }

    @Test func `a full disk that wrote nothing needs no truncation`()
        throws
    {
        let bench = try WriterBench()
        let good = bench.sample
        for call in ["write", "truncate", "sync"] { bench.disk.fail(call, .error(EDQUOT)) }
        bench.append()
        let error = SystemError(call: "write", path: bench.path, code: EDQUOT)
        #expect(try bench.events.next() == .failed(.full(error, resumeFrom: good.encoder.checkpoint)))
        bench.sample = good
        bench.append()
        #expect(try bench.events.next() == .durable(upTo: 2))
    }

    @Test func `a broken journal stays broken after it is detached and attached again`() throws {
        let bench = try WriterBench()
        let trip = bench.sample.header.tripID
        bench.disk.fail("syncData", .error(EIO))
        bench.append()
        guard case .failed(.outcomeUnknown) = try bench.events.next() else {
            Issue.record("the sync fails")
            return
        }
        let detached = DispatchSemaphore(value: 0)
        bench.writer.detach(trip) { _ in detached.signal() }
        try detached.waitOrFail()
        guard case .opened(let journal) = try bench.store.open(trip, freshEpoch: { "no" }) else {
            Issue.record("it opens")
            return
        }
        bench.writer.attach(journal, sink: bench.events.note)
        var encoder = JournalEncoder(resuming: journal.checkpoint)
        bench.writer.append(
            try encoder.encode(version: journal.checkpoint.version + 1, payload: [UInt8(ascii: "1")]),
            to: trip)
        guard case .failed(.readOnly) = try bench.events.next() else {
            Issue.record("nothing is taken until a restart")
            return
        }
        let deletion = Guarded<Result<Void, JournalStoreError>?>(nil)
        let deleted = DispatchSemaphore(value: 0)
        bench.writer.delete(trip, at: journal.checkpoint, now: Timestamp(milliseconds: 0)) { result in
            deletion.withLock { $0 = result }
            deleted.signal()
        }
        try deleted.waitOrFail()
        guard case .failure(.unchanged)? = deletion.withLock({ $0 }) else {
            Issue.record("a deletion has an answer, too")
            return
        }
    }

    @Test func `a short write that continues is not a failure`() throws {
        let bench = try WriterBench()
        for count in [1, 7, 20] { bench.disk.fail("write", .short(count)) }
        bench.append()
        #expect(try bench.events.next() == .durable(upTo: 2))
        #expect(bench.disk.count("write") == 5)
        #expect(bench.scanAfterPowerCut()?.checkpoint.version == 2)
    }

    @Test func `records appended before their owner knew of the failure are dropped`() throws {
        let bench = try WriterBench()
        let good = bench.sample
        bench.disk.fail("write", .error(ENOSPC))
        let gate = Gate(bench.disk, at: "write")
        bench.append("[1]")
        try gate.waitUntilEntered()
        bench.append("[2]")
        bench.append("[3]")
        gate.open()
        guard case .failed(.full(_, let checkpoint)) = try bench.events.next() else {
            Issue.record("it fails")
            return
        }
        #expect(checkpoint == good.encoder.checkpoint)
        bench.sample = good
        bench.append("[4]")
        bench.append("[5]")
        try bench.events.wait(for: .durable(upTo: 3))
        bench.writer.close()
        let bytes = try #require(bench.disk[bench.path])
        #expect(JournalScanner.scan(bytes).contents?.records(in: bytes) == bench.sample.records)
        #expect(bench.events.all.count { if case .failed = $0 { true } else { false } } == 1)
    }

    @Test func `a failed sync is not retried, and nothing more is written`() throws {
        let bench = try WriterBench()
        bench.disk.fail("syncData", .error(EIO))
        bench.append()
        let error = SystemError(call: "syncData", path: bench.path, code: EIO)
        #expect(try bench.events.next() == .failed(.outcomeUnknown(error, upTo: 2)))
        let writes = bench.disk.count("write")
        for _ in 0..<3 {
            bench.append()
            #expect(try bench.events.next() == .failed(.readOnly(error)))
        }
        bench.writer.close()
        #expect(bench.disk.count("syncData") == 1)
        #expect(bench.disk.count("write") == writes, "not even a seal")
        #expect(bench.disk.openCount == 0)
    }

    /// The next daemon takes a closed journal for synced, and writes that into its marks.
    @Test func `a journal whose mark cannot be synced at the end is closed without the mark`() throws {
        let bench = try WriterBench()
        bench.append()
        #expect(try bench.events.next() == .durable(upTo: 2))
        let synced = try #require(bench.disk[bench.path])
        bench.disk.fail("syncData", .error(EIO))
        bench.writer.close()
        #expect(bench.disk.count("syncData") == 2)
        #expect(bench.disk[bench.path] == synced)
        #expect(bench.disk.openCount == 0)
    }

    @Test func `relaxed: a failed sync makes the trip read-only`() throws {
        let bench = try WriterBench(.relaxed)
        bench.disk.fail("syncData", .error(EIO))
        bench.append()
        let error = SystemError(call: "syncData", path: bench.path, code: EIO)
        try bench.events.wait(for: .failed(.outcomeUnknown(error, upTo: 2)))
        #expect(bench.events.all.first == .durable(upTo: 2))
        bench.append()
        try bench.events.wait(for: .failed(.readOnly(error)))
        #expect(bench.disk.count("syncData") == 1)
    }

    @Test func `other trips continue when one has failed`() throws {
        let bench = try WriterBench()
        var other = JournalSample(trip: JournalSample.otherTripID, payloads: ["{}"])
        let events = EventLog()
        bench.writer.create(other.header, first: other.encoded[0], sink: events.note) { _ in }
        bench.disk.fail("syncData", .error(EIO))
        bench.append()
        _ = try bench.events.next()
        bench.writer.append(other.add("{}"), to: other.header.tripID)
        #expect(try events.next() == .durable(upTo: 2))
    }

    @Test func `an unexpected write failure leaves the outcome unknown`() throws {
        for (call, code) in [("write", EIO), ("truncate", EIO), ("sync", EIO)] {
            let bench = try WriterBench()
            bench.disk.fail("write", .short(5))
            if call != "write" { bench.disk.fail("write", .error(ENOSPC)) }
            bench.disk.fail(call, .error(code))
            bench.append()
            let error = SystemError(call: call, path: bench.path, code: code)
            #expect(try bench.events.next() == .failed(.outcomeUnknown(error, upTo: 2)))
            bench.append()
            #expect(try bench.events.next() == .failed(.readOnly(error)))
        }
    }

    @Test func `a lack of descriptors does not break a journal`() throws {
        let bench = try WriterBench()
        let good = bench.sample
        bench.disk.fail("open", .error(EMFILE))
        bench.append()
        let error = SystemError(call: "open", path: bench.path, code: EMFILE)
        #expect(try bench.events.next() == .failed(.full(error, resumeFrom: good.encoder.checkpoint)))
        bench.sample = good
        bench.append()
        #expect(try bench.events.next() == .durable(upTo: 2))
    }

    @Test func `a journal that another program has changed is not written to`() throws {
        let bench = try WriterBench()
        bench.disk.put(bench.sample.bytes + [.newline], at: bench.path)
        bench.append()
        let error = SystemError(call: "open", path: bench.path, code: ESTALE)
        #expect(try bench.events.next() == .failed(.readOnly(error)))
        #expect(
            bench.disk[bench.path] == bench.sample.bytes.dropLast(bench.sample.encoded[1].bytes.count) + [
                .newline
            ])
    }

    @Test func `records appended to a trip whose creation fails are dropped`() throws {
        let bench = try WriterBench()
        var other = JournalSample(trip: JournalSample.otherTripID, payloads: ["{}"])
        bench.disk.fail("makeDirectory", .error(ENOSPC))
        let results = DispatchSemaphore(value: 0)
        let events = EventLog()
        bench.writer.create(other.header, first: other.encoded[0], sink: events.note) { result in
            if case .failure(.unchanged) = result { results.signal() }
        }
        bench.writer.append(other.add("{}"), to: other.header.tripID)
        try results.waitOrFail()
        bench.writer.close()
        #expect(events.all.isEmpty)
        #expect(try bench.store.listTrips() == [bench.sample.header.tripID])
    }

    /// A batch of six records in five sectors, then a batch of one record, with a power failure at every call.
    @Test func `a stop and a crash at any call lose nothing that was acknowledged`() throws {
        var count = 0
        var checks = 0
        var isComplete = false
        while !isComplete {
            let disk = SimulatedDisk()
            let store = JournalStore(fileSystem: disk, directory: "/data")
            try store.prepare()
            let writer = try JournalWriter(store: store, durability: .sync)
            var sample = JournalSample(payloads: ["{}"])
            let trip = sample.header.tripID
            let events = EventLog()
            let isAppended = DispatchSemaphore(value: 0)
            let isCreated = DispatchSemaphore(value: 0)
            disk.stop(after: count)
            writer.create(sample.header, first: sample.encoded[0], sink: events.note) { result in
                // Records that are appended while the writer is held here form one batch.
                isAppended.wait()
                if case .success = result { isCreated.signal() }
            }
            for number in 0..<6 {
                writer.append(sample.add("[" + String(repeating: "\(number)", count: 400) + "]"), to: trip)
            }
            isAppended.signal()
            writer.close()
            let created = isCreated.wait(timeout: .now()) == .success
            isComplete =
                disk.openCount == 0 && created && events.all == [.durable(upTo: 7)]
                && JournalScanner.scan(disk[store.journal(of: trip)] ?? []).contents?.syncedEnd ?? 0 > 2400
            var acknowledged = created ? 1 : 0
            for case .durable(let version) in events.all { acknowledged = version }
            for crash in SimulatedDisk.Crash.allCases {
                checks += 1
                let later = JournalStore(fileSystem: disk.afterCrash(crash), directory: "/data")
                try later.prepare()
                if try later.listTrips().isEmpty {
                    #expect(acknowledged == 0)
                    continue
                }
                guard case .opened(let journal) = try later.open(trip, freshEpoch: { "epoch-2" }) else {
                    Issue.record("\(crash) at call \(count) made the trip unusable")
                    continue
                }
                #expect(journal.records.count >= acknowledged, "\(crash) at call \(count)")
                #expect(journal.records == Array(sample.records.prefix(journal.records.count)))
            }
            count += 1
        }
        #expect(checks > 80)
    }
}
