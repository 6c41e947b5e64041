import TripModel
import TripProtocol

/// The cost estimates of a trip: a step whose estimate is too high runs on a worker.
extension TripCore {
    /// An upper bound of the work of a request, but for the reads that an answer makes when it is sent.
    func work(of parked: ParkedRequest) -> Work {
        switch parked.request {
        case .change(let change): trip.work(of: change.edits)
        case .drop(let drop):
            leases.lease(of: drop.drag, heldBy: parked.ticket.connection).map {
                trip.work(of: [.move($0.item, to: drop.placement)])
            } ?? Work()
        case .undo: work(of: .undo, by: parked.principal.editor)
        case .redo: work(of: .redo, by: parked.principal.editor)
        default: Work()
        }
    }

    private func work(of kind: EditLog.Kind, by editor: ClientID) -> Work {
        guard let entry = edits.next(kind, of: editor) else { return Work() }
        return trip.work(of: Reversal(of: entry.commit))
    }

    /// An upper bound of the work of encoding what a connection is to be sent.
    ///
    /// - Parameter limit: units past which it need not be exact.
    func work(of state: StateRequest, upTo limit: Int) -> Work {
        switch state {
        case .snapshot: durable.snapshotWork(of: trip, upTo: limit)
        case .news(let since, let mode, let pace):
            if durable.version <= since {
                Work()
            } else if mode == .delta {
                durable.catchUpWork(from: since, pace, in: trip, upTo: limit)
            } else {
                durable.snapshotWork(of: trip, upTo: limit)
            }
        case .resumption(let subscribe): durable.resumptionWork(for: subscribe, in: trip, upTo: limit)
        }
    }

    /// Encodes what a connection is to be sent; it is kept for the next to ask.
    mutating func encode(_ state: StateRequest) {
        switch state {
        case .snapshot: _ = snapshotMembers()
        case .news(let since, let mode, let pace): _ = news(since: since, mode, pace)
        case .resumption(let subscribe):
            if case .snapshot = resumption(for: subscribe) { _ = snapshotMembers() }
        }
    }
}

/// A part of a trip's durable state that a connection is to be sent.
enum StateRequest: Equatable, Sendable {
    case snapshot
    case news(since: Int, Subscribe.Mode, DurableState.Pace)
    case resumption(Subscribe)
}
