import TripModel
import TripProtocol

/// The drags of one connection: which trip each is of, and how the last ones ended.
struct DragLog {
    enum Entry {
        case held(TripID)
        case ended
        case expired
    }

    /// How many ended drags are remembered, to tell an expired one from one that never was.
    static let remembered = 64

    private var entries: [DragID: Entry] = [:]
    private var ended: [DragID] = []

    subscript(drag: DragID) -> Entry? { entries[drag] }

    /// The trip of a drag that is held.
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
