import TestSupport
import Testing
import TripModel

/// Problems with the times of items (R-CONFLICT).
@Suite struct TimeProblemTests {
    private var fixture: TripFixture

    init() throws { fixture = try TripFixture() }

    private mutating func custom(
        _ title: String, _ time: String?, _ minutes: Int? = nil, day: Int = 2
    ) throws -> ItemID {
        let time = try time.map { try #require(ClockTime($0)) }
        return try fixture.add(
            .custom(CustomItem(title: title, durationMinutes: minutes, time: time)), to: .end(day: day))
    }

    private func problems(_ kind: Problem.Kind) -> [Problem] {
        fixture.trip.problems.filter { $0.kind == kind }
    }

    @Test mutating func `R-CONFLICT: two timed items of a day in the wrong order are a problem`() throws {
        let dinner = try custom("Dinner", "19:30")
        let lunch = try custom("Lunch", "12:00")
        let shown = fixture.trip.shownIDs
        #expect(shown == [dinner, lunch])
        #expect(
            fixture.trip.problems == [
                Problem(
                    kind: .outOfTime, items: [dinner, lunch], day: 2,
                    message: "19:30 Dinner, 12:00 Lunch are not in time order")
            ])
        try fixture.apply(.update(lunch, [.time(ClockTime("19:30"))]))
        #expect(fixture.trip.problems == [], "the same time in any order")
        try fixture.apply(.update(lunch, [.time(ClockTime("12:00"))]))
        try fixture.move(lunch, to: .before(dinner, day: 2))
        #expect(fixture.trip.problems == [])
        try fixture.move(lunch, to: .end(day: 2))
        #expect(problems(.outOfTime).count == 1)
        try fixture.apply(.update(dinner, [.clear(.time)]))
        #expect(fixture.trip.problems == [], "an item without a time is in no problem")
    }

    @Test mutating func `R-CONFLICT: days are separate, and untimed items can be anywhere`() throws {
        _ = try custom("Dinner", "19:30", day: 1)
        _ = try custom("Lunch", "12:00", day: 2)
        _ = try custom("Anything", nil, day: 2)
        _ = try custom("Tea", "17:00", day: 2)
        #expect(fixture.trip.problems == [])
    }

    @Test mutating func `R-CONFLICT: games and departures are compared by their times too`() throws {
        let game = try fixture.game("g", city: "A", day: 2, minute: 13 * 60)
        let lunch = try custom("Lunch", "12:30")
        #expect(problems(.outOfTime).map(\.items) == [[game, lunch]])
        #expect(
            problems(.outOfTime).map(\.message) == [
                "13:00 g, 12:30 Lunch are not in time order"
            ])
        try fixture.move(lunch, to: .before(game, day: 2))
        #expect(fixture.trip.problems == [])
        let travel = try fixture.add(
            .travel(Travel(fromCity: "A", toCity: "B", time: ClockTime("11:00"))), to: .end(day: 2))
        #expect(
            problems(.outOfTime).map(\.items) == [[lunch, game, travel]],
            "all of them would have to be sorted")
        try fixture.apply(.update(travel, [.time(ClockTime("15:00"))]))
        #expect(fixture.trip.problems == [])
    }

    @Test mutating func `R-CONFLICT: each run of a day that would have to be sorted is one problem`() throws {
        var ids: [ItemID] = []
        for (index, time) in ["08:00", "10:00", "09:00", nil, "09:30", "11:00", "13:00", "12:00"].enumerated()
        {
            ids.append(try custom("c\(index)", time))
        }
        #expect(problems(.outOfTime).map(\.items) == [[ids[1], ids[2], ids[4]], [ids[6], ids[7]]])
    }

    @Test mutating func `R-CONFLICT: overlaps take times into account`() throws {
        let game = try fixture.game("g", city: "A", day: 2, minute: 13 * 60)
        let tea = try custom("Tea", "15:00", 30)
        #expect(fixture.trip.problems == [], "one begins where the other ends")
        try fixture.apply(.update(tea, [.time(ClockTime("14:59"))]))
        #expect(problems(.gamesOverlap).map(\.items) == [[game, tea]])
        #expect(problems(.gamesOverlap).map(\.message) == ["g, Tea overlap"])
        try fixture.apply(.update(tea, [.clear(.durationMinutes)]))
        #expect(problems(.gamesOverlap).count == 1, "it takes place during the game, however short it is")
        let late = try custom("Late", "23:30", 60, day: 3)
        let early = try custom("Early", "00:15", 10, day: 4)
        #expect(
            problems(.gamesOverlap).map(\.items) == [[game, tea], [late, early]], "across midnight too")
    }

    @Test mutating func `R-CONFLICT: an item's time is in the zone of the nearest game`() throws {
        fixture = try TripFixture(zone: "America/New_York")
        func game(_ id: String, _ start: String, _ zone: String) throws -> ItemContent {
            let start = try #require(OffsetDateTime(start))
            return .game(Game(gameID: id, title: id, startsAt: start, timeZone: zone, durationMinutes: 120))
        }
        // 13:00 in Mexico City is 15:00 in New York.
        let mexico = try fixture.add(try game("m", "2026-06-12T13:00:00-06:00", "America/Mexico_City"))
        let lunch = try fixture.add(
            .custom(CustomItem(title: "Lunch", durationMinutes: 45, time: ClockTime("14:00"))),
            to: .after(mexico, day: 2))
        #expect(problems(.gamesOverlap).map(\.items) == [[mexico, lunch]])
        try fixture.apply(.update(lunch, [.time(ClockTime("15:30"))]))
        #expect(fixture.trip.problems == [])
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    mutating func `R-CONFLICT: the problems are those of a comparison of every pair`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for number in 0..<40 {
            let day = 1 + random.below(4)
            if random.chance(20) {
                _ = try fixture.game("g\(number)", city: "A", day: day, minute: random.below(1440))
            } else {
                let time = random.chance(70) ? ClockTime(minute: random.below(24) * 60) : nil
                _ = try fixture.add(
                    .custom(CustomItem(title: "c\(number)", time: time)),
                    to: random.chance(50) ? .start(day: day) : .end(day: day))
            }
            // Sometimes changes or removes any item of the trip.
            let ids = fixture.trip.shownIDs
            let id = ids[random.below(ids.count)]
            if case .custom = fixture.trip[id]?.content, random.chance(40) {
                try fixture.apply(
                    random.chance(30)
                        ? .remove(id) : .update(id, [.time(ClockTime(minute: random.below(1440)))]))
            }
            var wrong: Set<ItemID> = []
            for day in 1...5 {
                let timed = fixture.trip.items(onDay: day).filter { $0.clockTime != nil }
                for (index, above) in timed.enumerated() {
                    for below in timed[(index + 1)...] where (above.clockTime ?? "") > (below.clockTime ?? "")
                    {
                        wrong.formUnion([above.id, below.id])
                    }
                }
            }
            // `ClockTests` compares items of different days.
            let found = problems(.outOfTime).filter { problem in
                Set(problem.items.map { fixture.trip[$0]?.position.day }).count == 1
            }
            #expect(Set(found.flatMap(\.items)) == wrong)
            #expect(found.flatMap(\.items).count == wrong.count, "nothing is in two of them")
            #expect(
                try Trip(header: fixture.trip.header, version: 1, items: fixture.trip.items).problems
                    == fixture.trip.problems)
        }
    }
}
