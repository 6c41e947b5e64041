import LocalSystem
import Synchronization
import TripModel

/// Writes the journals of all trips on its own thread, with one sync for all waiting commits (group commit).
/// In relaxed durability the caller of `append` writes at once, and the thread only syncs.
///
/// A batch contains everything that is waiting. Each journal gets one write with all its records and then,
/// unless durability is relaxed, one sync, after which its sink is called. Later commands form the next
/// batch. Commands about one trip run in order. Without work the thread is blocked.
///
/// All functions may be called from any thread, and none but `close` blocks. Sinks and completions are called
/// on the writer's thread, or on that of the caller of `append`; they must return quickly.
package final class JournalWriter: Sendable {
    /// The writer's counters.
    package struct Statistics: Equatable, Sendable {
        /// Durable records, including the first ones of new trips.
        package internal(set) var commits = 0
        /// Syncs of journals with unsynced bytes; those of creations and deletions are not counted.
        package internal(set) var syncs = 0
        /// Their duration in nanoseconds; syncs at the same time are counted once.
        package internal(set) var syncNanoseconds: Int64 = 0
        /// The number of compacted journals.
        package internal(set) var compactions = 0
        /// The time of the last compaction in milliseconds since 1970; nil if there was none.
        package internal(set) var lastCompaction: Int64?
        /// Bytes written to journals.
        package internal(set) var bytes = 0
    }

    /// Receives a journal's events, on the writer's thread.
    package typealias Sink = @Sendable (JournalEvent) -> Void
    /// Receives the result of a command, on the writer's thread.
    package typealias Completion = @Sendable (Result<Void, JournalStoreError>) -> Void

    /// The durability mode.
    package let durability: Durability
    private let inbox: WriterInbox
    /// Whether callers of `append` write.
    private let writesAtOnce: Bool
    private let counters: WriterCounters
    private let thread: Mutex<WorkerThread?>
    private let work: WriterWork

    /// A writer with a running thread; throws if the system cannot create one.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue that it updates; without one, names are not stored.
    ///   - compaction: the configuration of compaction; nil to disable it.
    ///   - usesOneThread: whether compactions run between two batches and syncs one after another: slower and
    ///     deterministic.
    package init(
        store: JournalStore, durability: Durability, catalogue: Catalogue? = nil,
        lineage: Lineage = Lineage(), compaction: CompactionPlan? = nil, usesOneThread: Bool = false
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
                now: { MonotonicClock.nowNanoseconds }, compaction: compaction, usesOneThread: usesOneThread))
        self.work = work
        thread = Mutex(try WorkerThread { work.run(inbox) })
    }

    /// A writer without a thread: the caller runs it with `step`.
    ///
    /// - Parameters:
    ///   - writesAtOnce: whether callers of `append` write in relaxed durability; otherwise everything is
    ///     left to the steps.
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
                now: now, compaction: compaction, usesOneThread: true))
    }

    deinit { close() }

    /// Counters up to the last finished batch.
    package var statistics: Statistics { counters.values.withLock { $0 } }

    /// Bytes of records that are not resolved yet.
    package var pendingByteCount: Int { inbox.byteCount }

    /// Makes an opened journal ready for appending; `sink` receives its events.
    package func attach(_ journal: OpenedJournal, sink: @escaping Sink) {
        _ = inbox.put(.attach(journal, sink: sink))
    }

    /// Creates a trip's journal with its first record, synced in every durability mode, and attaches it.
    ///
    /// More records may be appended at once: if the creation fails, they are dropped without an event.
    package func create(
        _ header: JournalHeader, first: EncodedRecords, sink: @escaping Sink, completion: @escaping Completion
    ) {
        let command = WriterInbox.Command.create(header, first: first, sink: sink, completion: completion)
        if !inbox.put(command) { completion(.failure(.closed)) }
    }

    /// Appends records to an attached journal in the order of their encoding. The journal's sink receives their result.
    ///
    /// They are dropped without an event if the trip was deleted.
    ///
    /// - Returns: false after `close`: nothing is appended, and no event follows.
    @discardableResult
    package func append(_ records: EncodedRecords, to trip: TripID) -> Bool {
        inbox.put(.append(records, trip))
    }

    /// Appends records of several trips, as if by one call each, with at most one wake of the writer's
    /// thread. In relaxed durability they are written on the caller's thread, if nothing else is to be done.
    ///
    /// - Returns: false after `close`: nothing is appended, and no event follows.
    package func append(_ batch: [(records: EncodedRecords, trip: TripID)]) -> Bool {
        var commands = batch.map { WriterInbox.Command.append($0.records, $0.trip) }
        if writesAtOnce, work.loop.withLockIfAvailable({ $0.writeAtOnce(&commands) }) == true {
            return true
        }
        return inbox.put(commands)
    }

    /// Deletes an attached trip, whose files are kept for some time. Earlier records are written and reported first.
    ///
    /// - Parameters:
    ///   - place: the position after the last appended record. If the journal does not reach it, because that
    ///     record failed, the deletion is `superseded`.
    ///   - now: the time of the deletion. Deleted trips that are too old by then are removed.
    package func delete(
        _ trip: TripID, at place: JournalCheckpoint, now: Timestamp, completion: @escaping Completion
    ) {
        if !inbox.put(.delete(trip, at: place, now: now, completion: completion)) {
            completion(.failure(.closed))
        }
    }

    /// Restores a deleted trip, which can then be opened. Its slug must have been reserved with `name`.
    package func restore(_ deleted: DeletedDirectory, completion: @escaping Completion) {
        if !inbox.put(.restore(deleted, completion: completion)) { completion(.failure(.closed)) }
    }

    /// Replaces an attached journal by a smaller one that begins with the trip's state, in response to
    /// `JournalEvent.grown`.
    ///
    /// - Parameters:
    ///   - place: the position after the last appended record, which leads to the state. If the journal does
    ///     not reach it, because that record failed, nothing happens.
    ///   - state: called on the compaction thread.
    package func compact(_ trip: TripID, at place: JournalCheckpoint, _ state: @escaping CompactedState) {
        _ = inbox.put(.compact(trip, at: place, state))
    }

    /// Records in the catalogue the possible slugs of a trip; none if its creation failed.
    ///
    /// A new slug is on disk before any later command runs. If that fails, the trip's creation or appended
    /// records fail, too.
    package func name(_ trip: TripID, _ slugs: Set<String>) {
        _ = inbox.put(.name(trip, slugs))
    }

    /// Records in the catalogue the data of a closed trip.
    package func note(_ trip: TripID, _ entry: CatalogueEntry) {
        _ = inbox.put(.note(trip, entry))
    }

    /// Finishes the pending records of a journal, syncs it and closes it; it can be opened and attached again.
    ///
    /// - Parameters:
    ///   - content: the trip's data for the catalogue, at the last record.
    ///   - completion: receives the catalogue's entry.
    package func detach(
        _ trip: TripID, _ content: TripContent? = nil,
        completion: @escaping @Sendable (CatalogueEntry?) -> Void
    ) {
        if !inbox.put(.detach(trip, content, completion: completion)) { completion(nil) }
    }

    /// Whether `step` would do nothing but sync, which is only due at its time.
    package var isIdle: Bool { inbox.isEmpty && work.loop.withLock { !$0.hasLateCommands } }

    /// Runs the pending work on the calling thread; returns false once the writer is closed and has finished.
    package func step() -> Bool { work.loop.withLock { $0.step() } }

    /// Finishes all commands, syncs and seals the journals, and ends the thread. Blocks until then; a second call does
    /// nothing. Must not be called from a sink or a completion. Without a thread, the following steps do this.
    package func close() {
        inbox.close()
        let thread = thread.withLock { $0.take() }
        thread?.join()
    }
}

/// The writer's loop, shared by its thread and by callers that write at once.
private final class WriterWork: Sendable {
    let loop: Guarded<WriterLoop>

    init(_ loop: sending WriterLoop) { self.loop = Guarded(loop) }

    /// Works until the inbox is closed and empty.
    func run(_ inbox: WriterInbox) {
        var commands: [WriterInbox.Command] = []
        var (deadline, hasLateCommands, goesOn): (Int64?, Bool, Bool) = (nil, false, true)
        while goesOn {
            let wake = inbox.take(&commands, until: deadline, orElse: hasLateCommands)
            loop.withLock { loop in
                goesOn = loop.perform(wake, &commands)
                (deadline, hasLateCommands) = (loop.syncDeadline, loop.hasLateCommands)
            }
        }
    }
}

/// The statistics, shared between threads.
final class WriterCounters: Sendable {
    let values = Guarded(JournalWriter.Statistics())
}

/// The durability mode: when a commit is confirmed.
package enum Durability: String, Sendable {
    /// After it is synced: it survives a power failure.
    case sync
    /// After it is written: it survives a crash of the process. It is synced every 100 ms, so a power failure
    /// loses no more.
    case relaxed
}

/// An event of a journal, reported on the writer's thread in order.
package enum JournalEvent: Equatable, Sendable {
    /// Every record up to this version is durable, in the sense of the durability mode.
    case durable(upTo: Int)
    /// All records that are not durable have failed, including those appended before the owner has handled this event.
    case failed(JournalFailure)
    /// The journal has grown so much that the writer requests `JournalWriter.compact`.
    case grown
}

/// The reason why records failed, and the state of the journal.
package enum JournalFailure: Equatable, Sendable {
    /// There is no space, and nothing of the records is in the journal. The next record that continues at
    /// `resumeFrom` is a new attempt. Other records are dropped without an event, because they were appended
    /// before this failure was known.
    case full(SystemError, resumeFrom: JournalCheckpoint)
    /// A write or a sync failed, and the state on disk is unknown. After a restart, records up to version
    /// `upTo` may exist or not; later ones do not. The journal rejects records until then.
    case outcomeUnknown(SystemError, upTo: Int)
    /// An earlier failure, given here, has closed the journal until a restart. Nothing was written.
    case readOnly(SystemError)
}
