import Dispatch
import LocalSystem
import SimulatedSystem
import Synchronization
import Testing
import TripModel

@testable import TripJournal

/// What other trips' commits need not wait for.
@Suite struct WriterOrderTests {
    private static func sample(_ number: UInt64) -> JournalSample {
        JournalSample(trip: TripID(high: 7, low: number), payloads: ["{}"])
    }

    @Test
    func `records are durable before commands of other trips that take long, and after those of their trip`()
        throws
    {
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let writer = JournalWriter(stepping: store, durability: .sync, now: { 0 })
        var samples = (1...4).map { Self.sample($0) }
        func create(_ index: Int) {
            writer.create(samples[index].header, first: samples[index].encoded[0]) {
                disk.note("\(index): \($0)")
            } completion: { _ in
                disk.note("\(index) created")
            }
        }
        func append(_ index: Int) {
            writer.append(samples[index].add("{}"), to: samples[index].header.tripID)
        }
        create(0)
        _ = writer.step()

        create(1)
        append(1)
        create(2)
        append(0)
        writer.detach(samples[1].header.tripID) { _ in disk.note("1 closed") }
        append(1)
        writer.delete(
            samples[0].header.tripID, at: samples[0].encoder.checkpoint, now: Timestamp(milliseconds: 0)
        ) {
            _ in disk.note("0 deleted")
        }
        append(0)
        _ = writer.step()
        // In another batch, beside commands that still wait.
        append(2)
        create(3)
        append(2)
        writer.close()
        while writer.step() {}
        let notes = disk.log.map(\.name).filter { $0.first?.isNumber == true }
        #expect(
            notes == [
                "0 created", "0: durable(upTo: 2)", "1 created", "1: durable(upTo: 2)", "2 created",
                "2: durable(upTo: 3)", "0 deleted", "1 closed", "3 created",
            ])
        #expect(writer.pendingByteCount == 0)
    }

    @Test(arguments: 1...9)
    func `files are synced at the same time, and each failure is that of its file`(count: Int) throws {
        let disk = SimulatedDisk()
        var files: [ActiveJournal.File] = []
        for number in 0..<count {
            disk.put([1], at: "/\(number)")
            files.append(try ActiveJournal.File("/\(number)", in: disk))
        }
        // The first sync ends after another one has begun.
        let begun = Atomic(0)
        let bell = DispatchSemaphore(value: 0)
        disk.onCall { entry in
            guard entry.name == "syncData", count > 1 else { return }
            switch begun.add(1, ordering: .relaxed).newValue {
            case 1: #expect(bell.wait(timeout: .now() + .seconds(300)) == .success)
            case 2: bell.signal()
            default: break
            }
        }
        let broken = [0, 3, 8]
        for number in broken { disk.fail("syncData", .error(Int32(number + 1)), on: "/\(number)") }
        let threads = SyncThreads()
        func failures() -> [Int32?] {
            var failures = [Int32?](repeating: nil, count: count)
            SyncThreads.syncData(files, on: threads) { failures[$0] = $1?.code }
            return failures
        }
        #expect(failures() == (0..<count).map { broken.contains($0) ? Int32($0 + 1) : nil })
        #expect(failures().allSatisfy { $0 == nil })
        #expect(disk.count("syncData") == 2 * count)
        threads.close()
    }

    @Test func `a small change is synced and reported before the large ones of other trips are synced`()
        throws
    {
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let writer = JournalWriter(stepping: store, durability: .sync, now: { 0 })
        var samples = (1...3).map { Self.sample($0) }
        for (index, sample) in samples.enumerated() {
            writer.create(sample.header, first: sample.encoded[0]) {
                disk.note("\(index): \($0)")
            } completion: { _ in
            }
        }
        for _ in 0..<3 { _ = writer.step() }
        let before = disk.log.count
        for (index, size) in [3000, 10, 500].enumerated() {
            let text = "\"\(String(repeating: "x", count: size))\""
            writer.append(samples[index].add("{\"a\":\(text)}"), to: samples[index].header.tripID)
        }
        _ = writer.step()
        let steps = disk.log.dropFirst(before).map(\.name).filter {
            $0 == "syncData" || $0.contains("durable")
        }
        #expect(
            steps == [
                "syncData", "1: durable(upTo: 2)", "syncData", "2: durable(upTo: 2)", "syncData",
                "0: durable(upTo: 2)",
            ])
        writer.close()
        while writer.step() {}
    }
}
