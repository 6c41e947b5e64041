import Testing
import TripModel

@Suite struct TripEditTests {
    @Test func `R-EDIT: when the schedule moves, items keep their day and sortOrder`() throws {
        var fixture = try TripFixture()
        let game = try fixture.game("g", day: 2, minute: 600)
        let ids = [
            try fixture.custom("a", at: .before(game, day: 2)),
            try fixture.custom("b", at: .after(game, day: 2)),
        ]
        let positions = try ids.map { try fixture.item($0).position }
        let earlier = try #require(CalendarDate("2026-06-10"))
        try fixture.apply(.trip(TripChange(startDate: earlier)))
        #expect(try fixture.item(game).position == Position(day: 3, sortOrder: 700))
        try fixture.apply(.trip(TripChange(timeZone: "Asia/Tokyo")))
        #expect(try fixture.item(game).position == Position(day: 3, sortOrder: 700 + 540))
        #expect(try ids.map { try fixture.item($0).position } == positions)
        #expect(try fixture.item(game).modifiedAt == TripFixture.author.at)
    }

    @Test func `R-EDIT: a new zone of the trip moves only games without one of their own`() throws {
        var fixture = try TripFixture()
        let start = try #require(OffsetDateTime("2026-06-12T20:00:00Z"))
        let own = try fixture.add(
            .game(Game(gameID: "own", title: "own", startsAt: start, timeZone: "Europe/Berlin")))
        let trips = try fixture.add(.game(Game(gameID: "trip's", title: "trip's", startsAt: start)))
        try fixture.apply(.trip(TripChange(timeZone: "Asia/Tokyo")))
        #expect(try fixture.item(own).position == Position(day: 2, sortOrder: 100 + 22 * 60))
        #expect(try fixture.item(trips).position == Position(day: 3, sortOrder: 100 + 5 * 60))
    }

    @Test func `R-EDIT: shortening moves items of removed days to the end of the last day, and lists them`()
        throws
    {
        var fixture = try TripFixture()
        let stays = try fixture.custom("stays", at: .order(7, day: 2))
        let third = try fixture.custom("third", at: .order(50, day: 5))
        let first = try fixture.custom("first", at: .order(3, day: 3))
        let second = try fixture.travel("A", "B", at: .order(-1, day: 5))
        let game = try fixture.game("g", day: 4, minute: 60)
        let before = fixture.trip
        let commit = try fixture.apply(.trip(TripChange(dayCount: 2)))
        #expect(commit.displaced == [first, second, third])
        #expect(commit.respacedDays == [])
        #expect(fixture.trip.items(onDay: 2).map(\.id) == [stays, first, second, third])
        #expect(try [stays, first, second, third].map { try fixture.order($0) } == [7, 8, 9, 10])
        #expect(try fixture.day(game) == 4)
        #expect(fixture.trip.itemCount == before.itemCount, "nothing is ever deleted")
        #expect(fixture.trip.problems.map(\.kind) == [.gameOutsideTrip])
        let longer = try fixture.apply(.trip(TripChange(dayCount: 5)))
        #expect(longer.displaced == [] && longer.changes == [])
    }

    @Test func `R-EDIT: shortening moves items even to a last day whose orders are at the maximum`() throws {
        var fixture = try TripFixture()
        let bottom = try fixture.custom("bottom", at: .order(1e15, day: 1))
        let moved = [try fixture.custom("a", at: .end(day: 2)), try fixture.custom("b", at: .end(day: 2))]
        let commit = try fixture.apply(.trip(TripChange(dayCount: 1)))
        #expect(fixture.trip.shownIDs == [bottom] + moved)
        #expect(commit.displaced == moved && commit.respacedDays == [1])
    }

    @Test func `R-EDIT: a batch that shortens the trip twice lists each moved item once, in shown order`()
        throws
    {
        var fixture = try TripFixture()
        let late = try fixture.custom("late", at: .end(day: 5))
        let early = try fixture.custom("early", at: .end(day: 3))
        let commit = try fixture.apply(
            .trip(TripChange(dayCount: 4)), .move(early, to: .order(-5, day: 4)),
            .trip(TripChange(dayCount: 2)))
        #expect(fixture.trip.shownIDs == [early, late])
        #expect(commit.displaced == [early, late])
    }

    @Test func `R-EDIT: an item that is being dragged is moved too when its day is removed`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch", at: .end(day: 5))
        var guarding = EditGuard()
        guarding.heldItems = [lunch]
        let commit = try fixture.apply(.trip(TripChange(dayCount: 4)), guardedBy: guarding)
        #expect(commit.displaced == [lunch])
        #expect(try fixture.day(lunch) == 4)
    }

    @Test func `R-EDIT: a change of length and start together keeps games by date and items by day`() throws {
        var fixture = try TripFixture()
        let game = try fixture.game("g", day: 5, minute: 60)
        let lunch = try fixture.custom("Lunch", at: .end(day: 4))
        let start = try #require(CalendarDate("2026-06-14"))
        let commit = try fixture.apply(.trip(TripChange(startDate: start, dayCount: 2)))
        #expect(try fixture.day(game) == 2)
        #expect(commit.displaced == [lunch])
        #expect(fixture.trip.items(onDay: 2).map(\.id) == [game, lunch])
        #expect(commit.header?.before.applied(to: fixture.trip.header) == (try TripFixture.header()))
    }

    @Test func `R-EDIT: a game that is inside the lengthened trip binds travel again`() throws {
        var fixture = try TripFixture(days: 2)
        _ = try fixture.game("g", city: "Lima", day: 3, minute: 60)
        let travel = TripFixture.travel("Lima", "Quito")
        #expect(fixture.trip.validDays(for: travel) == 1...2)
        try fixture.apply(.trip(TripChange(dayCount: 4)))
        #expect(fixture.trip.validDays(for: travel) == 3...4)
    }

    @Test func `a trip change that changes nothing is a noop`() throws {
        let fixture = try TripFixture()
        let header = fixture.trip.header
        #expect(try fixture.isNoop(.trip(TripChange())))
        #expect(
            try fixture.isNoop(
                .trip(
                    TripChange(
                        name: header.name, slug: header.slug, startDate: header.startDate,
                        timeZone: header.timeZone, dayCount: header.dayCount))))
        #expect(try !fixture.isNoop(.trip(TripChange(name: "Winter"))))
    }

    @Test(arguments: [
        (TripChange(name: " "), "name"), (TripChange(slug: ""), "slug"), (TripChange(slug: "-a"), "slug"),
        (TripChange(slug: "A"), "slug"), (TripChange(slug: "a b"), "slug"),
        (TripChange(slug: "00000000-0000-0000-0000-000000000000"), "slug"),
        (TripChange(slug: String(repeating: "a", count: 64)), "slug"),
        (TripChange(timeZone: "Mars/Olympus"), "timeZone"), (TripChange(timeZone: ""), "timeZone"),
        (TripChange(timeZone: "../../../etc/localtime"), "timeZone"),
        (TripChange(dayCount: 0), "dayCount"), (TripChange(dayCount: -1), "dayCount"),
    ])
    func `a header that breaks a rule is refused`(change: TripChange, field: String) throws {
        let fixture = try TripFixture()
        guard case .invalid(let named, _) = fixture.rejection(of: .trip(change)) else {
            Issue.record("\(change) must be refused")
            return
        }
        #expect(named == field)
    }

    @Test func `a trip has at most 366 days, and its last day has a supported date`() throws {
        let fixture = try TripFixture()
        #expect(fixture.rejection(of: .trip(TripChange(dayCount: 366))) == nil)
        #expect(
            fixture.rejection(of: .trip(TripChange(dayCount: 367)))
                == .limitExceeded(.days, field: "dayCount"))
        let last = try #require(CalendarDate("9999-12-30"))
        guard case .invalid("startDate", _) = fixture.rejection(of: .trip(TripChange(startDate: last))) else {
            Issue.record("the trip would end after the year 9999")
            return
        }
    }
}
