import LocalSystem
import SimulatedSystem
import TripJournal
import TripServer

/// One life of the daemon: the real server, trips and journals on a stepped loop, a stepped writer and a simulated
/// disk.
final class SimulatedDaemon {
    let disk: SimulatedDisk
    let kernel: SimulatedKernel
    let loop: EventLoop
    let core: DaemonCore
    private let reading = WorkQueue.stepped()
    private let hasStopped = Flag()
    private(set) var isWriterDone = false

    /// Reads what is on the disk and serves it.
    init(
        on disk: SimulatedDisk, _ scenario: Scenario, clock: SimulatedClock, seed: UInt64, life: Int,
        powerCuts: Int,
        log: @escaping @Sendable (LogLine) -> Void
    ) throws(SystemError) {
        self.disk = disk
        kernel = SimulatedKernel(clock: clock, disk: disk, seed: seed)
        loop = EventLoop(on: kernel)
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let hasStopped = hasStopped
        var configuration = ServerConfiguration(
            durability: scenario.durability, account: "account", userID: 0, processID: 1,
            wallClock: { clock.wallMilliseconds }, log: log,
            whenStopped: { hasStopped.raise() })
        // Trips are closed and opened again while the clients go on.
        configuration.idleTime = .milliseconds(300)
        configuration.openTrips = 2
        if scenario.hasStorm || scenario.weight != .light {
            // What takes long to read is not read again and again.
            configuration.idleTime = .seconds(60)
            configuration.openTrips = 8
        }
        // In one run of eight workers read and make changes, make trips and encode them.
        if seed % 8 == 5 {
            (configuration.longLine, configuration.longDraft) = (150, 1)
            (configuration.longChange, configuration.longState) = (12, 2)
        }
        configuration.machineStart = "start-\(powerCuts)"
        // Of one length and known, so that the bytes of a run are its seed's.
        configuration.dragPrefix = "life\(1000 + life)"
        // Small enough for the trips of a simulation to be compacted a few times.
        var compaction = CompactionPlan.ofTrips(floor: 6_000, log: log)
        compaction.wallClock = { clock.wallMilliseconds }
        let read = compaction.summarize
        compaction.summarize = { (draft) throws(CompactionFailure) in
            // The steps of the writer are the only ones that write: the journal still ends where the draft's state does.
            let state = try read(draft)
            let journal = JournalScanner.scan(disk[store.journal(of: draft.header.tripID)] ?? [])
            guard let contents = journal.contents, contents.checkpoint == draft.checkpoint,
                try read(OpenedJournal(contents, in: disk[store.journal(of: draft.header.tripID)] ?? []))
                    == state
            else { throw .damaged("the records lead to another state than the draft's") }
            return state
        }
        core = try DaemonCore(
            store: store, loop: loop, configuration: configuration, reading: reading,
            makeWriter: { catalogue, lineage in
                JournalWriter(
                    stepping: store, durability: scenario.durability, catalogue: catalogue,
                    lineage: lineage,
                    compaction: compaction,
                    // As a daemon does; and in every other run later, as where something else is to be done first.
                    writesAtOnce: seed.isMultiple(of: 2), now: { clock.nanoseconds })
            })
        try core.server.listen(on: SimulatedListener(kernel))
        round()
    }

    /// The server has nothing more to say to anybody.
    var isDrained: Bool { hasStopped.isRaised }

    /// Whether the process has no descriptor left, for a connection or a file.
    func setOutOfDescriptors(_ isOut: Bool) {
        kernel.setOutOfDescriptors(isOut)
        disk.setOutOfDescriptors(isOut)
    }

    /// One round of the event loop.
    func round() { _ = loop.step() }

    /// One round of the journals' writer, and one trip or one long line read, or a trip made.
    func write() {
        _ = reading.step()
        isWriterDone = !core.writer.step()
    }

    /// Asks the server to end as SIGTERM does.
    func askToStop() {
        let server = core.server
        loop.execute { server.enter { $0.stop() } }
    }

    /// The process is gone, in good order or not.
    func end() {
        core.fallSilent()
        loop.abandon()
    }
}

/// Something that is so or not, for any thread.
final class Flag: Sendable {
    private let value = Guarded(false)

    var isRaised: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }

    func lower() { value.withLock { $0 = false } }
}
