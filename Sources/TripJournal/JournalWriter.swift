import LocalSystem
import Synchronization
import TripModel

/// Writes the journals of all trips from a thread of its own, one sync for all commits that wait (group commit). Where
/// durability is relaxed, who appends writes at once, and the thread only syncs.
///
/// A round takes everything that is waiting. Each journal gets one write with all its records and then, unless
/// durability is relaxed, one sync, after which its sink is told. What comes meanwhile makes the next round. Commands
/// about one trip are carried out in the order in which they were given. With nothing to do the thread is blocked.
///
/// All functions may be called from any thread and none but `close` blocks. Sinks and completions are called on the
/// writer's thread, or on that of who appends: they hand over and return.
package final class JournalWriter: Sendable {
    /// What the writer has done since it was made.
    package struct Statistics: Equatable, Sendable {
        /// Records reported durable, the first ones of new trips included.
        package internal(set) var commits = 0
        /// Syncs of journals that had something to sync; those of creation and deletion are not counted.
        package internal(set) var syncs = 0
        /// What these syncs took, in nanoseconds.
        package internal(set) var syncNanoseconds: Int64 = 0
        /// Journals that were put in place of larger ones.
        package internal(set) var compactions = 0
        /// When the last of them was put in place, in milliseconds since 1970; nil where there was none.
        package internal(set) var lastCompaction: Int64?
        /// Bytes written to journals.
        package internal(set) var bytes = 0
    }

    /// Hears what becomes of a journal, on the writer's thread.
    package typealias Sink = @Sendable (JournalEvent) -> Void
    /// Hears how a command ended, on the writer's thread.
    package typealias Completion = @Sendable (Result<Void, JournalStoreError>) -> Void

    /// What the writer promises by "durable".
    package let durability: Durability
    private let inbox: WriterInbox
    /// Whether who appends writes.
    private let writesAtOnce: Bool
    private let counters: WriterCounters
    private let thread: Mutex<WorkerThread?>
    private let work: WriterWork

    /// A writer with its thread running; throws when the system gives it none.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue that it keeps from now on; without one, names are not kept.
    ///   - compaction: how journals are kept small; nil to let them grow.
    ///   - compactsInline: whether that happens between two rounds rather than beside them: slower, and always the
    ///     same.
    package init(
        store: JournalStore, durability: Durability, catalogue: Catalogue? = nil,
        lineage: Lineage = Lineage(), compaction: CompactionPlan? = nil, compactsInline: Bool = false
    ) throws(SystemError) {
        self.durability = durability
        writesAtOnce = durability == .relaxed
        let counters = WriterCounters()
        self.counters = counters
        let inbox = WriterInbox()
        self.inbox = inbox
        let work = WriterWork(
            WriterLoop(
                store: store, durability: durability, catalogue: catalogue, lineage: lineage, inbox: inbox,
                counters: counters,
                now: { MonotonicClock.nowNanoseconds }, compaction: compaction, compactsInline: compactsInline
            ))
        self.work = work
        thread = Mutex(try WorkerThread { work.run(inbox) })
    }

    /// A writer without a thread: it works in `step`, and who steps it decides when.
    ///
    /// - Parameters:
    ///   - writesAtOnce: whether who appends writes, where durability is relaxed; else all is left to the steps.
    ///   - now: monotonic time, in nanoseconds.
    package init(
        stepping store: JournalStore, durability: Durability, catalogue: Catalogue? = nil,
        lineage: Lineage = Lineage(), compaction: CompactionPlan? = nil, writesAtOnce: Bool = false,
        now: @escaping @Sendable () -> Int64
    ) {
        self.durability = durability
        self.writesAtOnce = writesAtOnce && durability == .relaxed
        inbox = WriterInbox(isStepped: true)
        counters = WriterCounters()
        thread = Mutex(nil)
        work = WriterWork(
            WriterLoop(
                store: store, durability: durability, catalogue: catalogue, lineage: lineage, inbox: inbox,
                counters: counters,
                now: now, compaction: compaction, compactsInline: true))
    }

    deinit { close() }

    /// Counters up to the last finished round.
    package var statistics: Statistics { counters.values.withLock { $0 } }

    /// Bytes of records that were given to the writer and whose fate is not told yet.
    package var pendingByteCount: Int { inbox.byteCount }

    /// Makes an opened journal ready for appending; `sink` hears of everything appended from now on.
    package func attach(_ journal: OpenedJournal, sink: @escaping Sink) {
        _ = inbox.put(.attach(journal, sink: sink))
    }

    /// Makes a trip's journal with its first record, synced in every durability, and attaches it.
    ///
    /// More may be appended at once: if the creation fails, that is dropped without an event.
    package func create(
        _ header: JournalHeader, first: EncodedRecords, sink: @escaping Sink, completion: @escaping Completion
    ) {
        let command = WriterInbox.Command.create(header, first: first, sink: sink, completion: completion)
        if !inbox.put(command) { completion(.failure(.closed)) }
    }

    /// Appends records, in the order of their encoding, to an attached journal. Their fate is told to the journal's sink.
    ///
    /// Dropped without an event where the trip has been deleted.
    ///
    /// - Returns: false after `close`: none is taken, and no event follows.
    @discardableResult
    package func append(_ records: EncodedRecords, to trip: TripID) -> Bool {
        inbox.put(.append(records, trip))
    }

    /// Appends records of any trips, as one call each would, with at most one wake of the writer's thread; in relaxed
    /// durability with none, where nothing else is to be done: then they are written on the caller's thread.
    ///
    /// - Returns: false after `close`: none is taken, and no event follows.
    package func append(_ round: [(records: EncodedRecords, trip: TripID)]) -> Bool {
        var commands = round.map { WriterInbox.Command.append($0.records, $0.trip) }
        if writesAtOnce, work.loop.withLockIfAvailable({ $0.writeAtOnce(&commands) }) == true {
            return true
        }
        return inbox.put(commands)
    }

    /// Deletes an attached trip with all its files. What was appended before is written and told of first.
    ///
    /// - Parameter place: the place after the last record that was appended. Where the journal does not come to
    ///   stand there, because that record failed, the deletion is `superseded`.
    package func delete(_ trip: TripID, at place: JournalCheckpoint, completion: @escaping Completion) {
        if !inbox.put(.delete(trip, at: place, completion: completion)) { completion(.failure(.closed)) }
    }

    /// Replaces an attached journal by a smaller one that begins with the trip's state, in answer to `JournalEvent.grown`.
    ///
    /// - Parameters:
    ///   - place: the place after the last record that was appended, which leads to the state. If the journal does not come
    ///     to stand there, because that record failed, nothing happens.
    ///   - state: called on the compaction thread.
    package func compact(_ trip: TripID, at place: JournalCheckpoint, _ state: @escaping CompactedState) {
        _ = inbox.put(.compact(trip, at: place, state))
    }

    /// Notes in the catalogue which slugs a trip may have from now on; none where it came to nothing.
    ///
    /// A slug that is new is on the disk before anything that is given to the writer later. Where that fails, the
    /// trip's creation, or what is appended to it, fails too.
    package func name(_ trip: TripID, _ slugs: Set<String>) {
        _ = inbox.put(.name(trip, slugs))
    }

    /// Notes in the catalogue what was found of a trip that nobody writes to.
    package func note(_ trip: TripID, _ entry: CatalogueEntry) {
        _ = inbox.put(.note(trip, entry))
    }

    /// Finishes what was appended to a journal, syncs it and closes it; it can be opened and attached again.
    ///
    /// - Parameters:
    ///   - content: what the catalogue is to tell of the trip, as of the last record.
    ///   - completion: told what the catalogue knows then.
    package func detach(
        _ trip: TripID, _ content: TripContent? = nil,
        completion: @escaping @Sendable (CatalogueEntry?) -> Void
    ) {
        if !inbox.put(.detach(trip, content, completion: completion)) { completion(nil) }
    }

    /// Does what there is to do now on the calling thread; returns false once the writer is closed and has finished.
    package func step() -> Bool { work.loop.withLock { $0.step() } }

    /// Finishes everything that was given to the writer, syncs and seals the journals, and ends the thread. Blocks
    /// until then; a second call does nothing. Never from a sink or a completion. Without a thread, it is left to
    /// the steps that follow.
    package func close() {
        inbox.close()
        let thread = thread.withLock { $0.take() }
        thread?.join()
    }
}

/// The writer's work, where its thread and those who write at once take turns.
private final class WriterWork: Sendable {
    let loop: Guarded<WriterLoop>

    init(_ loop: sending WriterLoop) { self.loop = Guarded(loop) }

    /// Works until the inbox is closed and empty.
    func run(_ inbox: WriterInbox) {
        var commands: [WriterInbox.Command] = []
        var deadline: Int64?
        var goesOn = true
        while goesOn {
            let wake = inbox.take(&commands, until: deadline)
            loop.withLock { loop in
                goesOn = loop.perform(wake, &commands)
                deadline = loop.syncDeadline
            }
        }
    }
}

/// The statistics where the writer's thread and others meet.
final class WriterCounters: Sendable {
    let values = Guarded(JournalWriter.Statistics())
}
