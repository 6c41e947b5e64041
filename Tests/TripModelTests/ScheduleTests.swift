import TestSupport
import Testing
import TripModel

@Suite struct ScheduleTests {
    private func add(
        _ fixture: inout TripFixture, _ gameID: String, _ start: String, zone: String? = nil
    ) throws -> ItemID {
        let start = try #require(OffsetDateTime(start))
        return try fixture.add(.game(Game(gameID: gameID, title: gameID, startsAt: start, timeZone: zone)))
    }

    private func place(_ start: String, zone: String?, trip: TripFixture) throws -> Position {
        var fixture = trip
        let game = try add(&fixture, "g", start, zone: zone)
        return try fixture.item(game).position
    }

    // MARK: R-DATA-03

    @Test(arguments: [
        ("2026-06-11T00:00:00-06:00", 1, 100.0), ("2026-06-11T13:00:59.999-06:00", 1, 880),
        ("2026-06-11T23:59:00-06:00", 1, 1539), ("2026-06-12T05:59:00Z", 1, 1539),
        ("2026-06-12T06:00:00Z", 2, 100), ("2026-06-11T21:00:00+02:00", 1, 880),
    ])
    func `R-DATA-03: a game's order is 100 + the minutes on the venue's wall clock, seconds dropped`(
        start: String, day: Int, order: Double
    ) throws {
        let fixture = try TripFixture(start: "2026-06-11", zone: "Pacific/Auckland")
        let position = try place(start, zone: "America/Mexico_City", trip: fixture)
        #expect(position == Position(day: day, sortOrder: order))
    }

    @Test func `R-DATA-03: the order follows the venue's zone, else the trip's, and not the text's offset`()
        throws
    {
        let fixture = try TripFixture(start: "2026-06-11", zone: "America/New_York")
        let start = "2026-06-12T03:30:00+00:00"
        #expect(try place(start, zone: nil, trip: fixture) == Position(day: 1, sortOrder: 100 + 23 * 60 + 30))
        #expect(
            try place(start, zone: "Europe/Berlin", trip: fixture)
                == Position(day: 2, sortOrder: 100 + 5 * 60 + 30))
    }

    @Test func `R-DATA-03: games of one minute get distinct orders by gameId, with room between them`() throws
    {
        var fixture = try TripFixture()
        let start = "2026-06-12T10:00:00Z"
        let third = try add(&fixture, "c", start)
        let first = try add(&fixture, "a", start)
        let second = try add(&fixture, "b", "2026-06-12T10:00:30Z")
        #expect(fixture.trip.shownIDs == [first, second, third])
        let orders = try [first, second, third].map { try fixture.order($0) }
        #expect(orders[0] == 700)
        #expect(zip(orders, orders.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 <= 1.0 / 1024 })
        let between = try fixture.custom("between", at: .after(first, day: 2))
        #expect(fixture.trip.shownIDs == [first, between, second, third])
        #expect(try [first, second, third].map { try fixture.order($0) } == orders)
    }

    @Test(arguments: 0..<6)
    func `R-DATA-03: the orders of games in one minute do not depend on when they were added`(seed: UInt64)
        throws
    {
        var random = SplitMix64(seed: seed)
        let names = (0..<12).map { "game-\($0)" }
        var reference: [String: Position] = [:]
        for _ in 0..<4 {
            var fixture = try TripFixture()
            for name in names.shuffled(using: &random) {
                _ = try add(&fixture, name, "2026-06-12T10:00:00Z")
            }
            let byName = Dictionary(
                uniqueKeysWithValues: fixture.trip.items.map { ($0.content.title, $0.position) })
            if reference.isEmpty { reference = byName }
            #expect(byName == reference)
            #expect(fixture.titles(onDay: 2) == names.sorted())
        }
    }

    @Test func `R-DATA-03: even if all games of a full trip start in one minute, items fit between any two`()
        throws
    {
        var fixture = try TripFixture()
        for number in 0..<1_100 {
            _ = try add(&fixture, "game-\(number)", "2026-06-12T10:00:00Z")
        }
        let items = fixture.trip.items
        for (above, below) in zip(items, items.dropFirst()) {
            #expect(below.position.sortOrder - above.position.sortOrder > 1e-6)
        }
        #expect(items.allSatisfy { (700..<701).contains($0.position.sortOrder) })
        let between = try fixture.custom("between", at: .after(items[500].id, day: 2))
        #expect(fixture.trip.shownIDs[501] == between)
    }

    @Test func `R-DATA-03: when a game leaves a minute the others return to their orders`() throws {
        var fixture = try TripFixture()
        let first = try add(&fixture, "a", "2026-06-12T10:00:00Z")
        let second = try add(&fixture, "b", "2026-06-12T10:00:00Z")
        let later = try #require(OffsetDateTime("2026-06-12T11:00:00Z"))
        try fixture.apply(.update(first, [.startsAt(later)]))
        #expect(try fixture.order(second) == 700 && fixture.order(first) == 760)
        try fixture.apply(.update(second, [.startsAt(later)]))
        #expect(try fixture.order(first) == 760 && fixture.order(second) > 760)
        try fixture.apply(.update(first, [.gameID("z")]))
        #expect(try fixture.order(second) == 760 && fixture.order(first) > 760)
        try fixture.apply(.remove(second))
        #expect(try fixture.order(first) == 760)
    }

    @Test func `R-DATA-03: gameId is unique in a trip, and free again after removal`() throws {
        var fixture = try TripFixture()
        let first = try fixture.game("a", day: 1, minute: 0)
        let second = try fixture.game("b", day: 1, minute: 60)
        let again = try fixture.gameContent("a", city: nil, day: 4, minute: 60)
        let id = ItemID(high: 1, low: 1)
        #expect(fixture.rejection(of: .add(id, again, to: nil)) == .duplicateGameID("a"))
        #expect(fixture.rejection(of: .update(second, [.gameID("a")])) == .duplicateGameID("a"))
        #expect(try fixture.isNoop(.update(first, [.gameID("a")])))
        try fixture.apply(.remove(first))
        #expect(fixture.rejection(of: .add(id, again, to: nil)) == nil)
    }

    @Test func `R-DATA-03: a new game has no placement`() throws {
        let fixture = try TripFixture()
        let game = try fixture.gameContent("a", city: nil, day: 4, minute: 60)
        guard
            case .invalid("to", _) = fixture.rejection(
                of: .add(ItemID(high: 1, low: 1), game, to: .end(day: 4)))
        else {
            Issue.record("a placement for a game must be refused")
            return
        }
    }

    // MARK: R-DAY

    @Test(arguments: [
        // New York 2026: forward on 8 March, back on 1 November.
        ("America/New_York", "2026-03-07", "2026-03-07T23:59:00-05:00", 1, 23 * 60 + 59),
        ("America/New_York", "2026-03-07", "2026-03-08T01:59:00-05:00", 2, 119),
        ("America/New_York", "2026-03-07", "2026-03-08T03:00:00-04:00", 2, 180),
        ("America/New_York", "2026-03-07", "2026-03-09T00:00:00-04:00", 3, 0),
        ("America/New_York", "2026-03-07", "2026-03-08T23:30:00-04:00", 2, 23 * 60 + 30),
        ("America/New_York", "2026-10-31", "2026-11-01T01:30:00-04:00", 2, 90),
        ("America/New_York", "2026-10-31", "2026-11-01T01:30:00-05:00", 2, 90),
        ("America/New_York", "2026-10-31", "2026-11-01T23:30:00-05:00", 2, 23 * 60 + 30),
        ("America/New_York", "2026-10-31", "2026-11-02T00:00:00-05:00", 3, 0),
        // Berlin 2026: forward on 29 March, back on 25 October.
        ("Europe/Berlin", "2026-03-28", "2026-03-29T03:00:00+02:00", 2, 180),
        ("Europe/Berlin", "2026-03-28", "2026-03-30T00:00:00+02:00", 3, 0),
        ("Europe/Berlin", "2026-10-24", "2026-10-25T02:30:00+01:00", 2, 150),
        ("Europe/Berlin", "2026-10-24", "2026-10-26T00:00:00+01:00", 3, 0),
        // Lord Howe changes by half an hour: back on 5 April, forward on 4 October 2026.
        ("Australia/Lord_Howe", "2026-04-04", "2026-04-05T01:45:00+10:30", 2, 105),
        ("Australia/Lord_Howe", "2026-04-04", "2026-04-06T00:00:00+10:30", 3, 0),
        ("Australia/Lord_Howe", "2026-10-03", "2026-10-04T02:30:00+11:00", 2, 150),
        ("Australia/Lord_Howe", "2026-10-03", "2026-10-05T00:00:00+11:00", 3, 0),
        // A year later, with all changes in between.
        ("America/New_York", "2026-03-01", "2027-02-28T00:00:00-05:00", 365, 0),
        ("America/New_York", "2026-03-01", "2026-07-01T00:00:00-04:00", 123, 0),
    ])
    func `R-DAY: day numbers are right across daylight-saving changes`(
        zone: String, first: String, start: String, day: Int, minute: Int
    ) throws {
        let fixture = try TripFixture(days: 366, start: first, zone: zone)
        let expected = Position(day: day, sortOrder: 100 + Double(minute))
        #expect(try place(start, zone: nil, trip: fixture) == expected)
        #expect(try place(start, zone: zone, trip: TripFixture(days: 366, start: first)) == expected)
    }

    @Test(arguments: [
        ("Pacific/Auckland", 1, 22 * 60), ("Pacific/Honolulu", 1, 0), ("Pacific/Apia", 1, 23 * 60),
        ("Pacific/Kiritimati", 2, 0), ("Pacific/Pago_Pago", 0, 23 * 60),
        ("Asia/Kathmandu", 1, 15 * 60 + 45),
    ])
    func `R-DAY: one instant falls on different days on both sides of the date line`(
        zone: String, day: Int, minute: Int
    ) throws {
        // 10:00 UTC on 12 June.
        let fixture = try TripFixture(start: "2026-06-12", zone: "UTC")
        let position = try place("2026-06-12T10:00:00Z", zone: zone, trip: fixture)
        #expect(position == Position(day: day, sortOrder: 100 + Double(minute)))
    }

    @Test func `R-DAY: 30 December 2011, which Apia skipped, still has a day number`() throws {
        let fixture = try TripFixture(start: "2011-12-28", zone: "Pacific/Apia")
        let before = try place("2011-12-29T23:59:00-10:00", zone: nil, trip: fixture)
        let after = try place("2011-12-31T00:00:00+14:00", zone: nil, trip: fixture)
        #expect(before == Position(day: 2, sortOrder: 1539))
        #expect(after == Position(day: 4, sortOrder: 100))
    }

    @Test(arguments: [
        ("2028-02-28", "2028-02-29T12:00:00Z", 2), ("2028-02-28", "2028-03-01T12:00:00Z", 3),
        ("2027-02-28", "2027-03-01T12:00:00Z", 2), ("2100-02-28", "2100-03-01T12:00:00Z", 2),
        ("2000-02-28", "2000-03-01T12:00:00Z", 3), ("2026-12-31", "2027-01-01T00:00:00Z", 2),
        ("2027-12-31", "2028-12-31T00:00:00Z", 367), ("2026-01-01", "2025-12-31T23:59:59Z", 0),
        ("2026-01-01", "2024-12-31T00:00:00Z", -365),
    ])
    func `R-DAY: day numbers are right over leap days and year ends`(first: String, start: String, day: Int)
        throws
    {
        #expect(try place(start, zone: nil, trip: TripFixture(start: first)).day == day)
    }

    @Test func `R-DAY: the date of a day number has that day number`() throws {
        let header = try TripFixture.header(days: 366, start: "2027-12-30")
        #expect(header.date(ofDay: 1) == CalendarDate("2027-12-30"))
        #expect(header.date(ofDay: 3) == CalendarDate("2028-01-01"))
        #expect(header.date(ofDay: 62) == CalendarDate("2028-02-29"))
        #expect(header.date(ofDay: 0) == CalendarDate("2027-12-29"))
        for day in -400...800 {
            let date = try #require(header.date(ofDay: day))
            #expect(header.dayNumber(of: date) == day)
        }
        #expect(header.date(ofDay: .max) == nil)
        #expect(header.date(ofDay: .min) == nil)
    }

    @Test func `R-DAY: a game whose local date is outside the supported years is refused`() throws {
        let fixture = try TripFixture()
        for (start, zone) in [
            ("9999-12-31T23:00:00Z", "Pacific/Auckland"), ("1583-01-01T00:00:00Z", "America/New_York"),
        ] {
            let game = Game(
                gameID: "g", title: "g", startsAt: try #require(OffsetDateTime(start)), timeZone: zone)
            let rejection = fixture.rejection(of: .add(ItemID(high: 1, low: 1), .game(game), to: nil))
            guard case .invalid("startsAt", _) = rejection else {
                Issue.record("\(start) in \(zone) must be refused")
                continue
            }
        }
    }
}
