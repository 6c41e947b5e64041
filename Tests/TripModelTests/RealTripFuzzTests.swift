import Foundation
import TestSupport
import Testing
import TripModel

/// Random edits of trips with open sides, attendance, stays, zones and accepted problems, compared with the rules as
/// `Protocol/README.md` states them, by a look at every item.
///
/// `REAL_TRIP_OPERATIONS` sets the number of edits; the standard number is small. A failure names the seed and the step.
@Suite struct RealTripFuzzTests {
    private static let operations =
        ProcessInfo.processInfo.environment["REAL_TRIP_OPERATIONS"].flatMap { Int($0) } ?? 2_000
    private static let stepsPerTrip = 250
    private static let trips = max(1, operations / stepsPerTrip)

    @Test(arguments: 0..<min(trips, 8))
    func `in random real trips, gaps, problems, acceptance and undo follow the rules`(part: Int) throws {
        for number in stride(from: part, to: Self.trips, by: 8) {
            var run = try RealTripRun(seed: UInt64(number))
            for step in 0..<Self.stepsPerTrip {
                let fault = try run.step()
                try #require(fault == nil, "seed \(number) step \(step): \(fault ?? "")")
            }
        }
    }
}

private struct RealTripRun {
    private static let cities = ["Tokyo", "Osaka", "Los Angeles", "Boston"]
    private static let zones = ["Asia/Tokyo", "Asia/Tokyo", "America/Los_Angeles", "America/New_York"]
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 1_800_000_000_000))

    private var random: SplitMix64
    private var fixture: TripFixture
    private var count = 0

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        fixture = try TripFixture(start: "2027-03-12", zone: Self.zones[random.below(4)])
    }

    private var trip: Trip { fixture.trip }

    /// Makes one random edit, and returns what differs from the rules.
    mutating func step() throws -> String? {
        guard let edit = try randomEdit() else { return nil }
        let before = trip
        guard let commit = try? fixture.trip.apply([edit], by: Self.author) else {
            return before == trip ? gapsFault() : "a refused edit changed the trip: \(edit)"
        }
        if let fault = acceptanceFault(before, edit) ?? problemsFault() ?? gapsFault() { return fault }
        return try undoFault(commit, before) ?? arrivalFault()
    }

    private mutating func randomEdit() throws -> Edit? {
        count += 1
        let day = 1 + random.below(trip.header.dayCount)
        let time = random.chance(50) ? ClockTime(minute: random.below(48) * 30) : nil
        let place: Placement = random.chance(50) ? .start(day: day) : .end(day: day)
        let item = trip.items.isEmpty ? nil : trip.items[random.below(trip.items.count)]
        guard let item, trip.itemCount > 4 else { return try newItem(day, time, place) }
        if trip.itemCount > 24 { return .remove(item.id) }
        switch random.below(12) {
        case 0, 1, 2: return try newItem(day, time, place)
        case 3: return .remove(item.id)
        case 4: return .trip(TripChange(dayCount: 2 + random.below(6)))
        case 5:
            guard let problem = trip.problems.randomElement(using: &random) else { return nil }
            return .trip(TripChange(acceptance: .init(of: problem.key, random.chance(80))))
        case 6, 7: return item.isGame ? nil : .move(item.id, to: place)
        default: break
        }
        switch item.content {
        case .game:
            if random.chance(50) { return .update(item.id, [.attending(random.chance(50))]) }
            return .update(item.id, [.startsAt(try moment(day))])
        case .travel:
            if random.chance(30) { return .update(item.id, [.durationMinutes(random.below(1500))]) }
            let side = random.chance(50) ? ItemField.afterGame : .beforeGame
            return .update(
                item.id,
                [
                    randomSide().map { side == .afterGame ? .afterGame($0) : .beforeGame($0) }
                        ?? (side == .afterGame ? .clear(.afterGame) : .clear(.beforeGame))
                ])
        case .custom: return .update(item.id, [.nights(random.below(5))])
        }
    }

    private mutating func moment(_ day: Int) throws -> OffsetDateTime {
        let date = try #require(trip.header.date(ofDay: day))
        return try #require(OffsetDateTime("\(date)T\(10 + random.below(13)):00:00Z"))
    }

    private mutating func randomSide() -> TravelSide? {
        switch random.below(3) {
        case 0: return .open
        case 1: return trip.items.filter(\.isGame).randomElement(using: &random).map { .game($0.id) }
        default: return nil
        }
    }

    private mutating func newItem(_ day: Int, _ time: ClockTime?, _ place: Placement) throws -> Edit {
        let id = ItemID(high: 77, low: UInt64(count))
        let city = random.below(4)
        switch random.below(3) {
        case 0:
            let game = Game(
                gameID: "g\(count)", title: "g\(count)", city: Self.cities[city], startsAt: try moment(day),
                timeZone: random.chance(70) ? Self.zones[city] : nil, isAttended: random.chance(75),
                isCancelled: random.chance(10))
            return .add(id, .game(game), to: nil)
        case 1:
            let travel = Travel(
                fromCity: Self.cities[city], toCity: Self.cities[(city + 1 + random.below(3)) % 4],
                durationMinutes: random.chance(60) ? random.below(1500) : nil, afterGame: randomSide(),
                beforeGame: randomSide(), time: time)
            return .add(id, .travel(travel), to: random.chance(50) ? nil : place)
        default:
            let stay = CustomItem(
                title: "c\(count)", time: time, nights: random.chance(40) ? random.below(5) : nil)
            return .add(id, .custom(stay), to: place)
        }
    }

    // MARK: The rules

    private func isBinding(_ item: Item) -> Bool {
        guard case .game(let game) = item.content else { return false }
        return game.isBinding && trip.header.days.contains(item.position.day)
    }

    /// The games that constrain a side: the named one, none, or those of the city on its last (or first) day.
    private func games(_ side: TravelSide?, _ city: String, isLast: Bool, among items: [Item]) -> [Item] {
        if side == .open { return [] }
        let binding = items.filter(isBinding)
        if let named = side?.game, let game = binding.first(where: { $0.id == named }) { return [game] }
        let own = binding.filter { if case .game(let game) = $0.content { game.city == city } else { false } }
        let days = own.map(\.position.day)
        let day = isLast ? days.max() : days.min()
        return own.filter { $0.position.day == day }
    }

    /// Whether travel may be on a day below a number of the other items.
    private func isValid(_ travel: Travel, day: Int, below index: Int, among others: [Item]) -> Bool {
        let departures = games(travel.afterGame, travel.fromCity, isLast: true, among: others)
        let arrivals = games(travel.beforeGame, travel.toCity, isLast: false, among: others)
        let above = Set(others.prefix(index).map(\.id))
        return departures.allSatisfy { $0.position.day <= day && above.contains($0.id) }
            && arrivals.allSatisfy { $0.position.day >= day && !above.contains($0.id) }
    }

    /// The gaps of one travel item agree: listed, accepted and computed by the rules.
    private mutating func gapsFault() -> String? {
        let travels = trip.items.filter { if case .travel = $0.content { true } else { false } }
        guard let item = travels.randomElement(using: &random), case .travel(let travel) = item.content,
            let report = trip.gaps(for: item.id)
        else { return nil }
        let others = trip.items.filter { $0.id != item.id }
        let own = trip.items.firstIndex { $0.id == item.id } ?? 0
        for gap in report.gaps {
            let index =
                gap.after.flatMap { after in others.firstIndex { $0.id == after }.map { $0 + 1 } }
                ?? others.firstIndex { $0.position.day >= gap.day } ?? others.count
            if gap.isValid != isValid(travel, day: gap.day, below: index, among: others) {
                return "gap \(gap) of \(item) is judged otherwise"
            }
            var copy = trip
            let isAccepted = (try? copy.apply([.move(item.id, to: gap.placement)], by: Self.author)) != nil
            let isHome = index == own && gap.day == item.position.day
            if isAccepted != gap.isValid, !isHome { return "gap \(gap) of \(item): accepted \(isAccepted)" }
        }
        return nil
    }

    private func problemsFault() -> String? {
        let problems = trip.problems
        func reported(_ kind: Problem.Kind) -> Set<ItemID> {
            Set(problems.filter { $0.kind == kind }.flatMap(\.items))
        }
        var (outside, stays, invalid): (Set<ItemID>, Set<ItemID>, Set<ItemID>) = ([], [], [])
        for (index, item) in trip.items.enumerated() {
            switch item.content {
            case .game(let game):
                if game.isBinding, !trip.header.days.contains(item.position.day) { outside.insert(item.id) }
            case .custom(let custom):
                if let nights = custom.nights, nights > 0,
                    item.position.day + nights > trip.header.dayCount
                {
                    stays.insert(item.id)
                }
            case .travel(let travel):
                let others = trip.items.filter { $0.id != item.id }
                if !isValid(travel, day: item.position.day, below: index, among: others) {
                    invalid.insert(item.id)
                }
            }
        }
        if reported(.gameOutsideTrip) != outside { return "game_outside_trip" }
        if reported(.stayOutsideTrip) != stays { return "stay_outside_trip" }
        if reported(.travelInvalid) != invalid {
            return "travel_invalid: \(reported(.travelInvalid)) \(invalid)"
        }
        for problem in problems {
            if problem.isAccepted != trip.header.acceptedProblems.contains(problem.key) { return "accepted" }
            let unattended = problem.items.contains { id in
                if case .game(let game)? = trip[id]?.content { !game.isBinding } else { false }
            }
            if unattended, problem.kind != .cancelledEvent {
                return "\(problem.key) names an event without attendance"
            }
        }
        return nil
    }

    /// An acceptance lasts until one of its items changes its day, its time or its city, or goes, or another change of
    /// one of its items ends the problem.
    private func acceptanceFault(_ before: Trip, _ edit: Edit) -> String? {
        func state(_ id: Substring, _ trip: Trip) -> [String] {
            guard let item = ItemID(String(id)).flatMap({ trip[$0] }) else { return ["gone"] }
            let fields: [ItemField] = [
                .time, .lateNight, .startsAt, .timeZone, .arrivalTimeZone, .city, .fromCity, .toCity,
            ]
            return ["\(item.position.day)"] + fields.map { "\(String(describing: item.content[$0]))" }
        }
        let present = Set(trip.problems.map(\.key))
        var expected = before.header.acceptedProblems.filter { key in
            let items = key.drop { $0 != ":" }.dropFirst().split(separator: ",")
            let isEdited = items.contains { item in
                ItemID(String(item)).map { before[$0]?.content != trip[$0]?.content } ?? false
            }
            return items.allSatisfy { state($0, before) == state($0, trip) }
                && (!isEdited || present.contains(key))
        }
        if case .trip(let change) = edit, let acceptance = change.acceptance {
            if acceptance.isAccepted {
                expected.insert(acceptance.problem)
            } else {
                expected.remove(acceptance.problem)
            }
        }
        return expected == trip.header.acceptedProblems ? nil : "acceptance after \(edit)"
    }

    /// Undo gives the former items in the former order, and redo the later ones.
    private func undoFault(_ commit: Commit, _ before: Trip) throws -> String? {
        var copy = trip
        // Travel that was at an invalid place returns there only if nothing else has changed.
        let tried =
            (try? copy.apply(reversing: commit, by: Self.author))
            ?? (try? copy.apply(reversing: commit, exactly: true, by: Self.author))
        guard let undone = tried else {
            return commit.isNoop ? nil : "the undo is refused"
        }
        if !Self.isSame(copy, before) { return "undo" }
        guard !undone.isNoop else { return nil }
        _ = try copy.apply(reversing: undone, exactly: true, by: Self.author)
        return Self.isSame(copy, trip) ? nil : "redo"
    }

    private static func isSame(_ one: Trip, _ other: Trip) -> Bool {
        one.header == other.header && one.items.map(\.id) == other.items.map(\.id)
            && one.items.map(\.content) == other.items.map(\.content)
            && one.items.map(\.position.day) == other.items.map(\.position.day)
    }

    /// An arrival is the departure and the duration, by the clock of its zone.
    private func arrivalFault() -> String? {
        let clocks = TripClocks(trip)
        for item in trip.items {
            guard case .travel(let travel) = item.content, let minutes = travel.durationMinutes,
                let start = clocks.start(of: item), let arrival = clocks.arrival(of: item),
                let zone = TimeZone(identifier: arrival.zone)
            else { continue }
            let seconds = (start + minutes) * 60
            let local = seconds + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            let minute = ((local % 86_400) + 86_400) % 86_400 / 60
            if arrival.time.minute != minute { return "arrival of \(item)" }
        }
        return nil
    }
}
