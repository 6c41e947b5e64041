import TestSupport
import TripModel

/// Random trips and edits from a seed: edits of every kind, many of them invalid.
struct Workload {
    let author = Author(name: "Bob", at: Timestamp(milliseconds: 1_790_000_000_000))
    private var random: SplitMix64
    /// So few ids that they collide, and are removed and used again.
    private let ids: [ItemID]
    private static let cities = ["Boston", "São Paulo", "Miami", "Lima"]
    private static let writtenCities = cities + ["BOSTON", "sao  paulo", " miami", "Quito"]
    private static let zones = [
        "UTC", "America/New_York", "Pacific/Auckland", "Australia/Lord_Howe", "Asia/Kathmandu",
    ]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        var generator = random
        ids = (0..<60).map { _ in .random(using: &generator) }
    }

    mutating func makeTrip() throws -> Trip {
        // Around an offset change, a leap day or the end of a year.
        let starts = ["2026-03-06", "2026-10-30", "2028-02-27", "2026-12-30", "2026-04-03"]
        let header = TripHeader(
            id: TripID(high: 0, low: 1), slug: "trip", name: "Trip",
            startDate: pick(starts.compactMap(CalendarDate.init)), timeZone: pick(Self.zones),
            dayCount: 1 + random.below(7))
        return try Trip.create(header, by: author)
    }

    mutating func makeBatch(for trip: Trip) -> [Edit] {
        let count = random.chance(70) ? 1 : 2 + random.below(4)
        return (0..<count).map { _ in makeEdit(for: trip) }
    }

    mutating func makeEdit(for trip: Trip) -> Edit {
        let isSmall = trip.itemCount < 30
        return switch random.below(100) {
        case ..<(isSmall ? 40 : 5): makeAdd(for: trip)
        case ..<75: .move(pickItem(of: trip), to: makePlacement(for: trip))
        case ..<90: makeUpdate(for: trip)
        case ..<97: .remove(pickItem(of: trip))
        default: .trip(makeTripChange(for: trip))
        }
    }

    mutating func makeTravel(for trip: Trip) -> ItemContent {
        .travel(
            Travel(
                fromCity: pick(Self.writtenCities), toCity: pick(Self.writtenCities),
                afterGame: random.chance(20) ? pickSide(of: trip) : nil,
                beforeGame: random.chance(20) ? pickSide(of: trip) : nil,
                time: random.chance(30) ? makeTime() : nil,
                timeZone: makeZone(), arrivalTimeZone: makeZone()))
    }

    /// An item of the trip; sometimes an id that the trip does not have.
    mutating func pickItem(of trip: Trip) -> ItemID {
        random.chance(99) ? random.pick(trip.shownIDs) ?? pick(ids) : pick(ids)
    }

    mutating func shuffled<Value>(_ values: [Value]) -> [Value] { values.shuffled(using: &random) }

    mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }
}

// MARK: - Parts

extension Workload {
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    private mutating func pickSide(of trip: Trip) -> TravelSide? {
        if random.chance(15) { return .open }
        let game = random.chance(97) ? random.pick(trip.items.filter(\.isGame).map(\.id)) : pickItem(of: trip)
        return game.map(TravelSide.game)
    }

    private mutating func makeAdd(for trip: Trip) -> Edit {
        let free = ids.filter { trip[$0] == nil }
        let id = random.chance(98) ? random.pick(free) ?? pick(ids) : pick(ids)
        let content: ItemContent
        switch random.below(10) {
        case ..<4: content = .custom(CustomItem(title: random.chance(98) ? "c\(random.below(100))" : ""))
        case ..<7: content = makeTravel(for: trip)
        default: content = .game(makeGame(for: trip))
        }
        let isPlaced = random.chance(content.isGame ? 3 : 75)
        return .add(id, content, to: isPlaced ? makePlacement(for: trip) : nil)
    }

    private mutating func makeGame(for trip: Trip) -> Game {
        let number = random.below(30)
        let city = random.chance(70) ? pick(Self.writtenCities) : nil
        let zone = random.chance(60) ? pick(Self.zones) : nil
        return Game(
            gameID: "game-Lima-\(number)", title: "g\(number)", city: city, startsAt: makeStart(for: trip),
            timeZone: zone, durationMinutes: random.chance(30) ? random.below(600) : nil,
            isAttended: random.chance(80), isCancelled: random.chance(10))
    }

    private mutating func makeStart(for trip: Trip) -> OffsetDateTime {
        let date = trip.header.date(ofDay: random.below(trip.header.dayCount + 3)) ?? trip.header.startDate
        // So few times that games often share a minute.
        let time = pick(["00:00", "02:30", "10:00", "10:00", "15:59", "23:30"])
        let offset = pick(["Z", "-05:00", "+13:00"])
        guard let start = OffsetDateTime("\(date)T\(time):\(random.chance(50) ? "00" : "59")\(offset)") else {
            preconditionFailure("the parts are well-formed")
        }
        return start
    }

    private mutating func makePlacement(for trip: Trip) -> Placement {
        let isInside = random.chance(97)
        let day = isInside ? 1 + random.below(trip.header.dayCount) : random.below(12) - 2
        let anchor = pickItem(of: trip)
        let anchorPosition = trip[anchor]?.position ?? Position(day: day, sortOrder: 0)
        let anchorDay = random.chance(97) ? anchorPosition.day : day
        switch random.below(11) {
        case 10: return .between(anchor, pickItem(of: trip), day: anchorDay)
        case ..<3: return .after(anchor, day: anchorDay)
        case ..<6: return .before(anchor, day: anchorDay)
        case 6: return .start(day: day)
        case 7: return .end(day: day)
        case 8:
            // Equal to another order, or so close that nothing fits between.
            let order = anchorPosition.sortOrder + pick([0, 0, 1e-11, -1e-11])
            return .order(min(max(order, -1e15), 1e15), day: anchorDay)
        default:
            return .order(pick([0, -1, 1, 0.5, 100, 700, -1e15, 1e15, 1e-11, 5e14, -3, 250]), day: day)
        }
    }

    private mutating func makeZone() -> String? { random.chance(20) ? pick(Self.zones) : nil }

    private mutating func makeTime() -> ClockTime? {
        random.chance(60) ? ClockTime(minute: random.below(48) * 30) : nil
    }

    private mutating func makeUpdate(for trip: Trip) -> Edit {
        let id = pickItem(of: trip)
        var changes: [FieldChange]
        switch trip[id]?.content {
        case .game:
            changes = shuffled([
                .startsAt(makeStart(for: trip)), .timeZone(random.chance(50) ? pick(Self.zones) : nil),
                .city(random.chance(70) ? pick(Self.writtenCities) : nil),
                .gameID("game-Lima-\(random.below(30))"), .note(random.chance(50) ? "n" : nil),
                .attending(random.chance(60)),
                .cancelled(random.chance(20)),
            ])
        case .travel:
            changes = shuffled([
                .fromCity(pick(Self.writtenCities)), .toCity(pick(Self.writtenCities)),
                .afterGame(random.chance(50) ? pickSide(of: trip) : nil), .clear(.beforeGame), .note("n"),
                .time(makeTime()), .timeZone(makeZone()), .arrivalTimeZone(makeZone()),
                .durationMinutes(random.below(900)),
            ])
        case .custom, nil:
            changes = shuffled([
                .title("t\(random.below(9))"), .icon("x"), .clear(.note), .time(makeTime()), .place("p"),
                .nights(random.below(5)), .endTime(makeTime()),
            ])
            if random.chance(10) { changes.append(.venue("v")) }
        }
        changes.removeLast(random.below(changes.count))
        return .update(id, changes)
    }

    private mutating func makeTripChange(for trip: Trip) -> TripChange {
        var change = TripChange()
        switch random.below(6) {
        case 5:
            let ids = trip.header.todo.map(\.id) + [TodoID(high: 7, low: UInt64(random.below(9)))]
            change.todo = TodoChange(
                pick(ids), text: pick([nil, "t\(random.below(9))"]), isDone: pick([nil, true, false]),
                isRemoval: random.chance(20))
        case 4:
            let keys = trip.problems.map(\.key) + trip.header.acceptedProblems.sorted()
            if let key = random.pick(keys) {
                change.acceptance = TripChange.Acceptance(of: key, random.chance(80))
            }
        case 0: change.dayCount = random.chance(95) ? 1 + random.below(8) : 0
        case 1: change.startDate = trip.header.startDate.adding(days: random.below(5) - 2)
        case 2: change.timeZone = pick(Self.zones)
        default:
            change.dayCount = 1 + random.below(8)
            change.startDate = trip.header.startDate.adding(days: random.below(3) - 1)
        }
        return change
    }
}
