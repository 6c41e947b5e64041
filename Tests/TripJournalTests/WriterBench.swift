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

/// Stops the caller of a disk's calls of one name, the first time, until it is let go.
struct Gate: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    init(_ disk: SimulatedDisk, at name: String) {
        let isFirst = Once()
        disk.onCall { [entered, opened] entry in
            guard entry.name == name, isFirst.take() else { return }
            entered.signal()
            // A test that failed never opens; its writer must come to an end all the same.
            _ = opened.wait(timeout: .now() + .seconds(20))
        }
    }

    func waitUntilEntered() throws { try entered.waitOrFail() }
    func open() { opened.signal() }
}

private final class Once: Sendable {
    private let isTaken = Atomic(false)
    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
