import LocalSystem
import TripModel
import TripProtocol

/// A large part of a trip's state is encoded on a worker. The connection that is to be sent it waits, and the event loop
/// serves the others.
extension Server {
    /// A connection that waits for a worker.
    struct EncodingWaiter {
        let connection: ConnectionID
        /// The oldest version that it may be sent.
        let version: Int
    }

    /// Whether a connection waits until a worker has encoded what it is to be sent next. One worker encodes a trip at a
    /// time, for all who wait then.
    func waitsForEncoding(_ state: StateRequest, of trip: TripID, _ connection: Connection) -> Bool {
        let limit = configuration.longState
        // Each step waits once at most: whatever its copy lacks is encoded on the loop.
        if let copy = connection.encoded, copy.id == trip { return false }
        guard let elsewhere = configuration.elsewhere, let actor = servedTrip(trip),
            actor.read({ $0.work(of: state, upTo: limit).units }) >= limit
        else { return false }
        connection.waitsForEncoding = true
        let waiter = EncodingWaiter(connection: connection.id, version: actor.read { $0.durable.version })
        if encodingElsewhere[trip]?.append(waiter) != nil { return true }
        encodingElsewhere[trip] = [waiter]
        let original = actor.read { core in
            defer { core.durable.forgetOldEncodings() }
            return core
        }
        elsewhere(.one) { [self] in
            var copy = original
            copy.encode(state)
            loop.execute { [copy] in self.enter { $0.wasEncoded(copy) } }
        }
        return true
    }

    /// The same of an answer that is made when it is sent.
    func waitsForEncoding(_ answer: LateAnswer, _ connection: Connection) -> Bool {
        switch answer {
        case .tripList, .history: return false
        case .snapshot(let trip): return waitsForEncoding(.snapshot, of: trip, connection)
        case .subscription(let trip, let subscribe):
            return waitsForEncoding(.resumption(subscribe), of: trip, connection)
        case .dragStart(let trip, _), .synced(let trip):
            if case .dragStart = answer { connection.outbox.tellInSteps(trip) }
            guard let slot = connection.outbox.slots[trip], slot.isOpened else { return false }
            return waitsForEncoding(slot.news(to: connection), of: trip, connection)
        }
    }

    /// A worker has encoded a part of a trip's state. On the loop.
    private func wasEncoded(_ copy: TripCore) {
        let waiting = encodingElsewhere.removeValue(forKey: copy.id) ?? []
        let isSame = servedTrip(copy.id)?.read { core in
            guard core.durable.epoch == copy.durable.epoch else { return false }
            core.durable.adoptEncodings(of: copy, into: core.trip)
            return true
        }
        for waiter in waiting {
            guard let connection = connections[waiter.connection] else { continue }
            connection.waitsForEncoding = false
            if isSame == true, copy.durable.version >= waiter.version { connection.encoded = copy }
            scheduleFlush(connection)
        }
    }

    /// Reads what a connection is to be sent of a trip: from the copy that was encoded for it, if there is one.
    func read<Value: Sendable>(
        _ trip: TripID, for connection: Connection, _ body: @Sendable (inout TripCore) -> Value
    ) -> Value? {
        guard var copy = connection.encoded, copy.id == trip else { return servedTrip(trip)?.read(body) }
        return body(&copy)
    }

    /// Drops the copy that a connection has been sent, and schedules what is newer.
    func dropEncoded(of connection: Connection) {
        guard let copy = connection.encoded else { return }
        connection.encoded = nil
        let isOld = servedTrip(copy.id)?.read { $0.durable.version > copy.durable.version }
        if isOld == true { connection.outbox.offer(copy.id) }
    }
}

extension Outbox.Slot {
    /// The state that a connection is to be sent of the slot's trip.
    func news(to connection: Connection) -> StateRequest {
        let pace: DurableState.Pace =
            wantsOneStep ? .wantsOne : connection.isLagging ? .lags : .keepsUp
        return .news(since: delivered, mode, pace)
    }
}
