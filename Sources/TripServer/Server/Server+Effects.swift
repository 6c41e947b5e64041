import LocalSystem
import TripModel
import TripProtocol

extension Server {
    /// Runs the effects of a trip's step.
    func carryOut(_ outcome: TripActor.Outcome?, of trip: TripID) {
        guard let outcome else { return }
        dropShared()
        var before: [(connection: Connection, access: Access)] = []
        if let slugs = outcome.slugs, registry.entries[trip]?.slugs != slugs {
            before = readers(of: trip)
            registry.setSlugs(slugs, of: trip)
        }
        for effect in outcome.effects { carryOut(effect, of: trip) }
        renamed(trip, before)
        schedule(trip, at: outcome.deadline)
        use(trip)
    }

    private func carryOut(_ effect: Effect, of trip: TripID) {
        switch effect {
        case .answer(let ticket, let line): answer(ticket, line)
        case .reserveBytes(let ticket, let bytes):
            connections[ticket.connection]?.outbox.reserveBytes(ticket.number, bytes: bytes)
        case .answerLate(let ticket, let late):
            ticket.request == nil ? complete(ticket, .nothing) : complete(ticket, late: late)
        case .notify(let connection, let line): notify(connection, line)
        case .subscribe(let ticket, let subscribe, let isDragging):
            guard let connection = connections[ticket.connection] else { return }
            connection.outbox.openSlot(trip, subscribe, isDragging: isDragging)
            // Without an id no answer is sent, but the subscription begins at its position.
            complete(ticket, late: .subscription(trip, subscribe))
        case .unsubscribe(let connection): connections[connection]?.outbox.closeSlot(trip)
        case .pauseUpdates(let connection): connections[connection]?.outbox.pause(trip)
        case .resumeUpdates(let connection):
            guard let connection = connections[connection] else { return }
            connection.outbox.resume(trip)
            scheduleFlush(connection)
        case .dragBegan(let connection, let drag): connections[connection]?.drags.begin(drag, in: trip)
        case .dragOver(let connection, let drag, let expired):
            connections[connection]?.drags.end(drag, expired: expired)
        case .scheduleUpdate(let subscribers):
            let news = servedTrip(trip)?.read { core in
                core.durable.lastLine(after: core.durable.version - 1).map { (core.durable.version, $0) }
            }
            for id in subscribers {
                guard let connection = connections[id] else { continue }
                if let (version, line) = news ?? nil, connection.keepsUp,
                    connection.outbox.deliversNext(trip, version: version)
                {
                    connection.writes.append(line)
                } else {
                    connection.outbox.scheduleUpdate(trip)
                }
                scheduleFlush(connection)
            }
        case .schedulePresenceUpdate(let subscribers):
            for id in subscribers {
                guard let connection = connections[id] else { continue }
                connection.outbox.schedulePresenceUpdate(trip)
                scheduleFlush(connection)
            }
        case .resume(let parked): resume([parked])
        case .drained(let parked): drained(trip, parked)
        case .removed:
            let actor = servedTrip(trip)
            registry.remove(trip, keepingSlugs: actor?.read { $0.storage == .failed } ?? false)
            if let actor { free(actor) }
            for connection in connections.values {
                connection.outbox.replaceLate(of: trip) { id in
                    ServerLine.error(id, Self.noTrip(trip.description))
                }
            }
            idleTrips.forget(trip)
        }
    }

    /// Keeps one timer per trip, for its next deadline.
    private func schedule(_ trip: TripID, at deadline: Duration?) {
        if let known = tripTimers[trip] {
            // A renewal extends the lease: the old timer then fires early and finds nothing due.
            if let deadline, known.deadline <= deadline { return }
            loop.cancel(known.timer)
            tripTimers[trip] = nil
        }
        guard let deadline else { return }
        let timer = loop.schedule(after: max(.zero, deadline - loop.now)) { [self] in
            enter { $0.tick(trip) }
        }
        tripTimers[trip] = (deadline, timer)
    }

    private func tick(_ trip: TripID) {
        tripTimers[trip] = nil
        let now = loop.now
        deliver(to: trip) { $0.tick(now: now) }
    }

    // MARK: Results of the journal

    /// The journal has stored everything up to a version. On the loop.
    func stored(_ trip: TripID, upTo version: Int) {
        let now = loop.now
        deliver(to: trip) { core in
            let effects = core.stored(upTo: version, now: now)
            return effects + core.presenceEffects(now: now)
        }
    }

    /// The journal could not store the changes in flight. On the loop.
    func failed(_ trip: TripID, _ reason: ErrorReason, _ message: String, isForGood: Bool = false) {
        configuration.log(.warning("trip \(trip): \(message)"))
        let now = loop.now
        deliver(to: trip) { core in
            core.failed(reason, message, isForGood: isForGood, now: now) + core.presenceEffects(now: now)
        }
    }

    // MARK: Late encoding

    func writeLate(_ answer: LateAnswer, _ id: RequestID?, to connection: Connection) {
        switch answer {
        case .tripList:
            let rows = tripList(for: connection.session.principal?.rights ?? .owner)
            connection.writes.append(ServerLine.tripList(id), around: rows)
        case .state(let trip, let state):
            guard let members = members(of: state, of: trip, for: connection) else {
                guard case .gaps(let item) = state, servedTrip(trip) != nil else {
                    return writeNoTrip(trip, id, connection)
                }
                guard id != nil else { return }
                return connection.writes.append(ServerLine.error(id, TripCore.itemNotFound(item)))
            }
            connection.writes.append(ServerLine.answer(id), around: members)
        case .dragStart(let trip, let begun):
            guard let version = read(trip, for: connection, { $0.durable.version }) else {
                return writeNoTrip(trip, id, connection)
            }
            // The client first gets the state that the answer depends on, in single deltas, before its
            // updates are paused.
            connection.outbox.sendInSteps(trip)
            let members = members(of: dragStart(begun, of: trip, connection), of: trip, for: connection)
            writeState(of: trip, to: connection, upTo: version)
            guard id != nil, let members else { return }
            connection.writes.append(ServerLine.answer(id), around: members)
        case .subscription(let trip, let subscribe): writeSubscription(subscribe, to: trip, id, connection)
        case .synced(let trip):
            guard
                let (epoch, version) = read(
                    trip, for: connection, { ($0.durable.epoch, $0.durable.version) })
            else { return writeNoTrip(trip, id, connection) }
            writeState(of: trip, to: connection, upTo: version)
            connection.writes.append(ServerLine.synced(id, epoch: epoch, version: version))
        }
    }

    /// Writes the answer to a subscription: the client's missing state, and the present users.
    private func writeSubscription(
        _ subscribe: Subscribe, to trip: TripID, _ id: RequestID?, _ connection: Connection
    ) {
        let start = read(trip, for: connection) { core in
            (core.durable.version, core.resumption(for: subscribe))
        }
        // The current users are used, because a copy may be older.
        guard let (version, resumption) = start, let users = servedTrip(trip)?.read({ $0.users }) else {
            return writeNoTrip(trip, id, connection)
        }
        connection.outbox.delivered(trip, version: version)
        connection.outbox.deliveredPresence(trip)
        guard id != nil else { return }
        switch resumption {
        case .upToDate: connection.writes.append(ServerLine.subscriptionUpToDate(id, users))
        case .delta(let members):
            connection.writes.append(ServerLine.subscriptionWithDelta(id, users), around: members)
        case .snapshot(let reason):
            guard let members = read(trip, for: connection, { $0.snapshotMembers() }) else { return }
            connection.writes.append(
                ServerLine.subscriptionWithSnapshot(id, because: reason, users), around: members)
        }
    }

    /// Writes the state that a following answer depends on, if the connection is subscribed.
    private func writeState(of trip: TripID, to connection: Connection, upTo version: Int) {
        guard let slot = connection.outbox.slots[trip], slot.isOpened, slot.delivered < version else {
            return
        }
        writeState(of: trip, to: connection)
    }

    /// Writes the newest state: a snapshot, or the deltas since the last version. The connection waits if a
    /// worker must encode it.
    func writeState(of trip: TripID, to connection: Connection) {
        guard let slot = connection.outbox.slots[trip] else { return }
        let state = slot.update(to: connection)
        if !isShared(state, of: trip), waitsForEncoding(state, of: trip, connection) { return }
        guard let (version, update) = update(state, of: trip, to: connection) else {
            return connection.outbox.clearUpdate(trip)
        }
        switch update {
        case .none: return connection.outbox.clearUpdate(trip)
        case .delta(let line): connection.writes.append(line)
        case .deltas(let lines): for line in lines { connection.writes.append(line) }
        case .snapshot(let members, let cause, let reason):
            let skipped = version - slot.delivered - 1
            statistics.sentSnapshots += 1
            statistics.skippedSnapshots += skipped
            connection.writes.append(
                ServerLine.snapshot(previous: slot.delivered, skipped: skipped, reason: reason, cause: cause),
                around: members)
        }
        connection.outbox.delivered(trip, version: version)
    }

    /// The output that brings a connection to the current version; nil if the trip is not open.
    private func update(
        _ state: StateRequest, of trip: TripID, to connection: Connection
    ) -> (version: Int, TripCore.Update)? {
        if let lastUpdate, isShared(state, of: trip) { return (lastUpdate.version, lastUpdate.update) }
        guard case .update(let since, let mode, let pace) = state else { return nil }
        let current = read(trip, for: connection) { core in
            (core.durable.version, core.update(since: since, mode, pace))
        }
        guard let (version, update) = current else { return nil }
        // A copy may be older.
        if connection.encoded == nil {
            lastUpdate = SharedUpdate(trip: trip, state: state, version: version, update: update)
        }
        return (version, update)
    }

    /// True if the cached news fits the connection's state.
    private func isShared(_ state: StateRequest, of trip: TripID) -> Bool {
        lastUpdate.map { $0.trip == trip && $0.state == state } ?? false
    }

    func writePresence(of trip: TripID, to connection: Connection) {
        connection.outbox.deliveredPresence(trip)
        guard let actor = servedTrip(trip) else { return }
        connection.writes.append(actor.read { $0.encodedPresence() })
    }

    private func writeNoTrip(_ trip: TripID, _ id: RequestID?, _ connection: Connection) {
        guard id != nil else { return }
        connection.writes.append(ServerLine.error(id, Self.noTrip(trip.description)))
    }

    /// The rows of the trips visible with these permissions. The list of all trips is encoded once until
    /// something changes.
    private func tripList(for rights: Rights) -> SharedBytes {
        if rights.isUniform, let encodedTrips { return encodedTrips }
        var rows: [TripSummary] = []
        let highest = rights.highest
        for (id, entry) in registry.entries {
            let access = access(rights, to: id)
            guard let access else { continue }
            let shownAccess = access == highest ? nil : access
            switch entry.state {
            case .closed(let closed), .busy(let closed):
                guard let summary = closed.confirmedSummary else { continue }
                rows.append(
                    TripSummary(
                        header: summary.header, version: summary.version, itemCount: summary.itemCount,
                        subscribers: 0, state: .usable, access: shownAccess))
            case .quarantined(_, let header):
                guard let header, header.id == id else { continue }
                rows.append(
                    TripSummary(
                        header: header, version: 0, itemCount: 0, subscribers: 0, state: .corrupt,
                        access: shownAccess))
            case .served(let actor):
                let row: TripSummary? = actor.read { core in
                    guard core.isCreated else { return nil }
                    return TripSummary(
                        header: core.durable.header, version: core.durable.version,
                        itemCount: core.durable.itemCount, subscribers: core.subscribers.count,
                        state: core.storage == .working ? .usable : .readOnly, access: shownAccess)
                }
                if let row { rows.append(row) }
            }
        }
        // Indices are cheaper to sort than rows, which are large.
        let order = rows.indices.sorted { rows[$0].header.slug < rows[$1].header.slug }
        let bytes = SharedBytes(TripSummary.encoded(order.lazy.map { rows[$0] }))
        if rights.isUniform { encodedTrips = bytes }
        return bytes
    }

    /// The users of all connections, sorted, without duplicates.
    private var namesOfPeople: [String] {
        Set(connections.values.compactMap(\.session.principal?.user)).sorted()
    }

    /// The answer to `daemon.stats`.
    ///
    /// - Parameter rights: the permissions of the sender; changes of invisible trips are not counted.
    func statisticsLine(_ id: RequestID?, for rights: Rights) -> [UInt8] {
        let journal = storage.statistics
        // The version of a closed trip comes from a file and may be any number.
        let versions = registry.entries.reduce(0) { sum, entry in
            guard rights.isUniform || access(rights, to: entry.key) != nil else { return sum }
            let version =
                switch entry.value.state {
                case .closed(let trip), .busy(let trip): trip.known.summary?.version ?? 0
                case .served(let actor): actor.read { $0.durable.version }
                case .quarantined: 0
                }
            let (exact, overflows) = sum.addingReportingOverflow(version)
            return overflows ? .max : exact
        }
        var counters = DaemonStatistics(startedAt: startedAt, durability: configuration.durability.rawValue)
        counters.people = namesOfPeople
        counters.connections = connections.count
        (counters.trips, counters.openTrips) = (registry.count, registry.openCount)
        counters.versions = versions
        counters.requests = statistics.requests
        counters.queuedBytes = connections.values.reduce(0) {
            $0 + $1.outbox.queuedBytes + $1.writes.byteCount
        }
        (counters.sentSnapshots, counters.skippedSnapshots) = (
            statistics.sentSnapshots, statistics.skippedSnapshots
        )
        (counters.commits, counters.syncs) = (journal.commits, journal.syncs)
        counters.syncMicroseconds = journal.syncMicroseconds
        (counters.compactions, counters.lastCompactionAt) = (journal.compactions, journal.lastCompactionAt)
        return ServerLine.statistics(id, counters)
    }
}
