import TripModel
import TripProtocol

/// The cost estimates of a trip: a step whose estimate is too high runs on a worker.
extension TripCore {
    /// Whether the work of a request, without the reads of late answers, may have so many units.
    func isLong(_ call: Call, from units: Int) -> Bool {
        let work =
            switch call.request {
            case .change(let change): trip.work(of: change.edits, notBelow: units)
            case .drop(let drop):
                room.leases.lease(of: drop.drag, heldBy: call.ticket.connection).map {
                    trip.work(of: [.move($0.item, to: drop.placement)], notBelow: units)
                } ?? Work()
            case .undo: work(of: .undo, by: call.principal.editor)
            case .redo: work(of: .redo, by: call.principal.editor)
            default: Work()
            }
        return work.units >= units
    }

    private func work(of kind: EditLog.Kind, by editor: ClientID) -> Work {
        guard let entry = next(kind, of: editor) else { return Work() }
        return trip.work(ofUndoing: entry.commit, exactly: isExact(entry))
    }

    /// An upper bound of the work of encoding a state.
    ///
    /// - Parameter limit: the number of units above which the result may be inexact.
    func work(of state: StateRequest, upTo limit: Int) -> Work {
        func inFlight() -> Work { work(of: self.inFlight.commits, upTo: limit) }
        return switch state {
        case .snapshot: durable.snapshotWork(of: trip, upTo: limit, inFlight)
        case .storedSnapshot: durable.storedSnapshotWork(of: trip, upTo: limit, inFlight)
        case .history(let request):
            // The lists of things to do of older versions follow from those of later ones.
            Work(items: 16 * edits.lines.count { $0.commit.header?.after.todo.isEmpty == false })
                + work(of: commits(of: request), upTo: limit)
        case .removedItems(let since):
            work(of: edits.lines.lazy.filter { $0.by.at >= since }.map(\.commit), upTo: limit)
        case .update(let since, let mode, let pace):
            if durable.version <= since {
                Work()
            } else if mode == .delta {
                durable.catchUpWork(from: since, pace, in: trip, edits, upTo: limit, inFlight)
            } else {
                durable.snapshotWork(of: trip, upTo: limit, inFlight)
            }
        case .resumption(let subscribe):
            durable.resumptionWork(for: subscribe, in: trip, edits, upTo: limit, inFlight)
        case .gaps: gapWork + inFlight()
        case .dragStart(let begun, let update):
            (begun.includesGaps ? gapWork + inFlight() : Work())
                + (update.map { work(of: $0, upTo: limit) } ?? Work())
        }
    }

    /// The work since the trip was opened, without bytes: of changes, and of states that were encoded.
    var workDone: Int { trip.itemsLookedAt * Work.itemChange + durable.itemsRead }

    /// The work of finding and encoding all gaps for an item.
    var gapWork: Work { Work(items: trip.itemCount + trip.header.dayCount) }

    /// An upper bound of the work of encoding commits of the history.
    private func work(of commits: some Sequence<Commit>, upTo limit: Int) -> Work {
        var work = Work()
        for commit in commits {
            for change in commit.changes {
                let texts = (change.before?.textBytes ?? 0) + (change.after?.textBytes ?? 0)
                work += Work(items: Work.itemChange, bytes: 2 * texts)
                if work.units >= limit { return work }
            }
            for shift in commit.shifts {
                work += Work(items: Work.itemChange, bytes: 2 * (trip[shift.id]?.textBytes ?? 0))
                if work.units >= limit { return work }
            }
        }
        return work
    }

    /// Encodes a state: the members of an answer, or nil for states that the trip caches and `update` or
    /// `resumption` returns.
    mutating func encode(_ state: StateRequest) -> SharedBytes? {
        switch state {
        case .snapshot: return snapshotMembers()
        case .storedSnapshot: return storedSnapshotMembers()
        case .history(let request): return SharedBytes(HistoryLine.encodedMembers(of: history(request)))
        case .removedItems(let since): return SharedBytes(removedItems(since: since).encodedMembers())
        case .update(let since, let mode, let pace): _ = update(since: since, mode, pace)
        case .resumption(let subscribe):
            if case .snapshot = resumption(for: subscribe) { _ = snapshotMembers() }
        case .gaps(let item): return gapMembers(of: item).map { SharedBytes($0) }
        case .dragStart(let begun, let update):
            if let update { _ = encode(update) }
            return SharedBytes(members(of: begun))
        }
        return nil
    }
}

/// A part of a trip's durable state that is to be sent.
indirect enum StateRequest: Equatable, Sendable {
    case snapshot
    /// A snapshot with the stored source values of each item.
    case storedSnapshot
    case history(HistoryRequest)
    case removedItems(since: Timestamp)
    case update(since: Int, Subscribe.Mode, DurableState.Pace)
    case resumption(Subscribe)
    /// The places for an item; no members if the item was removed.
    case gaps(ItemID)
    /// A begun drag, and the update that is sent before it.
    case dragStart(BegunDrag, after: StateRequest?)

    /// The same answer without the update that precedes it.
    var alone: StateRequest {
        if case .dragStart(let begun, _) = self { .dragStart(begun, after: nil) } else { self }
    }

    /// Whether the encoding of this state is also that of another one.
    func includes(_ other: StateRequest) -> Bool {
        if case .dragStart(_, other) = self { true } else { self == other }
    }
}
