import LocalSystem
import TripModel
import TripProtocol

/// The way of every request: from its parsed line, through the gates, to its handler.
extension Server {
    /// Where a call runs once nothing keeps it.
    enum Place {
        case open(TripActor)
        /// Every request on this trip gets the error.
        case damaged(WireError)
        /// The call names no trip, or one that does not exist.
        case nowhere
    }

    /// Handles the next request of a connection. A short change waits for those behind it in the buffer.
    func begin(_ asked: Call, of connection: Connection) {
        var call = asked
        let isShort = call.isShort
        if let trip = connection.input.group?.request.trip, !isShort || trip != call.request.trip {
            submitGroup(of: connection)
            // A kept group blocks the later requests.
            guard connection.mayCarryOut else {
                connection.input.first = .asked(call)
                return
            }
        }
        let error = resolveBatch(of: &call, connection)
        let isBarrier = error == nil && call.request.blocksLater
        call.ticket.number = connection.outbox.reserve(isBarrier: isBarrier)
        if let error { return refuse(call, error) }
        guard isShort else { return submit(call) }
        if connection.input.group?.followers.append(call) == nil { connection.input.group = call }
        if connection.input.group?.followers.count == Call.groupSize - 1 { submitGroup(of: connection) }
    }

    /// Submits the changes that were waiting for those behind them.
    func submitGroup(of connection: Connection) {
        if let call = connection.input.group.take() { submit(call) }
    }

    /// Passes a call through the gates. Each one passes it on, refuses it, or keeps it and submits it again later, so its
    /// rights are those of the moment when it runs.
    func submit(_ submitted: Call) {
        var call = submitted
        guard !waitsForMemory(call) else { return }
        let trip = trip(of: call)
        if let error = grantAccess(to: trip, &call) { return refuse(call, error) }
        guard let place = place(of: call, in: trip) else { return }
        budget.releaseBatch(of: &call)
        handle(call, at: place)
    }

    /// Submits calls again that were kept. A closed connection has left its trips and must not join them again.
    func submit(again calls: [Call]) {
        for call in calls {
            let isThere = connections[call.ticket.connection]?.isServed ?? false
            if isThere || call.request.method.traits.outlivesConnection { submit(call) }
        }
        finishIfDrained()
    }

    /// Defers the later requests of a connection while this one is kept. So each connection has at most one.
    func hold(behind call: Call) {
        let ticket = call.lastTicket
        connections[ticket.connection]?.outbox.setBarrier(ticket.number)
    }

    // MARK: Gates

    /// The trip of the call's drag, otherwise the trip that the call names.
    private func trip(of call: Call) -> TripID? {
        if let drag = call.request.drag,
            let held = connections[call.ticket.connection]?.drags.trip(of: drag)
        {
            return held
        }
        guard let trip = call.request.trip else { return nil }
        return directory.id(of: trip)
    }

    /// Narrows the call's access to that of its trip, and checks the requests that name none. This precedes the
    /// opening of a trip: an invisible one is reported as missing.
    ///
    /// - Returns: the reason to refuse the call. A request for a trip is judged by the trip, which first reports a
    ///   missing item.
    private func grantAccess(to trip: TripID?, _ call: inout Call) -> WireError? {
        let rights = call.principal.rights
        let scope = call.request.method.traits.scope
        switch call.request {
        case _ where rights.isUniform: break
        // Checked when the deleted trip is found; when the batch was opened, and again with its commit.
        case .restoreTrip, .addToBatch, .dropBatch: call.principal.access = rights.highest
        default:
            guard scope != .none, let trip else { break }
            guard let access = access(rights, to: trip) else {
                return .noTrip(call.request.trip ?? .id(trip))
            }
            call.principal.access = access
        }
        let isRefused = scope == .none && !call.principal.may(call.request.method)
        return isRefused ? .notAllowed(call.principal.access) : nil
    }

    /// Where a call runs; nil if it is kept until its trip is open, until the long change of its trip is done, or until
    /// a name that it asks for is durable.
    private func place(of call: Call, in trip: TripID?) -> Place? {
        if case .listTrips = call.request, waitsForSurvey(call) { return nil }
        let place: Place
        switch trip.flatMap({ directory[$0] }) {
        case .closed?, .busy?:
            wait(call, for: trip)
            return nil
        case .quarantined(let error, _)?: place = .damaged(error)
        case nil: place = .nowhere
        case .served(let actor)?:
            if offload.isBusy(actor.id) {
                if let drag = call.request.drag {
                    deliver(.renewed(drag, by: call.ticket.connection), to: actor.id)
                }
                wait(call, for: trip)
                return nil
            }
            place = .open(actor)
        }
        return waitsForName(call, in: trip) ? nil : place
    }

    /// Keeps a call until its trip is ready, and starts to read a closed trip. A trip that is being closed is opened
    /// afterwards.
    func wait(_ call: Call, for trip: TripID?) {
        guard let trip else { return }
        hold(behind: call)
        directory.wait(call, for: trip)
        open(trip)
    }

    /// Keeps a call for a name that another trip has only in flight: nothing about the name may be revealed before it
    /// is durable.
    private func waitsForName(_ call: Call, in trip: TripID?) -> Bool {
        for name in names(askedForBy: call, in: trip) {
            guard let owner = directory.id(of: name).flatMap(servedTrip) else { continue }
            if offload.isBusy(owner.id) {
                wait(call, for: owner.id)
                return true
            }
            guard let outcome = owner.step({ core in core.keepUntilNamed(name, call) }) else { continue }
            hold(behind: call)
            carryOut(outcome, of: owner.id)
            return true
        }
        return false
    }

    /// The slugs, and the id, that a request wants for a trip and that another trip may have.
    private func names(askedForBy call: Call, in trip: TripID?) -> [TripReference] {
        let slugs: [String]
        switch call.request {
        case .createTrip(let draft):
            return (draft.id.map { [.id($0)] } ?? []) + (draft.slug.map { [.slug($0)] } ?? [])
        case .restoreTrip(.id(let id)): return [.id(id)]
        case .change(let change): slugs = change.edits.compactMap(\.slug)
        case .undo: slugs = restoredSlugs(.undo, trip, call.principal)
        case .redo: slugs = restoredSlugs(.redo, trip, call.principal)
        default: return []
        }
        return slugs.filter { directory.isTaken($0, byOtherThan: trip) }.map { .slug($0) }
    }

    /// The slug that an undo or redo restores, if any. The trip knows the slug, and the server knows whether
    /// it is free.
    func restoredSlugs(_ kind: EditLog.Kind, _ trip: TripID?, _ principal: Principal) -> [String] {
        let slug: String?? = trip.flatMap(servedTrip)?.read { core in
            core.next(kind, of: principal.editor)?.commit.header?.before.slug
        }
        return [slug ?? nil].compactMap(\.self)
    }

    // MARK: Answers

    /// Answers a request.
    ///
    /// - Parameter count: the number of consecutive requests that the lines answer.
    func answer(_ ticket: Ticket, _ lines: [UInt8], count: Int = 1) {
        complete(ticket, ticket.request == nil ? .nothing : .line(lines), count: count)
    }

    /// Answers a call with an error, and releases what it holds.
    func refuse(_ refused: Call, _ error: WireError) {
        var call = refused
        budget.releaseBatch(of: &call)
        answer(call.ticket, ServerLine.error(call.ticket.request, error))
        for follower in call.followers { refuse(follower, error) }
    }

    /// Refuses calls that were kept.
    func refuse(all calls: [Call], _ error: WireError) {
        for call in calls { refuse(call, error) }
        finishIfDrained()
    }

    /// Completes an answer that is encoded when it is sent, from the state that is durable now or a later one.
    func complete(_ ticket: Ticket, late answer: LateAnswer) {
        let version = answer.trip.flatMap { servedTrip($0)?.read { $0.durable.version } }
        complete(ticket, .late(answer, ticket.request, version: version ?? 0))
    }

    func complete(_ ticket: Ticket, _ entry: Outbox.Entry, count: Int = 1) {
        guard let connection = connections[ticket.connection] else { return }
        connection.outbox.complete(ticket.number, with: entry)
        for number in ticket.number + 1..<ticket.number + count {
            connection.outbox.complete(number, with: .nothing)
        }
        scheduleFlush(connection)
    }

    func notify(_ id: ConnectionID, _ line: [UInt8]) {
        guard let connection = connections[id] else { return }
        connection.outbox.append(line)
        scheduleFlush(connection)
    }
}

extension WireError {
    static func noTrip(_ name: TripReference) -> WireError {
        WireError(.tripNotFound, "there is no trip \(name.text)")
    }
}
