import LocalSystem
import TripModel
import TripProtocol

/// A change that goes through many items runs on a worker, so that it does not block the event loop. Other
/// requests for its trip wait until it is done, and events of the trip are queued.
extension Server {
    /// An event of a trip that is not a request.
    typealias TripEvent = @Sendable (inout TripCore) -> [Effect]

    /// A change that runs on a worker.
    struct LongChange {
        /// The slugs that are reserved for it.
        let slugs: [String]
        /// The trip's events since it began.
        var events: [TripEvent] = []
    }

    /// Runs a change on a worker if it is long. It starts when nothing of its trip is in flight, so that it does not
    /// depend on a change that the disk may still refuse. Until then the trip accepts no other request.
    ///
    /// - Parameters:
    ///   - slugs: the free slugs that it gives the trip; they are reserved until it is done.
    ///   - change: computes the change.
    /// - Returns: false if the caller must run it at once.
    func runsOnWorker(
        _ parked: ParkedRequest, of actor: TripActor, reserving slugs: [String] = [],
        _ change: @escaping TripEvent
    ) -> Bool {
        guard let runOnWorker = configuration.runOnWorker,
            actor.read({ $0.isLong(parked, from: configuration.longChange) })
        else { return false }
        let trip = actor.id
        blockLaterRequests(behind: parked)
        guard actor.read({ $0.isQuiescent }) else {
            var parked = parked
            // The bytes of its batch were released already.
            parked.batchBytes = 0
            drainingTrips.insert(trip)
            carryOut(actor.step { [parked] core in core.release([.drained(parked)]) }, of: trip)
            return true
        }
        registry.reserve(slugs, for: trip)
        longChanges[trip] = LongChange(slugs: slugs)
        let checkedOut = actor.checkOut()
        let encoder = storage.encoder(of: trip)
        runOnWorker(.many) { [self] in
            var core = checkedOut
            let effects = change(&core)
            // Its journal record may have many megabytes.
            if let encoder { core.storageRequests = core.storageRequests.map { $0.encoded(by: encoder) } }
            loop.execute { [core] in self.enter { $0.wasChanged(core, effects) } }
        }
        return true
    }

    /// Nothing of the trip is in flight any more: starts the long change that was parked until then.
    func drained(_ trip: TripID, _ parked: ParkedRequest) {
        drainingTrips.remove(trip)
        resume([parked])
        if !isBusy(trip) { resumeParked(trip) }
    }

    /// Defers later requests of the same connection, so each connection has at most one long change.
    private func blockLaterRequests(behind parked: ParkedRequest) {
        connections[parked.ticket.connection]?.outbox.setBarrier(parked.ticket.number)
    }

    /// A worker has finished a change. On the loop.
    private func wasChanged(_ core: TripCore, _ effects: [Effect]) {
        let id = core.id
        guard let done = longChanges.removeValue(forKey: id), let actor = servedTrip(id) else {
            preconditionFailure("a trip with a long change stays open")
        }
        carryOut(actor.checkIn(core, effects), of: id)
        registry.endReservation(of: done.slugs, for: id)
        for event in done.events { deliver(to: id, event) }
        resumeParked(id)
    }

    /// Resumes the requests that were parked for a trip. Long changes come last, because each one makes the
    /// trip busy again.
    private func resumeParked(_ trip: TripID) {
        let waiting = removeParked(trip)
        guard waiting.count > 1, let actor = servedTrip(trip) else { return resume(waiting) }
        let long = configuration.longChange
        let isLong = actor.read { core in waiting.map { core.isLong($0, from: long) } }
        let inOrder = zip(waiting, isLong)
        resume(inOrder.filter { !$0.1 }.map(\.0) + inOrder.filter { $0.1 }.map(\.0))
    }

    /// True if the trip accepts no request, because a long change runs or is about to start.
    func isBusy(_ trip: TripID) -> Bool {
        longChanges[trip] != nil || drainingTrips.contains(trip)
    }

    /// Applies an event to an open trip: at once, or after its long change.
    func deliver(to trip: TripID, _ event: @escaping TripEvent) {
        if !longChanges.isEmpty, longChanges[trip]?.events.append(event) != nil { return }
        if let actor = servedTrip(trip) { carryOut(actor.step(event), of: trip) }
    }

    /// Parks a request if its trip is busy.
    func parkUntilChanged(_ parked: ParkedRequest) -> Bool {
        guard !longChanges.isEmpty || !drainingTrips.isEmpty else { return false }
        let sender = parked.ticket.connection
        let drag = parked.request.drag
        let held = drag.flatMap { connections[sender]?.drags.trip(of: $0) }
        guard let trip = held ?? parked.request.trip.flatMap(registry.id), isBusy(trip) else { return false }
        if let drag {
            // The drag is renewed now: the request arrived in time, however long it waits.
            let now = loop.now
            deliver(to: trip) { core in
                core.renew(drag, heldBy: sender, at: now)
                return []
            }
        }
        park(parked, until: trip)
        return true
    }
}
