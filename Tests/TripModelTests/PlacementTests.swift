import Testing
import TripModel

@Suite struct PlacementTests {
    /// Day 2 with only a, b and c at the given orders.
    private func three(_ orders: [Double]) throws -> (TripFixture, [ItemID]) {
        var fixture = try TripFixture()
        var ids: [ItemID] = []
        for (name, order) in zip(["a", "b", "c"], orders) {
            ids.append(try fixture.custom(name, at: .order(order, day: 2)))
        }
        return (fixture, ids)
    }

    @Test func `R-PERS-03: between two neighbours the order is their midpoint`() throws {
        var (fixture, ids) = try three([1, 4, 9])
        let new = try fixture.custom("n", at: .after(ids[0], day: 2))
        #expect(try fixture.order(new) == 2.5)
        let next = try fixture.custom("m", at: .before(ids[2], day: 2))
        #expect(try fixture.order(next) == 6.5)
    }

    @Test(arguments: [(5.0, -1.0), (0, -1), (-4, -5), (0.25, -1)])
    func `R-PERS-03: without a neighbour above, the order is min(hi, 0) − 1`(high: Double, expected: Double)
        throws
    {
        var (fixture, ids) = try three([high])
        let new = try fixture.custom("n", at: .before(ids[0], day: 2))
        #expect(try fixture.order(new) == expected)
        try fixture.move(new, to: .end(day: 5))
        try fixture.move(new, to: .start(day: 2))
        #expect(try fixture.order(new) == expected)
    }

    @Test(arguments: [(5.0, 6.0), (0, 1), (-4, 1), (0.25, 1.25)])
    func `R-PERS-03: without a neighbour below, the order is max(lo, 0) + 1`(low: Double, expected: Double)
        throws
    {
        var (fixture, ids) = try three([low])
        let new = try fixture.custom("n", at: .after(ids[0], day: 2))
        #expect(try fixture.order(new) == expected)
        try fixture.move(new, to: .end(day: 5))
        try fixture.move(new, to: .end(day: 2))
        #expect(try fixture.order(new) == expected)
    }

    @Test func `R-PERS-03: on an empty day, or one with only the item itself, the order is 1`() throws {
        var fixture = try TripFixture()
        let item = try fixture.custom("n", at: .order(42, day: 3))
        try fixture.move(item, to: .start(day: 4))
        #expect(try fixture.item(item).position == Position(day: 4, sortOrder: 1))
        #expect(try fixture.isNoop(.move(item, to: .end(day: 4))), "it is its own gap")
    }

    @Test func `R-PERS-03: neighbours are found as if the item were not there`() throws {
        var (fixture, ids) = try three([1, 4, 9])
        try fixture.move(ids[0], to: .before(ids[2], day: 2))
        #expect(try fixture.order(ids[0]) == 6.5)
        try fixture.move(ids[2], to: .before(ids[0], day: 2))
        #expect(try fixture.order(ids[2]) == 5.25)
        #expect(fixture.titles(onDay: 2) == ["b", "c", "a"])
    }

    @Test func `R-PERS-03: a placement into the own gap, or next to itself, is a noop`() throws {
        let (fixture, ids) = try three([1, 4, 9])
        let own: [(ItemID, Placement)] = [
            (ids[0], .start(day: 2)), (ids[0], .before(ids[1], day: 2)), (ids[0], .after(ids[0], day: 2)),
            (ids[1], .after(ids[0], day: 2)), (ids[1], .before(ids[2], day: 2)),
            (ids[1], .before(ids[1], day: 2)), (ids[2], .end(day: 2)), (ids[2], .after(ids[1], day: 2)),
            (ids[1], .order(4, day: 2)),
        ]
        for (id, placement) in own { #expect(try fixture.isNoop(.move(id, to: placement))) }
        #expect(try !fixture.isNoop(.move(ids[1], to: .order(4.5, day: 2))))
        #expect(try !fixture.isNoop(.move(ids[1], to: .start(day: 2))))
    }

    @Test func `R-PERS-03: it is a noop even if the item's place has become invalid`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch", at: .start(day: 4))
        let travel = try fixture.travel("Chicago", "Detroit", at: .after(lunch, day: 4))
        _ = try fixture.game("d", city: "Detroit", day: 2, minute: 60)
        #expect(fixture.trip.problems.map(\.kind) == [.travelInvalid])
        let position = try fixture.item(travel).position
        let placements: [Placement] = [
            .after(lunch, day: 4), .end(day: 4), .before(travel, day: 4),
            .order(position.sortOrder, day: position.day),
        ]
        for placement in placements { #expect(try fixture.isNoop(.move(travel, to: placement))) }
        #expect(
            fixture.rejection(of: .move(travel, to: .before(lunch, day: 4)))
                == .place(.outsideValidDays(1...2)))
    }

    @Test func `R-PERS-03: a missing anchor and one on another day give different errors`() throws {
        let (fixture, ids) = try three([1, 4, 9])
        let missing = ItemID(high: 9, low: 9)
        #expect(
            fixture.rejection(of: .move(ids[0], to: .after(missing, day: 2)))
                == .anchorNotFound(missing, day: 2))
        #expect(
            fixture.rejection(of: .move(ids[0], to: .before(ids[1], day: 3)))
                == .anchorMoved(ids[1], nowOnDay: 2))
        #expect(
            fixture.rejection(of: .add(missing, TripFixture.custom("n"), to: .after(ids[1], day: 1)))
                == .anchorMoved(ids[1], nowOnDay: 2))
    }

    @Test func `an item as its own anchor stays on its day, and is anchor_moved on another`() throws {
        let (fixture, ids) = try three([1, 4, 9])
        let (item, other, gone) = (ids[0], ids[1], ItemID(high: 9, low: 9))
        let placements: [(Int) -> Placement] = [
            { .after(item, day: $0) }, { .before(item, day: $0) }, { .between(item, other, day: $0) },
            { .between(other, item, day: $0) }, { .between(item, gone, day: $0) },
            { .between(gone, item, day: $0) }, { .between(item, item, day: $0) },
        ]
        for (number, placement) in placements.enumerated() {
            let anchor = number == 3 ? other : item
            #expect(
                fixture.rejection(of: .move(item, to: placement(3))) == .anchorMoved(anchor, nowOnDay: 2))
            // Between the other item and the item itself means below the other item.
            if number != 3 { #expect(try fixture.isNoop(.move(item, to: placement(2)))) }
        }
        #expect(
            fixture.rejection(of: .move(item, to: .after(item, day: 99)))
                == .place(.dayOutOfRange(day: 99, dayCount: fixture.trip.header.dayCount)))
    }

    @Test func `R-FLAT-03: above the first game the order is negative, whatever is below`() throws {
        var fixture = try TripFixture()
        let game = try fixture.game("g", day: 2, minute: 600)
        let first = try fixture.custom("a", at: .before(game, day: 2))
        #expect(try fixture.order(first) == -1)
        let second = try fixture.custom("b", at: .before(game, day: 2))
        #expect(try fixture.order(second) == -0.5, "between −1 and 0, not between −1 and 700")
        let third = try fixture.custom("c", at: .start(day: 2))
        #expect(try fixture.order(third) == -2)
        let late = try fixture.custom("d", at: .after(game, day: 2))
        #expect(try fixture.order(late) == 701)
    }

    @Test func `R-FLAT-03: the plain midpoint is used only if the neighbour above is ≥ 0`() throws {
        var fixture = try TripFixture()
        let game = try fixture.game("g", day: 2, minute: 600)
        let positive = try fixture.custom("p", at: .order(300, day: 2))
        let after = try fixture.custom("a", at: .before(game, day: 2))
        #expect(try fixture.order(after) == 500)
        let before = try fixture.custom("b", at: .before(positive, day: 2))
        #expect(try fixture.order(before) == -1)
        let between = try fixture.custom("c", at: .before(positive, day: 2))
        #expect(try fixture.order(between) == -0.5)
        try fixture.move(positive, to: .order(0, day: 2))
        let zero = try fixture.custom("z", at: .after(positive, day: 2))
        #expect(try fixture.order(zero) == 250, "0 counts as not before the games")
    }

    @Test func `R-FLAT-03: an item before the games stays there when a game is added or rescheduled earlier`()
        throws
    {
        var fixture = try TripFixture()
        let game = try fixture.game("g", day: 2, minute: 1200)
        let breakfast = try fixture.custom("Breakfast", at: .before(game, day: 2))
        let early = try fixture.game("early", day: 2, minute: 0)
        #expect(fixture.trip.items(onDay: 2).map(\.id) == [breakfast, early, game])
        try fixture.apply(.remove(early))
        let start = try #require(OffsetDateTime("2026-06-12T00:00:00Z"))
        try fixture.apply(.update(game, [.startsAt(start)]))
        #expect(fixture.trip.items(onDay: 2).map(\.id) == [breakfast, game])
    }

    @Test(arguments: [-3.5, 0, 12, 820, 1e15])
    func `R-FLAT-03: a given sortOrder is stored as it is, whatever its sign`(order: Double) throws {
        var fixture = try TripFixture()
        let game = try fixture.game("g", day: 2, minute: 720)
        let item = try fixture.custom("a", at: .order(order, day: 2))
        #expect(try fixture.order(item) == order)
        #expect(fixture.trip.items(onDay: 2).map(\.id) == (order < 820 ? [item, game] : [game, item]))
    }

    @Test func `R-FLAT-03: without games the sign has no meaning`() throws {
        var (fixture, ids) = try three([-3, 1])
        let between = try fixture.custom("n", at: .after(ids[0], day: 2))
        #expect(try fixture.order(between) == -1)
        let after = try fixture.custom("m", at: .after(between, day: 2))
        #expect(try fixture.order(after) == 0)
    }

    @Test func `after and before together mean a place between both, by whichever is still on the day`()
        throws
    {
        var fixture = try TripFixture()
        let ids = try ["a", "b", "c", "x"].map { try fixture.custom($0, at: .end(day: 1)) }
        let (a, b, c, x) = (ids[0], ids[1], ids[2], ids[3])
        func placed(_ placement: Placement) throws -> [String] {
            var copy = fixture
            try copy.apply(.move(x, to: placement))
            return copy.titles(onDay: placement.day)
        }
        #expect(try placed(.between(a, b, day: 1)) == ["a", "x", "b", "c"])
        #expect(try placed(.between(a, c, day: 1)) == ["a", "x", "b", "c"], "apart: the first counts")
        #expect(try placed(.between(c, a, day: 1)) == ["a", "b", "c", "x"])
        let gone = ItemID(high: 9, low: 9)
        #expect(try placed(.between(gone, b, day: 1)) == ["a", "x", "b", "c"])
        #expect(try placed(.between(b, gone, day: 1)) == ["a", "b", "x", "c"])
        #expect(try fixture.isNoop(.move(x, to: .between(x, b, day: 1))))
        #expect(try fixture.isNoop(.move(x, to: .between(c, gone, day: 1))))
        try fixture.apply(.move(a, to: .end(day: 2)))
        #expect(try placed(.between(a, c, day: 1)) == ["b", "x", "c"])
        #expect(
            fixture.rejection(of: .move(x, to: .between(a, gone, day: 1))) == .anchorMoved(a, nowOnDay: 2))
        #expect(
            fixture.rejection(of: .move(x, to: .between(gone, a, day: 1))) == .anchorMoved(a, nowOnDay: 2))
        #expect(
            fixture.rejection(of: .move(x, to: .between(gone, ItemID(high: 9, low: 8), day: 1)))
                == .anchorNotFound(gone, day: 1))
    }
}
