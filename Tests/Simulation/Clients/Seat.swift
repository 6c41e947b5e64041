import JSONLine
import TestSupport
import TripModel
import TripProtocol

/// One connection of a user. It sends changes, and repeats requests that it or another connection sent long
/// ago.
final class Seat: SimulatedClient {
    enum Kind {
        case hello
        case create
        case change(Person.Change)
        case again(Person.Made)
        case other
    }

    let name: String
    let trip = Person.trip
    private let person: Person
    private let world: ClientWorld
    private var random: SplitMix64
    private let talk: Conversation<Kind>
    private var isWelcome = false

    init(_ index: Int, of person: Person, world: ClientWorld, random: SplitMix64) {
        name = "p\(index)"
        self.person = person
        self.world = world
        self.random = random
        talk = Conversation(name, world)
    }

    var wire: SimulatedWire? { talk.wire }
    var waitsSince: Duration? { talk.waitsSince }
    var unfinished: String? {
        if wire == nil { return "\(name) is not connected" }
        if !person.isMade { return "\(name) has no trip" }
        if !person.unanswered.isEmpty { return "\(name) has unanswered changes" }
        return talk.asked.first.map { "\(name) awaits \($0)" }
    }

    // MARK: Acting

    func act(isResting: Bool) throws {
        person.lookForPowerCuts()
        guard wire != nil else {
            if isResting || random.chance(60) { open() }
            return
        }
        guard isWelcome, talk.asked.count < 8 else { return }
        guard person.isMade else {
            if talk.asked.isEmpty { talk.ask(.createTrip(person.draft), .create) }
            return
        }
        for change in person.takeUnanswered() { talk.ask(change.request, .change(change)) }
        if isResting { return }
        switch random.below(100) {
        case ..<45: makeChanges(1 + random.below(3))
        case ..<55: if let change = person.nextRolledBack() { talk.ask(change.request, .change(change)) }
        case ..<90: if let old = random.pick(person.made) { talk.ask(old.request, .again(old)) }
        case ..<95: talk.ask(.sync(.id(trip)), .other)
        default: close(orderly: random.chance(50))
        }
    }

    /// Sends so many changes without waiting.
    func makeChanges(_ count: Int) {
        guard isWelcome, person.isMade, wire != nil else { return }
        for _ in 0..<count {
            let change = person.next()
            talk.ask(change.request, .change(change))
        }
    }

    private func open() {
        guard talk.open() else { return }
        isWelcome = false
        talk.ask(
            .hello(
                Hello(
                    clientName: "seat", clientVersion: "1", user: Person.name, clientID: person.clientID)),
            .hello)
    }

    // MARK: The connection

    func close(orderly: Bool) { lost(talk.close(orderly: orderly, &random)) }

    func lose() { lost(talk.lose()) }

    private func lost(_ asked: [Conversation<Kind>.Asked]) {
        for case .change(let change) in asked.map(\.kind) { person.wasLost(change) }
    }

    func receive(_ bytes: [UInt8]) throws {
        try talk.receive(bytes) { heard in
            switch heard {
            case .notice("goodbye", let params):
                if params["reason"]?.string == "slow_consumer" {
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
        case .other: break
        case .create:
            guard result != nil || reason == "duplicate_id" else { return }
            world.madeTrips.insert(trip)
        case .change(let change): try changed(change, result, reason)
        case .again(let made): try repeated(made, result, reason)
        }
    }

    private func changed(_ change: Person.Change, _ result: JSONNode?, _ reason: String?) throws {
        if let result {
            guard let version = result["version"]?.int else {
                throw Violation("a change answers its version")
            }
            if result["noop"]?.bool == true { return person.wasRefused(change, rolledBack: false) }
            try world.oracle.acknowledged(change.number, of: Person.name, as: version, of: trip)
            world.trace.note("acknowledged", version)
            let isWhole = result["repeated"] == nil
            return person.didPrepare(change, as: version, isWhole ? Array(result.rawBytes) : nil)
        }
        switch reason {
        case "outcome_unknown": person.isUnknown(change)
        case "storage_full", "storage_failed":
            // An answer to a repeated request proves nothing about the first.
            if change.isRepeat {
                person.isUnknown(change)
            } else {
                person.wasRefused(change, rolledBack: true)
            }
        case "seq_too_old":
            // Another connection's higher number may have arrived first.
            guard person.highest > change.number else {
                throw Violation("a number above all that were made is not too old", "\(change.number)")
            }
            if change.isRepeat { person.isUnknown(change) }
            person.wasRefused(change, rolledBack: false)
        default: person.wasRefused(change, rolledBack: false)
        }
    }

    private func repeated(_ made: Person.Made, _ result: JSONNode?, _ reason: String?) throws {
        if let result {
            // For an old change the answer may contain only a later version.
            let isShort = result["repeated"]?.bool == true && (result["version"]?.int ?? 0) >= made.version
            let isSame =
                made.answer.map { $0 == Array(result.rawBytes) } ?? (result["version"]?.int == made.version)
            guard isShort || isSame else {
                throw Violation("a repeat gets the answer of the first", "\(made.number)")
            }
            return
        }
        if reason == "seq_too_old" {
            throw Violation(
                "a repeat of a change that was made learns it",
                "\(made.number), which made version \(made.version); the highest is \(person.highest)")
        }
    }
}
