import LocalSystem
import TripModel
import TripProtocol

extension Server {
    /// Routes a request to its handler, now or when its trip is open.
    func route(_ asked: ParkedRequest) {
        var parked = asked
        guard addTripAccess(to: &parked) else { return }
        // This precedes the opening of a trip, because a trip with the id of a draft may be invisible to the sender.
        if parked.request.method.traits.scope == .none, refuseAccess(parked) { return }
        if park(parked) { return }
        releaseBatch(parked)
        if refuseAccess(parked) { return }
        let (request, fingerprint) = (parked.request, parked.fingerprint)
        let (ticket, principal) = (parked.ticket, parked.principal)
        let now = loop.now
        let sender = ticket.connection
        switch request {
        case .ping, .discover, .hello, .restrict: preconditionFailure("the session answers these")
        case .createTrip(let draft): create(draft, parked)
        case .listTrips:
            ticket.request == nil ? complete(ticket, .nothing) : complete(ticket, late: .tripList)
        case .getTrip(let trip, let withSaid):
            withTrip(trip, ticket) { core, id in
                core.late(.state(id, withSaid ? .storedSnapshot : .snapshot), ticket)
            }
        case .deleteTrip(let trip, let version, let isDryRun):
            withTrip(trip, ticket) { core, _ in
                core.delete(ifVersion: version, isDryRun: isDryRun, ticket)
            }
        case .change(let change):
            let command = command(change, fingerprint, ticket, principal)
            self.change(change.trip, command, parked) { $0.change(command) }
        case .gaps(let trip, let item):
            withTrip(trip, ticket) { core, id in core.late(.state(id, .gaps(item)), ticket) }
        case .subscribe(let subscribe):
            if hasAllSubscriptions(connections[sender], subscribe.trip) {
                let limit = WireLimits.subscriptions
                let error = WireError.limit(
                    "subscriptions", max: limit, "a connection is subscribed to at most \(limit) trips")
                return answer(ticket, ServerLine.error(ticket.request, error))
            }
            remember(subscribe.trip, sender)
            withTrip(subscribe.trip, ticket) { core, _ in
                core.subscribe(subscribe, by: principal, ticket, now: now)
            }
        case .unsubscribe(let trip):
            withTrip(trip, ticket) { core, _ in core.unsubscribe(sender, ticket, now: now) }
        case .sync(let trip):
            withTrip(trip, ticket) { core, id in core.late(.synced(id), ticket) }
        case .focus(let trip, let row):
            withTrip(trip, ticket) { core, _ in core.focus(on: row, by: sender, ticket, now: now) }
        case .openBatch(let trip): openBatch(on: trip, ticket)
        case .addToBatch(let batch, let edits):
            add(edits, hash: fingerprint, lineBytes: parked.byteCount, to: batch, ticket)
        case .commitBatch: preconditionFailure("a commit of a batch is resolved to a change earlier")
        case .dropBatch(let batch): dropBatch(batch, ticket)
        case .beginDrag(let trip, let item, let includesGaps):
            let drag = DragID("\(configuration.dragPrefix)-\(nextDrag)")
            nextDrag += 1
            remember(trip, sender)
            withTrip(trip, ticket) { core, _ in
                core.beginDrag(
                    of: item, as: drag, includingGaps: includesGaps, by: principal, ticket, now: now)
            }
        case .hover(let drag, let over):
            withDrag(drag, ticket) { core in
                core.hover(drag, over: over, by: sender, ticket, now: now)
            }
        case .cancelDrag(let drag):
            withDrag(drag, ticket) { core in
                core.cancelDrag(drag, by: sender, ticket, now: now)
            }
        case .drop(let drop): self.drop(drop, parked)
        case .undo(let trip, let options):
            reverse(.undo, .undo, trip, options, parked)
        case .redo(let trip, let options):
            reverse(.redo, .redo, trip, options, parked)
        case .history(var history):
            history.limit = min(history.limit ?? Self.historyLines, Self.maximumHistoryLines)
            let asked = history
            withTrip(history.trip, ticket) { core, id in core.late(.state(id, .history(asked)), ticket) }
        case .removedItems(let trip):
            let since = Timestamp(milliseconds: configuration.wallClock() - WireLimits.trashMilliseconds)
            withTrip(trip, ticket) { core, id in core.late(.state(id, .removedItems(since: since)), ticket) }
        case .listTrash: listTrash(parked)
        case .restoreTrip(let trip): restore(trip, parked)
        case .stats: answer(ticket, statisticsLine(ticket.request, for: principal.rights))
        case .shutdown:
            configuration.log(.info("\(principal.user) asks the daemon to stop"))
            answer(ticket, ServerLine.emptyReply(ticket.request))
            stop()
        }
    }

    /// Refuses a request that the sender's access does not allow. Changes of a trip are checked by the trip
    /// with the same table, because a missing item is reported first.
    private func refuseAccess(_ parked: ParkedRequest) -> Bool {
        let (request, ticket) = (parked.request, parked.ticket)
        guard !parked.principal.may(request.method) else { return false }
        switch request.method.traits.scope {
        case .none:
            let error = WireError.notAllowed(parked.principal.access)
            answer(ticket, ServerLine.error(ticket.request, error))
        case .trip, .batch:
            if case .change = request { return false }
            guard let trip = request.trip else { return false }
            let access = parked.principal.access
            withTrip(trip, ticket) { core, _ in core.refuseAccess(of: access, to: request, ticket) }
        // A connection without write access has no drag, and gets that error.
        case .drag: return false
        }
        return true
    }

    // MARK: Finding trips

    /// True if the connection has its maximum of subscriptions, each of which keeps a trip in memory.
    private func hasAllSubscriptions(_ connection: Connection?, _ trip: TripReference) -> Bool {
        guard let slots = connection?.outbox.slots, slots.count >= WireLimits.subscriptions,
            let id = registry.id(of: trip)
        else { return false }
        return slots[id] == nil
    }

    /// Records a trip that must be updated when the connection ends.
    private func remember(_ trip: TripReference, _ connection: ConnectionID) {
        if let id = registry.id(of: trip) { connections[connection]?.trips.insert(id) }
    }

    /// Runs a step of the request's trip, or answers with an error.
    func withTrip(
        _ reference: TripReference, _ ticket: Ticket, _ body: @Sendable (inout TripCore, TripID) -> [Effect]
    ) {
        guard let actor = openTrip(reference, ticket) else { return }
        carryOut(actor.step { body(&$0, actor.id) }, of: actor.id)
    }

    /// The request's trip; nil after an error was answered.
    private func openTrip(_ reference: TripReference, _ ticket: Ticket) -> TripActor? {
        switch registry.find(reference)?.state {
        case nil: answer(ticket, ServerLine.error(ticket.request, Self.noTrip(reference.text)))
        case .closed, .busy: preconditionFailure("a request waits until its trip is open")
        case .quarantined(let error, _): answer(ticket, ServerLine.error(ticket.request, error))
        case .served(let actor): return actor
        }
        return nil
    }

    /// Runs a step of the trip of the request's drag, or answers how the drag has ended.
    private func withDrag(
        _ drag: DragID, _ ticket: Ticket, _ body: @Sendable (inout TripCore) -> [Effect]?
    ) {
        let drags = connections[ticket.connection]?.drags
        if let trip = drags?.trip(of: drag), let actor = servedTrip(trip),
            let outcome = actor.step(body)
        {
            return carryOut(outcome, of: trip)
        }
        answer(ticket, ServerLine.error(ticket.request, Self.noDrag(drag, drags?[drag])))
    }

    static func noTrip(_ name: String) -> WireError {
        WireError(.tripNotFound, "there is no trip \(name)")
    }

    private static func noDrag(_ drag: DragID, _ entry: DragLog.Entry?) -> WireError {
        if case .expired? = entry {
            let seconds = WireLimits.leaseMilliseconds / 1000
            return WireError(.leaseExpired, "the drag has ended, after \(seconds) s without a hover")
        }
        return WireError(.dragNotFound, "this connection holds no drag \(drag.text)")
    }

    // MARK: Changes

    /// Resolves a change request to a command for its trip.
    private func command(
        _ change: ChangeRequest, _ fingerprint: UInt64, _ ticket: Ticket, _ principal: Principal
    ) -> ChangeCommand {
        var taken: Set<String> = []
        for slug in change.edits.compactMap(\.slug) {
            if registry.isTaken(slug, byOtherThan: registry.id(of: change.trip)) { taken.insert(slug) }
        }
        return ChangeCommand(
            method: change.method, edits: change.edits, options: change.options, principal: principal,
            ticket: ticket,
            fingerprint: fingerprint,
            takenSlugs: taken, at: Timestamp(milliseconds: configuration.wallClock()))
    }

    /// The default and the maximum number of history lines in an answer.
    static let historyLines = 50
    static let maximumHistoryLines = 500

    private func reverse(
        _ kind: EditLog.Kind, _ method: Method, _ trip: TripReference, _ options: ChangeOptions,
        _ parked: ParkedRequest
    ) {
        let edits = restoredSlugs(kind, trip, parked.principal).map { Edit.trip(TripChange(slug: $0)) }
        let command = command(
            ChangeRequest(method: method, trip: trip, edits: edits, options: options), parked.fingerprint,
            parked.ticket, parked.principal)
        change(trip, command, parked) { $0.reverse(kind, command) }
    }

    /// Runs a change of a trip: on the loop, or on a worker if it is long.
    private func change(
        _ trip: TripReference, _ command: ChangeCommand, _ parked: ParkedRequest, _ body: @escaping TripEvent
    ) {
        guard let actor = openTrip(trip, parked.ticket) else { return }
        let slugs = command.options.isDryRun ? [] : command.edits.compactMap(\.slug)
        let free = slugs.filter { !command.takenSlugs.contains($0) }
        if runsOnWorker(parked, of: actor, reserving: free, body) { return }
        carryOut(actor.step(body), of: actor.id)
    }

    /// The slug that an undo or redo restores, if any. The trip knows the slug, and the server knows whether
    /// it is free.
    func restoredSlugs(_ kind: EditLog.Kind, _ trip: TripReference, _ principal: Principal) -> [String] {
        let slug: String?? = registry.id(of: trip).flatMap(servedTrip)?.read { core in
            core.next(kind, of: principal.editor)?.commit.header?.before.slug
        }
        return [slug ?? nil].compactMap(\.self)
    }

    private func drop(_ drop: Drop, _ parked: ParkedRequest) {
        let (fingerprint, ticket, principal) = (parked.fingerprint, parked.ticket, parked.principal)
        let at = Timestamp(milliseconds: configuration.wallClock())
        let now = loop.now
        let isHeld = connections[ticket.connection]?.drags.trip(of: drop.drag) != nil
        if !isHeld, let id = drop.trip.flatMap(registry.id), case .quarantined(let error, _)? = registry[id] {
            return answer(ticket, ServerLine.error(ticket.request, error))
        }
        // A retry after the drag has ended finds its answer by the trip.
        if !isHeld, let id = drop.trip.flatMap(registry.id),
            let outcome = servedTrip(id)?.step({ core in
                core.drop(drop, fingerprint: fingerprint, by: principal, ticket, now: now, at: at)
            })
        {
            return carryOut(outcome, of: id)
        }
        if !isHeld, let trip = drop.trip, registry.id(of: trip) == nil {
            // The drop may have been applied and the trip renamed since; a retry by id would find it.
            return answer(ticket, ServerLine.error(ticket.request, Self.noTrip(trip.text)))
        }
        if let trip = connections[ticket.connection]?.drags.trip(of: drop.drag),
            let actor = servedTrip(trip),
            runsOnWorker(
                parked, of: actor,
                { core in
                    core.drop(drop, fingerprint: fingerprint, by: principal, ticket, now: now, at: at) ?? []
                })
        {
            return
        }
        withDrag(drop.drag, ticket) { core in
            core.drop(drop, fingerprint: fingerprint, by: principal, ticket, now: now, at: at)
        }
    }
}
