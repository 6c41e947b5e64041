import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// The state machine of one trip, as a value: each event returns effects.
///
/// `trip` is the decided state, and every request is checked against it. Clients are sent the durable state, which is
/// the decided one without the commits in flight. An answer is released when the version that it depends on is durable,
/// so no change is revealed before it is safe. A failed write rolls back all commits in flight.
struct TripCore: Sendable {
    /// The state of the trip's storage.
    enum Storage: Equatable {
        case working
        /// Disk full: changes are refused until there is space.
        case full
        /// A sync failed: changes are refused until a restart.
        case failed
    }

    var trip: Trip
    var durable: DurableState
    /// The creation is durable.
    var isCreated: Bool
    /// The deletion is decided.
    var isDeleted = false
    var storage = Storage.working
    /// The format of the journal. From format 2 records omit derivable data: all of a moved item but its place, and
    /// the answer. From format 3 they have only the changed values of the header.
    var recordFormat = JournalFormat.current
    /// Its state is that of now, whatever is durable.
    var room = Room()
    private(set) var retries = RetryTable()
    /// The undo stacks and the history.
    private(set) var edits: EditLog
    /// The commits and output that wait to become durable.
    var inFlight = InFlight()
    /// Requests to the journal that the actor has not passed on yet.
    var storageRequests: [StorageRequest] = []
    /// The number of items looked at for the problems of undurable commits.
    var scannedProblemItems = 0

    /// A trip that is in the journal.
    init(
        durable trip: Trip, epoch: String, retries: RetryTable = RetryTable(), edits: EditLog = EditLog(),
        problemsVersion: Int? = nil
    ) {
        self.trip = trip
        durable = DurableState(trip: trip, epoch: epoch, problemsVersion: problemsVersion)
        self.retries = retries
        self.edits = edits
        isCreated = true
    }

    /// A trip that is being created; nothing is sent about it before `stored`.
    init(creating trip: Trip, epoch: String) {
        self.trip = trip
        durable = DurableState(trip: trip, epoch: epoch)
        edits = EditLog()
        isCreated = false
    }

    var id: TripID { trip.header.id }

    // MARK: In flight

    /// The version that must be durable before any output that depends on the current state.
    private var barrier: Int { isDeleted ? trip.version + 1 : trip.version }

    private var durableVersion: Int { isCreated ? durable.version : 0 }

    /// Discards the editor's next undo or redo, which can never succeed: at once, or as soon as the current state is
    /// durable.
    mutating func discard(_ kind: EditLog.Kind, of editor: ClientID) {
        if durableVersion >= barrier {
            edits.discard(kind, of: editor)
        } else {
            inFlight.append(.discard(kind, of: editor), at: barrier)
        }
    }

    /// Runs effects as soon as the current state is durable.
    mutating func release(_ effects: [Effect]) -> [Effect] {
        if inFlight.isEmpty, durableVersion >= barrier { return effects }
        inFlight.append(.effects(effects), at: barrier)
        return reservations(for: effects)
    }

    /// Runs effects as soon as an earlier version is durable.
    mutating func release(_ effects: [Effect], with version: Int) -> [Effect] {
        if durableVersion >= version { return effects }
        inFlight.insert(effects, at: version)
        return reservations(for: effects)
    }

    private func reservations(for effects: [Effect]) -> [Effect] {
        effects.compactMap { effect in
            guard case .answer(let ticket, let line, _) = effect else { return nil }
            return .reserveBytes(ticket, bytes: line.count)
        }
    }

    /// Sends an answer as soon as the current state is durable.
    mutating func answer(_ ticket: Ticket, _ line: [UInt8]) -> [Effect] {
        release([.answer(ticket, line)])
    }

    mutating func refuse(_ ticket: Ticket, _ error: WireError) -> [Effect] {
        answer(ticket, ServerLine.error(ticket.request, error))
    }

    /// The journal has stored everything up to a version: releases the output that waited for it.
    mutating func stored(upTo version: Int, now: Duration) -> [Effect] {
        if storage == .full { storage = .working }
        var effects: [Effect] = []
        var lines: [[UInt8]?] = []
        let count = inFlight.entries.prefix { $0.version <= version }.count
        for entry in inFlight.entries.prefix(count) {
            Self.record(entry.body, in: &edits, &retries)
            switch entry.body {
            case .effects(let waiting):
                for effect in waiting { note(effect, now: now) }
                effects += waiting
            case .creation(let ticket):
                isCreated = true
                if let ticket { effects.append(.answerLate(ticket, .state(id, .snapshot))) }
            case .commit(let pending):
                durable.apply(pending)
                effects.append(answer: pending.answer, to: pending.ticket)
                lines.append(pending.delta)
                let ended = room.leases.hasEnding ? room.leases.becameDurable(entry.version) : []
                let after = ended.flatMap(Self.itemRemoved) + pending.after
                for effect in after { note(effect, now: now) }
                effects += after
            case .deletion(let ticket):
                effects += deleted(ticket)
            case .discard: break
            }
        }
        inFlight.removeFirst(count)
        scannedProblemItems = 0
        if !lines.isEmpty {
            durable.append(lines)
            effects.append(.scheduleUpdate(room.connections))
        }
        return effects
    }

    /// A trip without its undurable commits.
    static func durableView(of trip: Trip, _ inFlight: InFlight) -> Trip {
        let commits = inFlight.commits
        guard !commits.isEmpty else { return trip }
        var trip = trip
        trip.rollBack(commits)
        return trip
    }

    /// Updates the core's own state for a released effect.
    mutating func note(_ effect: Effect, now: Duration) {
        switch effect {
        case .pauseUpdates(let connection):
            guard let lease = room.leases.lease(of: connection) else { return }
            room.leases.announce(lease.drag)
            room.changed(at: now)
        case .dragOver: room.changed(at: now)
        default: break
        }
    }

    private mutating func deleted(_ ticket: Ticket) -> [Effect] {
        var effects: [Effect] = []
        for lease in room.leases.byItem.values.sorted(by: { $0.item < $1.item }) {
            effects.append(
                .notify(
                    lease.holder.connection,
                    ServerLine.dragEnded(lease.drag, item: lease.item, reason: .tripDeleted)))
            effects.append(.dragOver(lease.holder.connection, lease.drag, expired: false))
        }
        effects.append(.answer(ticket, ServerLine.emptyReply(ticket.request)))
        for connection in room.connections {
            effects.append(.notify(connection, ServerLine.tripDeleted(id)))
            effects.append(.unsubscribe(connection))
        }
        room.close()
        effects.append(.removed)
        return effects
    }

    /// The journal could not store the changes in flight: rolls them back.
    ///
    /// - Parameters:
    ///   - reason: the error for the changes in flight: `storage_full` if nothing was written,
    ///     `outcome_unknown` if it may have been.
    ///   - isForGood: whether the journal rejects all writes until a restart.
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
        let waiting = inFlight
        inFlight = InFlight()
        for entry in waiting.entries {
            switch entry.body {
            case .commit(let pending):
                let line = ServerLine.error(pending.ticket.request, error)
                effects.append(.answer(pending.ticket, line))
                for effect in pending.after { note(effect, now: now) }
                effects += pending.after
            case .discard: break
            case .creation(let ticket):
                if let ticket { effects.append(.answer(ticket, ServerLine.error(ticket.request, error))) }
                isDeleted = true
                effects.append(.removed)
            case .deletion(let ticket):
                // A trip whose creation failed is gone in any case.
                isDeleted = !isCreated
                effects.append(.answer(ticket, ServerLine.error(ticket.request, error)))
            case .effects(let held) where held.contains(where: \.isUnsubscription):
                // It does not depend on the rolled-back commits, and is already applied.
                effects += held
            case .effects(let held):
                // It depends on the rolled-back commits: the request is refused.
                for effect in held {
                    switch effect {
                    case .subscribe(let ticket, let subscribe, _) where isCreated:
                        // It starts from the durable state, which does not depend on the failed changes. A
                        // refusal would also end the subscription that it replaces.
                        let isDragging = room.leases.lease(of: ticket.connection) != nil
                        effects.append(.subscribe(ticket, subscribe, isDragging: isDragging))
                    case .answer(let ticket, _, _), .answerLate(let ticket, _), .subscribe(let ticket, _, _):
                        effects.append(.answer(ticket, ServerLine.error(ticket.request, error)))
                        if case .subscribe = effect {
                            room.leave(ticket.connection)
                        }
                    case .pauseUpdates(let connection):
                        guard let lease = room.leases.lease(of: connection) else { continue }
                        room.leases.end(lease.item)
                        effects.append(.dragOver(connection, lease.drag, expired: false))
                    default: effects.append(effect)
                    }
                }
            }
        }
        if room.leases.hasEnding { room.leases.restoreEnding() }
        let rolledBack = waiting.commits
        trip.rollBack(rolledBack)
        durable.rollBack()
        scannedProblemItems = 0
        return effects
    }

    // MARK: Time

    /// Ends expired leases, and schedules a due presence update.
    mutating func tick(now: Duration) -> [Effect] {
        var effects: [Effect] = []
        for lease in room.leases.expired(at: now) {
            room.leases.end(lease.item)
            room.changed(at: now)
            // The notification waits for earlier changes to be durable; the outcome is known to the daemon at once.
            effects.append(.dragOver(lease.holder.connection, lease.drag, expired: true))
            effects += release([
                .notify(
                    lease.holder.connection,
                    ServerLine.dragEnded(lease.drag, item: lease.item, reason: .expired)),
                .resumeUpdates(lease.holder.connection),
            ])
        }
        return effects + presenceEffects(now: now)
    }

    /// Schedules a presence update if one is due.
    mutating func presenceEffects(now: Duration) -> [Effect] {
        room.markSentIfDue(at: now) ? [.schedulePresenceUpdate(room.connections)] : []
    }
}

extension TripCore {
    /// True if the trip can be unloaded without a loss: there are no subscribers, drags, changes in flight or
    /// storage errors.
    var isIdle: Bool {
        isQuiescent && storage == .working && room.isEmpty && room.nextDeadline == nil
    }

    /// True if nothing is in flight.
    var isQuiescent: Bool { isCreated && !isDeleted && inFlight.isEmpty && storageRequests.isEmpty }

    /// The summary of the trip for the list of closed trips.
    var content: TripContent { TripContent(header: durable.header, itemCount: durable.itemCount) }

    /// True if the trip has exactly one slug, before and after all changes in flight.
    func isCalled(only named: Set<String>) -> Bool {
        storage != .failed && !isDeleted && durable.header.slug == trip.header.slug && named.count == 1
            && named.first == trip.header.slug
    }

    /// Every slug that the trip may have on disk, now or after the changes in flight.
    ///
    /// - Parameter named: its possible slugs so far.
    func possibleSlugs(after named: Set<String>) -> Set<String> {
        let decided: Set<String> = [durable.header.slug, trip.header.slug]
        // The outcome of the changes in flight is unknown.
        if storage == .failed { return decided.union(named) }
        // A deletion can be decided while the creation is in flight. Then the trip may be on disk.
        if isDeleted && !isCreated && inFlight.isEmpty { return [] }
        if decided == named { return named }
        // A rename is in flight, and perhaps earlier ones.
        var slugs = decided
        slugs.formUnion(inFlight.commits.compactMap { $0.header?.after.slug })
        return slugs
    }

    /// Keeps a call for a name that the trip has only in flight.
    ///
    /// - Returns: nil if the name is durable, or if nothing is in flight that could change it.
    mutating func keepUntilNamed(_ name: TripReference, _ call: Call) -> [Effect]? {
        if inFlight.isEmpty { return nil }
        if isCreated {
            guard case .slug(let slug) = name, slug != durable.header.slug else { return nil }
        }
        return release([.resume(call)])
    }

    // MARK: Encoding

    /// The next output to a subscriber with an earlier version.
    enum Update: Sendable {
        /// Nothing newer.
        case none
        /// Lines of deltas, in pieces that subscribers share.
        case deltas([SharedBytes])
        /// The whole state, with the last author, and the reason if the client asked for deltas.
        case snapshot(SharedBytes, Cause?, SnapshotReason?)
    }

    /// Encodes the next output to a subscriber.
    ///
    /// - Parameter pace: how deltas are coalesced.
    mutating func update(since version: Int, _ mode: Subscribe.Mode, _ pace: DurableState.Pace) -> Update {
        guard durable.version > version else { return .none }
        guard mode == .delta else { return .snapshot(snapshotMembers(), durable.cause, nil) }
        // Fast path of nearly all updates: it makes no copy of the trip.
        if let lines = durable.cachedLines(after: version, pace) { return .deltas(lines) }
        let (trip, inFlight) = (trip, inFlight)
        let line = durable.mergedLine(from: version, edits) { Self.durableView(of: trip, inFlight) }
        return line.map { .deltas([$0]) } ?? .snapshot(snapshotMembers(), durable.cause, .behind)
    }

    /// Chooses the start of a subscription from the client's known version.
    mutating func resumption(for subscribe: Subscribe) -> DurableState.Resumption {
        let (trip, inFlight) = (trip, inFlight)
        return durable.resumption(for: subscribe, edits) { Self.durableView(of: trip, inFlight) }
    }

    /// The members of a snapshot, without the braces around them.
    mutating func snapshotMembers() -> SharedBytes {
        let (trip, inFlight) = (trip, inFlight)
        return durable.snapshotMembers { Self.durableView(of: trip, inFlight) }
    }

    /// The same with the last imported values. Not cached, because only imports request it.
    mutating func storedSnapshotMembers() -> SharedBytes {
        let (trip, inFlight) = (trip, inFlight)
        return durable.storedSnapshotMembers(Self.durableView(of: trip, inFlight))
    }

    /// The members of the answer to `drag.begin`, from the durable state.
    mutating func members(of begun: BegunDrag) -> [UInt8] {
        let start = DragStart(
            drag: begun.drag, leaseMilliseconds: begun.leaseMilliseconds, version: durable.version)
        return start.encodedMembers(with: begun.includesGaps ? durableGaps(of: begun.item) : nil)
    }

    /// The members of the answer to `item.gaps`, from the durable state; nil if there is no such item.
    mutating func gapMembers(of item: ItemID) -> [UInt8]? {
        durableGaps(of: item)?.encodedMembers(version: durable.version)
    }

    private mutating func durableGaps(of item: ItemID) -> GapReport? {
        durable.itemsRead += gapWork.items
        return Self.durableView(of: trip, inFlight).gaps(for: item)
    }
}
