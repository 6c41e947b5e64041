import JSONLine
import LocalSystem
import TestSupport
import TripModel
import TripProtocol

/// A strict client that speaks the protocol line by line, tracks all state itself, and rejects everything
/// that the documentation does not allow.
final class RawClient: SimulatedClient {
    /// A request without an answer yet; answers come in this order.
    struct Asked {
        let id: Int
        let kind: Kind
        let at: Duration

        var isTrial: Bool { if case .trial = kind { true } else { false } }

        enum Kind {
            case hello
            case create
            case subscribe(since: Since?)
            case unsubscribe
            case change(Int, isRepeat: Bool, isCertain: Bool)
            /// A batch that will contain these operations, for a change that was sent before or for a new
            /// one.
            case open([Edit], again: Change?)
            /// The second of two commits on one connection, with the number of its change.
            case commitAgain(Int)
            case begin(ItemID)
            case cancel
            case sync
            case state
            /// A dry run of any update, which may be refused.
            case trial
            case other
        }
    }

    /// A change that must be applied once.
    struct Change {
        let number: Int
        let request: Request
        let seq: Int?
        /// The operations of its batch, which another connection may send again; empty for a plain request.
        var edits: [Edit] = []
    }

    struct HeldDrag {
        let drag: DragID
        let item: ItemID
        /// The version at its start.
        let version: Int
        /// Whether its updates are deferred.
        var defers: Bool
    }

    /// The required next line about the trip.
    enum Expectation: Equatable {
        case anything
        /// No state of the trip.
        case silence
        /// A state of at least this version, before any other answer.
        case state(Int)
    }

    let name: String
    let clientID: ClientID
    let trip: TripID
    let isViewer: Bool
    /// Whether it may stop reading for a while, close its sending side, and disconnect silently.
    let isGuest: Bool
    let mode: Subscribe.Mode
    let defers: Bool
    let world: ClientWorld
    let makesTrip: Bool
    var random: SplitMix64

    private(set) var wire: SimulatedWire?
    private var oldWires: [SimulatedWire] = []
    private var framer = LineFramer(limit: 1 << 24)
    var asked: [Asked] = []
    private var nextID = 1
    var isWelcome = false
    /// Whether it is reading.
    var isReading = true
    /// Whether it has closed its sending side.
    private(set) var isPaused = false
    /// The users who have the trip open, as received last.
    var present: [String]?
    var isSubscribed = false
    var held: HeldState?
    var drag: HeldDrag?
    var expectation = Expectation.anything
    /// The number of its drop's change until that is answered.
    var dropNumber: Int?
    /// Changes with a `seq` and no answer, in order; sent again on the next connection.
    var unanswered: [Change] = []
    var lastNumber = 0
    /// The versions made by batches, by the numbers of their changes.
    var madeByBatches: [Int: Int] = [:]
    var isMade: Bool

    init(
        _ index: Int, trip: TripID, isViewer: Bool = false, isGuest: Bool = false, makesTrip: Bool = false,
        world: ClientWorld, random: SplitMix64
    ) {
        name = "c\(index)"
        clientID = ClientID(high: 0x4000, low: 0x8000_0000_0000_0000 + UInt64(index))
        self.trip = trip
        self.isViewer = isViewer
        self.isGuest = isGuest
        self.makesTrip = makesTrip
        self.world = world
        self.random = random
        mode = self.random.chance(60) ? .delta : .snapshot
        defers = self.random.chance(85)
        isMade = !makesTrip
    }

    var unfinished: String? {
        if wire == nil { return "\(name) is not connected" }
        if let first = asked.first { return "\(name) awaits \(first)" }
        if !isSubscribed { return "\(name) is not subscribed" }
        if drag != nil { return "\(name) drags" }
        if !unanswered.isEmpty { return "\(name) has unanswered changes" }
        if case .state(let version) = expectation { return "\(name) awaits version \(version)" }
        return nil
    }

    var holdsTrip: Bool { true }

    var shown: (version: Int, content: [UInt8])? { held.map { ($0.version, $0.content) } }

    /// Whether nothing on earlier connections can still reach the daemon.
    var isAlone: Bool { oldWires.allSatisfy(\.isServerClosed) }

    var waitsSince: Duration? { asked.first?.at }

    /// The number of power cuts with losses when its state was received.
    var cutsWhenHeld = 0

    // MARK: The connection

    func open() {
        guard let wire = world.connect() else { return }
        self.wire = wire
        framer = LineFramer(limit: 1 << 24)
        isWelcome = false
        world.trace.note("connect", lastNumber)
        // Sometimes it stays silent until the daemon disconnects it.
        if random.chance(97) { greet() }
    }

    private func greet() {
        ask(
            .hello(
                Hello(
                    clientName: "raw", clientVersion: "1", user: name, clientID: clientID,
                    role: isViewer ? .viewer : .editor)), .hello)
        if makesTrip && !isMade { ask(.createTrip(Self.draft(of: trip)), .create) }
        if random.chance(80) { subscribe() }
        repeatUnanswered()
    }

    func subscribe() {
        let since = held.map { Since(epoch: $0.epoch, version: $0.version) }
        let isFresh = random.chance(10)
        ask(
            .subscribe(
                Subscribe(
                    trip: .id(trip), mode: mode, since: isFresh ? nil : since, defersWhileDragging: defers)),
            .subscribe(since: isFresh ? nil : since))
    }

    private func repeatUnanswered() {
        for change in unanswered {
            if change.edits.isEmpty {
                ask(change.request, .change(change.number, isRepeat: true, isCertain: isAlone))
            } else {
                ask(.openBatch(.id(trip)), .open(change.edits, again: change))
            }
        }
    }

    func close(orderly: Bool) throws {
        guard let wire else { return }
        if orderly {
            wire.closeClient()
        } else {
            wire.reset(keeping: random.below(wire.underWay.up + 1))
        }
        try lose()
    }

    /// Closes its sending side.
    func shut() {
        wire?.shutClient()
        isPaused = true
    }

    func comeBack() { isReading = true }

    func lose() throws {
        guard let wire else { return }
        world.countDrop()
        world.trace.note("lost", asked.count)
        oldWires = oldWires.filter { !$0.isServerClosed } + [wire]
        self.wire = nil
        isReading = true
        isPaused = false
        present = nil
        isSubscribed = false
        drag = nil
        dropNumber = nil
        expectation = .anything
        for request in asked {
            guard case .change(let number, _, _) = request.kind else { continue }
            if !unanswered.contains(where: { $0.number == number }) {
                world.oracle.lostSight(of: name, in: trip)
            }
        }
        asked = []
    }

    // MARK: Requests

    func ask(_ request: Request, _ kind: Asked.Kind) {
        guard let wire else { return }
        let id = nextID
        nextID += 1
        asked.append(Asked(id: id, kind: kind, at: world.now))
        wire.send(request.line(id: .number(id)))
        world.trace.say("\(name) asks \(id): \(request)")
    }

    /// Sends a change, usually with a `seq`.
    func change(_ make: (ChangeOptions) -> Request) {
        lastNumber += 1
        var options = ChangeOptions()
        if random.chance(85) { options.seq = lastNumber }
        let change = Change(number: lastNumber, request: make(options), seq: options.seq)
        if change.seq != nil { unanswered.append(change) }
        ask(change.request, .change(change.number, isRepeat: false, isCertain: true))
    }

    // MARK: Reading

    func receive(_ bytes: [UInt8]) throws {
        framer.append(bytes)
        while let frame = framer.next() {
            guard case .line(let line) = frame else { throw Violation("the daemon's lines are whole") }
            let root: JSONNode
            do { root = try JSONDocument(parsing: line).root } catch {
                throw Violation("every line is JSON", "\(error): \(String(decoding: line, as: UTF8.self))")
            }
            world.trace.say("\(name) hears \(String(decoding: line.prefix(600), as: UTF8.self))")
            world.trace.note("line", line.count)
            do { try handle(root) } catch let violation as Violation {
                throw Violation(
                    violation.invariant,
                    "\(name): \(violation.facts)\n  \(String(decoding: line.prefix(400), as: UTF8.self))")
            }
            if wire == nil { return }
        }
    }
}
