import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// The result of examining a closed trip on the reading thread.
enum TripExamination: Sendable {
    /// The catalogue entry is up to date.
    case same
    case read(CatalogueEntry)
    case quarantined(WireError, TripHeader?)
    /// The system failed. Contains the slug from the journal if the catalogue has none.
    case unreadable(WireError, slug: String?)
}

/// Trips are opened off the loop on their first request, and closed when they are idle.
extension Server {
    /// Registers the trips on disk, all of them closed.
    func register(_ inventory: TripInventory) {
        for (id, closed) in inventory.closed { registry.add(id, .closed(closed), slugs: closed.known.slugs) }
        // Last, so that a damaged trip does not take the slug of a healthy one.
        for (id, damaged) in inventory.quarantined {
            registry.add(id, .quarantined(damaged.error, damaged.header), slugs: damaged.slugs)
        }
    }

    func servedTrip(_ id: TripID) -> TripActor? {
        guard case .served(let actor)? = registry[id] else { return nil }
        return actor
    }

    // MARK: Waiting

    /// Parks a request until its trip is open; false if it need not wait.
    func park(_ parked: ParkedRequest) -> Bool {
        if case .listTrips = parked.request { return parkList(parked) }
        if parkUntilChanged(parked) { return true }
        let connection = connections[parked.ticket.connection]
        if case .drop(let drop) = parked.request, connection?.drags.trip(of: drop.drag) != nil {
            return false
        }
        switch parked.request.trip.flatMap(registry.find) {
        case (let id, .closed)?, (let id, .busy)?:
            park(parked, until: id)
            return true
        case (_, .served)?, (_, .quarantined)?, nil: break
        }
        return parkForName(parked)
    }

    /// Parks a request for a name that another trip has only in flight: nothing about the name may be
    /// revealed before it is durable.
    private func parkForName(_ parked: ParkedRequest) -> Bool {
        for name in names(askedForBy: parked) {
            guard let owner = registry.id(of: name).flatMap(servedTrip) else { continue }
            if isBusy(owner.id) {
                park(parked, until: owner.id)
                return true
            }
            guard let outcome = owner.step({ core in core.parkUntilNamed(name, parked) })
            else { continue }
            connections[parked.ticket.connection]?.outbox.setBarrier(parked.ticket.number)
            carryOut(outcome, of: owner.id)
            return true
        }
        return false
    }

    /// The slugs, and the id, that a request wants for a trip and that another trip may have.
    private func names(askedForBy parked: ParkedRequest) -> [TripReference] {
        let (trip, slugs): (TripReference, [String])
        switch parked.request {
        case .createTrip(let draft):
            return (draft.id.map { [.id($0)] } ?? []) + (draft.slug.map { [.slug($0)] } ?? [])
        case .restoreTrip(.id(let id)): return [.id(id)]
        case .change(let change):
            (trip, slugs) = (change.trip, change.edits.compactMap(\.slug))
        case .undo(let name, _): (trip, slugs) = (name, restoredSlugs(.undo, name, parked.principal))
        case .redo(let name, _): (trip, slugs) = (name, restoredSlugs(.redo, name, parked.principal))
        default: return []
        }
        if slugs.isEmpty { return [] }
        let own = registry.id(of: trip)
        return slugs.filter { registry.isTaken($0, byOtherThan: own) }.map { .slug($0) }
    }

    func park(_ parked: ParkedRequest, until id: TripID) {
        connections[parked.ticket.connection]?.outbox.setBarrier(parked.ticket.number)
        parkedRequests[id, default: []].append(parked)
        open(id)
    }

    /// Starts to read a closed trip. A trip that is being closed is opened afterwards.
    private func open(_ id: TripID) {
        if let known = registry.beginReading(id) { storage.open(id, known) }
    }

    /// Resumes parked requests.
    func resume(_ waiting: [ParkedRequest]) {
        for parked in waiting {
            let phase = connections[parked.ticket.connection]?.phase ?? .closed
            let isThere = phase == .open || phase == .halfClosed
            // A closed connection has left its trips and must not join them again.
            guard isThere || parked.request.method.traits.outlivesConnection else { continue }
            route(parked)
        }
        finishIfDrained()
    }

    func removeParked(_ id: TripID) -> [ParkedRequest] { parkedRequests.removeValue(forKey: id) ?? [] }

    // MARK: Results of other threads

    /// A trip has been read. On the loop.
    func opened(_ core: TripCore, origin: TripRegistry.Origin?) {
        var core = core
        core.leases = LeaseTable(length: configuration.leaseTime)
        let (id, slug) = (core.id, core.trip.header.slug)
        if let known = registry.entries[id]?.slugs, known != [slug] { storage.name(id, [slug]) }
        registry.open(
            id, TripActor(core, on: loop, storage: storage, noteStep: configuration.noteStep), slug: slug,
            origin: origin)
        // Not `use`, which could close the trip before its requests run.
        idleTrips.use(id, at: loop.now)
        resume(removeParked(id))
        closeLongestIdle()
        continueSurvey()
    }

    /// A trip could not be read this time. On the loop.
    func notOpened(_ id: TripID, _ error: WireError) {
        configuration.log(.warning("trip \(id) could not be opened: \(error.message)"))
        registry.endBusy(id)
        refuse(removeParked(id), error)
        continueSurvey()
    }

    /// A trip's journal is damaged: every request on it gets an error. On the loop.
    func quarantined(_ id: TripID, _ error: WireError, _ header: TripHeader?) {
        configuration.log(.warning("trip \(id) is not served: \(error.message)"))
        registry.quarantine(id, error, header)
        resume(removeParked(id))
        continueSurvey()
    }

    /// A trip's journal is due for compaction. On the loop.
    func journalHasGrown(of id: TripID) {
        guard let entry = registry.entries[id], let actor = servedTrip(id) else { return }
        storage.compact(actor.read { TripSnapshot(deciding: $0, origin: entry.origin) })
    }

    /// A trip's journal has been closed; `known` is nil if that failed. On the loop.
    func closed(_ id: TripID, _ known: CatalogueEntry?) {
        let slugs = registry.entries[id]?.slugs ?? []
        registry.endBusy(
            id, .init(known: known ?? CatalogueEntry(slugs: slugs), isConfirmed: known?.summary != nil))
        becameFree(id)
        continueSurvey()
    }

    /// A trip is closed and can be opened again, which happens at once if requests wait for it.
    func becameFree(_ id: TripID) {
        if parkedRequests[id] != nil { open(id) }
    }

    func refuse(_ waiting: [ParkedRequest], _ error: WireError) {
        for parked in waiting {
            releaseBatch(parked)
            answer(parked.ticket, ServerLine.error(parked.ticket.request, error))
        }
        finishIfDrained()
    }

    // MARK: Closing

    /// The maximum number of idle trips closed in one iteration.
    private static let closedAtOnce = 8

    /// Records a use of an open trip.
    func use(_ id: TripID) {
        guard !idleTrips.wasUsedLast(id, at: loop.now), servedTrip(id) != nil else { return }
        idleTrips.use(id, at: loop.now)
        if registry.openCount > configuration.openTrips { closeLongestIdle() }
        scheduleClosing()
    }

    /// Keeps one timer for all trips, for the earliest time at which one may have been idle long enough.
    private func scheduleClosing() {
        guard closingTimer == nil, let first = idleTrips.first else { return }
        let delay = max(.zero, first + configuration.idleTime - loop.now)
        closingTimer = loop.schedule(after: delay) { [self] in
            enter { server in
                server.closingTimer = nil
                server.closeIdle()
            }
        }
    }

    /// Closes idle trips; of many the next ones in the next iteration.
    private func closeIdle() {
        for _ in 0..<Self.closedAtOnce {
            guard let id = idleTrips.next(notUsedAfter: loop.now - configuration.idleTime) else { break }
            _ = closeIfIdle(id)
        }
        scheduleClosing()
        scheduleReturnOfMemory()
    }

    /// Scheduled once for all trips that are closed at about the same time.
    private func scheduleReturnOfMemory() {
        guard !isReturnOfMemoryScheduled else { return }
        isReturnOfMemoryScheduled = true
        _ = loop.schedule(after: .seconds(2)) { [self] in
            enter { $0.returnMemory() }
        }
    }

    /// Returns free memory to the system. The lines of past commits go first: among a crowd's memory that is free now, each
    /// of them holds a page.
    func returnMemory() {
        isReturnOfMemoryScheduled = false
        for case .served(let trip) in registry.entries.values.map(\.state) {
            trip.read { $0.durable.dropLines() }
        }
        configuration.returnMemory()
    }

    /// Closes the least recently used trips above the limit.
    private func closeLongestIdle() {
        for _ in 0..<idleTrips.count where registry.openCount > configuration.openTrips {
            guard let id = idleTrips.next(notUsedAfter: loop.now), closeIfIdle(id) else { break }
        }
        scheduleClosing()
    }

    /// Closes a trip that is idle; one that is in use is examined again after its next use.
    ///
    /// - Returns: false if the trip was put back to the end of the queue.
    private func closeIfIdle(_ id: TripID) -> Bool {
        guard let actor = servedTrip(id), !isBusy(id), actor.read({ $0.isIdle }) else {
            return true
        }
        if connections.values.contains(where: { $0.outbox.lateTrip == id }) {
            // Its state must still be sent, which is not a step of the trip.
            idleTrips.use(id, at: loop.now)
            return false
        }
        close(id, actor)
        return true
    }

    private func close(_ id: TripID, _ actor: TripActor) {
        idleTrips.forget(id)
        if let timer = tripTimers.removeValue(forKey: id) { loop.cancel(timer.timer) }
        let (content, version) = actor.read { ($0.content, $0.durable.version) }
        // A list uses this summary until the storage reports the file's stamp.
        let summary = TripDigest(
            header: content.header, version: version, itemCount: content.itemCount,
            stamp: JournalStamp(size: 0, number: 0))
        let known = CatalogueEntry(slugs: [content.header.slug], summary: summary)
        registry.beginClosing(id, .init(known: known, isConfirmed: true))
        free(actor)
        storage.close(id, content)
    }

    /// Closes all trips cleanly; the last action of the server.
    func closeAllTrips() {
        for id in registry.entries.keys.sorted() {
            guard let actor = servedTrip(id), actor.read({ $0.isIdle }) else { continue }
            close(id, actor)
        }
    }
}
