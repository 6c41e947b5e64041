import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// What another thread found when it looked at a closed trip.
enum TripLook: Sendable {
    /// What was known of it still holds.
    case same
    case read(CatalogueEntry)
    case quarantined(WireError, TripHeader?)
    /// The system has failed; with the slug that its journal tells, where the catalogue tells none.
    case unreadable(WireError, slug: String?)
}

/// Trips are opened when they are first asked for, off the loop, and closed when nobody has asked for a time.
extension Server {
    /// Takes in the trips that are on the disk, none of them open.
    func know(_ inventory: TripInventory) {
        for (id, closed) in inventory.closed { registry.add(id, .closed(closed), slugs: closed.known.slugs) }
        // Last: a damaged trip is named by what it was once called, and takes no name of a healthy one.
        for (id, damaged) in inventory.quarantined {
            registry.add(id, .quarantined(damaged.error, damaged.header), slugs: damaged.slugs)
        }
    }

    func servedTrip(_ id: TripID) -> TripActor? {
        guard case .served(let actor)? = registry[id] else { return nil }
        return actor
    }

    // MARK: Waiting

    /// Keeps a request until a trip is open; false where nothing is to be waited for.
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

    /// Keeps a request back that asks for a name which another trip has only in flight: whether it has it is told to
    /// nobody before the disk has it.
    private func parkForName(_ parked: ParkedRequest) -> Bool {
        for name in names(askedForBy: parked) {
            guard let owner = registry.id(of: name).flatMap(servedTrip) else { continue }
            if isBusy(owner.id) {
                park(parked, until: owner.id)
                return true
            }
            guard let outcome = owner.step({ core in core.tellName(name, to: parked) })
            else { continue }
            connections[parked.ticket.connection]?.outbox.hold(parked.ticket.number)
            carryOut(outcome, of: owner.id)
            return true
        }
        return false
    }

    /// The slugs, and the id, that a request wants for a trip and that another may have.
    private func names(askedForBy parked: ParkedRequest) -> [TripReference] {
        let (trip, slugs): (TripReference, [String])
        switch parked.request {
        case .createTrip(let draft):
            return (draft.id.map { [.id($0)] } ?? []) + (draft.slug.map { [.slug($0)] } ?? [])
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
        connections[parked.ticket.connection]?.outbox.hold(parked.ticket.number)
        parkedRequests[id, default: []].append(parked)
        open(id)
    }

    /// Has a trip read, if it is closed; if somebody is busy with it, that comes first.
    private func open(_ id: TripID) {
        if let known = registry.beginReading(id) { storage.open(id, known) }
    }

    /// Carries out what has waited for a trip, or for a list of all.
    func resume(_ waiting: [ParkedRequest]) {
        for parked in waiting {
            let phase = connections[parked.ticket.connection]?.phase ?? .closed
            let isThere = phase == .open || phase == .halfClosed
            // One that is gone has left its trips already, and must not join them again.
            guard isThere || parked.request.method.traits.outlivesConnection else { continue }
            route(parked)
        }
        finishIfDrained()
    }

    func takeParked(_ id: TripID) -> [ParkedRequest] { parkedRequests.removeValue(forKey: id) ?? [] }

    // MARK: What other threads have done

    /// A trip has been read. On the loop.
    func opened(_ core: TripCore, origin: TripRegistry.Origin?) {
        var core = core
        core.leases = LeaseTable(length: configuration.leaseTime)
        let (id, slug) = (core.id, core.trip.header.slug)
        if let known = registry.entries[id]?.slugs, known != [slug] { storage.name(id, [slug]) }
        registry.open(id, TripActor(core, on: loop, storage: storage), slug: slug, origin: origin)
        // Not `use`: before its requests are carried out it must not be closed again.
        idleTrips.use(id, at: loop.now)
        resume(takeParked(id))
        closeLongestIdle()
        continueSurvey()
    }

    /// A trip could not be read this time. On the loop.
    func notOpened(_ id: TripID, _ error: WireError) {
        configuration.log(.warning("trip \(id) could not be opened: \(error.message)"))
        registry.endBusy(id)
        refuse(takeParked(id), error)
        continueSurvey()
    }

    /// A trip's journal is not fit to be served: every request on it gets an error. On the loop.
    func quarantined(_ id: TripID, _ error: WireError, _ header: TripHeader?) {
        configuration.log(.warning("trip \(id) is not served: \(error.message)"))
        registry.quarantine(id, error, header)
        resume(takeParked(id))
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

    /// A trip is closed, and free to be opened: if somebody has asked for it meanwhile, it is.
    func becameFree(_ id: TripID) {
        if parkedRequests[id] != nil { open(id) }
    }

    func refuse(_ waiting: [ParkedRequest], _ error: WireError) {
        for parked in waiting {
            letGoOfBatch(parked)
            answer(parked.ticket, ServerLine.error(parked.ticket.request, error))
        }
        finishIfDrained()
    }

    // MARK: Closing

    /// Notes that something happens to an open trip.
    func use(_ id: TripID) {
        guard !idleTrips.wasUsedLast(id, at: loop.now), servedTrip(id) != nil else { return }
        idleTrips.use(id, at: loop.now)
        if registry.openCount > configuration.openTrips { closeLongestIdle() }
        scheduleClosing()
    }

    /// One timer for all trips, at the time when the first may have been idle long enough; none where none is open.
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

    private func closeIdle() {
        while let id = idleTrips.next(notUsedAfter: loop.now - configuration.idleTime) { _ = closeIfIdle(id) }
        scheduleClosing()
        scheduleReturnOfMemory()
    }

    /// Once for all trips that are closed about now.
    private func scheduleReturnOfMemory() {
        guard !isReturnOfMemoryScheduled else { return }
        isReturnOfMemoryScheduled = true
        _ = loop.schedule(after: .seconds(2)) { [self] in
            enter { server in
                server.isReturnOfMemoryScheduled = false
                server.configuration.returnMemory()
            }
        }
    }

    /// Closes the trips that were idle longest, if there are more than are to be kept.
    private func closeLongestIdle() {
        for _ in 0..<idleTrips.count where registry.openCount > configuration.openTrips {
            guard let id = idleTrips.next(notUsedAfter: loop.now), closeIfIdle(id) else { break }
        }
        scheduleClosing()
    }

    /// Lets go of a trip that nobody needs; one that somebody needs is looked at again after its next use.
    ///
    /// - Returns: false where it is put back to the end of the queue.
    private func closeIfIdle(_ id: TripID) -> Bool {
        guard let actor = servedTrip(id), !isBusy(id), actor.read({ $0.isIdle }) else {
            return true
        }
        if connections.values.contains(where: { $0.outbox.lateTrip == id }) {
            // Its state is still to be told; that is no step of the trip.
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
        // Until the storage tells which file it is, a list has the rest.
        let summary = TripDigest(
            header: content.header, version: version, itemCount: content.itemCount,
            stamp: JournalStamp(size: 0, number: 0))
        let known = CatalogueEntry(slugs: [content.header.slug], summary: summary)
        registry.beginClosing(id, .init(known: known, isConfirmed: true))
        storage.close(id, content)
    }

    /// Lets go of everything, so that the next start finds it as it is told. The last thing that is done.
    func closeAllTrips() {
        for id in registry.entries.keys.sorted() {
            guard let actor = servedTrip(id), actor.read({ $0.isIdle }) else { continue }
            close(id, actor)
        }
    }
}
