import Testing
import TripModel

@Suite struct AdoptTests {
    private func item(_ low: UInt64, day: Int, content: ItemContent, order: Double? = nil) -> Item {
        Item(
            id: ItemID(high: 0, low: low),
            position: Position(day: day, sortOrder: order ?? (content.isGame ? 100 : 1)), content: content,
            version: 1, modifiedAt: TripFixture.author.at, modifiedBy: "Ann")
    }

    @Test func `a trip made from a snapshot's parts is equal, in any order of the items`() throws {
        var fixture = try TripFixture()
        _ = try fixture.game("g", city: "Lima", day: 2, minute: 60)
        _ = try fixture.custom("Lunch", at: .end(day: 2))
        _ = try fixture.travel("Lima", "Quito")
        let trip = fixture.trip
        let copy = try Trip(header: trip.header, version: trip.version, items: trip.items.reversed())
        #expect(copy == trip && copy.shownIDs == trip.shownIDs && copy.items == trip.items)
    }

    @Test func `parts that contradict each other are refused`() throws {
        let header = try TripFixture.header()
        let custom = TripFixture.custom("c")
        let game = try TripFixture().gameContent("g", city: nil, day: 9, minute: 0)
        let cases: [([Item], TripInconsistency)] = [
            (
                [item(1, day: 1, content: custom), item(1, day: 2, content: custom)],
                .duplicateItemID(ItemID(high: 0, low: 1))
            ),
            ([item(1, day: 6, content: custom)], .dayOutOfRange(ItemID(high: 0, low: 1), day: 6)),
            (
                [item(1, day: 0, content: TripFixture.travel("A", "B"))],
                .dayOutOfRange(ItemID(high: 0, low: 1), day: 0)
            ),
            ([item(1, day: 9, content: game), item(2, day: 9, content: game)], .duplicateGameID("g")),
        ]
        for (items, failure) in cases {
            #expect(throws: failure) { try Trip(header: header, version: 1, items: items) }
        }
        #expect(try Trip(header: header, version: 1, items: [item(1, day: 9, content: game)]).itemCount == 1)
        var bad = header
        bad.dayCount = 0
        #expect(throws: TripInconsistency.self) { try Trip(header: bad, version: 1, items: []) }
    }

    @Test func `a commit that does not fit is not adopted`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch", at: .end(day: 5))
        _ = try fixture.game("g", day: 1, minute: 0)
        let version = fixture.trip.version
        let missing = ItemID(high: 9, low: 9)
        let game = try fixture.gameContent("g", city: nil, day: 9, minute: 0)
        var short = fixture.trip.header
        short.dayCount = 4

        func failure(
            version: Int, upserts: [Item] = [], removed: [ItemID] = [], header: TripHeader? = nil
        ) -> TripInconsistency? {
            var copy = fixture.trip
            do throws(TripInconsistency) {
                try copy.adopt(version: version, upserts: upserts, removed: removed, header: header)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure(version: version) == .versionNotRising(from: version, to: version))
        #expect(failure(version: version + 1) == nil)
        #expect(failure(version: version + 9, removed: [missing]) == .itemNotFound(missing))
        #expect(failure(version: version + 9, header: short) == .dayOutOfRange(lunch, day: 5))
        #expect(failure(version: version + 9, removed: [lunch], header: short) == nil)
        #expect(
            failure(version: version + 9, upserts: [item(70, day: 9, content: game)]) == .duplicateGameID("g")
        )
        #expect(
            failure(version: version + 9, upserts: [item(70, day: 6, content: TripFixture.custom("c"))])
                == .dayOutOfRange(ItemID(high: 0, low: 70), day: 6))
    }
}
