import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// The `trip.list` requests that wait until all closed trips are confirmed.
struct ListSurvey {
    /// The trips that may have to be read.
    var queue: [TripID] = []
    /// A batch of them is being read.
    var isExamining = false
    var waiting: [ParkedRequest] = []
}

/// `trip.list`: closed trips are listed from the catalogue once their entries are confirmed.
extension Server {
    /// The number of trips that the reading thread examines at once, which delays its other work.
    private static let examinationBatch = 64

    /// Parks a `trip.list` until all trips are confirmed. False if all are confirmed already.
    func parkList(_ parked: ParkedRequest) -> Bool {
        guard !registry.unconfirmed.isEmpty else { return false }
        connections[parked.ticket.connection]?.outbox.setBarrier(parked.ticket.number)
        survey.waiting.append(parked)
        survey.queue = Array(registry.unconfirmed)
        continueSurvey()
        return true
    }

    /// Examines the next batch of trips for the waiting lists. Batches are small, so that other trips can be
    /// opened in between.
    func continueSurvey() {
        guard !survey.waiting.isEmpty, !survey.isExamining else { return }
        var bunch: [TripID: CatalogueEntry] = [:]
        while bunch.count < Self.examinationBatch, let id = survey.queue.popLast() {
            if case .closed(let trip)? = registry[id], trip.confirmedSummary == nil {
                bunch[id] = registry.beginReading(id)
            }
        }
        if !bunch.isEmpty {
            survey.isExamining = true
            return storage.examine(bunch)
        }
        // The remaining trips are being read for other requests, or were closed since.
        survey.queue = Array(registry.unconfirmed)
        if survey.queue.isEmpty {
            let waiting = survey.waiting
            survey.waiting = []
            return resume(waiting)
        }
        if survey.queue.contains(where: { if case .closed? = registry[$0] { true } else { false } }) {
            continueSurvey()
        }
    }

    /// Handles the results of a batch. On the loop.
    func examined(_ results: [TripID: TripExamination]) {
        survey.isExamining = false
        for (id, result) in results {
            switch result {
            case .same:
                registry.confirm(id)
                becameFree(id)
            case .read(let entry):
                registry.endBusy(id, .init(known: entry, isConfirmed: true))
                registry.setSlugs(entry.slugs, of: id)
                becameFree(id)
            case .quarantined(let error, let header): quarantined(id, error, header)
            case .unreadable(let error, _):
                // A list without the trip would look as if the trip were gone.
                let waiting = survey.waiting
                survey.waiting = []
                refuse(waiting, error)
                notOpened(id, error)
            }
        }
        continueSurvey()
    }
}
