import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// The storage of the trips' commits. It never blocks the caller, and reports results as events.
protocol TripStorage: Sendable {
    /// A fresh epoch for a new trip.
    func freshEpoch() -> String

    /// Accepts a request of a trip; the requests of one trip run in order, and records are stored after `handOver`.
    func perform(_ request: StorageRequest, of trip: TripID, epoch: String)

    /// Passes the records of this iteration to the journal. Called at its end, on the loop.
    ///
    /// - Returns: the reports that are known at once, to be made before the iteration ends.
    func handOver() -> [StorageReport]

    /// The encoder at the end of a trip's journal; nil if it has none. A worker encodes a large record with it, while
    /// the trip accepts no other change.
    func encoder(of trip: TripID) -> JournalEncoder?

    /// The encoder at the beginning of the journal of a new trip.
    func encoder(ofNew trip: TripID, epoch: String) -> JournalEncoder

    /// Stores the possible slugs of a trip, before any later request of the trip.
    func name(_ trip: TripID, _ slugs: Set<String>)

    /// Reads a trip, and then calls `Server.opened`, `notOpened` or `quarantined`.
    func open(_ trip: TripID, _ known: CatalogueEntry)

    /// Examines closed trips, and then calls `Server.examined`.
    func examine(_ trips: [TripID: CatalogueEntry])

    /// Replaces a trip's journal by one that begins with a snapshot of its decided state.
    func compact(_ state: TripSnapshot)

    /// Closes an open trip with nothing in flight, and then calls `Server.closed`.
    func close(_ trip: TripID, _ content: TripContent)

    /// Reads the list of deleted trips, the newest first, and reports it on the loop.
    func readTrash(_ report: @escaping TrashReader)

    /// Restores a deleted trip under a free slug, and reports the result to `Server.restored`.
    func restore(_ deleted: TrashedTrip, as slug: String)

    /// The counters since the start.
    var statistics: StorageStatistics { get }
}

/// A call of the server with a result of the storage.
typealias StorageReport = @Sendable (isolated Server) -> Void

/// Receives the list of deleted trips.
typealias TrashReader = @Sendable (isolated Server, Result<[TrashedTrip], SystemError>) -> Void

/// The journal's counters since the daemon started.
struct StorageStatistics: Sendable {
    var commits = 0
    var syncs = 0
    var syncMicroseconds = 0
    /// The number of compacted journals.
    var compactions = 0
    /// The time of the last compaction.
    var lastCompactionAt: Timestamp?
}

/// A kind of steps of a trip, which share the limit above which they run on a worker.
package enum LoopStep: Sendable {
    /// Below `longChange` units of work.
    case change
    /// Below `longState` units of work.
    case read
}

/// The owner of one trip. All requests and events of the trip run here, one step at a time.
///
/// It runs on the server's event loop, so the server enters it synchronously. A step has no suspension point:
/// between the validation of a change and its hand-over to the journal nothing else can run.
actor TripActor: LoopActor {
    /// The result of a step.
    struct Outcome: Sendable {
        let effects: [Effect]
        /// The next time to call `tick`.
        let deadline: Duration?
        /// The trip's durable and possible slugs; nil if they are unchanged.
        let slugs: Set<String>?
        /// The step has passed requests to the storage.
        let isStoring: Bool
    }

    nonisolated let loop: EventLoop
    private nonisolated let storage: any TripStorage
    private nonisolated let epoch: String
    nonisolated let id: TripID
    private var core: TripCore
    /// The trip's slugs as last passed to the storage.
    private var named: Set<String>
    private let noteStep: (@Sendable (LoopStep, StaticString, Int) -> Void)?
    /// A worker is running the next step.
    private var isCheckedOut = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ core: TripCore, on loop: EventLoop, storage: any TripStorage,
        noteStep: (@Sendable (LoopStep, StaticString, Int) -> Void)? = nil
    ) {
        self.core = core
        self.noteStep = noteStep
        self.loop = loop
        self.storage = storage
        id = core.id
        epoch = core.durable.epoch
        named = core.isCreated ? [core.trip.header.slug] : []
    }

    /// Runs one step, and passes its storage requests to the journal.
    ///
    /// - Returns: nil if the body returned nil, because the step did not concern this trip.
    nonisolated func step(
        in name: StaticString = #function, _ body: @Sendable (inout TripCore) -> [Effect]?
    ) -> Outcome? {
        enter { actor in
            precondition(!actor.isCheckedOut, "a checked-out trip takes no step")
            return actor.measured(.change, name) { actor in actor.step(&actor.core, &actor.named, body) }
        }
    }

    private func measured<Value>(
        _ kind: LoopStep, _ name: StaticString, _ body: (isolated TripActor) -> Value
    ) -> Value {
        guard let noteStep else { return body(self) }
        let before = core.workDone
        defer { noteStep(kind, name, core.workDone - before) }
        return body(self)
    }

    /// The core is a parameter, because each access through the actor would copy it.
    private nonisolated func step(
        _ core: inout TripCore, _ named: inout Set<String>, _ body: @Sendable (inout TripCore) -> [Effect]?
    ) -> Outcome? {
        guard let effects = body(&core) else { return nil }
        let slugs = core.isCalled(only: named) ? nil : core.possibleSlugs(after: named)
        func name(_ slugs: Set<String>) {
            storage.name(id, slugs)
            named = slugs
        }
        if let slugs, !slugs.isSubset(of: named) { name(slugs.union(named)) }
        let isStoring = !core.storageRequests.isEmpty
        for request in core.storageRequests { storage.perform(request, of: id, epoch: epoch) }
        core.storageRequests.removeAll(keepingCapacity: true)
        if let slugs, named != slugs { name(slugs) }
        return Outcome(
            effects: effects, deadline: core.room.nextDeadline, slugs: slugs, isStoring: isStoring)
    }

    /// Checks out the core for one step on a worker. Until then reads are allowed, steps are not.
    nonisolated func checkOut() -> TripCore {
        enter { actor in
            precondition(!actor.isCheckedOut, "a trip is checked out once at a time")
            actor.isCheckedOut = true
            return actor.core
        }
    }

    /// Returns the core after a step on a worker, and passes the step's storage requests to the journal.
    nonisolated func checkIn(_ core: TripCore, _ effects: [Effect]) -> Outcome? {
        enter { actor in
            actor.isCheckedOut = false
            actor.core = core
        }
        return step { _ in effects }
    }

    /// Reads from the trip.
    nonisolated func read<Value: Sendable>(
        in name: StaticString = #function, _ body: @Sendable (inout TripCore) -> Value
    ) -> Value {
        enter { $0.measured(.read, name) { body(&$0.core) } }
    }
}
