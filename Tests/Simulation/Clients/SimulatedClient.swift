import TripModel

/// A client of the simulation: the scheduler lets it act, and brings it what the daemon sends.
protocol SimulatedClient: AnyObject {
    var name: String { get }
    /// The trip it has open.
    var trip: TripID { get }
    /// Its connection, while it has one.
    var wire: SimulatedWire? { get }
    /// Does something of its own choice; does only what it owes where the simulation comes to rest.
    func act(isResting: Bool) throws
    /// Reads bytes of its connection.
    func receive(_ bytes: [UInt8]) throws
    /// Ends its connection, or breaks it.
    func close(orderly: Bool) throws
    /// When it wants to act next by itself; nil where it does not.
    var deadline: Duration? { get }
    /// Whether it is subscribed to its trip at rest, and holds all of it then.
    var holdsTrip: Bool { get }
    /// Whether it reads what comes.
    var isReading: Bool { get }
    /// Reads again, if it had stopped.
    func comeBack()
    /// When it asked the oldest of what is not answered yet.
    var waitsSince: Duration? { get }
    /// Who has the trip open, as it was told last; nil where it is not told.
    var present: [String]? { get }
    /// Its connection is gone.
    func lose() throws
    /// What it still waits for; nil if nothing.
    var unfinished: String? { get }
    /// What it holds, in the bytes of `HeldState.content`, and that version; nil if it holds nothing.
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

/// What the clients of one simulation share.
final class ClientWorld {
    let oracle = Oracle()
    let book = TripBook()
    let clock: SimulatedClock
    var trace: Trace
    /// The trips that are known to be made.
    var madeTrips: Set<TripID> = []
    /// Opens a connection; nil while no daemon runs.
    var connect: () -> SimulatedWire? = { nil }
    /// A disk failed, so that errors of storage are nothing strange.
    var hasFaults = false
    /// How often a power cut took something back that was told; only where durability is relaxed.
    var powerCuts = 0
    private var lastItem = 0
    private(set) var drags = 0

    init(clock: SimulatedClock, trace: Trace) {
        self.clock = clock
        self.trace = trace
    }

    /// Simulated time.
    var now: Duration { .nanoseconds(clock.nanoseconds) }

    /// An id that no other item has.
    func nextItem() -> ItemID {
        lastItem += 1
        return ItemID(high: 0x4000, low: 0x8000_0000_0001_0000 + UInt64(lastItem))
    }

    private(set) var drops = 0

    func countDrag() { drags += 1 }

    func countDrop() { drops += 1 }
}
