import Testing
import TripModel

@Suite struct ProblemTests {
    private func kinds(_ fixture: TripFixture) -> [Problem.Kind] { fixture.trip.problems.map(\.kind) }

    @Test func `R-CONFLICT: games in different cities on one day are reported`() throws {
        var fixture = try TripFixture()
        let chicago = try fixture.game("a", city: "Chicago", day: 2, minute: 60)
        let again = try fixture.game("b", city: "chicago ", day: 2, minute: 300)
        #expect(fixture.trip.problems == [])
        let detroit = try fixture.game("game-Detroit-1", day: 2, minute: 600)
        _ = try fixture.game("nowhere", day: 3, minute: 60)
        _ = try fixture.game("d", city: "Lima", day: 3, minute: 600)
        let problems = fixture.trip.problems
        #expect(problems.map(\.kind) == [.gamesInDifferentCities])
        #expect(problems.map(\.items) == [[chicago, again, detroit]])
        #expect(problems.map(\.day) == [2])
        #expect(problems.map(\.message) == ["Day 2 has events in Chicago, Detroit"])
    }

    @Test func `R-CONFLICT: overlapping games are reported, with 120 minutes for a game without a duration`()
        throws
    {
        var fixture = try TripFixture()
        let first = try fixture.game("a", city: "X", day: 2, minute: 600)
        let second = try fixture.game("b", city: "X", day: 2, minute: 719)
        #expect(fixture.trip.problems.map(\.items) == [[first, second]])
        #expect(kinds(fixture) == [.gamesOverlap])
        try fixture.apply(.update(first, [.durationMinutes(119)]))
        #expect(fixture.trip.problems == [], "one begins where the other ends")
        try fixture.apply(.update(first, [.durationMinutes(120)]))
        #expect(kinds(fixture) == [.gamesOverlap])
        try fixture.apply(.remove(second))
        #expect(fixture.trip.problems == [])
    }

    @Test func `R-CONFLICT: overlaps are found by instants, across midnight and zones`() throws {
        var fixture = try TripFixture(zone: "America/New_York")
        for (name, start, zone) in [
            ("late", "2026-06-12T23:30:00-04:00", "America/New_York"),
            ("next day", "2026-06-13T12:00:00+08:00", "Asia/Shanghai"),
        ] {
            let game = Game(
                gameID: name, title: name, startsAt: try #require(OffsetDateTime(start)), timeZone: zone)
            _ = try fixture.add(.game(game))
        }
        let problems = fixture.trip.problems
        #expect(problems.map(\.kind) == [.gamesOverlap])
        #expect(problems.map(\.day) == [2], "the day of the first of them")
        #expect(problems.first?.items == fixture.trip.shownIDs)
    }

    @Test
    func `R-CONFLICT: travel made invalid by a change of the schedule or a city is reported, not moved`()
        throws
    {
        var fixture = try TripFixture()
        let chicago = try fixture.game("c", city: "Chicago", day: 1, minute: 720)
        let travel = try fixture.travel("Chicago", "Detroit", at: .after(chicago, day: 1))
        let position = try fixture.item(travel).position
        let later = try #require(OffsetDateTime("2026-06-13T12:00:00Z"))
        try fixture.apply(.update(chicago, [.startsAt(later)]))
        #expect(fixture.trip.problems.map(\.kind) == [.travelInvalid])
        #expect(fixture.trip.problems.map(\.items) == [[travel]])
        #expect(fixture.trip.problems.map(\.day) == [1])
        #expect(
            fixture.trip.problems.map(\.message) == ["Chicago → Detroit: it must be on a day from 3 to 5"])
        #expect(try fixture.item(travel).position == position)
        try fixture.apply(.update(travel, [.fromCity("Boston")]))
        #expect(kinds(fixture) == [.eventNotReached])
        try fixture.apply(.update(travel, [.fromCity("CHICAGO")]))
        #expect(kinds(fixture) == [.travelInvalid])
    }

    @Test func `R-CONFLICT: a game outside the trip is reported, and is in no other problem`() throws {
        var fixture = try TripFixture(days: 2)
        let before = try fixture.game("a", city: "X", day: 0, minute: 60)
        let after = try fixture.game("b", city: "Y", day: 3, minute: 60)
        let same = try fixture.game("c", city: "Z", day: 3, minute: 60)
        #expect(fixture.trip.problems.map(\.items) == [[before], [after], [same]])
        #expect(Set(kinds(fixture)) == [.gameOutsideTrip])
        #expect(fixture.trip.problems.map(\.day) == [0, 3, 3])
        #expect(fixture.trip.problems.first?.message == "a is before the first day of the trip")
        #expect(fixture.trip.problems.last?.message == "c is after the last day of the trip")
        try fixture.apply(.trip(TripChange(dayCount: 3)))
        #expect(
            kinds(fixture) == [.gameOutsideTrip, .gamesInDifferentCities, .gamesOverlap])
    }

    @Test func `R-CONFLICT: the kinds have their protocol names, and no problem occurs twice`() {
        #expect(
            Problem.Kind.allCases.map(\.rawValue) == [
                "games_in_different_cities", "games_overlap", "travel_invalid", "game_outside_trip",
                "out_of_time", "stay_outside_trip", "night_without_stay", "stay_after_departure",
                "event_not_reached", "cancelled_event", "other_clock",
            ])
    }

    @Test func `R-CONFLICT: a trip of overlapping games has no more problems than games`() throws {
        var fixture = try TripFixture()
        for number in 0..<200 {
            _ = try fixture.game("g\(number)", city: "X", day: 2, minute: number)
        }
        #expect(fixture.trip.problems.map(\.items) == [fixture.trip.shownIDs])
    }
}
