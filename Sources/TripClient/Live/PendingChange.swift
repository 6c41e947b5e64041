import LocalSystem
import TripModel
import TripProtocol

/// A change that the user has made and that the shown trip does not rest on yet.
struct PendingChange: Sendable {
    /// What is to change.
    enum Body: Sendable {
        case edits([Edit])
        /// An item is put down; `drag` is known once the daemon has granted it.
        case drop(ItemID, Placement, number: Int, drag: DragID?)
        case undo
        case redo
    }

    /// How far it has come.
    enum Phase: Equatable, Sendable {
        /// It is to be sent.
        case waiting
        /// It is under way on this connection.
        case sent
        /// The daemon's disk failed under it: it is to be sent again when the daemon has been restarted.
        case inDoubt
        /// It is made, by this version.
        case made(version: Int, epoch: String, isNoop: Bool)
    }

    /// The caller's name for it.
    let intent: Int
    /// Its number on the wire; rises with every change, in the order in which they are sent first.
    var seq: Int
    var body: Body
    /// It has been taken back since it was made: nothing of it is to be shown.
    var isTakenBack = false
    /// What it takes back, or makes again, where that was not answered when the user asked for it: the intent of another
    /// change. If that is not made, neither is this.
    var target: Int?
    /// When the user did it.
    let at: Timestamp
    /// The versions that the trip and the item must have, if the app has said so.
    var options = LiveChangeOptions()
    /// When the caller stops waiting; nil if it waits for as long as it takes.
    var deadline: Duration?
    var phase = Phase.waiting
    /// On which of two neighbours its places lean, for a daemon that takes only one.
    var leaning = Placement.Leaning.above
    /// The items below which its places are and that were the last of their days.
    var lastOfDays: Set<ItemID> = []
    /// It does not fit into one line.
    var isLong = false
    /// How often it was sent: after the first time nobody knows whether it has been made.
    var timesSent = 0

    /// Whether the caller still waits for the daemon's word.
    var isUnanswered: Bool {
        if case .made = phase { false } else { true }
    }

    /// Whether it takes something back, or makes it again.
    var isTakingBack: Bool {
        switch body {
        case .undo, .redo: true
        case .edits, .drop: false
        }
    }

    /// Whether it puts an item down.
    var isDrop: Bool {
        if case .drop = body { true } else { false }
    }

    /// What it does to the trip as far as a client can know; what an undo does, only the daemon knows.
    var edits: [Edit] {
        if isTakenBack { return [] }
        return switch body {
        case .edits(let edits): edits
        case .drop(let item, let placement, _, _): [.move(item, to: placement)]
        case .undo, .redo: []
        }
    }

    /// The same where what its places were named by has gone: with the end of the day in place of each last item of one,
    /// and, for what is nowhere else, in place of neighbours that have all gone; of the last day in place of one that is
    /// not there.
    func editsElsewhere(in trip: Trip) -> [Edit] {
        edits.movingToEnds(below: lastOfDays).addingSomewhere(in: trip)
    }

    /// The request for it, the same every time; nil while the drag that it ends is not granted.
    ///
    /// - Parameter takesBoth: whether the daemon takes a place between two neighbours.
    func request(in trip: TripReference, takesBoth: Bool) -> Request? {
        let options = wireOptions
        switch body {
        case .edits:
            let edits = sentEdits(takesBoth: takesBoth)
            let method = edits.count == 1 ? edits[0].method : .apply
            return .change(ChangeRequest(method: method, trip: trip, edits: edits, options: options))
        case .drop(_, let placement, _, let drag):
            guard let drag else { return nil }
            return .drop(
                Drop(
                    drag: drag, placement: takesBoth ? placement : placement.leaning(leaning), trip: trip,
                    options: options))
        case .undo: return .undo(trip, options)
        case .redo: return .redo(trip, options)
        }
    }

    /// Its number and its preconditions.
    var wireOptions: ChangeOptions {
        ChangeOptions(seq: sequence, ifVersion: options.ifVersion, ifItemVersion: options.ifItemVersion)
    }

    /// Its number as it is sent.
    var sequence: Int { PlantedBug.repeatedUnderNewNumber.isPlanted ? seq + timesSent * 1000 : seq }

    /// Its edits as they are sent.
    func sentEdits(takesBoth: Bool) -> [Edit] {
        func sent(_ placement: Placement) -> Placement { takesBoth ? placement : placement.leaning(leaning) }
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
    /// The method that makes this edit alone.
    package var method: Method {
        switch self {
        case .add: .addItem
        case .move: .moveItem
        case .update: .updateItem
        case .remove: .removeItem
        case .trip: .updateTrip
        }
    }
}
