import LocalSystem
import TripModel
import TripProtocol

/// A change that goes through many items is made on another thread, lest everybody wait for it. What is asked of its trip
/// meanwhile waits, and what happens to the trip is kept for it.
extension Server {
    /// What happens to a trip without being asked for.
    typealias Happening = @Sendable (inout TripCore) -> [Effect]

    /// Has another thread make a change of a trip, if it takes long. It is made of a trip of which nothing is in flight: what
    /// is taken back when the disk fails is not built upon meanwhile.
    ///
    /// - Parameters:
    ///   - weight: how many items the change goes through, about.
    ///   - change: makes it.
    /// - Returns: false where it is to be made here, at once.
    func makesElsewhere(
        _ parked: ParkedRequest, of trip: TripReference, weight: @Sendable (TripCore) -> Int,
        _ change: @escaping Happening
    ) -> Bool {
        guard let elsewhere = configuration.elsewhere, let id = registry.id(of: trip),
            let actor = servedTrip(id), actor.read({ weight($0) }) >= configuration.longChange
        else { return false }
        guard actor.read({ $0.isSettled }) else {
            // Where others change it all the time, it would never be.
            if parked.hasWaitedForDisk { return false }
            var parked = parked
            parked.hasWaitedForDisk = true
            // What it held of a batch has been let go.
            parked.batchBytes = 0
            hold(parked)
            carryOut(actor.step { [parked] core in core.release([.resume(parked)]) }, of: id)
            return true
        }
        hold(parked)
        changingElsewhere[id] = []
        let lent = actor.lend()
        elsewhere(.many) { [self] in
            var core = lent
            let effects = change(&core)
            loop.execute { [core] in self.enter { $0.wasChanged(core, effects) } }
        }
        return true
    }

    /// What the same connection asks behind it waits: of each, one change at most is made elsewhere.
    private func hold(_ parked: ParkedRequest) {
        connections[parked.ticket.connection]?.outbox.hold(parked.ticket.number)
    }

    /// A change has been made. On the loop.
    private func wasChanged(_ core: TripCore, _ effects: [Effect]) {
        let id = core.id
        guard let kept = changingElsewhere.removeValue(forKey: id), let actor = servedTrip(id) else {
            preconditionFailure("a trip that is changed elsewhere stays open")
        }
        carryOut(actor.takeBack(core, effects), of: id)
        for happening in kept { happens(to: id, happening) }
        let waiting = takeParked(id)
        if isStopping {
            // What waits is not begun any more; its connections are told goodbye, and whose it is asks again.
            for parked in waiting { fulfil(parked.ticket, .nothing) }
        } else {
            // Each connection has one: those that may take long come last, for each of them lends the trip again.
            resume(waiting.filter { !$0.request.mayTakeLong } + waiting.filter { $0.request.mayTakeLong })
        }
        finishIfDrained()
    }

    /// Lets something happen to a trip, if it is open: at once, or when it is back.
    func happens(to trip: TripID, _ happening: @escaping Happening) {
        if !changingElsewhere.isEmpty, changingElsewhere[trip]?.append(happening) != nil { return }
        if let actor = servedTrip(trip) { carryOut(actor.step(happening), of: trip) }
    }

    /// Keeps a request back whose trip is being changed elsewhere.
    func parkUntilChanged(_ parked: ParkedRequest) -> Bool {
        guard !changingElsewhere.isEmpty else { return false }
        let sender = parked.ticket.connection
        let drag: DragID? =
            switch parked.request {
            case .hover(let drag, _), .cancelDrag(let drag): drag
            case .drop(let drop): drop.drag
            default: nil
            }
        let held = drag.flatMap { connections[sender]?.drags.trip(of: $0) }
        guard let trip = held ?? parked.request.trip.flatMap(registry.id), changingElsewhere[trip] != nil
        else { return false }
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

extension TripCore {
    /// What an edit of one item takes, as a number of items that are gone through.
    private static let editWeight = 8

    /// How many items a change goes through, about; 0 where it has to be made at once, for it asks for a name.
    func weight(of edits: [Edit]) -> Int {
        var weight = 0
        for edit in edits {
            guard case .trip(let change) = edit else {
                weight += Self.editWeight
                continue
            }
            if change.slug != nil { return 0 }
            if change.startDate != nil || change.timeZone != nil || change.dayCount != nil {
                weight += trip.itemCount
            }
        }
        return weight
    }

    /// The same of an undo or redo.
    func weight(of kind: EditLog.Kind, by editor: ClientID) -> Int {
        guard let commit = edits.next(kind, of: editor)?.commit else { return 0 }
        guard let header = commit.headerBefore else { return commit.changes.count }
        return header.slug == trip.header.slug ? max(trip.itemCount, commit.changes.count) : 0
    }
}
