import Testing
import TripModel

@Suite struct ApplyTests {
    private static let bob = Author(name: "Bob", at: Timestamp(milliseconds: 1_790_000_000_000))

    // MARK: Versions

    @Test func `a new trip and its items have version 1, and every commit adds one`() throws {
        let first = ItemID(high: 0, low: 1)
        let second = ItemID(high: 0, low: 2)
        var trip = try Trip.create(
            TripFixture.header(),
            edits: [
                .add(first, TripFixture.custom("a"), to: nil),
                .add(second, TripFixture.travel("A", "B"), to: .start(day: 1)),
            ], by: TripFixture.author)
        #expect(trip.version == 1)
        #expect(trip.items.map(\.version) == [1, 1])
        #expect(trip.shownIDs == [second, first])
        #expect(try Trip.create(TripFixture.header(), by: TripFixture.author).version == 1)
        let commit = try trip.apply([.move(first, to: .start(day: 3))], by: Self.bob)
        #expect(commit.version == 2 && trip.version == 2)
        #expect(trip[first]?.version == 2 && trip[second]?.version == 1)
        #expect(trip[first]?.modifiedBy == "Bob" && trip[first]?.modifiedAt == Self.bob.at)
        #expect(trip[second]?.modifiedBy == "Ann")
    }

    @Test func `a trip is created with all its items or not at all; index −1 is the header`() throws {
        let id = ItemID(high: 0, low: 1)
        let edits: [Edit] = [
            .add(id, TripFixture.custom("a"), to: nil), .add(id, TripFixture.custom("b"), to: nil),
        ]
        #expect(throws: EditFailure(index: 1, rejection: .duplicateItemID(id))) {
            try Trip.create(TripFixture.header(), edits: edits, by: TripFixture.author)
        }
        var header = try TripFixture.header()
        header.dayCount = 367
        #expect(throws: EditFailure(index: -1, rejection: .limitExceeded(.days, field: "dayCount"))) {
            try Trip.create(header, by: TripFixture.author)
        }
    }

    @Test func `an edit that changes nothing is a noop at the present version`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch")
        let edits: [Edit] = [
            .update(lunch, []), .update(lunch, [.title("Lunch")]),
            .update(lunch, [.title("x"), .title("Lunch")]),
            .update(lunch, [.clear(.note)]), .move(lunch, to: .end(day: 1)), .trip(TripChange()),
        ]
        for edit in edits { #expect(try fixture.isNoop(edit)) }
        let version = fixture.trip.version
        let commit = try fixture.apply(
            .move(lunch, to: .order(9, day: 4)), .move(lunch, to: .order(1, day: 1)))
        #expect(commit.isNoop && commit.version == version && fixture.trip.version == version)
        let batch = try fixture.trip.apply([], by: Self.bob)
        #expect(batch.isNoop && batch.respacedDays == [] && batch.displaced == [])
    }

    @Test func `an item that a batch removes and adds unchanged is a noop and keeps its author`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch")
        _ = try fixture.custom("other")
        let before = fixture.trip
        let commit = try fixture.trip.apply(
            [.remove(lunch), .add(lunch, TripFixture.custom("Lunch"), to: .order(1, day: 1))], by: Self.bob)
        #expect(commit.isNoop)
        #expect(fixture.trip == before)
    }

    @Test func `an item of another kind under a freed id is one change`() throws {
        var fixture = try TripFixture()
        let id = try fixture.game("g", city: "Lima", day: 2, minute: 60)
        let copy = fixture.trip
        let commit = try fixture.apply(.remove(id), .add(id, TripFixture.custom("Lunch"), to: .end(day: 2)))
        #expect(commit.changes.map(\.id) == [id])
        #expect(commit.changes.first?.before?.isGame == true && commit.changes.first?.after?.isGame == false)
        #expect(fixture.trip.validDays(for: TripFixture.travel("Lima", "x")) == 1...5)
        var mirror = copy
        try mirror.adopt(
            version: commit.version, upserts: commit.changes.compactMap(\.after), removed: [], header: nil)
        #expect(mirror == fixture.trip)
        #expect(mirror.validDays(for: TripFixture.travel("Lima", "x")) == 1...5)
    }

    // MARK: Batches

    @Test func `a batch is checked step by step, and is one version or nothing`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch")
        let before = fixture.trip
        let new = ItemID(high: 1, low: 1)
        let steps: [Edit] = [
            .add(new, TripFixture.custom("New"), to: .after(lunch, day: 1)),
            .move(lunch, to: .after(new, day: 1)), .update(new, [.title("Newer")]),
            .trip(TripChange(dayCount: 7)), .move(new, to: .end(day: 7)),
        ]
        let commit = try fixture.trip.apply(steps, by: Self.bob)
        #expect(commit.version == before.version + 1)
        #expect(commit.changes.map(\.id) == [new, lunch])
        #expect(fixture.titles(onDay: 7) == ["Newer"])
        #expect(commit.header?.before.applied(to: fixture.trip.header) == before.header)

        var other = before
        let failing: [Edit] = steps + [.remove(lunch), .remove(lunch)]
        #expect(throws: EditFailure(index: 6, rejection: .itemNotFound(lunch))) {
            try other.apply(failing, by: Self.bob)
        }
        #expect(other == before && other.shownIDs == before.shownIDs)
    }

    @Test func `two games can swap their gameIDs in a batch, also when its result is adopted`() throws {
        var fixture = try TripFixture()
        let first = try fixture.game("a", city: "X", day: 2, minute: 60)
        let second = try fixture.game("b", city: "X", day: 2, minute: 60)
        let before = fixture.trip
        let swap: [Edit] = [
            .update(first, [.gameID("tmp")]), .update(second, [.gameID("a")]), .update(first, [.gameID("b")]),
        ]
        #expect(throws: EditFailure.self) {
            try fixture.trip.apply(swap + [.remove(ItemID(high: 9, low: 9))], by: Self.bob)
        }
        #expect(fixture.trip == before && fixture.trip.shownIDs == [first, second])
        for gameID in ["a", "b"] {
            let again = try fixture.gameContent(gameID, city: nil, day: 1, minute: 0)
            let add = Edit.add(ItemID(high: 1, low: 1), again, to: nil)
            #expect(fixture.rejection(of: add) == .duplicateGameID(gameID))
        }
        let commit = try fixture.trip.apply(swap, by: Self.bob)
        #expect(fixture.trip.shownIDs == [second, first])
        var mirror = before
        try mirror.adopt(
            version: commit.version, upserts: commit.changes.compactMap(\.after), removed: [], header: nil)
        #expect(mirror == fixture.trip && mirror.shownIDs == [second, first])
    }

    @Test func `a dry run returns the commit of an edit without applying it`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch", at: .end(day: 5))
        let before = fixture.trip
        let edits: [Edit] = [
            .move(lunch, to: .start(day: 2)),
            .trip(TripChange(startDate: CalendarDate("2027-01-01"), dayCount: 1)),
        ]
        let reported = try fixture.trip.rehearse(edits, by: Self.bob)
        #expect(fixture.trip == before && fixture.trip.shownIDs == before.shownIDs)
        #expect(reported == (try fixture.trip.apply(edits, by: Self.bob)))
    }

    // MARK: Guards

    @Test
    func `of several errors the first of this order counts: not found, read only, held, version, rules`()
        throws
    {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch")
        let missing = ItemID(high: 9, low: 9)
        let invalid = Edit.move(lunch, to: .start(day: 99))
        var guarding = EditGuard()
        guarding.itemVersion = 77
        #expect(
            fixture.rejection(of: invalid, guardedBy: guarding) == .versionConflict(expected: 77, actual: 2))
        guarding.tripVersion = 88
        #expect(
            fixture.rejection(of: invalid, guardedBy: guarding) == .versionConflict(expected: 88, actual: 2))
        guarding.heldItems = [lunch]
        #expect(fixture.rejection(of: invalid, guardedBy: guarding) == .itemHeld(lunch))
        guarding.isReadOnly = true
        #expect(fixture.rejection(of: invalid, guardedBy: guarding) == .readOnly)
        for edit in [
            Edit.move(missing, to: .start(day: 99)), .update(missing, []), .remove(missing),
        ] {
            #expect(fixture.rejection(of: edit, guardedBy: guarding) == .itemNotFound(missing))
        }
        for edit in [
            Edit.move(lunch, to: .after(missing, day: 1)),
            .move(lunch, to: .between(missing, missing, day: 1)),
            .add(lunch, TripFixture.custom(""), to: .after(missing, day: 1)),
        ] {
            #expect(fixture.rejection(of: edit, guardedBy: guarding) == .anchorNotFound(missing, day: 1))
        }
        for edit in [
            Edit.add(lunch, TripFixture.custom(""), to: nil), .update(lunch, []), .remove(lunch),
            .trip(TripChange(dayCount: 0)),
        ] {
            #expect(fixture.rejection(of: edit, guardedBy: guarding) == .readOnly)
        }
    }

    @Test func `an edit is accepted if the expected versions match and only other items are held`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch")
        let dinner = try fixture.custom("Dinner")
        var guarding = EditGuard()
        guarding.tripVersion = 3
        guarding.itemVersion = 2
        guarding.heldItems = [dinner]
        try fixture.apply(.move(lunch, to: .start(day: 4)), guardedBy: guarding)
        #expect(fixture.trip.version == 4)
        for edit in [Edit.move(dinner, to: .end(day: 2)), .update(dinner, [.title("x")]), .remove(dinner)] {
            var held = EditGuard()
            held.heldItems = [dinner]
            #expect(fixture.rejection(of: edit, guardedBy: held) == .itemHeld(dinner))
        }
    }

    @Test func `an id in use is refused, and can be used again after a removal`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.custom("Lunch")
        let again = Edit.add(lunch, TripFixture.custom("Again"), to: nil)
        #expect(fixture.rejection(of: again) == .duplicateItemID(lunch))
        try fixture.apply(.remove(lunch))
        #expect(fixture.trip[lunch] == nil && fixture.trip.shownIndex(of: lunch) == nil)
        #expect(fixture.rejection(of: again) == nil)
    }

    @Test func `a trip holds 10,000 items`() throws {
        var fixture = try TripFixture()
        let edits = (0..<10_000).map { number in
            Edit.add(ItemID(high: 7, low: UInt64(number)), TripFixture.custom("c"), to: nil)
        }
        _ = try fixture.trip.apply(edits, by: Self.bob)
        let more = Edit.add(ItemID(high: 8, low: 0), TripFixture.custom("c"), to: nil)
        #expect(fixture.rejection(of: more) == .limitExceeded(.items, field: "item"))
        try fixture.apply(.remove(ItemID(high: 7, low: 5000)), more)
        #expect(fixture.trip.itemCount == 10_000)
    }
}
