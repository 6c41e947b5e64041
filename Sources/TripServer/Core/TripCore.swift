import LocalSystem
import TripModel
import TripProtocol

/// One trip's state and everything that happens to it, as a value: each event returns what to do.
///
/// `trip` is decided: every request is checked against it at once. Others are told what the journal has on disk, which
/// is the trip without the commits in flight. An answer is released when the version that it was computed against is
/// durable, so nothing is told of a change before it is safe (promise 5), and a failed write is taken back by
/// withdrawing what was in flight.
struct TripCore: Sendable {
    /// What an answer waits for, and what is done then.
    struct Release {
        let version: Int
        let body: Body

        enum Body {
            case effects([Effect])
            case commit(PendingCommit)
            case creation(Ticket?)
            case deletion(Ticket)
        }
    }

    /// A commit on its way to the disk.
    struct PendingCommit {
        let commit: Commit
        let cause: Cause
        /// The commit as it is told to those who keep up, where there were any.
        let delta: SharedBytes?
        let ticket: Ticket
        let answer: [UInt8]
        /// What follows the answer: the end of the drag that a drop ends.
        let after: [Effect]
    }

    /// How the trip's storage is.
    enum Storage: Equatable {
        case working
        /// No room: changes are refused until there is.
        case full
        /// A sync failed: changes are refused until restart.
        case failed
    }

    var trip: Trip
    var durable: DurableState
    /// The creation is on disk.
    var isCreated: Bool
    /// Its deletion is decided.
    var isDeleted = false
    var storage = Storage.working
    /// Whether records leave out what follows from them: of a moved item all but its place, of an answer all of it. Those
    /// who read journals of format 1 do not know how.
    var recordsAreBrief = true
    var leases = LeaseTable() { didSet { presenceLine = nil } }
    var retries = RetryTable()
    /// What can be undone, and the history.
    var edits: EditLog
    /// The subscribers that are told changes as deltas.
    var deltaReaders: Set<ConnectionID> = []
    /// Who is told of changes, and who says so.
    var subscribers: [ConnectionID: Principal] = [:] { didSet { presenceLine = nil } }
    /// The items that cursors of subscribers are on, as far as they say.
    var focuses: [ConnectionID: ItemID] = [:] { didSet { presenceLine = nil } }
    var releases: [Release] = []
    /// Requests to the journal that the actor has not passed on yet.
    var storageRequests: [StorageRequest] = []
    var presence = PresencePace()
    /// Items that were gone through for the problems of commits that are not durable yet.
    var problemItemsTold = 0
    /// `trip.presence` as it is now, once anybody has been told: one for all.
    private var presenceLine: SharedBytes?

    /// A trip that the journal has.
    init(
        durable trip: Trip, epoch: String, retries: RetryTable = RetryTable(), edits: EditLog = EditLog(),
        deltas: DeltaLog = DeltaLog()
    ) {
        self.trip = trip
        durable = DurableState(trip: trip, epoch: epoch, deltas: deltas)
        self.retries = retries
        self.edits = edits
        isCreated = true
    }

    /// A trip that is being made; nothing is told of it before `stored`.
    init(creating trip: Trip, epoch: String) {
        self.trip = trip
        durable = DurableState(trip: trip, epoch: epoch)
        edits = EditLog()
        isCreated = false
    }

    var id: TripID { trip.header.id }

    /// When `tick` is due next, on the daemon's monotonic clock; nil if nothing is.
    var nextDeadline: Duration? {
        switch (leases.nextExpiry, presence.deadline) {
        case (let expiry?, let pace?): min(expiry, pace)
        case (let expiry?, nil): expiry
        case (nil, let pace): pace
        }
    }

    // MARK: Releasing

    /// The version the disk must have before anything computed against the present state is told.
    private var barrier: Int { isDeleted ? trip.version + 1 : trip.version }

    private var releasedVersion: Int { isCreated ? durable.version : 0 }

    /// Does effects as soon as the present state is durable.
    mutating func release(_ effects: [Effect]) -> [Effect] {
        if releases.isEmpty, releasedVersion >= barrier { return effects }
        releases.append(Release(version: barrier, body: .effects(effects)))
        return owed(by: effects)
    }

    /// Does effects as soon as an earlier state is durable.
    mutating func release(_ effects: [Effect], with version: Int) -> [Effect] {
        if releasedVersion >= version { return effects }
        let place = releases.firstIndex { $0.version > version } ?? releases.endIndex
        releases.insert(Release(version: version, body: .effects(effects)), at: place)
        return owed(by: effects)
    }

    private func owed(by effects: [Effect]) -> [Effect] {
        effects.compactMap { effect in
            guard case .answer(let ticket, let line) = effect else { return nil }
            return .owe(ticket, bytes: line.count)
        }
    }

    /// The answer to a request, as soon as the present state is durable.
    mutating func answer(_ ticket: Ticket, _ line: [UInt8]) -> [Effect] {
        release([.answer(ticket, line)])
    }

    mutating func refuse(_ ticket: Ticket, _ error: WireError) -> [Effect] {
        answer(ticket, ServerLine.error(ticket.request, error))
    }

    /// The journal has everything up to a version: what waited for it is released.
    mutating func stored(upTo version: Int, now: Duration) -> [Effect] {
        if storage == .full { storage = .working }
        var effects: [Effect] = []
        var hasNews = false
        let count = releases.prefix { $0.version <= version }.count
        for release in releases.prefix(count) {
            switch release.body {
            case .effects(let waiting):
                for effect in waiting { note(effect, now: now) }
                effects += waiting
            case .creation(let ticket):
                isCreated = true
                if let ticket { effects.append(.answerLate(ticket, .snapshot(id))) }
            case .commit(let pending):
                durable.adopt(pending)
                hasNews = true
                effects.append(.answer(pending.ticket, pending.answer))
                let ended = leases.hasEnding ? leases.settle(pending.commit.version) : []
                let after = ended.flatMap(Self.itemRemoved) + pending.after
                for effect in after { note(effect, now: now) }
                effects += after
            case .deletion(let ticket):
                effects += deleted(ticket)
            }
        }
        releases.removeFirst(count)
        problemItemsTold = 0
        edits.settle(upTo: durable.version)
        retries.settle(upTo: durable.version)
        if PlantedBug.subscriberForgotten.isPlanted, count > 1 { hasNews = false }
        if hasNews { effects.append(.offer(subscribers.keys.sorted())) }
        return effects
    }

    /// The commits that the disk does not have yet, oldest first.
    private static func inFlight(_ releases: [Release]) -> [Commit] {
        releases.compactMap { release in
            if case .commit(let pending) = release.body { pending.commit } else { nil }
        }
    }

    /// A trip without what waits for the disk.
    static func durableView(of trip: Trip, _ releases: [Release]) -> DurableView {
        let commits = inFlight(releases)
        guard !commits.isEmpty else { return DurableView(trip: trip, outdated: []) }
        var trip = trip
        trip.withdraw(commits)
        return DurableView(trip: trip, outdated: Set(commits.flatMap { $0.changes.map(\.id) }))
    }

    /// What the core itself has to know of an effect that is let go.
    mutating func note(_ effect: Effect, now: Duration) {
        switch effect {
        case .shut(let connection):
            guard let lease = leases.lease(of: connection) else { return }
            leases.announce(lease.drag)
            presence.changed(at: now)
        case .dragOver: presence.changed(at: now)
        default: break
        }
    }

    private mutating func deleted(_ ticket: Ticket) -> [Effect] {
        var effects: [Effect] = []
        for lease in leases.byItem.values.sorted(by: { $0.item < $1.item }) {
            effects.append(
                .notify(
                    lease.holder.connection,
                    ServerLine.dragEnded(lease.drag, item: lease.item, reason: .tripDeleted)))
            effects.append(.dragOver(lease.holder.connection, lease.drag, expired: false))
        }
        effects.append(.answer(ticket, ServerLine.emptyReply(ticket.request)))
        for connection in subscribers.keys.sorted() {
            effects.append(.notify(connection, ServerLine.tripDeleted(id)))
            effects.append(.unsubscribe(connection))
        }
        subscribers = [:]
        focuses = [:]
        deltaReaders = []
        leases = LeaseTable(length: leases.length)
        effects.append(.removed)
        return effects
    }

    /// The journal could not keep what was in flight: it is taken back.
    ///
    /// - Parameters:
    ///   - reason: what the changes in flight are answered: `storage_full` where the disk took nothing,
    ///     `outcome_unknown` where it may have.
    ///   - isForGood: whether the journal takes nothing more until a restart.
    mutating func failed(
        _ reason: ErrorReason, _ message: String, isForGood: Bool = false, now: Duration
    ) -> [Effect] {
        if isForGood || reason == .outcomeUnknown {
            storage = .failed
        } else if reason == .storageFull {
            storage = .full
        }
        let error = WireError(reason, message)
        var effects: [Effect] = []
        let waiting = releases
        releases = []
        for release in waiting {
            switch release.body {
            case .commit(let pending):
                let line = ServerLine.error(pending.ticket.request, error)
                effects.append(
                    .answer(pending.ticket, PlantedBug.failureAcknowledged.isPlanted ? pending.answer : line))
                for effect in pending.after { note(effect, now: now) }
                effects += pending.after
            case .creation(let ticket):
                if let ticket { effects.append(.answer(ticket, ServerLine.error(ticket.request, error))) }
                isDeleted = true
                effects.append(.removed)
            case .deletion(let ticket):
                // A trip that could not be made is gone all the same.
                isDeleted = !isCreated
                effects.append(.answer(ticket, ServerLine.error(ticket.request, error)))
            case .effects(let held) where held.contains(where: \.isUnsubscription):
                // It rests on nothing that is taken back, and is done already.
                effects += held
            case .effects(let held):
                // Computed against what is now taken back: the request is answered, not carried out.
                for effect in held {
                    switch effect {
                    case .subscribe(let ticket, let subscribe, _) where isCreated:
                        // It begins with what is durable, whatever became of the changes before it; to refuse it
                        // would end the subscription that it replaces as well.
                        let isDragging = leases.lease(of: ticket.connection) != nil
                        effects.append(.subscribe(ticket, subscribe, isDragging: isDragging))
                    case .answer(let ticket, _), .answerLate(let ticket, _), .subscribe(let ticket, _, _):
                        effects.append(.answer(ticket, ServerLine.error(ticket.request, error)))
                        if case .subscribe = effect {
                            subscribers[ticket.connection] = nil
                            focuses[ticket.connection] = nil
                        }
                    case .shut(let connection):
                        guard let lease = leases.lease(of: connection) else { continue }
                        leases.end(lease.item)
                        effects.append(.dragOver(connection, lease.drag, expired: false))
                    default: effects.append(effect)
                    }
                }
            }
        }
        if leases.hasEnding { leases.restoreEnding() }
        let withdrawn = Self.inFlight(waiting)
        trip.withdraw(withdrawn)
        durable.forget(withdrawn)
        problemItemsTold = 0
        if !PlantedBug.failedAnswerKept.isPlanted { retries.forget(after: durable.version) }
        if !PlantedBug.failedLineKept.isPlanted { edits.rollBack() }
        return effects
    }

    // MARK: Time

    /// Ends leases that have run out, and tells presence that has waited.
    mutating func tick(now: Duration) -> [Effect] {
        var effects: [Effect] = []
        for lease in leases.expired(at: now) {
            leases.end(lease.item)
            presence.changed(at: now)
            // Told when the disk has what is before it; how it ended is known at once, to whoever asks.
            effects.append(.dragOver(lease.holder.connection, lease.drag, expired: true))
            effects += release([
                .notify(
                    lease.holder.connection,
                    ServerLine.dragEnded(lease.drag, item: lease.item, reason: .expired)),
                .open(lease.holder.connection),
            ])
        }
        return effects + presenceEffects(now: now)
    }

    /// Tells presence if it is time.
    mutating func presenceEffects(now: Duration) -> [Effect] {
        presence.noteToldIfDue(at: now) ? [.offerPresence(subscribers.keys.sorted())] : []
    }

    /// Who is here, as a notification.
    mutating func encodedPresence() -> SharedBytes {
        if let presenceLine { return presenceLine }
        let line = SharedBytes(ServerLine.presence(id, users))
        presenceLine = line
        return line
    }

    /// Who is here, by connection.
    var users: [PresentUser] {
        subscribers.values.sorted { $0.connection < $1.connection }.map { user in
            let lease = leases.lease(of: user.connection).flatMap { $0.isAnnounced ? $0 : nil }
            return PresentUser(
                connectionID: user.connection, user: user.user, role: user.role, dragging: lease?.item,
                over: lease?.over, focus: focuses[user.connection])
        }
    }
}

/// How often presence may be told: at once, then at most ten times a second.
struct PresencePace {
    static let interval = Duration.milliseconds(1000 / WireLimits.presencePerSecond)

    private var lastTold: Duration?
    private(set) var deadline: Duration?

    mutating func changed(at now: Duration) {
        guard deadline == nil else { return }
        deadline = lastTold.map { max(now, $0 + Self.interval) } ?? now
    }

    /// Whether it is to be told now; then it counts as told.
    mutating func noteToldIfDue(at now: Duration) -> Bool {
        guard let due = deadline, due <= now else { return false }
        deadline = nil
        lastTold = now
        return true
    }
}
