import Dispatch
import LocalSystem
import SimulatedSystem
import Testing
import TripModel

@testable import TripJournal

@Suite struct JournalWriterTests {
    @Test func `commits during a sync share the next write and the next sync`() throws {
        let bench = try WriterBench()
        let gate = Gate(bench.disk, at: "syncData")
        bench.append()
        try gate.waitUntilEntered()
        for _ in 0..<100 { bench.append() }
        #expect(bench.events.all.isEmpty, "the sync has not returned")
        #expect(
            bench.writer.pendingByteCount
                == bench.sample.encoded.dropFirst().reduce(0) { $0 + $1.bytes.count })
        gate.open()
        try bench.events.wait(for: .durable(upTo: 102))
        #expect(bench.events.all == [.durable(upTo: 2), .durable(upTo: 102)])
        #expect(bench.disk.count("syncData") == 2)
        #expect(bench.disk.count("write") == 3, "one for the creation, one a round")
        bench.writer.close()
        #expect(bench.writer.pendingByteCount == 0)
        let statistics = bench.writer.statistics
        #expect(statistics.commits == 102)
        #expect(statistics.syncs == 2)
        #expect(JournalScanner.scan(bench.disk[bench.path] ?? []).contents?.entries.count == 102)
    }

    @Test func `nothing is reported durable that a power failure at that time would lose`() throws {
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let writer = try JournalWriter(store: store, durability: .sync)
        var sample = JournalSample(payloads: ["{}"])
        let path = store.journal(of: sample.header.tripID)
        let events = EventLog()
        let kept = Guarded<[Int]>([])
        @Sendable func versionOnDisk() -> Int {
            disk.afterCrash(.losesUnsynced)[path].flatMap {
                JournalScanner.scan($0).contents?.checkpoint.version
            } ?? 0
        }
        writer.create(
            sample.header, first: sample.encoded[0],
            sink: { event in
                if case .durable(let version) = event {
                    kept.withLock { $0.append(versionOnDisk() - version) }
                }
                events.note(event)
            },
            completion: { _ in kept.withLock { $0.append(versionOnDisk() - 1) } })
        for _ in 0..<50 {
            writer.append(sample.add("{}"), to: sample.header.tripID)
            _ = try events.next()
        }
        writer.close()
        #expect(kept.withLock { $0 } == [Int](repeating: 0, count: 51))
    }

    @Test func `relaxed: reported after the write, and synced soon afterwards`() throws {
        let bench = try WriterBench(.relaxed)
        let gate = Gate(bench.disk, at: "syncData")
        bench.append()
        try bench.events.wait(for: .durable(upTo: 2))
        #expect(bench.disk[bench.path]?.suffix(3) == Array("{}\n".utf8)[...])
        try gate.waitUntilEntered()
        #expect(bench.scanAfterPowerCut()?.checkpoint.version == 1)
        bench.append()
        gate.open()
        try bench.events.wait(for: .durable(upTo: 3))
        bench.writer.close()
        #expect(bench.scanAfterPowerCut()?.checkpoint.version == 3)
    }

    @Test func `a sync mark covers synced bytes only, not just written ones, and none is repeated`() {
        var sample = JournalSample(payloads: ["{}"])
        let created = sample.bytes.count
        let journal = ActiveJournal(
            sample.header, path: "", end: created, checkpoint: sample.encoder.checkpoint, sink: { _ in })
        func write() -> String {
            journal.enqueue(sample.add("{}"))
            var bytes: [UInt8] = []
            guard let batch = journal.takePending(into: &bytes) else { return "" }
            journal.noteWritten(bytes: bytes.count, records: batch.count, batch.end)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(write().hasPrefix("synced \(created) "))
        #expect(!write().contains("synced"))
        journal.noteSynced()
        let synced = journal.end
        #expect(synced > created)
        #expect(write().hasPrefix("synced \(synced) "))
    }

    @Test func `close finishes all records, seals the journal and closes its file`() throws {
        let bench = try WriterBench()
        for _ in 0..<1000 { bench.append() }
        bench.writer.close()
        #expect(bench.events.all.last == .durable(upTo: 1001))
        let bytes = try #require(bench.disk[bench.path])
        guard case .whole(let contents) = JournalScanner.scan(bytes) else {
            Issue.record("the journal is whole")
            return
        }
        #expect(contents.records(in: bytes) == bench.sample.records)
        #expect(
            contents.syncedEnd > (contents.entries.last?.payload.upperBound ?? .max),
            "the seal covers all records")
        #expect(bench.disk.afterCrash(.losesUnsynced)[bench.path] == bytes)
        #expect(bench.disk.openCount == 0)
        bench.writer.close()
        bench.append()
        let closed = Guarded<[JournalStoreError]>([])
        bench.writer.create(
            JournalHeader(tripID: JournalSample.otherTripID, epoch: "e"), first: bench.sample.encoded[0],
            sink: { _ in },
            completion: { if case .failure(let error) = $0 { closed.withLock { $0.append(error) } } })
        bench.writer.delete(
            bench.sample.header.tripID, at: bench.sample.encoder.checkpoint, now: Timestamp(milliseconds: 0)
        ) {
            if case .failure(let error) = $0 { closed.withLock { $0.append(error) } }
        }
        #expect(closed.withLock { $0 } == [.closed, .closed])
        #expect(bench.events.all.last == .durable(upTo: 1001))
    }

    @Test func `a journal continues where an earlier writer left it`() throws {
        let bench = try WriterBench()
        bench.append("[1]")
        bench.writer.close()
        for round in 2...4 {
            let trip = bench.sample.header.tripID
            guard case .opened(let journal) = try bench.store.open(trip, freshEpoch: { "no" }) else {
                Issue.record("it opens")
                return
            }
            #expect(journal.records == bench.sample.records)
            let writer = try JournalWriter(store: bench.store, durability: .sync)
            let events = EventLog()
            writer.attach(journal, sink: events.note)
            #expect(JournalEncoder(resuming: journal.checkpoint) == bench.sample.encoder)
            writer.append(bench.sample.add("[\(round)]"), to: trip)
            #expect(try events.next() == .durable(upTo: round + 1))
        }
    }

    @Test func `records before a deletion are reported first, later ones are dropped`() throws {
        let bench = try WriterBench()
        let trip = bench.sample.header.tripID
        let gate = Gate(bench.disk, at: "write")
        bench.append()
        try gate.waitUntilEntered()
        bench.append()
        bench.append()
        let (disk, events) = (bench.disk, bench.events)
        let deleted = DispatchSemaphore(value: 0)
        bench.writer.delete(trip, at: bench.sample.encoder.checkpoint, now: Timestamp(milliseconds: 0)) { _ in
            disk.note("deleted after \(events.all.count) events")
            deleted.signal()
        }
        bench.append()
        gate.open()
        try deleted.waitOrFail()
        #expect(bench.events.all == [.durable(upTo: 2), .durable(upTo: 4)])
        #expect(try bench.store.listTrips() == [])
        bench.writer.close()
        #expect(bench.events.all == [.durable(upTo: 2), .durable(upTo: 4)])
        #expect(bench.disk.count("deleted after 2 events") == 1)
        #expect(bench.disk.openCount == 0)
    }

    @Test func `a detached journal can be opened and attached again`() throws {
        let bench = try WriterBench()
        bench.append()
        let detached = DispatchSemaphore(value: 0)
        bench.writer.detach(bench.sample.header.tripID) { _ in detached.signal() }
        try detached.waitOrFail()
        #expect(bench.events.all == [.durable(upTo: 2)])
        #expect(bench.disk.openCount == 0)
        let opening = try bench.store.open(bench.sample.header.tripID, freshEpoch: { "no" })
        guard case .opened(let journal) = opening else {
            Issue.record("it opens")
            return
        }
        bench.writer.attach(journal, sink: bench.events.note)
        bench.append()
        try bench.events.wait(for: .durable(upTo: 3))
    }

    @Test(arguments: [Durability.sync, .relaxed])
    func `many trips share few open files, and each is written in time`(durability: Durability) throws {
        let bench = try WriterBench(durability)
        var samples = (0..<200).map { JournalSample(trip: TripID(high: 7, low: $0), payloads: ["{}"]) }
        let logs = samples.map { _ in EventLog() }
        for (sample, log) in zip(samples, logs) {
            bench.writer.create(sample.header, first: sample.encoded[0], sink: log.note) { _ in }
        }
        for version in 2...4 {
            for index in samples.indices {
                bench.writer.append(samples[index].add("{}"), to: samples[index].header.tripID)
            }
            for log in logs { try log.wait(for: .durable(upTo: version)) }
        }
        #expect(bench.disk.openCount <= 2 * WriterLoop.maximumOpenFiles)
        bench.writer.close()
        #expect(bench.disk.openCount == 0)
        for sample in samples {
            let bytes = bench.disk[bench.store.journal(of: sample.header.tripID)] ?? []
            #expect(JournalScanner.scan(bytes).contents?.records(in: bytes) == sample.records)
        }
        #expect(bench.writer.statistics.commits == 801)
    }

    @Test func `several threads can append to their own trips at the same time`() throws {
        let bench = try WriterBench()
        let logs = (0..<4).map { _ in EventLog() }
        do {
            let (writer, disk) = (bench.writer, bench.disk)
            func work(_ index: Int) -> @Sendable () -> Void {
                let log = logs[index]
                return {
                    var sample = JournalSample(trip: TripID(high: 9, low: UInt64(index)), payloads: ["{}"])
                    writer.create(sample.header, first: sample.encoded[0], sink: log.note) { _ in }
                    for _ in 0..<300 { writer.append(sample.add("{}"), to: sample.header.tripID) }
                    disk.note("\(writer.pendingByteCount >= 0)")
                }
            }
            let first = try WorkerThread(work(0))
            let second = try WorkerThread(work(1))
            let third = try WorkerThread(work(2))
            let fourth = try WorkerThread(work(3))
            first.join()
            second.join()
            third.join()
            fourth.join()
        }
        for log in logs { try log.wait(for: .durable(upTo: 301)) }
        bench.writer.close()
        #expect(bench.writer.statistics.commits == 4 * 301 + 1)
    }
}
