import TestSupport
import Testing

@testable import TripModel

/// Hints: nights without a stay, stays in cities that were left, and events that no travel reaches.
@Suite struct HintTests {
    private static func stay(
        _ city: String?, nights: Int, who: String? = nil
    ) -> ItemContent {
        .custom(CustomItem(title: "Hotel \(city ?? "")", city: city, who: who, nights: nights))
    }

    private static func leg(
        _ from: String, _ to: String, who: String? = nil, time: ClockTime? = nil, minutes: Int? = nil
    ) -> ItemContent {
        .travel(
            Travel(
                fromCity: from, toCity: to, durationMinutes: minutes, who: who, afterGame: .open,
                beforeGame: .open, time: time))
    }

    private func messages(_ fixture: TripFixture, _ kind: Problem.Kind) -> [String] {
        fixture.trip.problems.filter { $0.kind == kind }.map(\.message)
    }

    @Test func `a trip without stays has no hint about nights`() throws {
        var fixture = try TripFixture()
        _ = try fixture.custom("Walk", at: .end(day: 1))
        #expect(fixture.trip.problems == [])
    }

    @Test func `the nights between the same stays are one hint, and those beside the only stay, too`() throws
    {
        var fixture = try TripFixture()
        try fixture.apply(.trip(TripChange(dayCount: 12)))
        let first = try fixture.add(Self.stay("Rome", nights: 2), to: .end(day: 3))
        #expect(
            messages(fixture, .nightWithoutStay) == ["No stay for the nights of days 1 to 2, 5 to 11"])
        #expect(fixture.trip.problems.map(\.items) == [[first]])
        let second = try fixture.add(Self.stay("Oslo", nights: 3), to: .end(day: 6))
        #expect(
            messages(fixture, .nightWithoutStay) == [
                "No stay for the nights of days 1 to 2", "No stay for the night of day 5",
                "No stay for the nights of days 9 to 11",
            ])
        #expect(fixture.trip.problems.map(\.items) == [[first], [first, second], [second]])
        #expect(fixture.trip.problems.map(\.day) == [1, 5, 9])
        #expect(fixture.trip.problems.filter(\.isCounted) == [])
    }

    @Test func `the nights before the first and after the last travel of a round trip are at home`() throws {
        var fixture = try TripFixture()
        try fixture.apply(.trip(TripChange(dayCount: 9)))
        _ = try fixture.add(Self.stay("Rome", nights: 1), to: .end(day: 3))
        _ = try fixture.add(Self.leg("Home", "Rome"), to: .start(day: 3))
        let back = try fixture.add(
            Self.leg("Rome", "Home", time: ClockTime("23:00"), minutes: 120), to: .end(day: 6))
        #expect(messages(fixture, .nightWithoutStay) == ["No stay for the nights of days 4 to 5"])
        try fixture.apply(.update(back, [.toCity("Oslo")]))
        #expect(
            messages(fixture, .nightWithoutStay) == ["No stay for the nights of days 1 to 2, 4 to 5, 7 to 8"])
    }

    @Test func `a night under way needs no stay`() throws {
        var fixture = try TripFixture()
        _ = try fixture.add(Self.stay(nil, nights: 2), to: .end(day: 1))
        _ = try fixture.add(Self.stay(nil, nights: 1), to: .end(day: 4))
        #expect(messages(fixture, .nightWithoutStay) == ["No stay for the night of day 3"])
        let train = try fixture.add(
            Self.leg("Rome", "Oslo", time: ClockTime("22:00"), minutes: 119), to: .end(day: 3))
        #expect(messages(fixture, .nightWithoutStay) == ["No stay for the night of day 3"])
        try fixture.apply(.update(train, [.durationMinutes(600)]))
        #expect(fixture.trip.problems == [])
    }

    @Test func `a stay goes on in a city that its people have left for good`() throws {
        var fixture = try TripFixture()
        let hotel = try fixture.add(Self.stay("Paris", nights: 4), to: .start(day: 1))
        let leg = try fixture.add(Self.leg("PARIS", "Rome"), to: .end(day: 3))
        let hint = try #require(fixture.trip.problems.first)
        #expect(hint.kind == .stayAfterDeparture && hint.items == [hotel, leg])
        #expect(hint.message == "Hotel Paris lasts until day 5, but PARIS → Rome leaves Paris on day 3")
        // On the day of the check-out they may leave.
        try fixture.move(leg, to: .start(day: 5))
        #expect(fixture.trip.problems == [])
        try fixture.move(leg, to: .end(day: 2))
        let back = try fixture.add(Self.leg("Rome", "Paris"), to: .end(day: 3))
        #expect(fixture.trip.problems == [], "they come back before the check-out")
        try fixture.apply(.remove(back), .update(leg, [.who("ben")]))
        #expect(fixture.trip.problems == [], "only ben leaves")
        try fixture.apply(.update(hotel, [.who("ben")]))
        #expect(fixture.trip.problems.map(\.kind) == [.stayAfterDeparture])
    }

    @Test func `an event is not reached if the last travel leads elsewhere, once for a city`() throws {
        var fixture = try TripFixture()
        let rome = try fixture.game("r", city: "Rome", day: 1, minute: 600)
        #expect(fixture.trip.problems == [], "nobody has travelled")
        let leg = try fixture.add(Self.leg("Rome", "Oslo"), to: .start(day: 2))
        let bergen = try fixture.game("b1", city: "Bergen", day: 3, minute: 600)
        _ = try fixture.game("b2", city: "Bergen", day: 4, minute: 600)
        _ = try fixture.game("o", city: "Oslo", day: 5, minute: 600)
        let hints = fixture.trip.problems
        #expect(hints.map(\.kind) == [.eventNotReached] && hints.map(\.items) == [[leg, bergen]])
        #expect(hints.map(\.message) == ["b1 is in Bergen, but the travel before it leads to Oslo"])
        try fixture.apply(.update(bergen, [.attending(false)]))
        #expect(fixture.trip.problems.count == 1, "the next event there")
        _ = try fixture.add(Self.leg("Voss", "Bergen", who: "ben"), to: .end(day: 2))
        #expect(fixture.trip.problems == [], "ben reaches it")
        try fixture.apply(.update(rome, [.city("Oslo")]))
        #expect(fixture.trip.problems == [], "travel comes after it")
    }

    @Test func `travel that is read by another clock than that of its city is a hint`() throws {
        var fixture = try TripFixture()
        func flight(_ from: String, _ to: String, _ zone: String, _ arrival: String?) throws -> ItemID {
            try fixture.add(
                .travel(
                    Travel(
                        fromCity: from, toCity: to, durationMinutes: 60, afterGame: .open, beforeGame: .open,
                        time: ClockTime("10:00"), timeZone: zone, arrivalTimeZone: arrival)),
                to: .start(day: 1))
        }
        let train = try flight("Brussels", "Atlantis", "Europe/London", "Asia/Tokyo")
        let hint = try #require(fixture.trip.problems.first)
        #expect(hint.kind == .otherClock && hint.items == [train])
        #expect(
            hint.message
                == "The departure of Brussels → Atlantis is not in Brussels time, the time of Brussels; "
                + "timeZone=Europe/Brussels changes that")
        try fixture.apply(.update(train, [.timeZone("Europe/Paris")]))
        #expect(fixture.trip.problems == [], "the same time by another name")
        // A game decides for its city.
        let game = try fixture.game("a", city: "Atlantis", day: 2, minute: 600)
        #expect(messages(fixture, .otherClock).map { $0.contains("arrivalTimeZone=UTC") } == [true])
        try fixture.apply(.update(game, [.timeZone("Asia/Tokyo")]))
        #expect(messages(fixture, .otherClock) == [])
        try fixture.apply(.update(train, [.clear(.time), .arrivalTimeZone("UTC")]))
        #expect(messages(fixture, .otherClock) == [], "without a time no clock is read")
    }

    /// The hints of random trips, compared with a search through all days, items and pairs of items.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the hints of a random trip are those that a plain search finds`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ 900)
        for _ in 0..<10 {
            var fixture = try TripFixture()
            try fixture.apply(.trip(TripChange(dayCount: 2 + random.below(9))))
            for _ in 0..<random.below(14) {
                let day = 1 + random.below(fixture.trip.header.dayCount)
                let (from, to) = (random.pick(Self.cities) ?? "", random.pick(Self.cities) ?? "")
                let who = random.chance(20) ? random.pick(["ann", "ben"]) : nil
                switch random.below(3) {
                case 0:
                    let game = try fixture.game(
                        "g\(fixture.trip.itemCount)", city: from, day: day, minute: random.below(1440))
                    try fixture.apply(
                        .update(
                            game, [.who(who), .attending(random.chance(80)), .cancelled(random.chance(10))]))
                case 1:
                    let leg = Self.leg(
                        from, to, who: who,
                        time: random.chance(60) ? ClockTime(minute: random.below(1440)) : nil,
                        minutes: random.chance(60) ? random.below(3000) : nil)
                    _ = try fixture.add(leg, to: .end(day: day))
                default:
                    _ = try fixture.add(
                        Self.stay(from, nights: random.below(5), who: who), to: .end(day: day))
                }
            }
            let found = fixture.trip.problems.filter(\.kind.isHint)
            #expect(Set(found.map(\.key)).count == found.count, "keys are unique")
            #expect(Set(found.map(Fact.init)) == Self.facts(fixture.trip), "seed \(seed)")
        }
    }

    private static let cities = ["Rome", "Oslo", "Bergen", "Atlantis"]

    private struct Fact: Hashable {
        let kind: Problem.Kind
        let items: [ItemID]
        let day: Int

        init(_ kind: Problem.Kind, _ items: [ItemID], _ day: Int) {
            self.kind = kind
            self.items = items
            self.day = day
        }

        init(_ hint: Problem) { self.init(hint.kind, hint.items, hint.day) }
    }

    private static func facts(_ trip: Trip) -> Set<Fact> {
        let items = trip.items
        let clocks = TripClocks(trip)
        var facts: Set<Fact> = []
        func stay(_ item: Item) -> CustomItem? {
            if case .custom(let stay) = item.content, stay.nights ?? 0 > 0 { stay } else { nil }
        }
        func leg(_ item: Item) -> Travel? { if case .travel(let leg) = item.content { leg } else { nil } }
        func end(_ item: Item) -> Int { item.position.day + (stay(item)?.nights ?? 0) }
        let stays = items.filter { stay($0) != nil }

        let legs = items.filter { leg($0) != nil }
        var home: (leaves: Int, returns: Int)?
        if legs.count > 1, let first = legs.first, let last = legs.last,
            leg(first)?.fromCity == leg(last)?.toCity
        {
            let offset = clocks.arrival(of: last)?.dayOffset ?? 0
            home = (first.position.day, last.position.day + offset)
        }
        // Every night is searched for in every item.
        for night in 1..<trip.header.dayCount where !stays.isEmpty {
            let isCovered = items.contains { item in
                let last = clocks.arrival(of: item).map { item.position.day + $0.dayOffset } ?? end(item)
                return item.position.day <= night && night < last
            }
            let isAtHome = home.map { night < $0.leaves || night >= $0.returns } ?? false
            if isCovered || isAtHome { continue }
            let before = stays.filter { end($0) <= night }.enumerated().max {
                (end($0.element), $0.offset) < (end($1.element), $1.offset)
            }?.element
            let after = stays.first { $0.position.day > night }
            let beside = [before, after].compactMap(\.?.id)
            if !facts.contains(where: { $0.items == beside }) {
                facts.insert(Fact(.nightWithoutStay, beside, night))
            }
        }
        for (index, item) in items.enumerated() {
            if let stay = stay(item), let city = stay.city {
                let moves = items[index...].filter { move in
                    guard let leg = leg(move), leg.fromCity != leg.toCity, move.position.day < end(item)
                    else { return false }
                    let leaves = leg.fromCity == city && (leg.who == nil || leg.who == stay.who)
                    return leaves || leg.toCity == city
                }
                if let last = moves.last, leg(last)?.fromCity == city {
                    facts.insert(Fact(.stayAfterDeparture, [item.id, last.id], item.position.day))
                }
            }
            guard case .game(let game) = item.content else { continue }
            if game.isCancelled { facts.insert(Fact(.cancelledEvent, [item.id], item.position.day)) }
            guard game.isAttended, !game.isCancelled, trip.header.days.contains(item.position.day) else {
                continue
            }
            let travels = items[..<index].filter { leg($0) != nil }
            guard let last = travels.lastIndex(where: { leg($0)?.who == nil || leg($0)?.who == game.who }),
                leg(travels[last])?.toCity != game.city,
                !travels[last...].contains(where: {
                    leg($0)?.toCity == game.city && leg($0)?.fromCity != game.city
                }),
                !facts.contains(where: { fact in
                    fact.kind == .eventNotReached && fact.items[0] == travels[last].id
                        && trip[fact.items[1]]?.content[.city] == game.city.map(FieldValue.text)
                }),
                !trip.problems.contains(where: {
                    $0.kind == .gamesInDifferentCities && $0.items.contains(item.id)
                        || $0.kind == .travelInvalid && $0.items.contains(travels[last].id)
                })
            else { continue }
            facts.insert(Fact(.eventNotReached, [travels[last].id, item.id], item.position.day))
        }
        return facts
    }
}
