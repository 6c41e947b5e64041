import Testing
import TripModel

@Suite struct ConstraintTests {
    /// Chicago plays on day 1 and Detroit on day 3, both at noon (order 820).
    private func chicagoThenDetroit() throws -> (TripFixture, chicago: ItemID, detroit: ItemID) {
        var fixture = try TripFixture()
        let chicago = try fixture.game("c", city: "Chicago", day: 1, minute: 720)
        let detroit = try fixture.game("d", city: "Detroit", day: 3, minute: 720)
        return (fixture, chicago, detroit)
    }

    // MARK: Cases of the design

    @Test
    func `R-CONS-02: Chicago game day 1 and Detroit game day 3: travel Chicago→Detroit is valid on 1…3`()
        throws
    {
        let (fixture, chicago, detroit) = try chicagoThenDetroit()
        let travel = TripFixture.travel("Chicago", "Detroit")
        #expect(fixture.trip.validDays(for: travel) == 1...3)
        #expect(fixture.refusal(travel, day: 1, order: 819) == .beforeDepartureGame([chicago]))
        #expect(fixture.refusal(travel, day: 1, order: 821) == nil)
        #expect(fixture.refusal(travel, day: 2, order: -7) == nil)
        #expect(fixture.refusal(travel, day: 3, order: 819) == nil)
        #expect(fixture.refusal(travel, day: 3, order: 821) == .afterArrivalGame([detroit]))
        #expect(fixture.refusal(travel, day: 4, order: 1) == .outsideValidDays(1...3))
    }

    @Test func `R-CONS-02: Chicago game day 3, Detroit game day 1: no place is valid for Chicago→Detroit`()
        throws
    {
        let (fixture, chicago, detroit) = try chicagoThenDetroit()
        let travel = TripFixture.travel("Detroit", "Chicago")
        let nowhere = PlaceRefusal.noValidPosition(after: detroit, before: chicago)
        #expect(fixture.trip.validDays(for: travel) == nil)
        for day in 1...5 {
            for order in [-1, 1, 820, 821, 1e6] {
                #expect(fixture.refusal(travel, day: day, order: order) == nowhere)
            }
        }
        #expect(fixture.trip.gaps(for: travel).gaps.allSatisfy { $0.refusal == nowhere })
        let add = Edit.add(ItemID(high: 1, low: 1), travel, to: nil)
        #expect(fixture.rejection(of: add) == .place(nowhere))
    }

    @Test func `R-CONS-03: a game at order 100 refuses travel at 50 and allows 150`() throws {
        var fixture = try TripFixture()
        let game = try fixture.game("c", city: "Chicago", day: 1, minute: 0)
        #expect(try fixture.order(game) == 100)
        let travel = TripFixture.travel("Chicago", "Detroit")
        #expect(fixture.refusal(travel, day: 1, order: 50) == .beforeDepartureGame([game]))
        #expect(fixture.refusal(travel, day: 1, order: 100) == .beforeDepartureGame([game]), "strictly after")
        #expect(fixture.refusal(travel, day: 1, order: 150) == nil)
    }

    @Test func `R-CONS-03: two departure games on a day refuse a place between them`() throws {
        var fixture = try TripFixture()
        let early = try fixture.game("a", city: "Chicago", day: 2, minute: 600)
        let late = try fixture.game("b", city: "Chicago", day: 2, minute: 900)
        let travel = TripFixture.travel("Chicago", "Detroit")
        #expect(fixture.refusal(travel, day: 2, order: 650) == .beforeDepartureGame([early, late]))
        #expect(fixture.refusal(travel, day: 2, order: 850) == .beforeDepartureGame([late]))
        #expect(fixture.refusal(travel, day: 2, order: 1000) == .beforeDepartureGame([late]), "level with it")
        #expect(fixture.refusal(travel, day: 2, order: 1000.5) == nil)
    }

    @Test func `R-CONS-03: two arrival games on a day likewise refuse a place between them`() throws {
        var fixture = try TripFixture()
        let early = try fixture.game("a", city: "Detroit", day: 2, minute: 600)
        let late = try fixture.game("b", city: "Detroit", day: 2, minute: 900)
        let travel = TripFixture.travel("Chicago", "Detroit")
        #expect(fixture.refusal(travel, day: 2, order: 699.5) == nil)
        #expect(fixture.refusal(travel, day: 2, order: 700) == .afterArrivalGame([early]), "level with it")
        #expect(fixture.refusal(travel, day: 2, order: 850) == .afterArrivalGame([early]))
        #expect(fixture.refusal(travel, day: 2, order: 1050) == .afterArrivalGame([early, late]))
    }

    @Test(arguments: [-1e15, -3, 0, 0.5, 100, 820, 1e15])
    func `R-CONS-03: rest days allow any order`(order: Double) throws {
        let (fixture, _, _) = try chicagoThenDetroit()
        #expect(fixture.refusal(TripFixture.travel("Chicago", "Detroit"), day: 2, order: order) == nil)
    }

    @Test(arguments: 1...5)
    func `R-CONS-04: custom items allow every day 1…5 and any order`(day: Int) throws {
        let (fixture, _, _) = try chicagoThenDetroit()
        let custom = TripFixture.custom("Lunch")
        #expect(fixture.trip.validDays(for: custom) == 1...5)
        for order in [-1e15, -3, 0, 0.5, 100, 820, 1e15] {
            #expect(fixture.refusal(custom, day: day, order: order) == nil)
            #expect(
                fixture.rejection(
                    of: .add(ItemID(high: 1, low: 1), custom, to: .order(order, day: day))) == nil)
        }
    }

    // MARK: The rest of the rules

    @Test func `R-CONS-01: a game cannot be moved to any place`() throws {
        let (fixture, chicago, detroit) = try chicagoThenDetroit()
        let content = try fixture.item(chicago).content
        #expect(fixture.trip.validDays(for: content) == nil)
        #expect(fixture.trip.barriers(for: content) == [])
        let report = try #require(fixture.trip.gaps(for: chicago))
        #expect(report.gaps.allSatisfy { $0.refusal == .gameImmovable })
        let placements: [Placement] = [
            .start(day: 1), .end(day: 2), .after(detroit, day: 3), .before(detroit, day: 3),
            .order(820, day: 1), .order(5, day: 9), .after(chicago, day: 1),
        ]
        for placement in placements {
            #expect(fixture.rejection(of: .move(chicago, to: placement)) == .place(.gameImmovable))
        }
    }

    @Test func `R-CONS-02: a side is open if its city has no games`() throws {
        let (fixture, _, _) = try chicagoThenDetroit()
        #expect(fixture.trip.validDays(for: TripFixture.travel("Chicago", "Boston")) == 1...5)
        #expect(fixture.trip.validDays(for: TripFixture.travel("Detroit", "Boston")) == 3...5)
        #expect(fixture.trip.validDays(for: TripFixture.travel("Boston", "Detroit")) == 1...3)
        #expect(fixture.trip.validDays(for: TripFixture.travel("Boston", "Chicago")) == 1...1)
        #expect(fixture.trip.validDays(for: TripFixture.travel("Boston", "Lima")) == 1...5)
    }

    @Test func `R-CONS-02: the last departure day and the first arrival day bind, of several`() throws {
        var fixture = try TripFixture(days: 9)
        for (name, day) in [("a", 1), ("b", 4), ("c", 2)] {
            _ = try fixture.game(name, city: "Chicago", day: day, minute: 60)
        }
        for (name, day) in [("d", 9), ("e", 6), ("f", 8)] {
            _ = try fixture.game(name, city: "Detroit", day: day, minute: 60)
        }
        #expect(fixture.trip.validDays(for: TripFixture.travel("Chicago", "Detroit")) == 4...6)
        #expect(fixture.trip.validDays(for: TripFixture.travel("Detroit", "Chicago")) == nil)
    }

    @Test func `R-CONS-03: departure and arrival on one day allow only the places between them, if any`()
        throws
    {
        var fixture = try TripFixture()
        let departure = try fixture.game("a", city: "Chicago", day: 2, minute: 600)
        let arrival = try fixture.game("b", city: "Detroit", day: 2, minute: 900)
        let there = TripFixture.travel("Chicago", "Detroit")
        #expect(fixture.trip.validDays(for: there) == 2...2)
        #expect(
            fixture.trip.gaps(for: there).gaps.filter(\.isValid).map(\.placement) == [
                .after(departure, day: 2)
            ])
        let back = TripFixture.travel("Detroit", "Chicago")
        #expect(fixture.trip.gaps(for: back).gaps.allSatisfy { !$0.isValid })
        #expect(
            fixture.rejection(of: .add(ItemID(high: 1, low: 1), back, to: nil))
                == .place(.noValidPosition(after: arrival, before: departure)))
        #expect(fixture.refusal(back, day: 2, order: 850) == .beforeDepartureGame([arrival]))
    }

    @Test(arguments: [-1, 0, 6, .min, .max])
    func `R-CONS-04: day 0, −1 and dayCount + 1 are invalid for all`(day: Int) throws {
        var (fixture, chicago, _) = try chicagoThenDetroit()
        let lunch = try fixture.custom("Lunch")
        let travel = try fixture.travel("Chicago", "Detroit")
        let refusal = PlaceRefusal.dayOutOfRange(day: day, dayCount: 5)
        for id in [lunch, travel] {
            let content = try fixture.item(id).content
            #expect(fixture.refusal(content, day: day, order: 1) == refusal)
            for placement in [Placement.start(day: day), .end(day: day), .order(1, day: day)] {
                #expect(fixture.rejection(of: .move(id, to: placement)) == .place(refusal))
            }
        }
        #expect(fixture.rejection(of: .move(chicago, to: .start(day: day))) != nil)
    }

    @Test(arguments: [
        ("São Paulo", "sao paulo"), ("Sa\u{303}o Paulo", "SÃO  PAULO"), ("Montréal", " montreal "),
        ("Kansas City", "kansas\u{A0}city"), ("Köln", "KÖLN"), ("Córdoba", "CORDOBA"),
    ])
    func `R-CONS-02: city names compare without case, accents or extra space`(game: String, travel: String)
        throws
    {
        var fixture = try TripFixture()
        _ = try fixture.game("g", city: game, day: 3, minute: 60)
        #expect(fixture.trip.validDays(for: TripFixture.travel(travel, "Lima")) == 3...5)
        #expect(fixture.trip.validDays(for: TripFixture.travel("Lima", travel)) == 1...3)
    }

    @Test(arguments: [
        ("game-Chicago-0001", "Chicago"), ("game-Mexico_City-001", "mexico city"),
        ("game-Winston-Salem-7", "Winston-Salem"), ("game-New_York_New_Jersey-1", "New York New Jersey"),
    ])
    func `R-CONS-02: a game without a city has the one in its gameId`(gameID: String, city: String) throws {
        var fixture = try TripFixture()
        _ = try fixture.game(gameID, day: 3, minute: 60)
        #expect(fixture.trip.validDays(for: TripFixture.travel(city, "Lima")) == 3...5)
    }

    @Test(arguments: ["game-", "game--1", "g-Lima-1", "game-Lima"])
    func `R-CONS-02: no city is read from other gameIds`(gameID: String) throws {
        let start = try #require(OffsetDateTime("2026-06-11T10:00:00Z"))
        #expect(Game(gameID: gameID, title: "t", startsAt: start).effectiveCity == nil)
    }
}
