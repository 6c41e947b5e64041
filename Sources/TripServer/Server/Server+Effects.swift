import LocalSystem
import TripModel
import TripProtocol

extension Server {
    /// Does what a step of a trip has left to do.
    func carryOut(_ outcome: TripActor.Outcome?, of trip: TripID) {
        guard let outcome else { return }
        forgetShared()
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
        case .owe(let ticket, let bytes):
            connections[ticket.connection]?.outbox.owe(ticket.number, bytes: bytes)
        case .answerLate(let ticket, let late):
            fulfil(ticket, ticket.request == nil ? .nothing : .late(late, ticket.request))
        case .notify(let connection, let line): notify(connection, line)
        case .subscribe(let ticket, let subscribe, let isDragging):
            guard let connection = connections[ticket.connection] else { return }
            connection.outbox.openSlot(trip, subscribe, isDragging: isDragging)
            // Without an id the answer is not sent, but the subscription begins at its place all the same.
            fulfil(ticket, .late(.subscription(trip, subscribe), ticket.request))
        case .unsubscribe(let connection): connections[connection]?.outbox.closeSlot(trip)
        case .shut(let connection): connections[connection]?.outbox.shut(trip)
        case .open(let connection):
            guard let connection = connections[connection] else { return }
            connection.outbox.open(trip)
            scheduleFlush(connection)
        case .dragBegan(let connection, let drag): connections[connection]?.drags.begin(drag, in: trip)
        case .dragOver(let connection, let drag, let expired):
            connections[connection]?.drags.end(drag, expired: expired)
        case .offer(let subscribers):
            for id in subscribers {
                guard let connection = connections[id] else { continue }
                connection.outbox.offer(trip)
                scheduleFlush(connection)
            }
        case .offerPresence(let subscribers):
            for id in subscribers {
                guard let connection = connections[id] else { continue }
                connection.outbox.offerPresence(trip)
                scheduleFlush(connection)
            }
        case .resume(let parked): resume([parked])
        case .settled(let parked): settled(trip, parked)
        case .removed:
            let isUncertain = servedTrip(trip)?.read { $0.storage == .failed } ?? false
            registry.remove(trip, keepingSlugs: isUncertain)
            for connection in connections.values {
                connection.outbox.replaceLate(of: trip) { id in
                    ServerLine.error(id, Self.noTrip(trip.description))
                }
            }
            idleTrips.forget(trip)
        }
    }

    /// Keeps one timer for a trip, at the time it asks for.
    private func schedule(_ trip: TripID, at deadline: Duration?) {
        if let known = tripTimers[trip] {
            // A lease that is renewed moves its end away; the old timer then fires early and finds nothing due.
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
        happens(to: trip) { $0.tick(now: now) }
    }

    // MARK: What the journal has done

    /// Everything of a trip up to a version is stored. On the loop.
    func stored(_ trip: TripID, upTo version: Int) {
        let now = loop.now
        happens(to: trip) { core in
            let effects = core.stored(upTo: version, now: now)
            return effects + core.presenceEffects(now: now)
        }
    }

    /// What a trip had in flight could not be stored. On the loop.
    func failed(_ trip: TripID, _ reason: ErrorReason, _ message: String, isForGood: Bool = false) {
        configuration.log(.warning("trip \(trip): \(message)"))
        let now = loop.now
        happens(to: trip) { core in
            core.failed(reason, message, isForGood: isForGood, now: now) + core.presenceEffects(now: now)
        }
    }

    // MARK: Lines made when they are sent

    func writeLate(_ answer: LateAnswer, _ id: RequestID?, to connection: Connection) {
        switch answer {
        case .tripList:
            let rows = tripList(for: connection.session.principal?.rights ?? .owner)
            connection.writes.append(ServerLine.tripList(id), around: rows)
        case .snapshot(let trip):
            guard let members = read(trip, for: connection, { $0.snapshotMembers() }) else {
                return writeNoTrip(trip, id, connection)
            }
            connection.writes.append(ServerLine.trip(id), around: members)
        case .dragStart(let trip, let begun):
            guard let version = read(trip, for: connection, { $0.durable.version }) else {
                return writeNoTrip(trip, id, connection)
            }
            // Before it holds anything back, the client has what the answer rests on, and as everybody else.
            connection.outbox.tellInSteps(trip)
            writeState(of: trip, to: connection, upTo: version)
            guard let id, let line = read(trip, for: connection, { $0.line(id, of: begun) }) else { return }
            connection.writes.append(line)
        case .subscription(let trip, let subscribe): writeSubscription(subscribe, to: trip, id, connection)
        case .history(let trip, let history):
            guard let actor = servedTrip(trip) else { return writeNoTrip(trip, id, connection) }
            connection.writes.append(ServerLine.history(id, actor.read { $0.history(history) }))
        case .synced(let trip):
            guard
                let (epoch, version) = read(
                    trip, for: connection, { ($0.durable.epoch, $0.durable.version) })
            else { return writeNoTrip(trip, id, connection) }
            writeState(of: trip, to: connection, upTo: version)
            connection.writes.append(ServerLine.synced(id, epoch: epoch, version: version))
        }
    }

    /// Begins a subscription: tells what the client lacks of the trip, and who has it open.
    private func writeSubscription(
        _ subscribe: Subscribe, to trip: TripID, _ id: RequestID?, _ connection: Connection
    ) {
        let start = read(trip, for: connection) { core in
            (core.durable.version, core.resumption(for: subscribe))
        }
        // The people are those of now: a copy may have been made before some of them came.
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

    /// Tells the version of a trip that an answer behind it rests on, where the connection is told of the trip at all.
    private func writeState(of trip: TripID, to connection: Connection, upTo version: Int) {
        guard let slot = connection.outbox.slots[trip], slot.isOpened, slot.delivered < version else {
            return
        }
        writeState(of: trip, to: connection)
    }

    /// Tells what is new of a trip: the newest snapshot, or the commits since the last one told. If a worker has to encode
    /// it, the connection waits.
    func writeState(of trip: TripID, to connection: Connection) {
        guard let slot = connection.outbox.slots[trip] else { return }
        let state = slot.news(to: connection)
        if !isShared(state, of: trip), waitsForEncoding(state, of: trip, connection) { return }
        guard let (version, news) = news(state, of: trip, to: connection) else {
            return connection.outbox.clearNews(trip)
        }
        switch news {
        case .none: return connection.outbox.clearNews(trip)
        case .delta(let line): connection.writes.append(line)
        case .deltas(let lines): for line in lines { connection.writes.append(line) }
        case .snapshot(let members, let cause, let reason):
            let skipped = version - slot.delivered - (PlantedBug.skippedMiscounted.isPlanted ? 0 : 1)
            statistics.sentSnapshots += 1
            statistics.skippedSnapshots += skipped
            connection.writes.append(
                ServerLine.snapshot(previous: slot.delivered, skipped: skipped, reason: reason, cause: cause),
                around: members)
        }
        connection.outbox.delivered(trip, version: version)
    }

    /// What leads a connection to the present version of a trip; nil if the trip is not open.
    private func news(
        _ state: StateRequest, of trip: TripID, to connection: Connection
    ) -> (version: Int, TripCore.News)? {
        if let lastNews, isShared(state, of: trip) { return (lastNews.version, lastNews.news) }
        guard case .news(let since, let mode, let pace) = state else { return nil }
        let made = read(trip, for: connection) { core in
            (core.durable.version, core.news(since: since, mode, pace))
        }
        guard let (version, news) = made else { return nil }
        // A copy may be behind.
        if connection.encoded == nil {
            lastNews = SharedNews(trip: trip, state: state, version: version, news: news)
        }
        return (version, news)
    }

    /// Whether the last news told are of the same trip, and the same for a connection.
    private func isShared(_ state: StateRequest, of trip: TripID) -> Bool {
        lastNews.map { $0.trip == trip && $0.state == state } ?? false
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

    /// The rows of the trips that somebody may know of; those of all are encoded once for all who ask before anything
    /// changes.
    private func tripList(for rights: Rights) -> SharedBytes {
        if rights.isUniform, let encodedTrips { return encodedTrips }
        var rows: [TripSummary] = []
        let highest = rights.highest
        for (id, entry) in registry.entries {
            let access = access(rights, to: id)
            guard let access else { continue }
            let told = access == highest ? nil : access
            switch entry.state {
            case .closed(let closed), .busy(let closed):
                guard let summary = closed.confirmedSummary else { continue }
                rows.append(
                    TripSummary(
                        header: summary.header, version: summary.version, itemCount: summary.itemCount,
                        subscribers: 0, state: "ok", access: told))
            case .quarantined(_, let header):
                guard let header, header.id == id else { continue }
                rows.append(
                    TripSummary(
                        header: header, version: 0, itemCount: 0, subscribers: 0, state: "corrupt",
                        access: told))
            case .served(let actor):
                let row: TripSummary? = actor.read { core in
                    guard core.isCreated else { return nil }
                    return TripSummary(
                        header: core.durable.header, version: core.durable.version,
                        itemCount: core.durable.itemCount, subscribers: core.subscribers.count,
                        state: core.storage == .working ? "ok" : "read_only", access: told)
                }
                if let row { rows.append(row) }
            }
        }
        rows.sort { $0.header.slug < $1.header.slug }
        let bytes = SharedBytes(TripSummary.encoded(rows))
        if rights.isUniform { encodedTrips = bytes }
        return bytes
    }

    /// The users of all connections, each once, in order.
    private var namesOfPeople: [String] {
        Set(connections.values.compactMap(\.session.principal?.user)).sorted()
    }

    /// - Parameter rights: of who asks: of trips that they may not know of, no change is counted.
    func statisticsLine(_ id: RequestID?, for rights: Rights) -> [UInt8] {
        let journal = storage.statistics
        // What a file says of a trip that nobody has opened may be any number.
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
        var told = DaemonStatistics(startedAt: startedAt, durability: configuration.durability.rawValue)
        told.people = namesOfPeople
        told.connections = connections.count
        (told.trips, told.openTrips) = (registry.count, registry.openCount)
        told.versions = versions
        told.requests = statistics.requests
        told.queuedBytes = connections.values.reduce(0) { $0 + $1.outbox.queuedBytes + $1.writes.byteCount }
        (told.sentSnapshots, told.skippedSnapshots) = (statistics.sentSnapshots, statistics.skippedSnapshots)
        (told.commits, told.syncs) = (journal.commits, journal.syncs)
        told.syncMicroseconds = journal.syncMicroseconds
        (told.compactions, told.lastCompactionAt) = (journal.compactions, journal.lastCompactionAt)
        return ServerLine.statistics(id, told)
    }
}
