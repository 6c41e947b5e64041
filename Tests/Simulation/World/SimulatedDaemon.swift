import LocalSystem
import SimulatedSystem
import TestSupport
import TripJournal
import TripServer

/// One process of the daemon: the real server, trips and journals on a stepped loop and writer and a
/// simulated disk.
final class SimulatedDaemon {
    let disk: SimulatedDisk
    let kernel: SimulatedKernel
    let loop: EventLoop
    let core: DaemonCore
    private let reading = WorkQueue.stepped()
    let longest = LongestStep()
    private let hasStopped = Flag()
    private(set) var isWriterDone = false

    /// Starts with the contents of the disk.
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
        // Trips are closed and opened again while clients are active.
        configuration.idleTime = .milliseconds(300)
        configuration.openTrips = 2
        if scenario.hasStorm || scenario.weight != .light {
            // Large trips are not read again and again.
            configuration.idleTime = .seconds(60)
            configuration.openTrips = 8
        }
        // In every eighth run workers read, create, change and encode trips.
        if seed % 8 == 5 {
            (configuration.longLine, configuration.longDraft) = (150, 1)
            (configuration.longChange, configuration.longState) = (12, 2)
        }
        let (longest, longChange, longState) = (longest, configuration.longChange, configuration.longState)
        configuration.noteStep = { kind, name, units in
            longest.note(name, units, limit: kind == .read ? longState : longChange)
        }
        configuration.bootID = "start-\(powerCuts)"
        // The bytes of a run depend on the seed only.
        let random = Guarded(SplitMix64(seed: seed ^ UInt64(life) << 32))
        configuration.random = RandomSource { random.withLock { $0.next() } }
        configuration.dragPrefix = "life\(1000 + life)"
        // So small that the trips of a simulation are compacted a few times.
        var compaction = CompactionPlan.ofTrips(floor: 6_000, log: log)
        compaction.growth = 4
        compaction.decodingInterval = 1
        compaction.wallClock = { clock.wallMilliseconds }
        let read = compaction.summarize
        compaction.summarize = { (draft) throws(CompactionFailure) in
            // Only the writer's steps write, so the journal still ends at the draft's state.
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
                    // As in the real daemon. In every other run the loop writes later, as if it had other
                    // work first.
                    writesAtOnce: seed.isMultiple(of: 2), now: { clock.nanoseconds })
            })
        try core.server.listen(on: SimulatedListener(kernel))
        round()
    }

    /// Whether the server has sent everything and stopped.
    var isDrained: Bool { hasStopped.isRaised }

    /// Whether nothing is left to do before something arrives or time passes.
    var isQuiet: Bool { loop.isIdle && !kernel.hasEvents && core.writer.isIdle && reading.isIdle }

    /// Whether the process has no descriptors left for connections and files.
    func setOutOfDescriptors(_ isOut: Bool) {
        kernel.setOutOfDescriptors(isOut)
        disk.setOutOfDescriptors(isOut)
    }

    /// Runs one iteration of the event loop.
    func round() { _ = loop.step() }

    /// Throws if a step on the loop was so long that it should have run on a worker.
    func checkSteps() throws {
        guard let excess = longest.excess else { return }
        throw Violation("no step on the loop is long", excess)
    }

    /// Runs one iteration of the journals' writer, and one job of the workers.
    func write() {
        _ = reading.step()
        isWriterDone = !core.writer.step()
    }

    /// Requests a clean shutdown, as SIGTERM does.
    func askToStop() {
        let server = core.server
        loop.execute { server.enter { $0.stop() } }
    }

    /// Ends the process, cleanly or not.
    func end() {
        core.stopReporting()
        loop.abandon()
    }
}

/// The step on the loop that took the most units of `Work`.
final class LongestStep: Sendable {
    private let state = Guarded<(step: (name: String, units: Int)?, excess: String?)>((nil, nil))

    var step: (name: String, units: Int)? { state.withLock { $0.step } }
    /// The first step that reached its limit; nil if none did.
    var excess: String? { state.withLock { $0.excess } }

    /// - Parameter limit: the units from which the step should have run on a worker.
    func note(_ name: StaticString, _ units: Int, limit: Int) {
        state.withLock { state in
            if units > state.step?.units ?? 0 { state.step = ("\(name)", units) }
            if units >= limit, state.excess == nil {
                state.excess = "\(name) took \(units) of \(limit) units"
            }
        }
    }
}

/// A boolean flag for any thread.
final class Flag: Sendable {
    private let value = Guarded(false)

    var isRaised: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }

    func lower() { value.withLock { $0 = false } }
}
