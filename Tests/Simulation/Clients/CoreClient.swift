import JSONLine
import LocalSystem
import TestSupport
import TripClient
import TripModel
import TripProtocol

/// The real client core, driven as by an app: it receives bytes and the time, and its actions are run.
final class CoreClient: SimulatedClient {
    let name: String
    let trip: TripID
    private let world: ClientWorld
    private var random: SplitMix64
    private var core: LiveTripCore
    private let index: Int
    private var starts = 0
    private var hasStarted = false

    private(set) var wire: SimulatedWire?
    private var oldWires: [SimulatedWire] = []
    private var framer = LineFramer(limit: 1 << 24)
    private var lastIntent = 0
    /// Changes whose outcomes the core has not reported.
    private var unresolved: Set<Int> = []
    /// Those that may still be in transit on a lost connection.
    private var uncertain: Set<Int> = []
    /// The version shown last, with its epoch.
    private var seen: Since?
    /// The dragged item, and the version shown at the start of the drag.
    private var drag: (item: ItemID, version: Int)?
    private var checked = 0
    /// The number of power cuts with losses when `seen` was set.
    private var cutsWhenSeen = 0
    private var cutsWhenConnected = 0

    init(_ index: Int, trip: TripID, world: ClientWorld, random: SplitMix64) {
        name = "c\(index)"
        self.trip = trip
        self.world = world
        self.random = random
        self.index = index
        core = Self.core(index, 0, trip, seed: self.random.next())
    }

    private static func core(_ index: Int, _ start: Int, _ trip: TripID, seed: UInt64) -> LiveTripCore {
        // A restarted program does not know which numbers it has used.
        let client = ClientID(high: 0x4000 + UInt64(start) << 32, low: 0x8000_0000_0000_0000 + UInt64(index))
        return LiveTripCore(
            .init(
                trip: .id(trip),
                hello: Hello(clientName: "core", clientVersion: "1", user: "c\(index)", clientID: client),
                seed: seed))
    }

    private var now: Duration { .nanoseconds(world.clock.nanoseconds) }

    private var moment: Timestamp { Timestamp(milliseconds: world.clock.wallMilliseconds) }

    // MARK: The shown state

    var unfinished: String? {
        guard hasStarted, let state = core.state() else { return "\(name) has no state" }
        if state.connection != .connected { return "\(name) is \(state.connection)" }
        if state.pendingCount > 0 || !unresolved.isEmpty {
            return "\(name) waits for \(state.pendingCount) changes"
        }
        if state.waitingVersions > 0 { return "\(name) holds \(state.waitingVersions) versions back" }
        switch state.drag {
        case .asked, .held: return "\(name) drags"
        case .none, .lost: return nil
        }
    }

    var holdsTrip: Bool { true }

    var shown: (version: Int, content: [UInt8])? {
        core.state().map { ($0.version, Self.content(of: $0)) }
    }

    var deadline: Duration? { core.nextDeadline }

    /// The shown state, encoded as the daemon would send it.
    private static func content(of state: LiveTrip.State) -> [UInt8] {
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.key("trip")
        json.encode(state.trip.header)
        json.key("items")
        json.beginArray()
        for item in state.trip.items { json.encode(item) }
        json.endArray()
        json.key("problems")
        json.beginArray()
        for problem in state.problems { json.encode(problem) }
        json.endArray()
        json.endObject()
        return json.take()
    }

    // MARK: Acting

    func act(isResting: Bool) throws {
        guard hasStarted else {
            guard world.madeTrips.contains(trip) else { return }
            hasStarted = true
            return try carryOut(core.start(now: now))
        }
        if let deadline = core.nextDeadline, deadline <= now { try carryOut(core.timer(now: now)) }
        guard let state = core.state() else { return }
        if isResting {
            if isDragging(state) { try perform(.cancelDrag) }
            return
        }
        guard state.pendingCount < 6 else { return }
        let items = state.trip.items
        guard let item = items.randomElement(using: &random) else { return try add() }
        if isDragging(state) {
            switch random.below(10) {
            case ..<3: try perform(.hover(place(in: items)))
            case ..<4: try perform(.cancelDrag)
            case ..<5: try change(.edit([.move(item.id, to: place(in: items))]))
            default: try change(.drop(place(in: items)))
            }
            return
        }
        switch random.below(100) {
        case ..<18: try perform(.beginDrag(item.id))
        case ..<(items.count < 12 ? 38 : 22): try add()
        case ..<58: try change(.edit([.move(item.id, to: place(in: items))]))
        case ..<70: try change(.edit([.update(item.id, [.durationMinutes(random.below(200))])]))
        case ..<84: try change(.edit([.remove(item.id)]))
        case ..<88: try change(.edit([.trip(TripChange(dayCount: 3 + random.below(4)))]))
        case ..<95: try change(.undo)
        default: try change(.redo)
        }
    }

    private func isDragging(_ state: LiveTrip.State) -> Bool {
        switch state.drag {
        case .asked, .held: true
        case .none, .lost: false
        }
    }

    private func add() throws {
        let title = "\(name)-\(lastIntent + 1)"
        try change(
            .edit([
                .add(world.nextItem(), .custom(CustomItem(title: title)), to: .end(day: 1 + random.below(5)))
            ]))
    }

    private func place(in items: [Item]) -> Placement {
        if random.chance(60), let anchor = items.randomElement(using: &random) {
            let day = anchor.position.day
            return random.chance(50) ? .after(anchor.id, day: day) : .before(anchor.id, day: day)
        }
        let day = 1 + random.below(5)
        return random.chance(50) ? .start(day: day) : .end(day: day)
    }

    private func change(_ intent: LiveTripCore.Intent) throws {
        unresolved.insert(lastIntent + 1)
        try perform(intent)
    }

    private func perform(_ intent: LiveTripCore.Intent) throws {
        lastIntent += 1
        world.trace.note("intent", lastIntent)
        world.trace.say("\(name) wants \(lastIntent): \(intent)")
        if case .beginDrag = intent { world.countDrag() }
        try carryOut(core.perform(intent, id: lastIntent, at: moment, now: now))
    }

    // MARK: The connection

    func receive(_ bytes: [UInt8]) throws {
        framer.append(bytes)
        while let frame = framer.next() {
            guard case .line(let line) = frame else { throw Violation("the daemon's lines are whole") }
            world.trace.say("\(name) hears \(String(decoding: line.prefix(600), as: UTF8.self))")
            world.trace.note("line", line.count)
            try carryOut(core.receive(line: line, now: now))
            if wire == nil { return }
        }
    }

    func lose() throws {
        guard wire != nil else { return }
        dropWire()
        try carryOut(core.lost(.closed(nil), now: now))
    }

    func close(orderly: Bool) throws {
        guard let wire else { return }
        if orderly { wire.closeClient() } else { wire.reset(keeping: random.below(wire.underWay.up + 1)) }
        try lose()
    }

    private func dropWire() {
        guard let wire else { return }
        world.countDrop()
        world.trace.note("lost", unresolved.count)
        oldWires = oldWires.filter { !$0.isServerClosed } + [wire]
        self.wire = nil
    }

    // MARK: Actions of the core

    private func carryOut(_ actions: [LiveTripCore.Action]) throws {
        for action in actions {
            switch action {
            case .connect: try connect()
            case .send(let bytes): wire?.send(bytes)
            case .disconnect:
                wire?.closeClient()
                dropWire()
            case .stateChanged: try look()
            case .resolved(let intent, let resolution): try resolved(intent, resolution)
            }
        }
    }

    private func connect() throws {
        guard let wire = world.connect() else {
            return try carryOut(core.connectFailed(.noDaemon(socket: "s"), isFatal: false, now: now))
        }
        self.wire = wire
        cutsWhenConnected = world.powerCuts
        framer = LineFramer(limit: 1 << 24)
        if !oldWires.allSatisfy(\.isServerClosed) { uncertain.formUnion(unresolved) }
        world.trace.note("connect", lastIntent)
        try carryOut(core.opened(now: now))
    }

    private func resolved(_ intent: Int, _ resolution: LiveTripCore.Resolution) throws {
        world.trace.say("\(name) gets the outcome of \(intent): \(resolution)")
        guard unresolved.remove(intent) != nil else { return }
        let isUncertain = uncertain.remove(intent) != nil
        switch resolution {
        case .granted, .history: throw Violation("a change is no drag", name)
        case .changed(let result):
            world.trace.note("acknowledged", result.version)
            if cutsWhenConnected != world.powerCuts {
                // The answer to an undo is reported later than it came, and its change may be lost meanwhile.
                world.oracle.lostSight(of: name, in: trip)
            } else if result.isNoop {
                world.oracle.heard(of: result.version, of: trip)
            } else {
                try world.oracle.acknowledged(intent, of: name, as: result.version, of: trip)
            }
        case .failed(let error):
            if error.leavesRequestOpen || isUncertain || world.hasFaults {
                world.oracle.lostSight(of: name, in: trip)
            }
        }
    }

    /// Checks the shown state after each change.
    private func look() throws {
        guard let state = core.state() else { return }
        if case .ended(let error) = state.connection {
            throw Violation("a client goes on where trying again makes sense", "\(name): \(error)")
        }
        if cutsWhenSeen != world.powerCuts {
            // The shown state may be lost, until a new one is received.
            guard cutsWhenConnected == world.powerCuts, state.connection == .connected else { return }
            cutsWhenSeen = world.powerCuts
            checked = 0
            seen = nil
            drag = nil
        }
        if let seen, seen.epoch == state.epoch, state.version < seen.version {
            throw Violation(
                "promise 3: versions only rise", "\(name) shows \(state.version) after \(seen.version)")
        }
        seen = Since(epoch: state.epoch, version: state.version)
        switch state.drag {
        case .asked(let item), .held(let item):
            if let drag, drag.item == item, drag.version != state.version {
                throw Violation(
                    "promise 6: nothing moves under the user's hands",
                    "\(name) shows \(state.version), and \(drag.version) when it lifted the item")
            }
            drag = (item, state.version)
        case .none, .lost: drag = nil
        }
        guard state.trip.version == state.version, state.version > checked else { return }
        checked = state.version
        world.trace.note("state", state.version)
        try world.oracle.saw(state.version, Self.content(of: state), of: trip, by: name)
    }
}
