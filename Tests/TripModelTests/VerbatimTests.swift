import Testing
import TripModel

/// Text is stored and compared by its bytes, never by Unicode equivalence.
@Suite struct VerbatimTests {
    private static let composed = "S\u{E3}o"
    private static let decomposed = "Sa\u{303}o"

    @Test func `a change of bytes only is a change, in items and in the header`() throws {
        #expect(Self.composed == Self.decomposed, "Swift takes them for equal")
        var fixture = try TripFixture()
        let item = try fixture.custom(Self.composed)
        let commit = try fixture.apply(.update(item, [.title(Self.decomposed)]))
        #expect(!commit.isNoop)
        #expect(Array(try fixture.item(item).content.title.utf8) == Array(Self.decomposed.utf8))

        _ = try fixture.apply(.trip(TripChange(name: Self.composed)))
        let renamed = try fixture.apply(.trip(TripChange(name: Self.decomposed)))
        #expect((renamed.header?.after.name).map { Array($0.utf8) } == Array(Self.decomposed.utf8))
        // An unrelated change does not affect it.
        let longer = try fixture.apply(.trip(TripChange(dayCount: 6)))
        #expect(longer.header?.before.name == nil)
        #expect(longer.summary == "made the trip 6 days long")
    }

    @Test func `gameIds with different bytes are different games`() throws {
        var fixture = try TripFixture()
        let one = try fixture.game("\u{E9}", day: 1, minute: 600)
        let other = try fixture.game("e\u{301}", day: 1, minute: 600)
        #expect(fixture.trip.shownIDs == [other, one], "by their bytes")
        try fixture.apply(.update(one, [.gameID("f")]))
        try fixture.apply(.update(other, [.gameID("\u{E9}")]))
        #expect(throws: TripInconsistency.self) {
            let items = fixture.trip.items
            _ = try Trip(header: fixture.trip.header, version: 2, items: items + items)
        }
        let again = try Trip(header: fixture.trip.header, version: 2, items: fixture.trip.items)
        #expect(again.shownIDs == fixture.trip.shownIDs)
    }

    @Test func `contents, headers, field changes and differences compare by bytes`() throws {
        let one = ItemContent.custom(CustomItem(title: "t", note: Self.composed))
        let other = ItemContent.custom(CustomItem(title: "t", note: Self.decomposed))
        #expect(one != other)
        #expect(FieldChange.between(one, and: other) == [.note(Self.decomposed)])
        #expect(FieldChange.between(one, and: other) != [.note(Self.composed)])
        #expect(FieldChange.title(Self.composed) != .title(Self.decomposed))
        #expect(TripChange(name: Self.composed) != TripChange(name: Self.decomposed))
        #expect(
            Author(name: Self.composed, at: Timestamp(milliseconds: 0))
                != Author(name: Self.decomposed, at: Timestamp(milliseconds: 0)))
        var header = try TripFixture.header()
        header.name = Self.composed
        var same = header
        #expect(header == same)
        same.name = Self.decomposed
        #expect(header != same)
    }

    /// Covers all fields: each text property of the model compares by bytes.
    @Test func `every text field of an item's content is compared by its bytes`() throws {
        let start = try #require(OffsetDateTime("2026-06-11T13:00:00Z"))
        func contents(_ text: String) -> [ItemContent] {
            [
                .game(Game(gameID: text, title: "t", startsAt: start)),
                .game(Game(gameID: "g", title: text, startsAt: start)),
                .game(Game(gameID: "g", title: "t", city: text, startsAt: start)),
                .game(Game(gameID: "g", title: "t", venue: text, startsAt: start)),
                .travel(Travel(fromCity: text, toCity: "x")), .travel(Travel(fromCity: "x", toCity: text)),
                .travel(Travel(fromCity: "x", toCity: "x", mode: text)),
                .travel(Travel(fromCity: "x", toCity: "x", note: text)),
                .custom(CustomItem(title: text)), .custom(CustomItem(title: "x", icon: text)),
                .custom(CustomItem(title: "x", city: text)), .custom(CustomItem(title: "x", note: text)),
                .custom(CustomItem(title: "x", cost: Cost(amount: 1, currency: text))),
            ]
        }
        for (one, other) in zip(contents(Self.composed), contents(Self.decomposed)) {
            #expect(one != other)
            #expect(FieldChange.between(one, and: other)?.count == 1)
        }
        #expect(contents(Self.composed) == contents(Self.composed))
    }
}
