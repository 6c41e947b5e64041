import LocalSystem
import TripModel
import TripProtocol

/// Admission of connections, and access to trips.
extension Server {
    // MARK: Admission

    /// Identifies the account of a new connection, and accepts or refuses it. On the loop.
    func admit(_ arrival: Arrival) {
        guard let user = arrival.userID else {
            return configuration.log(
                .warning("a connection is refused: the system does not report its user"))
        }
        guard connections.count + arriving < WireLimits.connections else {
            let error = WireError.limit(
                "connections", max: WireLimits.connections,
                "the daemon has \(WireLimits.connections) connections, the maximum")
            return reject(arrival.channel, error)
        }
        if user == configuration.userID {
            return serve(arrival.channel, of: Opener(ownerNamed: configuration.account))
        }
        guard !rules.isEmpty, let lookUp = configuration.lookUp else {
            logRefusal(of: "uid \(user)")
            return reject(arrival.channel, .accessDenied("uid \(user)"))
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
            logRefusal(of: name, ": the file access has no rule for this account")
            return reject(channel, .accessDenied(name))
        }
        serve(channel, of: Opener(account, rights))
    }

    /// Limits the log lines about repeated refusals.
    private func logRefusal(of user: String, _ reason: String = "") {
        guard let more = refusals.note(user, at: loop.now) else { return }
        let others = more == 0 ? "" : "; so were \(more) more since the last such warning"
        configuration.log(.warning("a connection of another user, \(user), is refused\(reason)\(others)"))
    }

    /// Sends the reason and closes the connection. One line fits into an empty socket buffer; the peer need
    /// not read it.
    private func reject(_ channel: any ByteChannel, _ error: WireError) {
        _ = try? channel.write(gathering: [ServerLine.error(nil, error)], skipping: 0)
    }

    // MARK: Changed rules

    /// Applies new access rules. Connections whose permissions change get `goodbye`, and learn their new
    /// permissions with their next `hello`. On the loop.
    package func apply(_ rules: AccessRules) {
        self.rules = rules
        for connection in connections.values.sorted(by: { $0.id < $1.id }) {
            guard let account = connection.session.opener.account else { continue }
            let id = connection.id
            // The account's groups may have changed.
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

    // MARK: Access to trips

    /// Adds the sender's access to the request's trip. Returns false if the trip is invisible to the sender,
    /// who gets the error for a missing trip.
    func addTripAccess(to parked: inout ParkedRequest) -> Bool {
        let rights = parked.principal.rights
        guard !rights.isUniform else { return true }
        let sender = connections[parked.ticket.connection]
        let trip: TripReference?
        switch (parked.request.method.traits.scope, parked.request) {
        case (_, .restoreTrip):
            // The access to a deleted trip is checked when it is found.
            parked.principal.access = rights.highest
            return true
        case (.none, _): return true
        case (_, .hover(let drag, _)), (_, .cancelDrag(let drag)):
            trip = sender?.drags.trip(of: drag).map { .id($0) }
        case (_, .drop(let drop)): trip = sender?.drags.trip(of: drop.drag).map { .id($0) } ?? drop.trip
        case (_, .addToBatch), (_, .dropBatch):
            // The batch was opened with write access to its trip, and its commit is checked again.
            parked.principal.access = rights.highest
            return true
        default: trip = parked.request.trip
        }
        // A missing trip is reported by a later lookup.
        guard let trip, let id = registry.id(of: trip) else { return true }
        guard let access = access(rights, to: id) else {
            releaseBatch(parked)
            answer(parked.ticket, ServerLine.error(parked.ticket.request, Self.noTrip(trip.text)))
            return false
        }
        parked.principal.access = access
        return true
    }

    /// The access to a trip; nil if the trip is invisible.
    func access(_ rights: Rights, to trip: TripID) -> Access? {
        rights.access(inTripCalled: rights.isUniform ? [] : registry.names(of: trip))
    }

    /// The access to a deleted trip; nil if the trip is invisible. A rule about a slug applies to the trip that has
    /// the slug now.
    func access(_ rights: Rights, to deleted: TrashedTrip) -> Access? {
        let slug = TripReference.slug(deleted.header.slug)
        return rights.access(
            inTripCalled: [.id(deleted.header.id)] + (registry.id(of: slug) == nil ? [slug] : []))
    }

    /// The connections that have the trip open by a rule about single trips, each with its present access.
    func readers(of trip: TripID) -> [(connection: Connection, access: Access)] {
        connections.values.sorted { $0.id < $1.id }.compactMap { connection in
            guard connection.trips.contains(trip), connection.ending == nil,
                let rights = connection.session.principal?.rights, !rights.isUniform,
                let access = access(rights, to: trip)
            else { return nil }
            return (connection, access)
        }
    }

    /// Disconnects the connections that have less access to a trip after its rename, which ends their drags.
    func renamed(_ trip: TripID, _ readers: [(connection: Connection, access: Access)]) {
        for (connection, before) in readers {
            let now = connection.session.principal.flatMap { access($0.rights, to: trip) }
            if let now, now >= before { continue }
            if now == nil {
                // The client must not even see the change that makes the trip invisible to it.
                connection.outbox.closeSlot(trip)
                connection.outbox.replaceLate(of: trip) { id in
                    ServerLine.error(id, Self.noTrip(trip.description))
                }
            }
            end(connection, .accessChanged)
        }
    }
}
