import TripModel
import TripProtocol

/// What the user wants of the daemon.
enum EditorCommand: Sendable {
    case beginDrag(ItemID, number: Int)
    case hover(Placement?)
    case drop(Placement)
    case cancelDrag(number: Int)
    case apply([Edit])
    case undo
    case redo
    case listTrips
    /// Reads a schedule and compares it with the trip.
    case previewImport(path: String)
    /// Stops the process, behind what gives an item back.
    case suspend

    /// Whether it changes the trip.
    var isChange: Bool {
        switch self {
        case .drop, .apply, .undo, .redo: true
        case .beginDrag, .hover, .cancelDrag, .listTrips, .previewImport, .suspend: false
        }
    }
}

/// Commands in their order, for one taker. A hover replaces one that has not been sent, so a fast mouse queues
/// no more than the user's deliberate acts.
struct CommandQueue {
    private var waiting: [EditorCommand] = []
    private var taker: CheckedContinuation<EditorCommand?, Never>?
    private var isClosed = false
    private var isFinishing = false

    /// Whether nothing waits and the taker has nothing in hand.
    var isIdle: Bool { waiting.isEmpty && taker != nil }

    /// Whether an empty queue is the end.
    var isEnding: Bool { isClosed || isFinishing }

    /// Changes that wait.
    var changeCount: Int { waiting.count { $0.isChange } }

    mutating func append(_ command: EditorCommand) {
        guard !isClosed else { return }
        if let taker {
            self.taker = nil
            return taker.resume(returning: command)
        }
        if case .hover = command, case .hover? = waiting.last { waiting.removeLast() }
        waiting.append(command)
    }

    mutating func take() -> EditorCommand? { waiting.isEmpty ? nil : waiting.removeFirst() }

    mutating func wait(_ taker: CheckedContinuation<EditorCommand?, Never>) {
        precondition(self.taker == nil, "commands have one taker")
        self.taker = taker
    }

    /// Drops what belongs to a drag that is lost.
    mutating func forgetDrag() {
        waiting.removeAll { command in
            switch command {
            case .beginDrag, .hover, .drop, .cancelDrag: true
            case .apply, .undo, .redo, .listTrips, .previewImport, .suspend: false
            }
        }
    }

    /// Ends the queue when it is empty; what the answers to waiting commands lead to may still be added.
    mutating func finish() {
        isFinishing = true
        guard let taker, waiting.isEmpty else { return }
        self.taker = nil
        taker.resume(returning: nil)
    }

    mutating func close() {
        isClosed = true
        waiting = []
        taker?.resume(returning: nil)
        taker = nil
    }
}

extension Edit {
    /// The method that makes this edit alone.
    var method: Method {
        switch self {
        case .add: .addItem
        case .move: .moveItem
        case .update: .updateItem
        case .remove: .removeItem
        case .trip: .updateTrip
        }
    }
}
