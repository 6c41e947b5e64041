import TestSupport
import Testing
import TripModel

@Suite struct FlatteningTests {
    @Test func `R-FLAT-01: a day's shown order follows only from its sort orders`() throws {
        var fixture = try TripFixture()
        _ = try fixture.custom("last", at: .order(2000, day: 2))
        _ = try fixture.game("noon", city: "X", day: 2, minute: 720)
        _ = try fixture.add(TripFixture.travel("A", "B"), to: .order(900, day: 2))
        _ = try fixture.custom("first", at: .order(-2, day: 2))
        _ = try fixture.game("morning", city: "X", day: 2, minute: 500)
        _ = try fixture.add(TripFixture.travel("C", "D"), to: .order(601, day: 2))
        _ = try fixture.custom("day one", at: .order(9999, day: 1))
        #expect(
            fixture.trip.items.map(\.content.title) == [
                "day one", "first", "morning", "C → D", "noon", "A → B", "last",
            ])
    }

    @Test func `R-FLAT-02: ties put games first, then follow the ids' UTF-8 bytes`() throws {
        var fixture = try TripFixture()
        let game = try fixture.game("g", day: 2, minute: 0)
        let ids = [
            ItemID(high: 0x8000_0000_0000_0000, low: 0), ItemID(high: 0, low: 0x8000_0000_0000_0000),
            ItemID(high: 0x0FFF, low: 1), ItemID(high: .max, low: .max), ItemID(high: 0xA, low: 0),
            ItemID(high: 9, low: .max),
        ]
        for id in ids { try fixture.apply(.add(id, TripFixture.custom("c"), to: .order(100, day: 2))) }
        let byBytes = ids.sorted { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) }
        #expect(fixture.trip.shownIDs == [game] + byBytes)
    }

    @Test(arguments: 0..<20)
    func `R-FLAT-02: the same items in any input order give the same rows`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var items: [Item] = []
        for number in 0..<60 {
            let content =
                try number % 5 == 0
                ? TripFixture().gameContent("g\(number)", city: nil, day: 1, minute: 0)
                : TripFixture.custom("c")
            let position = Position(day: random.below(3), sortOrder: Double(random.below(4) * 100))
            items.append(
                Item(
                    id: .random(using: &random), position: position, content: content, version: 1,
                    modifiedAt: TripFixture.author.at, modifiedBy: "Ann"))
        }
        let shown = Flattening.shownOrder(of: items)
        for _ in 0..<10 {
            items.shuffle(using: &random)
            #expect(Flattening.shownOrder(of: items) == shown)
        }
        for (above, below) in zip(shown, shown.dropFirst()) {
            #expect(isAbove(above, below))
        }
    }
}

/// R-FLAT-02, implemented directly from the rule.
func isAbove(_ left: Item, _ right: Item) -> Bool {
    if left.position.day != right.position.day { return left.position.day < right.position.day }
    if left.position.sortOrder != right.position.sortOrder {
        return left.position.sortOrder < right.position.sortOrder
    }
    if left.isGame != right.isGame { return left.isGame }
    return left.id.description.utf8.lexicographicallyPrecedes(right.id.description.utf8)
}
