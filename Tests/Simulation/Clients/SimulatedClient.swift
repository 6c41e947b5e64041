import TripModel

/// A client of the simulation. The scheduler lets it act and delivers the daemon's bytes.
protocol SimulatedClient: AnyObject {
    var name: String { get }
    /// Its open trip.
    var trip: TripID { get }
    /// Its connection, if any.
    var wire: SimulatedWire? { get }
    /// Performs an action of its choice; at rest only what is needed to finish.
    func act(isResting: Bool) throws
    /// Reads bytes of its connection.
    func receive(_ bytes: [UInt8]) throws
    /// Closes its connection, or breaks it.
    func close(orderly: Bool) throws
    /// The time at which it wants to act next; nil if it does not.
    var deadline: Duration? { get }
    /// Whether, at rest, it is subscribed to its trip and has its full state.
    var holdsTrip: Bool { get }
    /// Whether it is reading.
    var isReading: Bool { get }
    /// Resumes reading.
    func comeBack()
    /// The time of its oldest unanswered request.
    var waitsSince: Duration? { get }
    /// The users who have the trip open, as received last; nil if it does not get presence.
    var present: [String]? { get }
    /// Handles the end of its connection.
    func lose() throws
    /// The reason why it is not finished; nil if it is.
    var unfinished: String? { get }
    /// Its version and content, in the bytes of `HeldState.content`; nil if it has no state.
    var shown: (version: Int, content: [UInt8])? { get }
}

extension SimulatedClient {
    var deadline: Duration? { nil }
    var isReading: Bool { true }
    var holdsTrip: Bool { false }
    func comeBack() {}
    var waitsSince: Duration? { nil }
    var present: [String]? { nil }
    var shown: (version: Int, content: [UInt8])? { nil }
}

/// The state shared by the clients of one simulation.
final class ClientWorld {
    let oracle = Oracle()
    let book = TripBook()
    let clock: SimulatedClock
    var trace: Trace
    /// The trips known to exist.
    var madeTrips: Set<TripID> = []
    /// Opens a connection; nil if no daemon runs.
    var connect: () -> SimulatedWire? = { nil }
    /// Whether a disk has failed, so that storage errors are expected.
    var hasFaults = false
    /// The number of power cuts that lost sent state; only in relaxed durability.
    var powerCuts = 0
    private var lastItem = 0
    private(set) var drags = 0

    init(clock: SimulatedClock, trace: Trace) {
        self.clock = clock
        self.trace = trace
    }

    /// Simulated time.
    var now: Duration { .nanoseconds(clock.nanoseconds) }

    /// An unused item id.
    func nextItem() -> ItemID {
        lastItem += 1
        return ItemID(high: 0x4000, low: 0x8000_0000_0001_0000 + UInt64(lastItem))
    }

    private(set) var drops = 0

    func countDrag() { drags += 1 }

    func countDrop() { drops += 1 }
}
