import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// Where a trip's commits go. Never blocks the caller; what becomes of them is told by events.
protocol TripStorage: Sendable {
    /// An epoch for a trip that is made, as clients are told it.
    func freshEpoch() -> String

    /// Takes over a request of a trip; requests of one trip are carried out in order.
    func perform(_ request: StorageRequest, of trip: TripID, epoch: String)

    /// Notes which slugs a trip may have: on the disk before anything of the trip that is performed later.
    func name(_ trip: TripID, _ slugs: Set<String>)

    /// Reads a trip; `Server.opened`, `notOpened` or `quarantined` hears of it.
    func open(_ trip: TripID, _ known: CatalogueEntry)

    /// Looks whether what is known of trips that are closed is still so; `Server.looked` hears of it.
    func look(at trips: [TripID: CatalogueEntry])

    /// Replaces a trip's journal by one that begins with its state, which is the trip's decided state now.
    func compact(_ state: TripSnapshot)

    /// Lets go of an open trip with nothing in flight; `Server.closed` hears of it.
    func close(_ trip: TripID, _ content: TripContent)

    /// What it has done so far.
    var statistics: StorageStatistics { get }
}

/// What the journal has done since the daemon started.
struct StorageStatistics: Sendable {
    var commits = 0
    var syncs = 0
    var syncMicroseconds = 0
    /// Journals that were written anew, smaller.
    var compactions = 0
    /// When the last of them was.
    var lastCompactionAt: Timestamp?
}

/// The owner of one trip. Everything that happens to the trip happens here, one step at a time.
///
/// It runs on the server's event loop, so the server enters it synchronously: no step has a suspension point, and
/// between validating a change and handing it to the journal nothing else can happen.
actor TripActor: LoopActor {
    /// What a step leaves to be done.
    struct Outcome: Sendable {
        let effects: [Effect]
        /// When `tick` is due next.
        let deadline: Duration?
        /// The slug it has on disk, and those that it will or may have; nil where it goes on being called as it is.
        let slugs: Set<String>?
    }

    nonisolated let loop: EventLoop
    private nonisolated let storage: any TripStorage
    private nonisolated let epoch: String
    nonisolated let id: TripID
    private var core: TripCore
    /// The slugs that the storage knows it by.
    private var named: Set<String>
    /// Another thread does its next step.
    private var isLent = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ core: TripCore, on loop: EventLoop, storage: any TripStorage) {
        self.core = core
        self.loop = loop
        self.storage = storage
        id = core.id
        epoch = core.durable.epoch
        named = core.isCreated ? [core.trip.header.slug] : []
    }

    /// Does one step, and hands to the journal what the step decided.
    ///
    /// - Returns: nil where the body returned nil: the step was none of this trip's business.
    nonisolated func step(_ body: @Sendable (inout TripCore) -> [Effect]?) -> Outcome? {
        enter { actor in
            precondition(!actor.isLent, "a trip that is lent takes no step")
            return actor.step(&actor.core, &actor.named, body)
        }
    }

    /// The core comes as a reference of its own: each look at it through the actor would copy all of it.
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
        for request in core.storageRequests { storage.perform(request, of: id, epoch: epoch) }
        core.storageRequests.removeAll(keepingCapacity: true)
        if let slugs, named != slugs { name(slugs) }
        return Outcome(effects: effects, deadline: core.nextDeadline, slugs: slugs)
    }

    /// Gives the trip away to be changed by a step elsewhere; until it is back, it may be read and takes no step.
    nonisolated func lend() -> TripCore {
        enter { actor in
            precondition(!actor.isLent, "a trip is lent once at a time")
            actor.isLent = true
            return actor.core
        }
    }

    /// Takes the trip back as that step has left it, and hands to the journal what the step decided.
    nonisolated func takeBack(_ core: TripCore, _ effects: [Effect]) -> Outcome? {
        enter { actor in
            actor.isLent = false
            actor.core = core
        }
        return step { _ in effects }
    }

    /// Reads from the trip.
    nonisolated func read<Value: Sendable>(_ body: @Sendable (inout TripCore) -> Value) -> Value {
        enter { body(&$0.core) }
    }
}
