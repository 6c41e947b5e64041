import LocalSystem
import TripModel
import TripProtocol

/// A change of the user that the confirmed trip does not contain yet.
struct PendingChange: Sendable {
    /// The content of the change.
    enum Body: Sendable {
        case edits([Edit])
        /// A drop; `drag` is known once the daemon has granted the lease.
        case drop(ItemID, Placement, number: Int, drag: DragID?)
        case undo
        case redo
    }

    /// The progress of the change.
    enum Phase: Equatable, Sendable {
        /// Not sent yet.
        case waiting
        /// In flight on this connection.
        case sent
        /// The daemon's disk failed: it is sent again after the daemon's restart.
        case inDoubt
        /// Applied, with this version.
        case applied(version: Int, epoch: String, isNoop: Bool)
    }

    /// The caller's id for it.
    let intent: Int
    /// Its sequence number; ascending in the order in which changes are first sent.
    var seq: Int
    var body: Body
    /// An undo has reversed it, so that it is not shown.
    var isReversed = false
    /// The intent of the unanswered change that this undo or redo reverses. If that change is not applied,
    /// neither is this.
    var target: Int?
    /// When the user made it.
    let at: Timestamp
    /// The versions that the trip and the item must have, if required.
    var options = LiveTrip.ChangeOptions()
    /// The deadline of its caller; nil for none.
    var deadline: Duration?
    var phase = Phase.waiting
    /// The answer to an undo or redo, which its caller gets once the shown trip contains the change.
    var unreported: ChangeResult?
    /// The anchor side to use with a 1.0 daemon, which does not support `between`.
    var anchorSide = Placement.AnchorSide.above
    /// The anchors above its places that were the last items of their days.
    var lastOfDays: Set<ItemID> = []
    /// It does not fit into one line.
    var isLong = false
    /// How often it was sent: after the first time it may have been applied.
    var timesSent = 0

    /// True if its caller still waits for the daemon's answer.
    var isUnanswered: Bool {
        if case .applied = phase { false } else { true }
    }

    /// True for an undo or redo.
    var isReversal: Bool {
        switch body {
        case .undo, .redo: true
        case .edits, .drop: false
        }
    }

    /// True for a drop.
    var isDrop: Bool {
        if case .drop = body { true } else { false }
    }

    /// Its edits as far as a client knows; only the daemon knows those of an undo.
    var edits: [Edit] {
        if isReversed { return [] }
        return switch body {
        case .edits(let edits): edits
        case .drop(let item, let placement, _, _): [.move(item, to: placement)]
        case .undo, .redo: []
        }
    }

    /// The edits for a trip in which the anchors of its places are gone. A place below the last item of a day
    /// becomes the day's end. A new item whose neighbours are all gone goes to the day's end, too. A missing
    /// day becomes the last one.
    func editsWithoutLostAnchors(in trip: Trip) -> [Edit] {
        edits.movingToEnds(below: lastOfDays).addingSomewhere(in: trip)
    }

    /// The request, which is the same for every retry; nil while the drag that it ends is not granted.
    ///
    /// - Parameter takesBoth: whether the daemon accepts a place between two neighbours.
    func request(in trip: TripReference, acceptsBetween: Bool) -> Request? {
        let options = wireOptions
        switch body {
        case .edits:
            let edits = sentEdits(acceptsBetween: acceptsBetween)
            let method = edits.count == 1 ? edits[0].method : .apply
            return .change(ChangeRequest(method: method, trip: trip, edits: edits, options: options))
        case .drop(_, let placement, _, let drag):
            guard let drag else { return nil }
            return .drop(
                Drop(
                    drag: drag, placement: acceptsBetween ? placement : placement.anchored(anchorSide),
                    trip: trip,
                    options: options))
        case .undo: return .undo(trip, options)
        case .redo: return .redo(trip, options)
        }
    }

    /// Its sequence number and its preconditions.
    var wireOptions: ChangeOptions {
        ChangeOptions(seq: seq, ifVersion: options.ifVersion, ifItemVersion: options.ifItemVersion)
    }

    /// Its edits on the wire.
    func sentEdits(acceptsBetween: Bool) -> [Edit] {
        func sent(_ placement: Placement) -> Placement {
            acceptsBetween ? placement : placement.anchored(anchorSide)
        }
        return edits.map { edit in
            switch edit {
            case .add(let id, let content, let to): .add(id, content, to: to.map(sent))
            case .move(let id, let to): .move(id, to: sent(to))
            case .update, .remove, .trip: edit
            }
        }
    }
}

extension Edit {
    /// The method of this edit alone.
    package var method: Method {
        switch self {
        case .add: .addItem
        case .move: .moveItem
        case .update: .updateItem
        case .remove: .removeItem
        case .trip(let change):
            change.acceptance != nil ? .accept : change.todo != nil ? .todo : .updateTrip
        }
    }
}
