import JSONLine
import TestSupport
import TripModel
import TripProtocol

/// Creates, renames and deletes trips, with many requests at once. The book knows which of them must exist.
final class Nomad: SimulatedClient {
    enum Kind {
        case hello
        case create(String, asked: Int)
        case delete(Int)
        case rename(asked: Int)
        case add(String, to: TripID, asked: Int)
        case get(asked: Int)
        case other
    }

    /// The ids of these trips, and the slugs that they use in turn.
    static let trips = (1...3).map { TripID(high: 0x4000, low: 0x8000_0000_0000_0100 + UInt64($0)) }
    static let slugs = ["rome", "oslo", "wien", "bern"]

    let name: String
    /// The current trip.
    private(set) var trip: TripID
    private let world: ClientWorld
    private var random: SplitMix64
    private let talk: Conversation<Kind>
    private var isWelcome = false
    private var lastSequence = 0
    /// The trips with an undo since the last rest; added items may be undone.
    private var undone: Set<TripID> = []
    private let clientID: ClientID

    init(_ index: Int, world: ClientWorld, random: SplitMix64) {
        name = "n\(index)"
        clientID = ClientID(high: 0x4000, low: 0x8000_0000_0000_2000 + UInt64(index))
        self.world = world
        self.random = random
        trip = Self.trips[index % Self.trips.count]
        talk = Conversation(name, world)
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
        if isResting, talk.asked.isEmpty, talk.isAlone { undone = [] }
        guard !isResting, isWelcome, talk.asked.count < 10 else { return }
        for _ in 0..<(1 + random.below(3)) where wire != nil { ask() }
    }

    private func ask() {
        if random.chance(20), let other = random.pick(Self.trips) { trip = other }
        switch random.below(100) {
        case ..<22: create()
        case ..<26: delete()
        case ..<40: rename()
        case ..<60: add()
        case ..<68: talk.ask(.getTrip(.id(trip)), .get(asked: world.book.moment))
        case ..<72: undo()
        case ..<75: talk.ask(.listTrips, .other)
        case ..<79: talk.ask(.subscribe(Subscribe(trip: .id(trip), mode: .delta)), .other)
        case ..<82: close(orderly: random.chance(50))
        case ..<90:
            // Behind a change that may fail.
            add()
            delete()
            if random.chance(50) { add() }
        default: for _ in 0..<(2 + random.below(4)) { inARow() }
        }
    }

    /// Sends one of several requests in a row.
    private func inARow() {
        switch random.below(10) {
        case ..<4: add()
        case ..<6: delete()
        case ..<7: create()
        case ..<8: rename()
        default: talk.ask(.getTrip(.id(trip)), .get(asked: world.book.moment))
        }
    }

    private func open() {
        guard talk.open() else { return }
        isWelcome = false
        talk.ask(
            .hello(Hello(clientName: "nomad", clientVersion: "1", user: name, clientID: clientID)), .hello)
    }

    private func create() {
        guard let start = CalendarDate(year: 2026, month: 6, day: 11) else { preconditionFailure("a date") }
        let life = world.book.begin(trip)
        let draft = TripDraft(
            id: trip, name: life, startDate: start, timeZone: "UTC", dayCount: 2,
            slug: random.chance(80) ? random.pick(Self.slugs) : nil,
            items: [.add(world.nextItem(), .custom(CustomItem(title: "A")), to: nil)])
        talk.ask(.createTrip(draft), .create(life, asked: world.book.moment))
    }

    private func delete() {
        if random.chance(10) {
            return talk.ask(.deleteTrip(.id(trip), ifVersion: nil, isDryRun: true), .other)
        }
        let token = world.book.beginDeletion(of: trip)
        talk.ask(.deleteTrip(.id(trip), ifVersion: nil, isDryRun: false), .delete(token))
    }

    private func rename() {
        guard let slug = random.pick(Self.slugs) else { return }
        talk.ask(
            .change(
                ChangeRequest(
                    method: .updateTrip, trip: .id(trip), edits: [.trip(TripChange(slug: slug))],
                    options: options())),
            .rename(asked: world.book.moment))
    }

    private func undo() {
        undone.insert(trip)
        world.book.forgetItems(of: trip)
        talk.ask(.undo(.id(trip), options()), .other)
    }

    private func add() {
        let item = world.nextItem()
        var content = CustomItem(title: "\(name) adds")
        if random.chance(20) { content.note = String(repeating: "n", count: 1 + random.below(3000)) }
        talk.ask(
            .change(
                ChangeRequest(
                    method: .addItem, trip: .id(trip),
                    edits: [.add(item, .custom(content), to: .end(day: 1))],
                    options: options())),
            .add("\(item)", to: trip, asked: world.book.moment))
    }

    private func options() -> ChangeOptions {
        lastSequence += 1
        return ChangeOptions(seq: random.chance(50) ? lastSequence : nil)
    }

    // MARK: The connection

    func close(orderly: Bool) { lost(talk.close(orderly: orderly, &random)) }

    func lose() { lost(talk.lose()) }

    private func lost(_ asked: [Conversation<Kind>.Asked]) {
        let wire = talk.lastWire
        for request in asked {
            if case .delete(let token) = request.kind { world.book.deletionInDoubt(token, wire) }
        }
    }

    func receive(_ bytes: [UInt8]) throws {
        try talk.receive(bytes) { heard in
            switch heard {
            case .notice("goodbye", _): close(orderly: true)
            case .notice: break
            case .answer(let asked, let result, let reason): try answered(asked.kind, result, reason)
            }
        }
    }

    private func answered(_ kind: Kind, _ result: JSONNode?, _ reason: String?) throws {
        switch kind {
        case .hello: isWelcome = true
        case .other: break
        case .create(let life, let asked):
            if let result { return try saw(result, asked: asked) }
            switch reason {
            // The trip was deleted before its creation was answered.
            case "trip_not_found": try world.book.madeAndDeleted(life)
            case "outcome_unknown": break
            default: if talk.isAlone { world.book.refused(life) }
            }
        case .get(let asked): if let result { try saw(result, asked: asked) }
        case .delete(let token):
            switch reason {
            case nil: try world.book.deleted(token)
            case "outcome_unknown": world.book.deletionInDoubt(token, nil)
            default: world.book.notDeleted(token)
            }
        case .rename(let asked):
            guard let result, result["noop"]?.bool != true, let version = result["version"]?.int,
                let header = result["trip"], let life = header["name"]?.string,
                let slug = header["slug"]?.string
            else { return }
            try world.book.saw(life, slug: slug, version: version, asked: asked)
        case .add(let item, let trip, let asked):
            guard let version = result?["version"]?.int, !undone.contains(trip) else { return }
            world.book.added(item, to: trip, version: version, asked: asked)
        }
    }

    private func saw(_ snapshot: JSONNode, asked: Int) throws {
        let state = try HeldState(snapshot: snapshot)
        guard let header = snapshot["trip"], let life = header["name"]?.string,
            let slug = header["slug"]?.string
        else { throw Violation("a snapshot has a header") }
        try world.book.saw(life, slug: slug, version: state.version, content: state.content, asked: asked)
    }
}
