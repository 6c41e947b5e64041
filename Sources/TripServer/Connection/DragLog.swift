import TripModel
import TripProtocol

/// The drags of one connection: the trip of each active drag, and how the last ones ended.
struct DragLog {
    enum Entry {
        case held(TripID)
        case ended
        case expired
    }

    /// The number of ended drags that are remembered, to distinguish an expired drag from an unknown one.
    static let remembered = 64

    private var entries: [DragID: Entry] = [:]
    private var ended: [DragID] = []

    subscript(drag: DragID) -> Entry? { entries[drag] }

    /// The trip of an active drag.
    func trip(of drag: DragID) -> TripID? {
        if case .held(let trip)? = entries[drag] { trip } else { nil }
    }

    mutating func begin(_ drag: DragID, in trip: TripID) { entries[drag] = .held(trip) }

    mutating func end(_ drag: DragID, expired: Bool) {
        guard entries.updateValue(expired ? .expired : .ended, forKey: drag) != nil else {
            entries[drag] = nil
            return
        }
        ended.append(drag)
        if ended.count > Self.remembered { entries[ended.removeFirst()] = nil }
    }
}
