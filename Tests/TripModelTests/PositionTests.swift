import Testing
import TripModel

@Suite struct PositionTests {
    @Test func `R-DATA-01: every item has a day and a finite order within ±1e15`() throws {
        var fixture = try TripFixture()
        _ = try fixture.game("g", day: 2, minute: 30)
        _ = try fixture.travel("A", "B")
        _ = try fixture.custom("c", at: .order(-1e15, day: 3))
        _ = try fixture.custom("d", at: .order(1e15, day: 3))
        #expect(
            fixture.trip.items.map(\.position) == [
                Position(day: 1, sortOrder: 1), Position(day: 2, sortOrder: 130),
                Position(day: 3, sortOrder: -1e15), Position(day: 3, sortOrder: 1e15),
            ])
    }

    @Test(arguments: [1.1e15, -1.1e15, .infinity, -.infinity, .nan, .greatestFiniteMagnitude])
    func `R-DATA-01: an order that is not finite or beyond ±1e15 is refused, for moves and new items`(
        order: Double
    ) throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch")
        let edits: [Edit] = [
            .move(lunch, to: .order(order, day: 2)),
            .add(ItemID(high: 1, low: 1), TripFixture.custom("New"), to: .order(order, day: 2)),
        ]
        for edit in edits {
            guard case .invalid("sortOrder", _) = fixture.rejection(of: edit) else {
                Issue.record("\(edit) must be refused as an invalid sortOrder")
                continue
            }
        }
    }

    @Test func `R-DATA-01: negative zero is zero`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch", at: .order(-0.0, day: 2))
        #expect(try fixture.order(lunch).sign == .plus)
        #expect(try fixture.isNoop(.move(lunch, to: .order(0, day: 2))))
    }

    @Test func `R-DATA-02: travel is placed and moved by its own order, like any other item`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch", at: .order(5, day: 2))
        let travel = try fixture.travel("A", "B", at: .after(lunch, day: 2))
        #expect(try fixture.order(travel) == 6)
        try fixture.move(travel, to: .before(lunch, day: 2))
        #expect(try fixture.order(travel) == -1)
        try fixture.move(travel, to: .order(77.5, day: 4))
        #expect(try fixture.item(travel).position == Position(day: 4, sortOrder: 77.5))
        let dinner = try fixture.custom("Dinner", at: .before(travel, day: 4))
        #expect(fixture.trip.items(onDay: 4).map(\.id) == [dinner, travel])
    }

    @Test func `R-DATA-04: a custom item can go anywhere within a day, also between games`() throws {
        var fixture = try TripFixture()
        let early = try fixture.game("a", city: "X", day: 2, minute: 600)
        let late = try fixture.game("b", city: "X", day: 2, minute: 900)
        let lunch = try fixture.custom("Lunch")
        try fixture.move(lunch, to: .after(early, day: 2))
        #expect(try fixture.order(lunch) == 850)
        try fixture.move(lunch, to: .after(late, day: 2))
        #expect(try fixture.order(lunch) == 1001)
        try fixture.move(lunch, to: .before(early, day: 2))
        #expect(try fixture.order(lunch) == -1)
        for day in 1...5 {
            try fixture.move(lunch, to: .end(day: day))
            #expect(try fixture.day(lunch) == day)
        }
    }

    @Test func `R-DATA-05: an item is on exactly one day, and only games may be outside the trip`() throws {
        var fixture = try TripFixture()
        let before = try fixture.game("before", day: -3, minute: 60)
        let after = try fixture.game("after", day: 6, minute: 60)
        #expect(try fixture.day(before) == -3)
        #expect(try fixture.day(after) == 6)
        let lunch = try fixture.custom("Lunch")
        for day in [3, 5, 1] {
            try fixture.move(lunch, to: .start(day: day))
            #expect(
                (-9...9).filter { day in fixture.trip.items(onDay: day).contains { $0.id == lunch } } == [day]
            )
        }
        #expect(fixture.trip.shownIDs == [before, lunch, after])
    }

    @Test func `R-DATA-05: a game outside the trip constrains nothing, and nothing can be placed beside it`()
        throws
    {
        var fixture = try TripFixture()
        let outside = try fixture.game("g", city: "Chicago", day: 6, minute: 60)
        _ = try fixture.game("h", city: "Detroit", day: 0, minute: 60)
        for city in ["Chicago", "Detroit"] {
            for travel in [TripFixture.travel(city, "X"), TripFixture.travel("X", city)] {
                #expect(fixture.trip.validDays(for: travel) == 1...5)
                #expect(fixture.trip.barriers(for: travel) == [])
            }
        }
        let lunch = try fixture.custom("Lunch")
        #expect(
            fixture.rejection(of: .move(lunch, to: .after(outside, day: 6)))
                == .place(.dayOutOfRange(day: 6, dayCount: 5)))
        #expect(
            fixture.rejection(of: .move(lunch, to: .after(outside, day: 5)))
                == .anchorMoved(outside, nowOnDay: 6))
    }
}
