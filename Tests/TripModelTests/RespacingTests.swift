import Testing
import TripModel

@Suite struct RespacingTests {
    /// Two games of day 2, at orders 700 and 1000.
    private func betweenGames() throws -> (TripFixture, above: ItemID, below: ItemID) {
        var fixture = try TripFixture()
        let above = try fixture.game("a", city: "X", day: 2, minute: 600)
        let below = try fixture.game("b", city: "X", day: 2, minute: 900)
        return (fixture, above, below)
    }

    private static func content(_ number: Int) -> ItemContent { TripFixture.custom("\(number)") }

    private static func id(_ number: Int) -> ItemID { ItemID(high: 5, low: UInt64(number)) }

    // MARK: Ten thousand into one gap (with the anchors, the trip is then at its maximum)

    @Test func `R-NORM: 10,000 inserts into one gap between two games are in order`() throws {
        var (fixture, above, below) = try betweenGames()
        var respacings = 0
        for number in 0..<9_998 {
            let commit = try fixture.apply(
                .add(Self.id(number), Self.content(number), to: .before(below, day: 2)))
            respacings += commit.respacedDays.isEmpty ? 0 : 1
        }
        #expect(respacings > 0)
        #expect(fixture.trip.shownIDs == [above] + (0..<9_998).map(Self.id) + [below])
        #expect(try fixture.order(above) == 700 && fixture.order(below) == 1000)
        #expect(fixture.trip.items.allSatisfy { (700...1000).contains($0.position.sortOrder) })
    }

    @Test func `R-NORM: 2,000 inserts above the first game stay in order and below zero`() throws {
        var (fixture, above, below) = try betweenGames()
        for number in 0..<2_000 {
            try fixture.apply(.add(Self.id(number), Self.content(number), to: .before(above, day: 2)))
        }
        #expect(fixture.trip.shownIDs == (0..<2_000).map(Self.id) + [above, below])
        #expect(fixture.trip.items.allSatisfy { $0.isGame || $0.position.sortOrder < 0 })
    }

    @Test func `R-NORM: 10,000 inserts at the start and the end of a day need no room between`() throws {
        var fixture = try TripFixture()
        for number in 0..<10_000 {
            let placement: Placement = number % 2 == 0 ? .start(day: 3) : .end(day: 3)
            let commit = try fixture.apply(.add(Self.id(number), Self.content(number), to: placement))
            #expect(commit.respacedDays.isEmpty)
        }
        let expected =
            stride(from: 9_998, through: 0, by: -2).map(Self.id)
            + stride(from: 1, to: 10_000, by: 2).map(Self.id)
        #expect(fixture.trip.shownIDs == expected)
    }

    @Test func `R-NORM: 10,000 moves into one gap between two games are in order`() throws {
        var (fixture, above, below) = try betweenGames()
        var expected = try (0..<20).map { try fixture.custom("\($0)", at: .before(below, day: 2)) }
        for number in 0..<10_000 {
            let moved = expected.remove(at: number % 19)
            expected.append(moved)
            try fixture.move(moved, to: .before(below, day: 2))
            guard number % 8 != 0 || fixture.trip.shownIDs == [above] + expected + [below] else {
                Issue.record("wrong order after move \(number)")
                return
            }
        }
    }

    @Test func `R-NORM: 10,000 moves above the first game keep their items below zero`() throws {
        var (fixture, above, below) = try betweenGames()
        var expected = try (0..<20).map { try fixture.custom("\($0)", at: .before(above, day: 2)) }
        for number in 0..<10_000 {
            let moved = expected.remove(at: 3)
            expected.insert(moved, at: 10 + number % 5)
            try fixture.move(moved, to: .after(expected[9 + number % 5], day: 2))
            guard number % 8 != 0 || fixture.trip.shownIDs == expected + [above, below] else {
                Issue.record("wrong order after move \(number)")
                return
            }
        }
        #expect(fixture.trip.items.allSatisfy { $0.isGame || $0.position.sortOrder < 0 })
    }

    @Test func `R-NORM: 10,000 moves past items at ±1e15 are in order, with a re-spacing for each`() throws {
        var (fixture, above, below) = try betweenGames()
        var early = try (0..<8).map { try fixture.custom("\($0)", at: .before(above, day: 2)) }
        var late = try (0..<8).map { try fixture.custom("\($0)", at: .end(day: 2)) }
        for number in 0..<2_500 {
            try fixture.move(early[0], to: .order(-1e15, day: 2))
            early.insert(early.remove(at: 1 + number % 7), at: 0)
            let toStart = try fixture.move(early[0], to: .start(day: 2))
            try fixture.move(late[7], to: .order(1e15, day: 2))
            late.append(late.remove(at: number % 7))
            let toEnd = try fixture.move(late[7], to: .end(day: 2))
            guard number % 8 != 0 || fixture.trip.shownIDs == early + [above, below] + late,
                toStart.respacedDays == [2],
                toEnd.respacedDays == [2]
            else {
                Issue.record("wrong order after round \(number)")
                return
            }
        }
        #expect(try early.allSatisfy { try fixture.order($0) < 0 })
        #expect(try fixture.order(above) == 700 && fixture.order(below) == 1000)
    }

    // MARK: When

    @Test func `R-NORM: a gap of 1e-10 is still halved, a smaller one is re-spaced`() throws {
        var fixture = try TripFixture()
        let low = try fixture.custom("low", at: .order(0, day: 2))
        let high = try fixture.custom("high", at: .order(1e-10, day: 2))
        let commit = try fixture.apply(.add(Self.id(1), Self.content(1), to: .after(low, day: 2)))
        #expect(commit.respacedDays == [])
        #expect(try fixture.order(Self.id(1)) == 5e-11)
        let next = try fixture.apply(.add(Self.id(2), Self.content(2), to: .after(low, day: 2)))
        #expect(next.respacedDays == [2])
        #expect(fixture.trip.shownIDs == [low, Self.id(2), Self.id(1), high])
    }

    @Test(arguments: [9e14, -9e14])
    func `R-NORM: a midpoint that equals a neighbour is re-spaced`(base: Double) throws {
        var fixture = try TripFixture()
        let low = try fixture.custom("low", at: .order(base, day: 2))
        let high = try fixture.custom("high", at: .order(base.nextUp, day: 2))
        let commit = try fixture.apply(.add(Self.id(1), Self.content(1), to: .after(low, day: 2)))
        #expect(commit.respacedDays == [2])
        #expect(fixture.trip.shownIDs == [low, Self.id(1), high])
    }

    @Test func `R-NORM: between items with equal orders, and directly below a game, there is always room`()
        throws
    {
        var fixture = try TripFixture()
        let game = try fixture.game("g", day: 2, minute: 0)
        let level = try fixture.custom("level", at: .order(100, day: 2))
        let twin = try fixture.custom("twin", at: .order(100, day: 2))
        let commit = try fixture.apply(.add(Self.id(1), Self.content(1), to: .after(level, day: 2)))
        #expect(commit.respacedDays == [2])
        try fixture.apply(.add(Self.id(2), Self.content(2), to: .after(game, day: 2)))
        #expect(fixture.trip.shownIDs == [game, Self.id(2), level, Self.id(1), twin])
        #expect(try fixture.order(game) == 100)
    }

    @Test func `R-NORM: an order that would pass ±1e15 re-spaces the day`() throws {
        var fixture = try TripFixture()
        let top = try fixture.custom("top", at: .order(-1e15, day: 2))
        let bottom = try fixture.custom("bottom", at: .order(1e15, day: 2))
        var commit = try fixture.apply(.add(Self.id(1), Self.content(1), to: .end(day: 2)))
        #expect(commit.respacedDays == [2])
        try fixture.move(top, to: .order(-1e15, day: 2))
        commit = try fixture.apply(.add(Self.id(2), Self.content(2), to: .start(day: 2)))
        #expect(commit.respacedDays == [2])
        #expect(fixture.trip.shownIDs == [Self.id(2), top, bottom, Self.id(1)])
        #expect(try fixture.order(Self.id(2)) < 0 && fixture.order(top) < 0 && fixture.order(bottom) > 0)
    }

    @Test func `R-NORM: at the bounds a day with games keeps them, and the items' signs, in place`() throws {
        var (fixture, above, below) = try betweenGames()
        let top = try fixture.custom("top", at: .order(-1e15, day: 2))
        let zero = try fixture.custom("zero", at: .order(0, day: 2))
        let bottom = try fixture.custom("bottom", at: .order(1e15, day: 2))
        try fixture.apply(.add(Self.id(1), Self.content(1), to: .start(day: 2)))
        try fixture.apply(.add(Self.id(2), Self.content(2), to: .end(day: 2)))
        #expect(fixture.trip.shownIDs == [Self.id(1), top, zero, above, below, bottom, Self.id(2)])
        #expect(try fixture.order(Self.id(1)) < 0 && fixture.order(top) < 0 && fixture.order(zero) >= 0)
        #expect(try fixture.order(above) == 700 && fixture.order(below) == 1000)
        #expect(try fixture.order(bottom) > 1000)
    }

    // MARK: Reporting

    @Test func `R-NORM: re-spacing changes only the run between the enclosing games, and is not an edit`()
        throws
    {
        var (fixture, _, below) = try betweenGames()
        let bob = Author(name: "Bob", at: Timestamp(milliseconds: 1_790_000_000_000))
        let early = try fixture.custom("early", at: .order(-4, day: 2))
        let late = try fixture.custom("late", at: .order(2000, day: 2))
        let first = try fixture.custom("first", at: .order(800, day: 2))
        let second = try fixture.custom("second", at: .order(800, day: 2))
        let commit = try fixture.trip.apply(
            [.add(Self.id(1), Self.content(1), to: .after(first, day: 2))], by: bob)
        #expect(commit.respacedDays == [2])
        #expect(commit.changes.map(\.id) == [Self.id(1)] && commit.shifts.map(\.id) == [first, second])
        for id in commit.itemIDs {
            let item = try fixture.item(id)
            #expect(item.version == commit.version)
            #expect(item.modifiedBy == (id == Self.id(1) ? "Bob" : "Ann"))
            #expect(item.modifiedAt == (id == Self.id(1) ? bob.at : TripFixture.author.at))
        }
        #expect(try fixture.order(early) == -4 && fixture.order(late) == 2000 && fixture.order(below) == 1000)
    }

    @Test func `R-NORM: travel stays valid when it is re-spaced`() throws {
        var (fixture, above, below) = try betweenGames()
        let travel = try fixture.add(
            TripFixture.travel("X", "Y", afterGame: above, beforeGame: below), to: .after(above, day: 2))
        for number in 0..<200 {
            try fixture.apply(.add(Self.id(number), Self.content(number), to: .after(above, day: 2)))
        }
        #expect(fixture.trip.problems == [])
        #expect(try (700.0...1000).contains(fixture.order(travel)))
    }
}
