import LocalSystem
import TripModel
import TripProtocol

/// A change that goes through many items runs on a worker, so that it does not block the event loop. Other requests for
/// its trip wait until the trip is back, and events of the trip are queued.
extension Server {
    /// An event of a trip that no request asks for.
    typealias Happening = @Sendable (inout TripCore) -> [Effect]

    /// A change that runs on a worker.
    struct LongChange {
        /// The slugs that are reserved for it.
        let slugs: [String]
        /// Events of its trip since it began.
        var happenings: [Happening] = []
    }

    /// Runs a change on a worker if it is long. It starts when nothing of its trip is in flight, so that it does not rest on
    /// a change that the disk may still refuse; until then the trip takes no other request.
    ///
    /// - Parameters:
    ///   - slugs: the free slugs that it gives the trip; nobody else gets them before it is done.
    ///   - change: makes it.
    /// - Returns: false if the caller has to make it at once.
    func makesElsewhere(
        _ parked: ParkedRequest, of trip: TripID, reserving slugs: [String] = [],
        _ change: @escaping Happening
    ) -> Bool {
        guard let elsewhere = configuration.elsewhere, let actor = servedTrip(trip),
            actor.read({ $0.work(of: parked).units }) >= configuration.longChange
        else { return false }
        hold(parked)
        guard actor.read({ $0.isSettled }) else {
            var parked = parked
            // Its batch's bytes have been released already.
            parked.batchBytes = 0
            tripsToSettle.insert(trip)
            carryOut(actor.step { [parked] core in core.release([.settled(parked)]) }, of: trip)
            return true
        }
        registry.reserve(slugs, for: trip)
        changingElsewhere[trip] = LongChange(slugs: slugs)
        let lent = actor.lend()
        elsewhere(.many) { [self] in
            var core = lent
            let effects = change(&core)
            loop.execute { [core] in self.enter { $0.wasChanged(core, effects) } }
        }
        return true
    }

    /// Nothing of a trip is in flight any more: the long change that has waited for that starts.
    func settled(_ trip: TripID, _ parked: ParkedRequest) {
        tripsToSettle.remove(trip)
        resume([parked])
        if !isBusy(trip) { resumeParked(trip) }
    }

    /// Defers later requests of the same connection: each connection has one long change at most.
    private func hold(_ parked: ParkedRequest) {
        connections[parked.ticket.connection]?.outbox.hold(parked.ticket.number)
    }

    /// A change has been made. On the loop.
    private func wasChanged(_ core: TripCore, _ effects: [Effect]) {
        let id = core.id
        guard let done = changingElsewhere.removeValue(forKey: id), let actor = servedTrip(id) else {
            preconditionFailure("a trip that is changed elsewhere stays open")
        }
        carryOut(actor.takeBack(core, effects), of: id)
        registry.endReservation(of: done.slugs, for: id)
        for happening in done.happenings { happens(to: id, happening) }
        resumeParked(id)
    }

    /// Resumes the requests that have waited for a trip: long changes last, for each takes the trip away again.
    private func resumeParked(_ trip: TripID) {
        let waiting = takeParked(trip)
        guard waiting.count > 1, let actor = servedTrip(trip) else { return resume(waiting) }
        let long = configuration.longChange
        let isLong = actor.read { core in waiting.map { core.work(of: $0).units >= long } }
        let inOrder = zip(waiting, isLong)
        resume(inOrder.filter { !$0.1 }.map(\.0) + inOrder.filter { $0.1 }.map(\.0))
    }

    /// Whether a trip takes no request, because a long change of it runs or is about to.
    func isBusy(_ trip: TripID) -> Bool {
        changingElsewhere[trip] != nil || tripsToSettle.contains(trip)
    }

    /// Lets something happen to a trip, if it is open: at once, or when it is back.
    func happens(to trip: TripID, _ happening: @escaping Happening) {
        if !changingElsewhere.isEmpty, changingElsewhere[trip]?.happenings.append(happening) != nil { return }
        if let actor = servedTrip(trip) { carryOut(actor.step(happening), of: trip) }
    }

    /// Parks a request if its trip takes none.
    func parkUntilChanged(_ parked: ParkedRequest) -> Bool {
        guard !changingElsewhere.isEmpty || !tripsToSettle.isEmpty else { return false }
        let sender = parked.ticket.connection
        let drag = parked.request.drag
        let held = drag.flatMap { connections[sender]?.drags.trip(of: $0) }
        guard let trip = held ?? parked.request.trip.flatMap(registry.id), isBusy(trip) else { return false }
        if let drag {
            // It has come in time, whenever its turn comes.
            let now = loop.now
            happens(to: trip) { core in
                core.renew(drag, heldBy: sender, at: now)
                return []
            }
        }
        park(parked, until: trip)
        return true
    }
}
