import JSONLine
import TestSupport
import TripModel
import TripProtocol

/// Changes all items of a large trip at once, and undoes that.
final class HeavyClient: SimulatedClient {
    enum Kind {
        case hello
        case look
        /// Changes the length of the trip, or undoes that.
        case change
        case dryRun
    }

    /// The tasks, in turn.
    private enum Task {
        case look
        case shorten
        case undo
    }

    let name = "h"
    let trip = Person.trip
    private let world: ClientWorld
    private var random: SplitMix64
    private let talk: Conversation<Kind>
    private var isWelcome = false
    private var lastSequence = 0
    private var dayCount = 5
    private var tasks: [Task] = []
    /// The places of all items before the change.
    private var before: [String: String]?

    init(world: ClientWorld, random: SplitMix64) {
        self.world = world
        self.random = random
        talk = Conversation("h", world)
    }

    var wire: SimulatedWire? { talk.wire }
    var waitsSince: Duration? { talk.waitsSince }
    var unfinished: String? {
        if wire == nil { return "\(name) is not connected" }
        return talk.asked.first.map { "\(name) awaits \($0)" }
    }

    // MARK: Acting

    func act(isResting: Bool) throws {
        guard wire != nil else {
            if isResting || random.chance(60) { open() }
            return
        }
        guard !isResting, isWelcome, talk.asked.isEmpty, world.madeTrips.contains(trip) else { return }
        if !tasks.isEmpty { return perform(tasks.removeFirst()) }
        before = nil
        switch random.below(100) {
        case ..<20: tasks = [.look, .shorten, .undo, .look]
        case ..<60: perform(dayCount > 1 ? .shorten : .undo)
        case ..<75: perform(.undo)
        case ..<85: shortenAndTry(4 + random.below(12))
        case ..<88: close(orderly: random.chance(50))
        default: break
        }
    }

    private func perform(_ task: Task) {
        lastSequence += 1
        let options = ChangeOptions(seq: lastSequence)
        switch task {
        case .look: talk.ask(.getTrip(.id(trip)), .look)
        case .shorten: talk.ask(.change(length(max(1, dayCount - 1), options)), .change)
        case .undo: talk.ask(.undo(.id(trip), options), .change)
        }
    }

    /// Asks for a dry run of many changes while another change is not durable yet.
    private func shortenAndTry(_ count: Int) {
        perform(dayCount > 1 ? .shorten : .undo)
        for _ in 0..<count { talk.ask(.change(length(1, ChangeOptions(isDryRun: true))), .dryRun) }
    }

    private func length(_ days: Int, _ options: ChangeOptions) -> ChangeRequest {
        ChangeRequest(
            method: .updateTrip, trip: .id(trip), edits: [.trip(TripChange(dayCount: days))], options: options
        )
    }

    private func open() {
        guard talk.open() else { return }
        isWelcome = false
        tasks = []
        let client = ClientID(high: 0x4000, low: 0x8000_0000_0000_3100)
        talk.ask(
            .hello(Hello(clientName: "heavy", clientVersion: "1", user: name, clientID: client)), .hello)
    }

    // MARK: The connection

    func close(orderly: Bool) { lost(talk.close(orderly: orderly, &random)) }

    func lose() { lost(talk.lose()) }

    private func lost(_ asked: [Conversation<Kind>.Asked]) {
        for case .change in asked.map(\.kind) { world.oracle.lostSight(of: name, in: trip) }
    }

    func receive(_ bytes: [UInt8]) throws {
        try talk.receive(bytes) { heard in
            switch heard {
            case .notice("goodbye", let params):
                // A response has up to two megabytes; only a few of them may wait unread.
                if params["reason"]?.string == "slow_consumer", talk.asked.count <= 4 {
                    throw Violation("who only asks is never too slow a reader")
                }
                close(orderly: true)
            case .notice: throw Violation("a client without a subscription gets no notifications")
            case .answer(let asked, let result, let reason):
                try answered(asked.kind, result, reason)
            }
        }
    }

    private func answered(_ kind: Kind, _ result: JSONNode?, _ reason: String?) throws {
        switch kind {
        case .hello: isWelcome = true
        case .dryRun: break
        case .look: if let result { try looked(result) }
        case .change:
            guard let result, let version = result["version"]?.int else {
                if reason == "outcome_unknown" { world.oracle.lostSight(of: name, in: trip) }
                tasks = []
                before = nil
                return
            }
            if let days = result["trip"]?["dayCount"]?.int { dayCount = days }
            if result["summary"] != nil { dayCount = min(5, dayCount + 1) }
            guard result["noop"]?.bool != true else { return tasks = [] }
            try world.oracle.acknowledged(lastSequence, of: name, as: version, of: trip)
        }
    }

    /// Checks a snapshot: no other client moves anything in this trip.
    private func looked(_ snapshot: JSONNode) throws {
        var places: [String: String] = [:]
        for item in snapshot["items"]?.elements.map({ $0 }) ?? [] {
            guard let id = item["id"]?.string, let day = item["day"]?.int,
                let order = item["sortOrder"]?.double
            else { throw Violation("an item has a place") }
            places[id] = "\(day), \(order)"
        }
        dayCount = snapshot["trip"]?["dayCount"]?.int ?? dayCount
        guard tasks.isEmpty, let before else { return before = places }
        if let (id, place) = before.first(where: { places[$0.key] != $0.value }) {
            throw Violation("undo puts everything back", "\(id): \(places[id] ?? "nowhere"), not \(place)")
        }
    }
}
