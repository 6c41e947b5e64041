import LocalSystem
import TripModel
import TripProtocol

extension Server {
    /// Hands a request to whom it concerns, now or when its trip is open.
    func route(_ asked: ParkedRequest) {
        guard let parked = narrowed(asked) else { return }
        // Before a trip is opened for it: a trip that has the id of a draft may be hidden from the caller.
        if parked.request.method.traits.scope == .none, refuseAccess(parked) { return }
        if park(parked) { return }
        letGoOfBatch(parked)
        if refuseAccess(parked) { return }
        let (request, mark) = (parked.request, parked.fingerprint)
        let (ticket, principal) = (parked.ticket, parked.principal)
        let now = loop.now
        let sender = ticket.connection
        switch request {
        case .ping, .discover, .hello, .restrict: preconditionFailure("the session answers these")
        case .createTrip(let draft): create(draft, parked)
        case .listTrips: fulfil(ticket, ticket.request == nil ? .nothing : .late(.tripList, ticket.request))
        case .getTrip(let trip):
            withTrip(trip, ticket) { core, id in core.late(.snapshot(id), ticket) }
        case .deleteTrip(let trip, let version, let isDryRun):
            withTrip(trip, ticket) { core, _ in
                core.delete(ifVersion: version, isDryRun: isDryRun, ticket)
            }
        case .change(let change):
            let command = command(change, mark, ticket, principal)
            self.change(change.trip, command, parked) { $0.change(command) }
        case .gaps(let trip, let item):
            withTrip(trip, ticket) { core, _ in core.gaps(of: item, ticket) }
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
        case .focus(let trip, let item):
            withTrip(trip, ticket) { core, _ in core.focus(on: item, by: sender, ticket, now: now) }
        case .openBatch(let trip): openBatch(on: trip, ticket)
        case .addToBatch(let batch, let edits):
            add(edits, mark: mark, lineBytes: parked.byteCount, to: batch, ticket)
        case .commitBatch: preconditionFailure("it has become a change when it was read")
        case .dropBatch(let batch): dropBatch(batch, ticket)
        case .beginDrag(let trip, let item, let tellsGaps):
            let drag = DragID("\(configuration.dragPrefix)-\(nextDrag)")
            nextDrag += 1
            remember(trip, sender)
            withTrip(trip, ticket) { core, _ in
                core.beginDrag(
                    of: item, as: drag, tellingGaps: tellsGaps, by: principal, ticket, now: now)
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
            withTrip(history.trip, ticket) { core, id in core.late(.history(id, asked), ticket) }
        case .stats: answer(ticket, statisticsLine(ticket.request, for: principal.rights))
        case .shutdown:
            configuration.log(.info("\(principal.user) asks the daemon to stop"))
            answer(ticket, ServerLine.emptyReply(ticket.request))
            stop()
        }
    }

    /// Refuses what the access of who asks does not allow. This is the only place that looks: a change of a trip alone
    /// goes on, because what it names must be found first, and is refused by the same table.
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
        // Who may not change anything has none, and is told so.
        case .drag: return false
        }
        return true
    }

    // MARK: Finding trips

    /// Whether a connection may not subscribe to another trip: each keeps its trip in memory.
    private func hasAllSubscriptions(_ connection: Connection?, _ trip: TripReference) -> Bool {
        guard let slots = connection?.outbox.slots, slots.count >= WireLimits.subscriptions,
            let id = registry.id(of: trip)
        else { return false }
        return slots[id] == nil
    }

    /// Notes a trip that the connection's end will concern.
    private func remember(_ trip: TripReference, _ connection: ConnectionID) {
        if let id = registry.id(of: trip) { connections[connection]?.trips.insert(id) }
    }

    /// Does a step of the trip that a request names, or answers why it cannot.
    func withTrip(
        _ reference: TripReference, _ ticket: Ticket, _ body: @Sendable (inout TripCore, TripID) -> [Effect]
    ) {
        guard let (id, state) = registry.find(reference) else {
            return answer(ticket, ServerLine.error(ticket.request, Self.noTrip(reference.text)))
        }
        switch state {
        case .closed, .busy: preconditionFailure("a request waits until its trip is open")
        case .quarantined(let error, _):
            answer(ticket, ServerLine.error(ticket.request, error))
        case .served(let actor):
            carryOut(actor.step { body(&$0, id) }, of: id)
        }
    }

    /// Does a step of the trip whose drag a request names, or answers how that drag has ended.
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

    /// What a trip's owner needs for a change.
    private func command(
        _ change: ChangeRequest, _ mark: UInt64, _ ticket: Ticket, _ principal: Principal
    ) -> ChangeCommand {
        var taken: Set<String> = []
        for slug in change.edits.compactMap(\.slug) {
            if registry.isTaken(slug, byOtherThan: registry.id(of: change.trip)) { taken.insert(slug) }
        }
        return ChangeCommand(
            method: change.method, edits: change.edits, options: change.options, principal: principal,
            ticket: ticket,
            fingerprint: mark,
            takenSlugs: taken, at: Timestamp(milliseconds: configuration.wallClock()))
    }

    /// Lines of history that are told unless the request says how many, and at the most.
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

    /// Makes a change of a trip: here, or on a worker if it is long.
    private func change(
        _ trip: TripReference, _ command: ChangeCommand, _ parked: ParkedRequest, _ body: @escaping Happening
    ) {
        let slugs = command.options.isDryRun ? [] : command.edits.compactMap(\.slug)
        let free = slugs.filter { !command.takenSlugs.contains($0) }
        if let id = registry.id(of: trip), makesElsewhere(parked, of: id, reserving: free, body) { return }
        withTrip(trip, parked.ticket) { core, _ in body(&core) }
    }

    /// The slug that an undo or redo goes back to, if it does. The trip alone knows which; the server, whether it is free.
    func restoredSlugs(_ kind: EditLog.Kind, _ trip: TripReference, _ principal: Principal) -> [String] {
        let slug: String?? = registry.id(of: trip).flatMap(servedTrip)?.read { core in
            core.edits.next(kind, of: principal.editor)?.commit.headerBefore?.slug
        }
        return [slug ?? nil].compactMap(\.self)
    }

    private func drop(_ drop: Drop, _ parked: ParkedRequest) {
        let (mark, ticket, principal) = (parked.fingerprint, parked.ticket, parked.principal)
        let at = Timestamp(milliseconds: configuration.wallClock())
        let now = loop.now
        let isHeld = connections[ticket.connection]?.drags.trip(of: drop.drag) != nil
        if !isHeld, let id = drop.trip.flatMap(registry.id), case .quarantined(let error, _)? = registry[id] {
            return answer(ticket, ServerLine.error(ticket.request, error))
        }
        // A repeat after the drag is gone finds its answer by the trip.
        if !isHeld, let id = drop.trip.flatMap(registry.id),
            let outcome = servedTrip(id)?.step({ core in
                core.drop(drop, fingerprint: mark, by: principal, ticket, now: now, at: at)
            })
        {
            return carryOut(outcome, of: id)
        }
        if !isHeld, let trip = drop.trip, registry.id(of: trip) == nil {
            // Perhaps it was made, and the trip is called otherwise since: an id would find it.
            return answer(ticket, ServerLine.error(ticket.request, Self.noTrip(trip.text)))
        }
        let trip = connections[ticket.connection]?.drags.trip(of: drop.drag)
        if let trip,
            makesElsewhere(
                parked, of: trip,
                { core in
                    core.drop(drop, fingerprint: mark, by: principal, ticket, now: now, at: at) ?? []
                })
        {
            return
        }
        withDrag(drop.drag, ticket) { core in
            core.drop(drop, fingerprint: mark, by: principal, ticket, now: now, at: at)
        }
    }
}
