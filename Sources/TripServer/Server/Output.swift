import LocalSystem
import TripModel
import TripProtocol

/// The output of connections: answers in their order, and the newest states.
extension Server {
    func flush(_ connection: Connection) {
        connection.output.isScheduled = false
        guard connection.life != .closed else { return }
        var isBlocked = false
        let written = connection.writes.writtenCount
        do throws(SystemError) {
            repeat {
                fill(connection)
                switch try connection.write() {
                case .closed: return close(connection)
                case .wouldBlock: isBlocked = true
                case .wrote: break
                }
                // An empty queue means that the socket may accept more.
            } while connection.life != .closing && connection.writes.isEmpty && connection.hasNext
        } catch {
            close(connection)
            return
        }
        // A wait for a worker does not show whether the socket has room.
        if !connection.waitsForEncoding { connection.output.isLagging = connection.hasNext }
        watchReader(of: connection, isBlocked: isBlocked, hasTaken: connection.writes.writtenCount > written)
        recount(connection)
        if connection.input.hasDeferredLines, connection.mayHandleLines { giveQuantum(to: connection) }
        finish(connection)
    }

    /// Moves output from the outbox to the write queue, up to the write window.
    private func fill(_ connection: Connection) {
        guard connection.life != .closing, !connection.waitsForEncoding else { return }
        while connection.writes.byteCount < Connection.writeWindow {
            if let late = connection.outbox.nextLate, waitsForEncoding(late, connection) { return }
            guard let step = connection.outbox.next() else { break }
            switch step {
            case .line(let bytes): connection.writes.append(bytes)
            case .late(let answer, let id):
                let start = loop.nanoseconds
                writeLate(answer, id, to: connection)
                connection.input.usage.add(loop.nanoseconds - start, at: loop.nanoseconds)
            case .state(let trip):
                writeState(of: trip, to: connection)
                if connection.waitsForEncoding { return }
            case .presence(let trip): writePresence(of: trip, to: connection)
            }
            dropEncoded(of: connection)
        }
    }

    /// Closes the connection if it has nothing left to do.
    private func finish(_ connection: Connection) {
        let isAnswered = connection.outbox.inFlight == 0 && !connection.isParsed
        let isWritten = connection.writes.isEmpty
        switch connection.life {
        case .halfClosed where isAnswered && isWritten && connection.outbox.slots.isEmpty: close(connection)
        case .halfClosed where isAnswered && life != .running: dismiss(connection.id, .shuttingDown)
        case .ending(let reason) where isAnswered: dismiss(connection.id, reason)
        case .closing where isWritten: close(connection)
        default: connection.updateInterest()
        }
    }

    // MARK: Late answers and states

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
            connection.outbox.slots.sendInSteps(trip)
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
        guard let (version, resumption) = start, let users = servedTrip(trip)?.read({ $0.room.users }) else {
            return writeNoTrip(trip, id, connection)
        }
        connection.outbox.slots.delivered(trip, version: version)
        connection.outbox.slots.deliveredPresence(trip)
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
            return connection.outbox.slots.clearUpdate(trip)
        }
        switch update {
        case .none: return connection.outbox.slots.clearUpdate(trip)
        case .deltas(let lines): for line in lines { connection.writes.append(line) }
        case .snapshot(let members, let cause, let reason):
            let skipped = version - slot.delivered - 1
            counters.sentSnapshots += 1
            counters.skippedSnapshots += skipped
            connection.writes.append(
                ServerLine.snapshot(previous: slot.delivered, skipped: skipped, reason: reason, cause: cause),
                around: members)
        }
        connection.outbox.slots.delivered(trip, version: version)
    }

    /// The output that brings a connection to the current version; nil if the trip is not open.
    private func update(
        _ state: StateRequest, of trip: TripID, to connection: Connection
    ) -> (version: Int, TripCore.Update)? {
        if let news = shared.update, isShared(state, of: trip) { return (news.version, news.update) }
        guard case .update(let since, let mode, let pace) = state else { return nil }
        let current = read(trip, for: connection) { core in
            (core.durable.version, core.update(since: since, mode, pace))
        }
        guard let (version, update) = current else { return nil }
        // A copy may be older.
        if connection.encoded == nil {
            shared.update = SharedUpdate(trip: trip, state: state, version: version, update: update)
        }
        return (version, update)
    }

    /// True if the cached news fits the connection's state.
    private func isShared(_ state: StateRequest, of trip: TripID) -> Bool {
        shared.update.map { $0.trip == trip && $0.state == state } ?? false
    }

    func writePresence(of trip: TripID, to connection: Connection) {
        connection.outbox.slots.deliveredPresence(trip)
        guard let actor = servedTrip(trip) else { return }
        connection.writes.append(actor.read { $0.room.presence(in: trip) })
    }

    private func writeNoTrip(_ trip: TripID, _ id: RequestID?, _ connection: Connection) {
        guard id != nil else { return }
        connection.writes.append(ServerLine.error(id, .noTrip(.id(trip))))
    }
}

/// Large states are encoded on a worker. The connection waits for it, while the event loop serves the others.
extension Server {
    /// A part of a trip's state that a worker has encoded for a connection.
    struct EncodedState {
        let state: StateRequest
        /// A copy of the trip, which caches the encoding of some states.
        var core: TripCore
        /// The encoding of other states.
        let members: SharedBytes?
    }

    /// Returns true if the connection must wait until a worker has encoded its next output. One worker
    /// encodes a trip at a time, for all waiting connections.
    func waitsForEncoding(_ state: StateRequest, of trip: TripID, _ connection: Connection) -> Bool {
        let limit = configuration.longState
        if let encoded = connection.encoded, encoded.core.id == trip {
            // A worker may have encoded another part of the state, for another connection.
            let isEncoded =
                encoded.state.includes(state) || encoded.core.work(of: state, upTo: limit).units < limit
            if isEncoded { return false }
            connection.output.encoding = .none
        }
        guard let runOnWorker = configuration.runOnWorker, let actor = servedTrip(trip),
            actor.read({ $0.work(of: state, upTo: limit).units }) >= limit
        else { return false }
        connection.output.encoding = .waiting
        if offload.wait((connection.id, actor.read { $0.durable.version }), for: trip) { return true }
        let original = actor.read { core in
            defer { core.durable.dropOldEncodings() }
            return core
        }
        runOnWorker(.one) { [self] in
            var copy = original
            let members = copy.encode(state)
            let encoded = EncodedState(state: state, core: copy, members: members)
            loop.execute { self.enter { $0.wasEncoded(encoded) } }
        }
        return true
    }

    /// Returns true if a late answer must wait for a worker.
    func waitsForEncoding(_ answer: LateAnswer, _ connection: Connection) -> Bool {
        // A worker may have begun to encode an update before the answer's version was durable.
        if let copy = connection.encoded?.core, copy.durable.version < connection.outbox.lateVersion {
            connection.output.encoding = .none
        }
        switch answer {
        case .tripList: return false
        case .state(let trip, let state): return waitsForEncoding(state, of: trip, connection)
        case .subscription(let trip, let subscribe):
            return waitsForEncoding(.resumption(subscribe), of: trip, connection)
        case .dragStart(let trip, let begun):
            connection.outbox.slots.sendInSteps(trip)
            return waitsForEncoding(dragStart(begun, of: trip, connection), of: trip, connection)
        case .synced(let trip):
            guard let slot = connection.outbox.slots[trip], slot.isOpened else { return false }
            return waitsForEncoding(slot.update(to: connection), of: trip, connection)
        }
    }

    /// The answer to `drag.begin`, after the update of a subscriber.
    func dragStart(_ begun: BegunDrag, of trip: TripID, _ connection: Connection) -> StateRequest {
        let slot = connection.outbox.slots[trip].flatMap { $0.isOpened ? $0 : nil }
        return .dragStart(begun, after: slot?.update(to: connection))
    }

    /// A worker has encoded a part of a trip's state. On the loop.
    private func wasEncoded(_ encoded: EncodedState) {
        let copy = encoded.core
        let isSame = servedTrip(copy.id)?.read { core in
            guard core.durable.epoch == copy.durable.epoch else { return false }
            core.durable.adoptEncodings(of: copy)
            return true
        }
        for waiter in offload.endEncoding(of: copy.id) {
            guard let connection = connections[waiter.connection] else { continue }
            connection.output.encoding = .none
            if isSame == true, copy.durable.version >= waiter.version {
                connection.output.encoding = .ready(encoded)
            }
            scheduleFlush(connection)
        }
    }

    /// Reads a trip for a connection, from the copy that was encoded for it, if there is one.
    func read<Value: Sendable>(
        _ trip: TripID, for connection: Connection, _ body: @Sendable (inout TripCore) -> Value
    ) -> Value? {
        guard var copy = connection.encoded?.core, copy.id == trip else {
            return servedTrip(trip)?.read(body)
        }
        return body(&copy)
    }

    /// The members of an answer with a part of a trip's state; nil if the trip is not open.
    func members(of state: StateRequest, of trip: TripID, for connection: Connection) -> SharedBytes? {
        if let encoded = connection.encoded, encoded.core.id == trip, encoded.state == state {
            return encoded.members
        }
        return read(trip, for: connection) { $0.encode(state.alone) } ?? nil
    }

    /// Drops the connection's copy after it was sent, and schedules an update if the trip is newer.
    func dropEncoded(of connection: Connection) {
        guard let copy = connection.encoded?.core else { return }
        connection.output.encoding = .none
        let isOld = servedTrip(copy.id)?.read { $0.durable.version > copy.durable.version }
        guard isOld == true else { return }
        connection.outbox.slots.scheduleUpdate(copy.id)
        free(old: copy)
    }
}

extension SlotTable.Slot {
    /// The next state of the slot's trip to send.
    func update(to connection: Connection) -> StateRequest {
        let pace: DurableState.Pace =
            wantsOneStep ? .wantsOne : connection.output.isLagging ? .lags : .keepsUp
        return .update(since: delivered, mode, pace)
    }
}
