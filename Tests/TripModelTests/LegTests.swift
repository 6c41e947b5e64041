import Testing
import TripModel

@Suite struct LegTests {
    /// A round trip: Chicago plays on days 1 and 5, Detroit on day 3.
    private struct ThereAndBack {
        var fixture: TripFixture
        let first: ItemID
        let detroit: ItemID
        let second: ItemID

        init() throws {
            fixture = try TripFixture(days: 6)
            first = try fixture.game("c1", city: "Chicago", day: 1, minute: 720)
            detroit = try fixture.game("d", city: "Detroit", day: 3, minute: 720)
            second = try fixture.game("c2", city: "Chicago", day: 5, minute: 720)
        }
    }

    @Test func `R-LEG: only a named game binds its side, instead of all games of the city`() throws {
        let trip = try ThereAndBack()
        let model = trip.fixture.trip
        #expect(model.validDays(for: TripFixture.travel("Chicago", "Detroit")) == nil)
        #expect(
            model.validDays(for: TripFixture.travel("Chicago", "Detroit", afterGame: trip.first)) == 1...3)
        #expect(model.validDays(for: TripFixture.travel("Detroit", "Chicago")) == nil)
        let back = TripFixture.travel("Detroit", "Chicago", beforeGame: trip.second)
        #expect(model.validDays(for: back) == 3...5)
        #expect(model.barriers(for: back) == [trip.detroit, trip.second])
        #expect(trip.fixture.refusal(back, day: 5, order: 821) == .afterArrivalGame([trip.second]))
        let both = TripFixture.travel("X", "Y", afterGame: trip.first, beforeGame: trip.detroit)
        #expect(model.validDays(for: both) == 1...3)
    }

    @Test func `R-LEG: of two games on the day only the named one binds`() throws {
        var fixture = try TripFixture()
        let early = try fixture.game("a", city: "Chicago", day: 2, minute: 600)
        _ = try fixture.game("b", city: "Chicago", day: 2, minute: 900)
        let travel = TripFixture.travel("Chicago", "Detroit", afterGame: early)
        #expect(fixture.refusal(travel, day: 2, order: 850) == nil)
        #expect(fixture.refusal(travel, day: 2, order: 699) == .beforeDepartureGame([early]))
    }

    @Test func `R-LEG: when the game is removed, the city binds again`() throws {
        var trip = try ThereAndBack()
        let content = TripFixture.travel("Chicago", "Detroit", afterGame: trip.first)
        let travel = try trip.fixture.add(content, to: .start(day: 2))
        try trip.fixture.apply(.remove(trip.first))
        #expect(try trip.fixture.item(travel).content == content, "the travel itself is not rewritten")
        #expect(trip.fixture.trip.validDays(for: content) == nil, "Chicago's day 5 is after Detroit's day 3")
        #expect(trip.fixture.trip.barriers(for: content) == [trip.second, trip.detroit])
        #expect(trip.fixture.trip.problems.map(\.items) == [[travel]])
        // An item of another kind with the same id is not a game.
        try trip.fixture.apply(.add(trip.first, TripFixture.custom("not a game"), to: .end(day: 6)))
        #expect(trip.fixture.trip.validDays(for: content) == nil)
    }

    @Test func `R-LEG: when the game falls outside the trip, the city binds again`() throws {
        var trip = try ThereAndBack()
        let content = TripFixture.travel("Detroit", "Chicago", beforeGame: trip.second)
        #expect(trip.fixture.trip.validDays(for: content) == 3...5)
        try trip.fixture.apply(.trip(TripChange(dayCount: 4)))
        #expect(trip.fixture.trip.validDays(for: content) == nil, "Chicago's day 1 is before Detroit's day 3")
        #expect(trip.fixture.trip.barriers(for: content) == [trip.detroit, trip.first])
        try trip.fixture.apply(.trip(TripChange(dayCount: 6)))
        #expect(trip.fixture.trip.validDays(for: content) == 3...5)
    }

    @Test func `R-LEG: an id that is not a game of the trip is refused`() throws {
        var trip = try ThereAndBack()
        let lunch = try trip.fixture.custom("Lunch")
        let new = ItemID(high: 1, low: 1)
        for (content, field) in [
            (TripFixture.travel("A", "B", afterGame: lunch), "afterGame"),
            (TripFixture.travel("A", "B", beforeGame: new), "beforeGame"),
        ] {
            guard case .invalid(let named, _) = trip.fixture.rejection(of: .add(new, content, to: nil)) else {
                Issue.record("\(field) must be refused")
                continue
            }
            #expect(named == field)
        }
        let travel = try trip.fixture.travel("X", "Y")
        guard
            case .invalid("beforeGame", _) = trip.fixture.rejection(
                of: .update(travel, [.beforeGame(.game(lunch))]))
        else {
            Issue.record("an update is held to the same rule")
            return
        }
        try trip.fixture.apply(.update(travel, [.beforeGame(.game(trip.detroit))]))
        #expect(trip.fixture.trip.barriers(for: try trip.fixture.item(travel).content) == [trip.detroit])
    }

    @Test
    func `R-BARRIER: the binding games are the last of the departure and the first of the arrival city`()
        throws
    {
        var fixture = try TripFixture(days: 8)
        _ = try fixture.game("a", city: "Chicago", day: 1, minute: 60)
        let late = try fixture.game("b", city: "Chicago", day: 2, minute: 900)
        let early = try fixture.game("c", city: "Chicago", day: 2, minute: 60)
        let arrivals = [
            try fixture.game("d", city: "Detroit", day: 5, minute: 60),
            try fixture.game("e", city: "Detroit", day: 5, minute: 900),
        ]
        _ = try fixture.game("f", city: "Detroit", day: 6, minute: 60)
        let travel = TripFixture.travel("Chicago", "Detroit")
        #expect(fixture.trip.barriers(for: travel) == [early, late] + arrivals)
        #expect(fixture.trip.gaps(for: travel).barriers == [early, late] + arrivals)
        #expect(fixture.trip.barriers(for: TripFixture.custom("x")) == [])
        #expect(fixture.trip.barriers(for: try fixture.item(late).content) == [])
        #expect(fixture.trip.barriers(for: TripFixture.travel("Lima", "Quito")) == [])
    }

    @Test func `R-BARRIER: the binding games are returned even if no position is valid`() throws {
        let trip = try ThereAndBack()
        let travel = TripFixture.travel("Chicago", "Detroit")
        #expect(trip.fixture.trip.validDays(for: travel) == nil)
        #expect(trip.fixture.trip.barriers(for: travel) == [trip.second, trip.detroit])
    }

    @Test func `R-REASON: a refusal contains the rule and the game, also in words`() throws {
        let trip = try ThereAndBack()
        let model = trip.fixture.trip
        let out = TripFixture.travel("Chicago", "Detroit", afterGame: trip.first)
        let early = try #require(trip.fixture.refusal(out, day: 1, order: 0))
        #expect(early == .beforeDepartureGame([trip.first]))
        #expect(model.explanation(of: early) == "it must be after c1 12:00")
        let late = try #require(trip.fixture.refusal(out, day: 3, order: 821))
        #expect(late == .afterArrivalGame([trip.detroit]))
        #expect(model.explanation(of: late) == "it must be before d 12:00")
        let far = try #require(trip.fixture.refusal(out, day: 4, order: 1))
        #expect(far == .outsideValidDays(1...3))
        #expect(model.explanation(of: far) == "it must be on a day from 1 to 3")
        let nowhere = try #require(
            trip.fixture.refusal(TripFixture.travel("Chicago", "Detroit"), day: 2, order: 1))
        #expect(nowhere == .noValidPosition(after: trip.second, before: trip.detroit))
        let outside = try #require(trip.fixture.refusal(out, day: 7, order: 1))
        #expect(model.explanation(of: outside) == "the trip has days 1 to 6, no day 7")
        let game = try trip.fixture.item(trip.first).content
        #expect(trip.fixture.refusal(game, day: 1, order: 820) == .gameImmovable)
    }

    @Test func `R-REASON: of any number of games a refusal contains the nearest few`() throws {
        var fixture = try TripFixture()
        var games: [ItemID] = []
        for number in 0..<30 {
            games.append(try fixture.game("g\(number)", city: "Chicago", day: 2, minute: number * 10))
        }
        let travel = TripFixture.travel("Chicago", "Detroit")
        guard case .beforeDepartureGame(let named) = fixture.refusal(travel, day: 2, order: 0) else {
            Issue.record("travel must come after all games")
            return
        }
        #expect(!named.isEmpty && named.count < 30)
        #expect(named == Array(games.suffix(named.count)))
    }
}
