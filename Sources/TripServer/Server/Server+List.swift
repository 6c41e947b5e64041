import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// The lists that wait until it is sure what is to be told of every trip.
struct ListSurvey {
    /// Trips that may have to be looked at.
    var queue: [TripID] = []
    /// A bunch of them is being looked at.
    var isLooking = false
    var waiting: [ParkedRequest] = []
}

/// `trip.list`: closed trips are told by what is known of them, once it is sure that this still holds.
extension Server {
    /// How many trips another thread looks at in one go: what else is asked of it waits that long.
    private static let lookCount = 64

    /// Keeps a list back until everything in it is known; false where it is.
    func parkList(_ parked: ParkedRequest) -> Bool {
        let unconfirmed = registry.unconfirmed
        guard !unconfirmed.isEmpty else { return false }
        connections[parked.ticket.connection]?.outbox.hold(parked.ticket.number)
        survey.waiting.append(parked)
        survey.queue = unconfirmed
        continueSurvey()
        return true
    }

    /// Goes on with the lists that wait, if any does: with the next trips to be looked at, one bunch at a time, so
    /// that others are opened in between.
    func continueSurvey() {
        guard !survey.waiting.isEmpty, !survey.isLooking else { return }
        var bunch: [TripID: CatalogueEntry] = [:]
        while bunch.count < Self.lookCount, let id = survey.queue.popLast() {
            if case .closed(let trip)? = registry[id], trip.confirmedSummary == nil {
                bunch[id] = registry.beginReading(id)
            }
        }
        if !bunch.isEmpty {
            survey.isLooking = true
            return storage.look(at: bunch)
        }
        // What is left is being read for somebody else, or has been closed meanwhile.
        survey.queue = registry.unconfirmed
        if survey.queue.isEmpty {
            let waiting = survey.waiting
            survey.waiting = []
            return resume(waiting)
        }
        if survey.queue.contains(where: { if case .closed? = registry[$0] { true } else { false } }) {
            continueSurvey()
        }
    }

    /// What became of trips that were looked at. On the loop.
    func looked(_ looks: [TripID: TripLook]) {
        survey.isLooking = false
        for (id, look) in looks {
            switch look {
            case .same:
                registry.confirm(id)
                becameFree(id)
            case .read(let entry):
                registry.endBusy(id, .init(known: entry, isConfirmed: true))
                registry.setSlugs(entry.slugs, of: id)
                becameFree(id)
            case .quarantined(let error, let header): quarantined(id, error, header)
            case .unreadable(let error, _):
                // A list without it would look as if the trip were gone.
                let waiting = survey.waiting
                survey.waiting = []
                refuse(waiting, error)
                notOpened(id, error)
            }
        }
        continueSurvey()
    }
}

extension TripRegistry {
    /// The trips of which a list cannot tell yet.
    var unconfirmed: [TripID] {
        entries.compactMap { id, entry in
            switch entry.state {
            case .closed(let trip), .busy(let trip): trip.confirmedSummary == nil ? id : nil
            case .served, .quarantined: nil
            }
        }
    }
}
