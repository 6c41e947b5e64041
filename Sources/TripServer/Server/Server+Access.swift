import LocalSystem
import TripModel
import TripProtocol

/// Who is let in, and what they may do in which trip.
extension Server {
    // MARK: Letting in

    /// Looks whose a connection is that has come, and takes it over or turns it away. On the loop.
    func admit(_ arrival: Arrival) {
        guard let user = arrival.userID else {
            return configuration.log(
                .warning("a connection is refused: the system does not tell whose it is"))
        }
        guard connections.count + arriving < WireLimits.connections else {
            let error = WireError.limit(
                "connections", max: WireLimits.connections,
                "the daemon has its \(WireLimits.connections) connections already")
            return turnAway(arrival.channel, error)
        }
        if user == configuration.userID {
            return serve(arrival.channel, of: Opener(ownerNamed: configuration.account))
        }
        guard !rules.isEmpty, let lookUp = configuration.lookUp else {
            logRefusal(of: "uid \(user)")
            return turnAway(arrival.channel, .accessDenied("uid \(user)"))
        }
        arriving += 1
        let channel = arrival.channel
        lookUp(user) { [self] account in
            enter { server in
                server.arriving -= 1
                if !server.isStopping { server.admit(channel, of: account) }
            }
        }
    }

    private func admit(_ channel: any ByteChannel, of account: Account) {
        guard let rights = rules.rights(of: account) else {
            let name = Opener.name(of: account)
            logRefusal(of: name, ": no line of access is about them")
            return turnAway(channel, .accessDenied(name))
        }
        serve(channel, of: Opener(account, rights))
    }

    /// Who is refused again and again does not fill the log.
    private func logRefusal(of user: String, _ reason: String = "") {
        guard let more = refusals.note(user, at: loop.now) else { return }
        let others = more == 0 ? "" : "; so were \(more) more since the last line about them"
        configuration.log(.warning("a connection of another user, \(user), is refused\(reason)\(others)"))
    }

    /// Says why, and lets go of the connection: one line fits into an empty socket buffer, and whether it arrives is
    /// up to the peer.
    private func turnAway(_ channel: any ByteChannel, _ error: WireError) {
        _ = try? channel.write(gathering: [ServerLine.error(nil, error)], skipping: 0)
    }

    // MARK: New rules

    /// Holds everybody to other rules from now on. Whoever may do something else than before is told goodbye and finds
    /// out with the next hello. On the loop.
    package func adopt(_ rules: AccessRules) {
        self.rules = rules
        for connection in connections.values.sorted(by: { $0.id < $1.id }) {
            guard let account = connection.session.opener.account else { continue }
            let id = connection.id
            // The groups may be others by now.
            configuration.lookUp?(account.userID) { [self] account in
                enter { $0.check(id, account) }
            }
        }
    }

    private func check(_ id: ConnectionID, _ account: Account) {
        guard let connection = connections[id], connection.ending == nil else { return }
        let opener = connection.session.opener
        if rules.rights(of: account) == opener.rights, opener.name == Opener.name(of: account) { return }
        end(connection, .accessChanged)
    }

    // MARK: What may be done where

    /// The request with what who asks may do in its trip; nil where they may not know of that trip, which they are told
    /// is not there.
    func narrowed(_ parked: ParkedRequest) -> ParkedRequest? {
        let rights = parked.principal.rights
        guard !rights.isUniform else { return parked }
        var parked = parked
        let sender = connections[parked.ticket.connection]
        let trip: TripReference?
        switch (parked.request.method.traits.scope, parked.request) {
        case (.none, _): return parked
        case (_, .hover(let drag, _)), (_, .cancelDrag(let drag)):
            trip = sender?.drags.trip(of: drag).map { .id($0) }
        case (_, .drop(let drop)): trip = sender?.drags.trip(of: drop.drag).map { .id($0) } ?? drop.trip
        case (_, .addToBatch), (_, .dropBatch):
            // The batch was opened by somebody who may change its trip, and its commit is looked at again.
            parked.principal.access = rights.highest
            return parked
        default: trip = parked.request.trip
        }
        // What is not there is told so by whoever looks for it.
        guard let trip, let id = registry.id(of: trip) else { return parked }
        guard let access = access(rights, to: id) else {
            letGoOfBatch(parked)
            answer(parked.ticket, ServerLine.error(parked.ticket.request, Self.noTrip(trip.text)))
            return nil
        }
        parked.principal.access = access
        return parked
    }

    /// What somebody may do in a trip; nil where they may not know of it.
    func access(_ rights: Rights, to trip: TripID) -> Access? {
        rights.access(inTripCalled: rights.isUniform ? [] : registry.names(of: trip))
    }

    /// Those who have a trip open by the lines of `access` about it, and what they may do in it now.
    func readers(of trip: TripID) -> [(connection: Connection, access: Access)] {
        connections.values.sorted { $0.id < $1.id }.compactMap { connection in
            guard connection.trips.contains(trip), connection.ending == nil,
                let rights = connection.session.principal?.rights, !rights.isUniform,
                let access = access(rights, to: trip)
            else { return nil }
            return (connection, access)
        }
    }

    /// A trip is called otherwise: whoever has it open, and by its new name may do less, is told goodbye, and lets go of
    /// what they hold.
    func renamed(_ trip: TripID, _ readers: [(connection: Connection, access: Access)]) {
        for (connection, before) in readers {
            let now = connection.session.principal.flatMap { access($0.rights, to: trip) }
            if let now, now >= before { continue }
            if now == nil {
                // Not even the change that takes it away from them is told.
                connection.outbox.closeSlot(trip)
                connection.outbox.replaceLate(of: trip) { id in
                    ServerLine.error(id, Self.noTrip(trip.description))
                }
            }
            end(connection, .accessChanged)
        }
    }
}
