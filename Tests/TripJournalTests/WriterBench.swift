import Dispatch
import LocalSystem
import SimulatedSystem
import Synchronization

@testable import TripJournal

/// A writer on a simulated disk with one new trip. The trip's owner answers `grown` with its state.
final class WriterBench: Sendable {
    let disk: SimulatedDisk
    let store: JournalStore
    let writer: JournalWriter
    let events = EventLog()
    private let owned = Guarded(JournalSample(payloads: [#"{"trip":"whole"}"#]))
    var sample: JournalSample {
        get { owned.withLock { $0 } }
        set { owned.withLock { $0 = newValue } }
    }
    var path: String { store.journal(of: sample.header.tripID) }

    init(
        _ durability: Durability = .sync, disk: SimulatedDisk = SimulatedDisk(),
        compaction: CompactionPlan? = nil, usesOneThread: Bool = false
    ) throws {
        self.disk = disk
        store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        writer = try JournalWriter(
            store: store, durability: durability, compaction: compaction, usesOneThread: usesOneThread)
        let created = DispatchSemaphore(value: 0)
        let owner = DispatchQueue(label: "owner")
        // On its own queue: the writer's thread must not release the bench last, because a thread cannot join itself.
        let sink: JournalWriter.Sink = { [weak self, events] event in
            guard event == .grown else { return events.note(event) }
            owner.async { [weak self] in self?.compact() }
        }
        writer.create(sample.header, first: sample.encoded[0], sink: sink) { _ in created.signal() }
        try created.waitOrFail()
    }

    /// Gives the writer the trip's state under the lock, so that nothing is appended between the state and the request.
    private func compact() {
        owned.withLock { sample in
            let records = sample.records
            writer.compact(sample.header.tripID, at: sample.encoder.checkpoint) {
                Ledger.snapshot(of: records)
            }
        }
    }

    /// Encodes the next version's record and appends it.
    func append(_ payload: String = "{}") {
        owned.withLock { _ = writer.append($0.add(payload), to: $0.header.tripID) }
    }

    /// The journal after a power failure now.
    func scanAfterPowerCut() -> JournalContents? {
        disk.afterCrash(.losesUnsynced)[path].flatMap { JournalScanner.scan($0).contents }
    }
}
