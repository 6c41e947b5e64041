import Testing
import TripModel

/// Undo by the recorded states and neighbours, with a test for each former defect.
@Suite struct UndoTests {
    private static let bob = Author(name: "Bob", at: Timestamp(milliseconds: 1_790_000_000_000))

    private func undo(
        _ commit: Commit, exactly isExact: Bool = false, in fixture: inout TripFixture
    ) throws -> Commit {
        try fixture.trip.apply(reversing: commit, exactly: isExact, by: TripFixture.author)
    }

    @Test func `undo of a move returns the item between its neighbours after its own commit re-spaced them`()
        throws
    {
        var fixture = try TripFixture()
        let ids = try ["a", "x", "b", "p"].enumerated().map { index, title in
            try fixture.custom(title, at: .order(Double(10 + index), day: 1))
        }
        _ = try fixture.custom("q", at: .order(13 + 5e-11, day: 1))
        let moved = try fixture.apply(.move(ids[1], to: .after(ids[3], day: 1)))
        #expect(fixture.titles(onDay: 1) == ["a", "b", "p", "x", "q"])
        let undone = try undo(moved, in: &fixture)
        #expect(fixture.titles(onDay: 1) == ["a", "x", "b", "p", "q"])
        _ = try undo(undone, in: &fixture)
        #expect(fixture.titles(onDay: 1) == ["a", "b", "p", "x", "q"])
    }

    @Test func `undo of a move returns the item between its neighbours after another commit re-spaced them`()
        throws
    {
        var fixture = try TripFixture()
        let ids = try ["a", "x", "b", "p", "q"].enumerated().map { index, title in
            try fixture.custom(title, at: .order(Double(10 + index), day: 1))
        }
        let moved = try fixture.apply(.move(ids[1], to: .end(day: 2)))
        var isRespaced = false
        for number in 0..<35 {
            let id = ItemID(high: 5, low: UInt64(number))
            let added = try fixture.trip.apply(
                [.add(id, TripFixture.custom("n"), to: .after(ids[3], day: 1))], by: Self.bob)
            if !added.respacedDays.isEmpty { isRespaced = true }
        }
        #expect(isRespaced)
        _ = try undo(moved, in: &fixture)
        #expect(fixture.titles(onDay: 1).prefix(4) == ["a", "x", "b", "p"])
    }

    @Test func `items that were together return together, in order, also after a re-spacing`() throws {
        var fixture = try TripFixture()
        let ids = try "axyzb".enumerated().map { index, letter in
            try fixture.custom(String(letter), at: .order(Double(10 + index), day: 1))
        }
        let moved = try fixture.apply(
            .move(ids[3], to: .end(day: 2)), .move(ids[1], to: .end(day: 3)), .remove(ids[2]))
        _ = try fixture.apply(
            .move(ids[4], to: .order(10 + 5e-11, day: 1)),
            .add(ItemID(high: 5, low: 1), TripFixture.custom("n"), to: .after(ids[0], day: 1)),
            .move(ids[4], to: .end(day: 1)))
        #expect(fixture.titles(onDay: 1) == ["a", "n", "b"])
        _ = try undo(moved, in: &fixture)
        #expect(fixture.titles(onDay: 1) == ["a", "x", "y", "z", "n", "b"])
    }

    @Test func `an item that was renamed in a re-spacing batch keeps its place`() throws {
        var fixture = try TripFixture()
        let ids = try ["a", "x", "b", "p"].enumerated().map { index, title in
            try fixture.custom(title, at: .order(Double(10 + index), day: 1))
        }
        _ = try fixture.custom("q", at: .order(13 + 5e-11, day: 1))
        let extra = try fixture.custom("m", at: .end(day: 2))
        let batch = try fixture.apply(
            .update(ids[1], [.title("X")]), .move(extra, to: .after(ids[3], day: 1)))
        #expect(fixture.titles(onDay: 1) == ["a", "X", "b", "p", "m", "q"])
        _ = try undo(batch, in: &fixture)
        #expect(fixture.titles(onDay: 1) == ["a", "x", "b", "p", "q"])
    }

    @Test func `a move to the item's former order is an edit, and can be undone`() throws {
        var fixture = try TripFixture()
        _ = try fixture.custom("a", at: .order(1, day: 1))
        let x = try fixture.custom("x", at: .order(3, day: 1))
        _ = try fixture.custom("z", at: .order(1e15, day: 1))
        let moved = try fixture.trip.apply([.move(x, to: .end(day: 1))], by: Self.bob)
        #expect(fixture.titles(onDay: 1) == ["a", "z", "x"])
        #expect(try fixture.item(x).modifiedBy == "Bob")
        #expect(moved.summary == "moved “x” within day 1")
        let undone = try undo(moved, in: &fixture)
        #expect(!undone.isNoop)
        #expect(fixture.titles(onDay: 1) == ["a", "x", "z"])
    }

    @Test func `undo restores travel whose game is gone, or whose place was invalid`() throws {
        var fixture = try TripFixture()
        let game = try fixture.game("g1", city: "Chicago", day: 2, minute: 600)
        let leg = try fixture.add(
            .travel(Travel(fromCity: "Chicago", toCity: "Detroit", afterGame: .game(game))), to: .end(day: 3))
        _ = try fixture.apply(.remove(game))
        let removed = try fixture.apply(.remove(leg))
        _ = try undo(removed, in: &fixture)
        #expect(try fixture.item(leg).content == removed.changes[0].before?.content)

        let cleared = try fixture.apply(.update(leg, [.clear(.afterGame), .note("n")]))
        _ = try undo(cleared, in: &fixture)
        #expect(try fixture.item(leg).content == cleared.changes[0].before?.content)

        // A later game makes its place invalid. If nothing else has changed after it was removed or moved or its day was
        // removed, undo must still restore it.
        let plain = try fixture.add(
            .travel(Travel(fromCity: "Lima", toCity: "Oslo")), to: .end(day: 2))
        _ = try fixture.game("g2", city: "Lima", day: 4, minute: 600)
        #expect(fixture.trip.problems.contains { $0.items == [plain] })
        let place = try fixture.item(plain).position
        for edit in [
            Edit.remove(plain), .move(plain, to: .end(day: 4)), .trip(TripChange(dayCount: 1)),
        ] {
            let commit = try fixture.apply(edit)
            _ = try undo(commit, exactly: true, in: &fixture)
            #expect(try fixture.item(plain).position == place)
        }
    }

    @Test func `swapped gameIDs, a replacement and a full trip can be undone and redone`() throws {
        var fixture = try TripFixture()
        let a = try fixture.game("a", day: 2, minute: 600)
        let b = try fixture.game("b", day: 3, minute: 600)
        func gameIDs() throws -> [String] {
            try [a, b].map { id in
                guard case .game(let game) = try fixture.item(id).content else { return "" }
                return game.gameID
            }
        }
        let exchanged = try fixture.apply(
            .update(a, [.gameID("tmp")]), .update(b, [.gameID("a")]), .update(a, [.gameID("b")]))
        #expect(try gameIDs() == ["b", "a"])
        let undone = try undo(exchanged, in: &fixture)
        #expect(try gameIDs() == ["a", "b"])
        _ = try undo(undone, in: &fixture)
        #expect(try gameIDs() == ["b", "a"])

        let new = ItemID(high: 9, low: 9)
        let replaced = try fixture.apply(
            .remove(a), .add(new, try fixture.gameContent("b", city: nil, day: 2, minute: 700), to: nil))
        let back = try undo(replaced, in: &fixture)
        #expect(fixture.trip[new] == nil && fixture.trip[a] != nil)
        _ = try undo(back, in: &fixture)
        #expect(fixture.trip[new] != nil && fixture.trip[a] == nil)
    }

    @Test func `a replacement at the maximum number of items can be undone, and one item too many cannot`()
        throws
    {
        let edits = (1...TripLimits.items).map {
            Edit.add(ItemID(high: 0, low: UInt64($0)), TripFixture.custom("c"), to: .end(day: 1 + $0 % 5))
        }
        var trip = try Trip.create(try TripFixture.header(), edits: edits, by: TripFixture.author)
        let removed = try trip.apply([.remove(ItemID(high: 0, low: 7))], by: TripFixture.author)
        _ = try trip.apply(
            [.add(ItemID(high: 1, low: 1), TripFixture.custom("n"), to: .end(day: 1))], by: Self.bob)
        #expect(throws: EditFailure(index: 0, rejection: .limitExceeded(.items, field: "items"))) {
            try trip.apply(reversing: removed, by: TripFixture.author)
        }
        let replaced = try trip.apply(
            [
                .remove(ItemID(high: 0, low: 8)),
                .add(ItemID(high: 1, low: 2), TripFixture.custom("n"), to: .end(day: 1)),
            ], by: TripFixture.author)
        let shown = trip.shownIDs
        let undone = try trip.apply(reversing: replaced, by: TripFixture.author)
        #expect(trip[ItemID(high: 0, low: 8)] != nil)
        _ = try trip.apply(reversing: undone, by: TripFixture.author)
        #expect(trip.shownIDs == shown)
    }

    @Test func `a redo adds a game before the travel that names it, in any order of the edits`() throws {
        var fixture = try TripFixture()
        let leg = try fixture.add(.travel(Travel(fromCity: "Rome", toCity: "Oslo")), to: .end(day: 1))
        let game = ItemID(high: 8, low: 8)
        let commit = try fixture.apply(
            .move(leg, to: .end(day: 2)),
            .add(game, try fixture.gameContent("g", city: "Rome", day: 4, minute: 600), to: nil))
        let shown = fixture.trip.shownIDs
        let undone = try undo(commit, in: &fixture)
        _ = try undo(undone, exactly: true, in: &fixture)
        #expect(fixture.trip.shownIDs == shown)
        #expect(fixture.trip.problems.map(\.kind) == [.travelInvalid])
    }

    @Test func `an item of a removed day returns on the last day, and one whose gameID is taken does not`()
        throws
    {
        var fixture = try TripFixture()
        let hotel = try fixture.custom("Hotel", at: .end(day: 5))
        let removed = try fixture.apply(.remove(hotel))
        _ = try fixture.custom("Lunch", at: .end(day: 2))
        _ = try fixture.apply(.trip(TripChange(dayCount: 2)))
        _ = try undo(removed, in: &fixture)
        #expect(fixture.titles(onDay: 2) == ["Lunch", "Hotel"])

        let game = try fixture.game("g", day: 1, minute: 600)
        let gone = try fixture.apply(.remove(game))
        _ = try fixture.game("g", day: 2, minute: 600)
        let before = fixture.trip
        #expect(throws: EditFailure(index: 0, rejection: .overtaken("another event has the id g now"))) {
            try undo(gone, in: &fixture)
        }
        #expect(fixture.trip == before && fixture.trip.shownIDs == before.shownIDs)
    }

    @Test func `undo of a new zone returns games to their places among the items of their minutes`() throws {
        var fixture = try TripFixture()
        let games = try ["a", "b", "c"].map { gameID in
            try fixture.add(try fixture.gameContent(gameID, city: gameID, day: 1, minute: 720))
        }
        _ = try fixture.custom("x", at: .after(games[0], day: 1))
        _ = try fixture.custom("y", at: .after(games[1], day: 1))
        // The other games are not at the minute's first order; by rank, they would be.
        try fixture.apply(.remove(games[0]))
        let before = fixture.trip
        #expect(fixture.titles(onDay: 1) == ["x", "b", "y", "c"])
        let changed = try fixture.apply(.trip(TripChange(timeZone: "Europe/Rome")))
        let undone = try undo(changed, in: &fixture)
        #expect(fixture.trip.items.map(\.position) == before.items.map(\.position))
        #expect(fixture.titles(onDay: 1) == ["x", "b", "y", "c"])
        let redone = try undo(undone, in: &fixture)
        _ = try undo(redone, in: &fixture)
        #expect(fixture.trip.items.map(\.position) == before.items.map(\.position))
        // The games were not edited, so renaming one of them must not conflict with the undo.
        #expect(changed.changes.isEmpty && !changed.shifts.isEmpty)
    }

    @Test func `a game whose minute another game has taken follows its schedule, with its own order`() throws
    {
        var fixture = try TripFixture()
        let games = try ["a", "b"].map { gameID in
            try fixture.add(try fixture.gameContent(gameID, city: gameID, day: 1, minute: 720))
        }
        _ = try fixture.custom("x", at: .after(games[0], day: 1))
        try fixture.apply(.remove(games[0]))
        let changed = try fixture.apply(.trip(TripChange(timeZone: "Europe/Rome")))
        let others = try (0..<3).map { number in
            try fixture.add(try fixture.gameContent("n\(number)", city: "n", day: 1, minute: 720))
        }
        _ = try undo(changed, in: &fixture)
        let orders = (others + [games[1]]).compactMap { fixture.trip[$0]?.position.sortOrder }
        #expect(Set(orders).count == 4)
    }

    /// Games m and x of one minute with an item between them, and a game that was added before both.
    private func sharedMinute() throws -> (fixture: TripFixture, games: [ItemID]) {
        var fixture = try TripFixture()
        let m = try fixture.add(try fixture.gameContent("m", city: nil, day: 1, minute: 720))
        let x = try fixture.add(try fixture.gameContent("x", city: nil, day: 1, minute: 720))
        _ = try fixture.custom("lunch", at: .after(m, day: 1))
        let b = try fixture.add(try fixture.gameContent("b", city: nil, day: 1, minute: 720))
        return (fixture, [b, m, x])
    }

    @Test func `changes of the games of a minute are undone and redone exactly`() throws {
        let later = try #require(OffsetDateTime("2026-06-11T13:00:00Z"))
        let (start, games) = try sharedMinute()
        let edits: [Edit] = [
            .remove(games[0]), .update(games[0], [.startsAt(later)]), .update(games[1], [.gameID("z")]),
            .update(games[0], [.gameID("y")]), .remove(games[1]),
            .add(
                ItemID(high: 7, low: 7), try start.gameContent("a", city: nil, day: 1, minute: 720), to: nil),
            .trip(
                TripChange(startDate: CalendarDate("2026-06-10"), timeZone: "America/Noronha")),
        ]
        for edit in edits {
            var fixture = start
            let positions = { (trip: Trip) in trip.items.map { [$0.id.description, "\($0.position)"] } }
            let before = positions(fixture.trip)
            let changed = try fixture.apply(edit)
            let after = positions(fixture.trip)
            let undone = try undo(changed, in: &fixture)
            #expect(positions(fixture.trip) == before, "\(edit)")
            let redone = try undo(undone, in: &fixture)
            #expect(positions(fixture.trip) == after, "\(edit)")
            _ = try undo(redone, in: &fixture)
            #expect(positions(fixture.trip) == before, "\(edit)")
        }
    }

    @Test func `undo of a start and a zone leaves games with their own zones at their later orders`() throws {
        var fixture = try TripFixture()
        func game(_ gameID: String, _ start: String, zone: String?) throws -> ItemContent {
            .game(
                Game(
                    gameID: gameID, title: gameID, startsAt: try #require(OffsetDateTime(start)),
                    timeZone: zone))
        }
        _ = try fixture.add(try game("a", "2026-06-11T14:00:00Z", zone: nil))
        let x = try fixture.add(try game("x", "2026-06-11T12:00:00Z", zone: "UTC"))
        _ = try fixture.add(try game("z", "2026-06-11T12:00:00Z", zone: nil))
        _ = try fixture.custom("lunch", at: .after(x, day: 1))
        let before = fixture.trip.items.map(\.position)
        let changed = try fixture.apply(
            .trip(
                TripChange(
                    startDate: CalendarDate("2026-06-10"), timeZone: "America/Noronha")))
        _ = try undo(changed, in: &fixture)
        #expect(fixture.trip.items.map(\.position) == before)
        #expect(fixture.titles(onDay: 1) == ["x", "lunch", "z", "a"])
    }

    @Test func `games that return to a minute that another game has joined get distinct orders`() throws {
        var fixture = try TripFixture()
        func game(_ gameID: String, zone: String?) throws -> ItemContent {
            .game(
                Game(
                    gameID: gameID, title: gameID,
                    startsAt: try #require(OffsetDateTime("2026-06-11T12:00:00Z")),
                    timeZone: zone))
        }
        let games = try ["a", "b", "c"].map { try fixture.add(try game($0, zone: nil)) }
        let changed = try fixture.apply(.trip(TripChange(timeZone: "Asia/Tokyo")))
        let joined = try fixture.add(try game("aa", zone: "UTC"))
        _ = try undo(changed, in: &fixture)
        let orders = (games + [joined]).compactMap { fixture.trip[$0]?.position.sortOrder }
        #expect(Set(orders).count == 4)
        #expect(fixture.titles(onDay: 1) == ["a", "aa", "b", "c"])
        let last = try fixture.custom("x", at: .after(games[1], day: 1))
        #expect(fixture.titles(onDay: 1) == ["a", "aa", "b", "x", "c"])
        #expect(fixture.trip[last] != nil)
    }
}
