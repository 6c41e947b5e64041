import LocalSystem
import TripModel
import TripProtocol

/// What each request does, once it has passed the gates.
extension Server {
    func handle(_ call: Call, at place: Place) {
        if refuseAccess(call, at: place) { return }
        let (ticket, principal, now) = (call.ticket, call.principal, loop.now)
        let sender = ticket.connection
        switch call.request {
        case .ping, .discover, .hello, .restrict: preconditionFailure("the session answers these")
        case .createTrip(let draft): create(draft, call, at: place)
        case .listTrips:
            ticket.request == nil ? complete(ticket, .nothing) : complete(ticket, late: .tripList)
        case .getTrip(_, let withSaid): answer(call, with: withSaid ? .storedSnapshot : .snapshot, at: place)
        case .deleteTrip(_, let version, let isDryRun):
            run(call, at: place) { $0.delete(ifVersion: version, isDryRun: isDryRun, ticket) }
        case .change(let change):
            self.change(change, call, at: place) { $0.change($1) }
        case .undo(_, let options): reverse(.undo, .undo, options, call, at: place)
        case .redo(_, let options): reverse(.redo, .redo, options, call, at: place)
        case .gaps(_, let item): answer(call, with: .gaps(item), at: place)
        case .subscribe(let subscribe):
            if hasAllSubscriptions(sender, at: place) {
                let limit = WireLimits.subscriptions
                return refuse(
                    call,
                    .limit(
                        "subscriptions", max: limit, "a connection is subscribed to at most \(limit) trips"))
            }
            remember(place, sender)
            run(call, at: place) { $0.subscribe(subscribe, by: principal, ticket, now: now) }
        case .unsubscribe: run(call, at: place) { $0.unsubscribe(sender, ticket, now: now) }
        case .sync: run(call, at: place) { $0.late(.synced($0.id), ticket) }
        case .focus(_, let row): run(call, at: place) { $0.focus(on: row, by: sender, ticket, now: now) }
        case .openBatch: openBatch(call, at: place)
        case .addToBatch(let batch, let edits): add(edits, to: batch, call)
        case .commitBatch: preconditionFailure("a commit of a batch is resolved to a change earlier")
        case .dropBatch(let batch): dropBatch(batch, call)
        case .beginDrag(_, let item, let includesGaps):
            let drag = DragID("\(configuration.dragPrefix)-\(counters.nextDrag())")
            remember(place, sender)
            run(call, at: place) { core in
                core.beginDrag(
                    of: item, as: drag, includingGaps: includesGaps, by: principal, ticket, now: now)
            }
        case .hover(let drag, let over):
            run(call, with: drag, at: place) { $0.hover(drag, over: over, by: sender, ticket, now: now) }
        case .cancelDrag(let drag):
            run(call, with: drag, at: place) { $0.cancelDrag(drag, by: sender, ticket, now: now) }
        case .drop(let drop): self.drop(drop, call, at: place)
        case .history(var history):
            history.limit = min(history.limit ?? Self.historyLines, Self.maximumHistoryLines)
            answer(call, with: .history(history), at: place)
        case .removedItems:
            let since = Timestamp(milliseconds: configuration.wallClock() - WireLimits.trashMilliseconds)
            answer(call, with: .removedItems(since: since), at: place)
        case .listTrash: listTrash(call)
        case .restoreTrip(let trip): restore(trip, call)
        case .stats: answer(ticket, statisticsLine(ticket.request, for: principal.rights))
        case .shutdown:
            configuration.log(.info("\(principal.user) asks the daemon to stop"))
            answer(ticket, ServerLine.emptyReply(ticket.request))
            stop()
        }
    }

    /// The default and the maximum number of history lines in an answer.
    private static let historyLines = 50
    private static let maximumHistoryLines = 500

    /// Lets the trip refuse a request that the sender's access does not allow. Changes are checked by the trip in any
    /// case. A connection without write access has no drag, and gets that error.
    private func refuseAccess(_ call: Call, at place: Place) -> Bool {
        let request = call.request
        guard case .open = place, !call.principal.may(request.method) else { return false }
        switch (request.method.traits.scope, request) {
        case (.none, _), (.drag, _), (_, .change): return false
        case (.trip, _), (.batch, _):
            run(call, at: place) { $0.refuseAccess(of: call.principal.access, to: request, call.ticket) }
            return true
        }
    }

    /// True if the connection has its maximum of subscriptions, each of which keeps a trip in memory.
    private func hasAllSubscriptions(_ connection: ConnectionID, at place: Place) -> Bool {
        guard let slots = connections[connection]?.outbox.slots, slots.count >= WireLimits.subscriptions,
            case .open(let actor) = place
        else { return false }
        return slots[actor.id] == nil
    }

    /// Records a trip that must be updated when the connection ends.
    private func remember(_ place: Place, _ connection: ConnectionID) {
        if case .open(let actor) = place { connections[connection]?.trips.insert(actor.id) }
    }

    // MARK: Steps of the trip

    /// Runs a step of the call's trip, or answers that there is none.
    func run(_ call: Call, at place: Place, _ body: @Sendable (inout TripCore) -> [Effect]) {
        guard let actor = actor(of: call, at: place) else { return }
        let outcome = actor.step { core in
            core.isDeleted ? core.refuse(call.ticket, .noTrip(.id(core.id))) : body(&core)
        }
        carryOut(outcome, of: actor.id)
    }

    /// Answers with a part of the trip's state.
    func answer(_ call: Call, with state: StateRequest, at place: Place) {
        run(call, at: place) { $0.late(.state($0.id, state), call.ticket) }
    }

    /// The call's trip; nil after an error was answered.
    private func actor(of call: Call, at place: Place) -> TripActor? {
        switch place {
        case .open(let actor): return actor
        case .damaged(let error): refuse(call, error)
        case .nowhere:
            guard let name = call.request.trip else {
                preconditionFailure("only a request for a trip runs in one")
            }
            refuse(call, .noTrip(name))
        }
        return nil
    }

    /// Runs a step of the trip of the call's drag, or answers how the drag has ended.
    private func run(
        _ call: Call, with drag: DragID, at place: Place, _ body: @Sendable (inout TripCore) -> [Effect]?
    ) {
        if case .open(let actor) = place, let outcome = actor.step(body) {
            return carryOut(outcome, of: actor.id)
        }
        refuse(call, noDrag(drag, of: call.ticket.connection))
    }

    private func noDrag(_ drag: DragID, of connection: ConnectionID) -> WireError {
        if case .expired? = connections[connection]?.drags[drag] {
            let seconds = WireLimits.leaseMilliseconds / 1000
            return WireError(.leaseExpired, "the drag has ended, after \(seconds) s without a hover")
        }
        return WireError(.dragNotFound, "this connection holds no drag \(drag.text)")
    }

    // MARK: Changes

    /// Runs a change of a trip: on the loop, or on a worker if it is long.
    private func change(
        _ change: ChangeRequest, _ call: Call, at place: Place,
        _ body: @escaping @Sendable (inout TripCore, ChangeCommand) -> [Effect]
    ) {
        guard let actor = actor(of: call, at: place) else { return }
        let slugs = change.edits.compactMap(\.slug)
        let taken = slugs.filter { directory.isTaken($0, byOtherThan: actor.id) }
        let at = Timestamp(milliseconds: configuration.wallClock())
        let command = ChangeCommand(change, call, by: call.principal, takenSlugs: Set(taken), at: at)
        let free = change.options.isDryRun ? [] : slugs.filter { !taken.contains($0) }
        if runsOnWorker(call.alone, of: actor, reserving: free, { body(&$0, command) }) {
            if let rest = Call(group: call.followers) { submit(rest) }
            return
        }
        let limit = configuration.runOnWorker == nil ? .max : configuration.longChange
        let outcome = actor.step { core in
            let before = core.workDone
            var effects = body(&core, command)
            for (index, follower) in call.followers.enumerated() {
                // Together they must not take longer than one.
                guard case .change(let change) = follower.request,
                    !core.isLong(follower, from: limit - (core.workDone - before))
                else {
                    if let rest = Call(group: call.followers[index...]) { effects.append(.resume(rest)) }
                    break
                }
                effects += core.change(ChangeCommand(change, follower, by: call.principal, at: at))
            }
            return effects
        }
        carryOut(outcome, of: actor.id)
    }

    private func reverse(
        _ kind: EditLog.Kind, _ method: Method, _ options: ChangeOptions, _ call: Call, at place: Place
    ) {
        guard let actor = actor(of: call, at: place) else { return }
        let edits = restoredSlugs(kind, actor.id, call.principal).map { Edit.trip(TripChange(slug: $0)) }
        let request = ChangeRequest(method: method, trip: .id(actor.id), edits: edits, options: options)
        change(request, call, at: place) { $0.reverse(kind, $1) }
    }

    /// A retry after the drag has ended finds its answer by the trip that it names.
    private func drop(_ drop: Drop, _ call: Call, at place: Place) {
        switch place {
        case .damaged(let error): refuse(call, error)
        // The drop may have been applied and the trip renamed since; a retry by id would find it.
        case .nowhere:
            refuse(call, drop.trip.map(WireError.noTrip) ?? noDrag(drop.drag, of: call.ticket.connection))
        case .open(let actor):
            let (ticket, principal, fingerprint) = (call.ticket, call.principal, call.fingerprint)
            let (now, at) = (loop.now, Timestamp(milliseconds: configuration.wallClock()))
            let body: @Sendable (inout TripCore) -> [Effect]? = { core in
                core.drop(drop, fingerprint: fingerprint, by: principal, ticket, now: now, at: at)
            }
            if runsOnWorker(call, of: actor, { body(&$0) ?? [] }) { return }
            run(call, with: drop.drag, at: place, body)
        }
    }
}
