import Testing

@testable import TripModel

/// Travel from or to home, with a side that no game constrains.
@Suite struct OpenSideTests {
    /// Games in Tokyo on day 1 and in Hiroshima on day 3 of five days.
    private func tokyoThenHiroshima() throws -> (fixture: TripFixture, tokyo: ItemID, hiroshima: ItemID) {
        var fixture = try TripFixture()
        let tokyo = try fixture.game("t", city: "Tokyo", day: 1, minute: 1080)
        let hiroshima = try fixture.game("h", city: "Hiroshima", day: 3, minute: 1080)
        return (fixture, tokyo, hiroshima)
    }

    private func home(after: TravelSide? = nil, before: TravelSide? = nil) -> Travel {
        Travel(fromCity: "Hiroshima", toCity: "Tokyo", afterGame: after, beforeGame: before)
    }

    @Test func `an open side extends the valid days to the trip's end or beginning, and lists no barrier`()
        throws
    {
        let (fixture, tokyo, hiroshima) = try tokyoThenHiroshima()
        let trip = fixture.trip
        #expect(trip.validDays(for: .travel(home(before: .open))) == 3...5)
        #expect(trip.barriers(for: .travel(home(before: .open))) == [hiroshima])
        #expect(trip.validDays(for: .travel(home(after: .open))) == 1...1)
        #expect(trip.barriers(for: .travel(home(after: .open))) == [tokyo])
        #expect(trip.validDays(for: .travel(home(after: .open, before: .open))) == 1...5)
        #expect(trip.barriers(for: .travel(home(after: .open, before: .open))) == [])
    }

    @Test func `an absent side is constrained by its city, and the refusal names both games`() throws {
        let (fixture, tokyo, hiroshima) = try tokyoThenHiroshima()
        let refusal = try #require(fixture.refusal(.travel(home()), day: 4, order: 1))
        #expect(refusal == .noValidPosition(after: hiroshima, before: tokyo))
        #expect(
            fixture.trip.explanation(of: refusal)
                == "h (day 3) is not before t (day 1), so it has no place; "
                + "afterGame=none or beforeGame=none opens a side")
    }

    @Test func `a program opens the arrival first, or the one side that makes a place on the day valid`()
        throws
    {
        let trip = try tokyoThenHiroshima().fixture.trip
        func side(_ travel: Travel, _ day: Int? = nil) -> ItemField? {
            trip.openingSide(of: travel, onDay: day)?.side
        }
        #expect(side(home()) == .beforeGame)
        #expect(side(home(), 4) == .beforeGame)
        #expect(side(home(), 1) == .afterGame)
        #expect(side(home(), 2) == nil, "neither side gives a place on day 2")
        #expect(trip.openingSide(of: home())?.travel == home(before: .open))
        #expect(
            trip.openedSentence(for: home(before: .open), .beforeGame)
                == "Nothing to reach in Tokyo: its events are earlier (beforeGame=none).")
    }

    @Test func `no side is opened if there is a valid place, or if the side names a game`() throws {
        let (fixture, tokyo, hiroshima) = try tokyoThenHiroshima()
        let there = Travel(fromCity: "Tokyo", toCity: "Hiroshima")
        #expect(fixture.trip.openingSide(of: there) == nil)
        #expect(fixture.trip.openingSide(of: there, onDay: 2) == nil)
        #expect(fixture.trip.openingSide(of: home(after: .game(hiroshima), before: .game(tokyo))) == nil)
        #expect(fixture.trip.openingSide(of: home(before: .game(tokyo)))?.side == .afterGame)
    }

    @Test func `travel that a later game makes invalid is a problem with the games and a solution`()
        throws
    {
        var fixture = try TripFixture()
        let tokyo = try fixture.game("t", city: "Tokyo", day: 2, minute: 1080)
        let out = ItemID(high: 9, low: 9)
        try fixture.apply(.add(out, TripFixture.travel("Los Angeles", "Tokyo"), to: .start(day: 1)))
        let later = try fixture.game("l", city: "Los Angeles", day: 5, minute: 1080)
        let problem = try #require(fixture.trip.problems.first)
        #expect(problem.kind == .travelInvalid && problem.items == [out])
        #expect(problem.games == Problem.BetweenGames(after: later, before: tokyo))
        #expect(
            problem.message
                == "Los Angeles → Tokyo: l (day 5) is not before t (day 2); "
                + "edit \(fixture.trip.header.slug) \(out.description.prefix(8)) afterGame=none")
        #expect(problem.reason == "Los Angeles → Tokyo: l (day 5) is not before t (day 2)")
        try fixture.apply(.update(out, [.afterGame(.open)]))
        #expect(fixture.trip.problems.map(\.kind) == [.eventNotReached], "it leads to Tokyo")
    }

    @Test func `a problem contains the games and a solution even if both are on one day`() throws {
        var fixture = try TripFixture()
        let rome = try fixture.game("r", city: "Rome", day: 3, minute: 600)
        let oslo = try fixture.game("o", city: "Oslo", day: 3, minute: 1200)
        _ = try fixture.travel("Rome", "Oslo", at: .after(rome, day: 3))
        try fixture.apply(
            .update(rome, [.startsAt(try #require(OffsetDateTime("2026-06-13T22:00:00Z")))]))
        let problem = try #require(fixture.trip.problems.first { $0.kind == .travelInvalid })
        #expect(problem.games == Problem.BetweenGames(after: rome, before: oslo))
        #expect(problem.reason == "Rome → Oslo: r (day 3, 22:00) is not before o (20:00)")
        #expect(problem.message.hasSuffix(" afterGame=none"), "\(problem.message)")
    }

    @Test func `travel before a second visit to a city gets the event of the visit that it reaches`() throws {
        var fixture = try TripFixture()
        _ = try fixture.game("d", city: "Dallas", day: 2, minute: 600)
        let second = try fixture.game("it's on", city: "Toronto", day: 5, minute: 600)
        let flight = try fixture.travel("Dallas", "Toronto", at: .start(day: 4))
        _ = try fixture.game("first", city: "Toronto", day: 1, minute: 600)
        let problem = try #require(fixture.trip.problems.first { $0.items == [flight] })
        #expect(problem.message.hasSuffix(" beforeGame='it'\\''s on'"), "\(problem.message)")
        let item = try #require(fixture.trip[flight])
        let remedy = try #require(fixture.trip.remedy(for: item))
        #expect(remedy == (.beforeGame, .game(second)))
        try fixture.apply(.update(flight, [FieldChange(remedy.side, .side(remedy.value))]))
        #expect(fixture.trip.problems == [])
    }
}
