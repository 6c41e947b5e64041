import JSONLine
import LocalSystem
import TripModel
import TripProtocol

extension Server {
    /// Does what a step of a trip has left to do.
    func carryOut(_ outcome: TripActor.Outcome?, of trip: TripID) {
        guard let outcome else { return }
        encodedTrips = nil
        if let slugs = outcome.slugs, registry.entries[trip]?.slugs != slugs {
            registry.setSlugs(slugs, of: trip)
            renamed(trip)
        }
        for effect in outcome.effects { carryOut(effect, of: trip) }
        schedule(trip, at: outcome.deadline)
        use(trip)
    }

    private func carryOut(_ effect: Effect, of trip: TripID) {
        switch effect {
        case .answer(let ticket, let line): answer(ticket, line)
        case .tellBefore(let ticket):
            connections[ticket.connection]?.outbox.tell(trip, before: ticket.number)
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
            connections[connection]?.outbox.open(trip)
            scheduleFlush(connection)
        case .dragBegan(let connection, let drag): connections[connection]?.drags.begin(drag, in: trip)
        case .dragOver(let connection, let drag, let expired):
            connections[connection]?.drags.end(drag, expired: expired)
        case .offer(let subscribers):
            for id in subscribers {
                connections[id]?.outbox.offer(trip)
                scheduleFlush(id)
            }
        case .offerPresence(let subscribers):
            for id in subscribers {
                connections[id]?.outbox.offerPresence(trip)
                scheduleFlush(id)
            }
        case .resume(let parked): resume([parked])
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
            assumeIsolated { $0.tick(trip) }
        }
        tripTimers[trip] = (deadline, timer)
    }

    private func tick(_ trip: TripID) {
        tripTimers[trip] = nil
        guard let actor = servedTrip(trip) else { return }
        let now = loop.now
        carryOut(actor.step { $0.tick(now: now) }, of: trip)
    }

    // MARK: Word from the journal

    /// Everything of a trip up to a version is stored. On the loop.
    func stored(_ trip: TripID, upTo version: Int) {
        guard let actor = servedTrip(trip) else { return }
        let now = loop.now
        carryOut(
            actor.step { core in
                let effects = core.stored(upTo: version, now: now)
                return effects + core.presenceEffects(now: now)
            }, of: trip)
    }

    /// What a trip had in flight could not be stored. On the loop.
    func failed(_ trip: TripID, _ reason: ErrorReason, _ message: String, isForGood: Bool = false) {
        configuration.log(.warning("trip \(trip): \(message)"))
        guard let actor = servedTrip(trip) else { return }
        let now = loop.now
        carryOut(
            actor.step { core in
                core.failed(reason, message, isForGood: isForGood, now: now) + core.presenceEffects(now: now)
            }, of: trip)
    }

    // MARK: Lines made when they are sent

    func writeLate(_ answer: LateAnswer, _ id: RequestID?, to connection: Connection) {
        switch answer {
        case .tripList:
            connection.writes.append(Self.replyHead(id, opening: "{\"trips\":"))
            connection.writes.append(tripList(for: connection.session.principal?.rights ?? .owner))
            connection.writes.append(Array("}}\n".utf8))
        case .snapshot(let trip):
            guard let (_, members) = snapshot(of: trip) else { return writeNoTrip(trip, id, connection) }
            connection.writes.append(Self.replyHead(id, opening: "{"))
            connection.writes.append(members)
            connection.writes.append(Array("}}\n".utf8))
        case .subscription(let trip, let subscribe): writeSubscription(subscribe, to: trip, id, connection)
        case .history(let trip, let history):
            guard let actor = servedTrip(trip) else { return writeNoTrip(trip, id, connection) }
            connection.writes.append(ServerLine.history(id, actor.read { $0.history(history) }))
        case .synced(let trip):
            guard let actor = servedTrip(trip) else { return writeNoTrip(trip, id, connection) }
            let (epoch, version) = actor.read { ($0.durable.epoch, $0.durable.version) }
            if let slot = connection.outbox.slots[trip], slot.isOpened, slot.delivered < version {
                writeState(of: trip, to: connection)
            }
            connection.writes.append(
                ServerLine.reply(id) { json in
                    json.beginObject()
                    json.member("epoch", epoch)
                    json.member("version", version)
                    json.endObject()
                })
        }
    }

    /// Begins a subscription: tells what the client lacks of the trip, and who has it open.
    private func writeSubscription(
        _ subscribe: Subscribe, to trip: TripID, _ id: RequestID?, _ connection: Connection
    ) {
        guard let actor = servedTrip(trip) else { return writeNoTrip(trip, id, connection) }
        let (version, resumption, users) = actor.read { core in
            (core.durable.version, core.resumption(for: subscribe), core.users)
        }
        connection.outbox.delivered(trip, version: version)
        connection.outbox.deliveredPresence(trip)
        guard id != nil else { return }
        var rest = JSONWriter()
        rest.encode(users)
        let presence = Array(",\"presence\":".utf8) + rest.take() + Array("}}\n".utf8)
        switch resumption {
        case .upToDate:
            connection.writes.append(Self.replyHead(id, opening: "{\"upToDate\":true") + presence)
        case .delta(let delta):
            connection.writes.append(Self.replyHead(id, opening: "{\"delta\":{"))
            connection.writes.append(delta + Array("}".utf8) + presence)
        case .snapshot(let reason):
            let told = reason.map { "\"reason\":\"\($0.rawValue)\"," } ?? ""
            connection.writes.append(Self.replyHead(id, opening: "{\(told)\"snapshot\":{"))
            connection.writes.append(actor.read { $0.snapshotMembers() })
            connection.writes.append(Array("}".utf8) + presence)
        }
    }

    /// Tells what is new of a trip: the newest snapshot, or the commits since the last one told.
    func writeState(of trip: TripID, to connection: Connection) {
        guard let slot = connection.outbox.slots[trip], let actor = servedTrip(trip) else {
            return connection.outbox.settled(trip)
        }
        let version = actor.read { $0.durable.version }
        guard version > slot.delivered else { return connection.outbox.settled(trip) }
        switch slot.mode {
        case .snapshot: writeSnapshot(of: trip, from: slot.delivered, to: connection, because: nil)
        case .delta:
            let pace: DurableState.Pace =
                slot.wantsOneStep ? .wantsOne : connection.isLagging ? .lags : .keepsUp
            switch actor.read({ $0.catchUp(from: slot.delivered, pace) }) {
            case .deltas(let lines):
                for line in lines { connection.writes.append(line) }
            case .snapshot:
                writeSnapshot(of: trip, from: slot.delivered, to: connection, because: .behind)
            }
        }
        connection.outbox.delivered(trip, version: version)
    }

    private func writeSnapshot(
        of trip: TripID, from previous: Int, to connection: Connection, because reason: SnapshotReason?
    ) {
        guard let actor = servedTrip(trip) else { return }
        let (version, cause, members) = actor.read { core in
            (core.durable.version, core.durable.cause, core.snapshotMembers())
        }
        let skipped = version - previous - (PlantedBug.skippedMiscounted.isPlanted ? 0 : 1)
        statistics.sentSnapshots += 1
        statistics.skippedSnapshots += skipped
        var head = JSONWriter(reserving: 256)
        head.beginObject()
        head.member("jsonrpc", "2.0")
        head.member("method", "trip.snapshot")
        head.key("params")
        head.beginObject()
        head.member("previous", previous)
        head.member("skipped", skipped)
        head.member("reason", reason?.rawValue)
        if let cause {
            head.key("cause")
            head.encode(cause)
        }
        connection.writes.append(head.unfinished() + Array(",".utf8))
        connection.writes.append(members)
        connection.writes.append(Array("}}\n".utf8))
    }

    func writePresence(of trip: TripID, to connection: Connection) {
        connection.outbox.deliveredPresence(trip)
        guard let actor = servedTrip(trip) else { return }
        connection.writes.append(actor.read { $0.encodedPresence() })
    }

    private func snapshot(of trip: TripID) -> (version: Int, members: SharedBytes)? {
        guard let actor = servedTrip(trip) else { return nil }
        return actor.read { ($0.durable.version, $0.snapshotMembers()) }
    }

    private func writeNoTrip(_ trip: TripID, _ id: RequestID?, _ connection: Connection) {
        guard id != nil else { return }
        connection.writes.append(ServerLine.error(id, Self.noTrip(trip.description)))
    }

    static func replyHead(_ id: RequestID?, opening: String) -> [UInt8] {
        var json = JSONWriter(reserving: 96)
        json.beginObject()
        json.member("jsonrpc", "2.0")
        json.key("id")
        json.encode(id)
        json.key("result")
        return json.unfinished() + Array(opening.utf8)
    }

    /// The rows of the trips that somebody may know of; those of all are encoded once for all who ask before anything
    /// changes.
    private func tripList(for rights: Rights) -> SharedBytes {
        if rights.isUniform, let encodedTrips { return encodedTrips }
        struct Row: Sendable {
            let header: TripHeader
            let version: Int
            let itemCount: Int
            let subscribers: Int
            let state: String
            /// What one may do in it, where that is not what hello has told.
            var access: Access?
        }
        var rows: [Row] = []
        for (id, entry) in registry.entries {
            let access = access(rights, to: id)
            guard let access else { continue }
            let told = access == rights.highest ? nil : access
            switch entry.state {
            case .closed(let closed), .busy(let closed):
                guard let summary = closed.confirmedSummary else { continue }
                rows.append(
                    Row(
                        header: summary.header, version: summary.version, itemCount: summary.itemCount,
                        subscribers: 0, state: "ok", access: told))
            case .quarantined(_, let header):
                guard let header, header.id == id else { continue }
                rows.append(
                    Row(
                        header: header, version: 0, itemCount: 0, subscribers: 0, state: "corrupt",
                        access: told))
            case .served(let actor):
                let row: Row? = actor.read { core in
                    guard core.isCreated else { return nil }
                    return Row(
                        header: core.durable.header, version: core.durable.version,
                        itemCount: core.durable.itemCount, subscribers: core.subscribers.count,
                        state: core.storage == .working ? "ok" : "read_only", access: told)
                }
                if let row { rows.append(row) }
            }
        }
        rows.sort { $0.header.slug < $1.header.slug }
        var json = JSONWriter(reserving: 64 + 256 * rows.count)
        json.beginArray()
        for row in rows {
            json.beginObject()
            json.encodeMembers(of: row.header)
            json.member("version", row.version)
            json.member("itemCount", row.itemCount)
            json.member("subscribers", row.subscribers)
            json.member("state", row.state)
            json.member("access", row.access?.rawValue)
            json.endObject()
        }
        json.endArray()
        let bytes = SharedBytes(json.take())
        if rights.isUniform { encodedTrips = bytes }
        return bytes
    }

    /// The users of all connections, each once, in order.
    private var namesOfPeople: [String] {
        Set(connections.values.compactMap(\.session.principal?.user)).sorted()
    }

    func statisticsLine(_ id: RequestID?) -> [UInt8] {
        let queued = connections.values.reduce(0) { $0 + $1.outbox.queuedBytes + $1.writes.byteCount }
        let (journal, durability) = (storage.statistics, configuration.durability)
        let statistics = statistics
        let counts = (
            connections: connections.count, trips: registry.count, openTrips: registry.openCount
        )
        // What a file says of a trip that nobody has opened may be any number.
        let versions = registry.entries.values.reduce(0) { sum, entry in
            let version =
                switch entry.state {
                case .closed(let trip), .busy(let trip): trip.known.summary?.version ?? 0
                case .served(let actor): actor.read { $0.durable.version }
                case .quarantined: 0
                }
            let (exact, overflows) = sum.addingReportingOverflow(version)
            return overflows ? .max : exact
        }
        let (startedAt, people) = (startedAt, namesOfPeople)
        return ServerLine.reply(id) { json in
            json.beginObject()
            json.member("program", ProtocolVersion.program)
            json.key("startedAt")
            json.value(startedAt.description)
            json.key("people")
            json.beginArray()
            for name in people { json.value(name) }
            json.endArray()
            json.member("connections", counts.connections)
            json.member("trips", counts.trips)
            json.member("openTrips", counts.openTrips)
            json.member("versions", versions)
            json.member("requests", statistics.requests)
            json.member("queuedBytes", queued)
            json.member("sentSnapshots", statistics.sentSnapshots)
            json.member("skippedSnapshots", statistics.skippedSnapshots)
            json.member("commits", journal.commits)
            json.member("syncs", journal.syncs)
            json.member("compactions", journal.compactions)
            json.member("lastCompactionAt", journal.lastCompactionAt?.description)
            json.member("durability", durability.rawValue)
            json.member("syncMicroseconds", journal.syncMicroseconds)
            json.endObject()
        }
    }
}
