import Dispatch
import LocalSystem
import SimulatedSystem
import Synchronization

@testable import TripJournal

/// A writer on a simulated disk with one trip, created.
struct WriterBench {
    let disk: SimulatedDisk
    let store: JournalStore
    let writer: JournalWriter
    let events = EventLog()
    var sample = JournalSample(payloads: [#"{"trip":"whole"}"#])
    var path: String { store.journal(of: sample.header.tripID) }

    init(
        _ durability: Durability = .sync, disk: SimulatedDisk = SimulatedDisk(),
        compaction: CompactionPlan? = nil, compactsInline: Bool = false
    ) throws {
        self.disk = disk
        store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        writer = try JournalWriter(
            store: store, durability: durability, compaction: compaction, compactsInline: compactsInline)
        let created = DispatchSemaphore(value: 0)
        writer.create(sample.header, first: sample.encoded[0], sink: events.note) { _ in created.signal() }
        try created.waitOrFail()
    }

    /// Encodes the next version's record and appends it.
    mutating func append(_ payload: String = "{}") {
        writer.append(sample.add(payload), to: sample.header.tripID)
    }

    /// What a power cut would leave of the journal now.
    func scanAfterPowerCut() -> JournalContents? {
        disk.afterCrash(.losesUnsynced)[path].flatMap { JournalScanner.scan($0).contents }
    }
}
