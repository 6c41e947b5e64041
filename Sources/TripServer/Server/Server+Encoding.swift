import LocalSystem
import TripModel
import TripProtocol

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

    /// A connection that waits for a worker.
    struct EncodingWaiter {
        let connection: ConnectionID
        /// The minimum version to send.
        let version: Int
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
            connection.encoded = nil
        }
        guard let runOnWorker = configuration.runOnWorker, let actor = servedTrip(trip),
            actor.read({ $0.work(of: state, upTo: limit).units }) >= limit
        else { return false }
        connection.waitsForEncoding = true
        let waiter = EncodingWaiter(connection: connection.id, version: actor.read { $0.durable.version })
        if encodingWaiters[trip]?.append(waiter) != nil { return true }
        encodingWaiters[trip] = [waiter]
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
            connection.encoded = nil
        }
        switch answer {
        case .tripList: return false
        case .state(let trip, let state): return waitsForEncoding(state, of: trip, connection)
        case .subscription(let trip, let subscribe):
            return waitsForEncoding(.resumption(subscribe), of: trip, connection)
        case .dragStart(let trip, let begun):
            connection.outbox.sendInSteps(trip)
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
        let waiting = encodingWaiters.removeValue(forKey: copy.id) ?? []
        let isSame = servedTrip(copy.id)?.read { core in
            guard core.durable.epoch == copy.durable.epoch else { return false }
            core.durable.adoptEncodings(of: copy)
            return true
        }
        for waiter in waiting {
            guard let connection = connections[waiter.connection] else { continue }
            connection.waitsForEncoding = false
            if isSame == true, copy.durable.version >= waiter.version {
                connection.encoded = encoded
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
        connection.encoded = nil
        let isOld = servedTrip(copy.id)?.read { $0.durable.version > copy.durable.version }
        guard isOld == true else { return }
        connection.outbox.scheduleUpdate(copy.id)
        free(old: copy)
    }
}

extension Outbox.Slot {
    /// The next state of the slot's trip to send.
    func update(to connection: Connection) -> StateRequest {
        let pace: DurableState.Pace =
            wantsOneStep ? .wantsOne : connection.isLagging ? .lags : .keepsUp
        return .update(since: delivered, mode, pace)
    }
}
