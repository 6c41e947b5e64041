import Testing
import TripModel

/// Former defects of rules in edge cases.
@Suite struct RuleDefectTests {
    @Test
    func `travel directly after its game, which moves to an equal order, is valid exactly if its gap is`()
        throws
    {
        var fixture = try TripFixture()
        let game = try fixture.game("g1", city: "Rome", day: 1, minute: 720)
        let leg = try fixture.travel("Rome", "Oslo", at: .end(day: 1))
        #expect(try fixture.order(leg) == 821)
        let later = try #require(OffsetDateTime("2026-06-11T12:01:00Z"))
        try fixture.apply(.update(game, [.startsAt(later)]))
        #expect(try fixture.order(game) == 821)
        #expect(fixture.trip.shownIDs == [game, leg])
        #expect(fixture.trip.problems == [])
        #expect(try fixture.isNoop(.move(leg, to: .after(game, day: 1))))
        // An explicit order is checked strictly, and one more game is above it.
        #expect(
            fixture.rejection(of: .move(leg, to: .order(821, day: 2))) == nil)
        let evenLater = try #require(OffsetDateTime("2026-06-11T12:02:00Z"))
        try fixture.apply(.update(game, [.startsAt(evenLater)]))
        #expect(fixture.trip.shownIDs == [leg, game])
        #expect(fixture.trip.problems.map(\.kind) == [.travelInvalid])
    }

    @Test(arguments: 0..<24)
    func `the problems of a trip are the travels whose own gaps are refused`(seed: UInt64) throws {
        var workload = Workload(seed: seed)
        var trip = try workload.makeTrip()
        for _ in 0..<120 {
            _ = try? trip.apply(workload.makeBatch(for: trip), by: workload.author)
            if workload.chance(30), let edit = Self.levelling(trip) {
                _ = try? trip.apply([edit], by: workload.author)
            }
            var refused: [ItemID] = []
            for item in trip.items {
                guard case .travel = item.content, let gaps = trip.gaps(for: item.id)?.gaps else { continue }
                let day = trip.items(onDay: item.position.day).map(\.id)
                let above = day.prefix { $0 != item.id }.last
                let own = gaps.first { $0.day == item.position.day && $0.after == above }
                if own?.isValid == false { refused.append(item.id) }
            }
            let reported = trip.problems.filter { $0.kind == .travelInvalid }.flatMap(\.items)
            try #require(Set(reported) == Set(refused), "seed \(seed)")
        }
    }

    /// Moves a game that binds a travel to the travel's order. The game is then above it because of the tie.
    private static func levelling(_ trip: Trip) -> Edit? {
        for item in trip.items {
            let order = item.position.sortOrder
            guard case .travel = item.content, order == order.rounded(), (100..<1540).contains(order),
                let game = trip.barriers(for: item.content).first,
                let date = trip.header.date(ofDay: item.position.day)
            else { continue }
            let minute = Int(order) - 100
            let clock = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
                .joined(separator: ":")
            guard let start = OffsetDateTime("\(date)T\(clock):00Z") else { continue }
            return .update(game, [.startsAt(start), .timeZone("UTC")])
        }
        return nil
    }

    @Test(arguments: [1, 2])
    func `overlaps of games depend on their data, not on their ids`(first: UInt64) throws {
        var trip = try Trip.create(try TripFixture.header(), by: TripFixture.author)
        let fixture = try TripFixture()
        let short = try fixture.gameContent("short", city: "Rome", day: 1, minute: 720, duration: 0)
        let long = try fixture.gameContent("long", city: "Rome", day: 1, minute: 720)
        let inside = try fixture.gameContent("inside", city: "Rome", day: 1, minute: 780, duration: 0)
        _ = try trip.apply(
            [
                .add(ItemID(high: 0, low: first), short, to: nil),
                .add(ItemID(high: 0, low: 3 - first), long, to: nil),
            ], by: TripFixture.author)
        #expect(trip.problems == [])
        _ = try trip.apply([.add(ItemID(high: 0, low: 9), inside, to: nil)], by: TripFixture.author)
        #expect(trip.problems.map(\.kind) == [.gamesOverlap])
        #expect(trip.problems[0].items.contains(ItemID(high: 0, low: 9)))
    }

    @Test func `a game that binds both sides is one barrier, and the refusal says so`() throws {
        var fixture = try TripFixture()
        let game = try fixture.game("g", city: "Rome", day: 2, minute: 600)
        let content = TripFixture.travel("Rome", "Rome", afterGame: game, beforeGame: game)
        #expect(fixture.trip.barriers(for: content) == [game])
        #expect(fixture.trip.barriers(for: TripFixture.travel("Rome", "Rome")) == [game])
        #expect(
            fixture.rejection(of: .add(ItemID(high: 1, low: 1), content, to: nil))
                == .place(.noValidPosition(after: game, before: game))
        )
        #expect(
            fixture.trip.explanation(of: .noValidPosition(after: game, before: game))
                == "g (day 2) cannot be both before and after it, so it has no place; "
                + "afterGame=none or beforeGame=none opens a side")
    }

    @Test(arguments: ["", "  ", "\u{A0}"])
    func `a blank city counts as missing`(city: String) throws {
        var fixture = try TripFixture()
        let game = try fixture.game("game-New_York-17", city: city, day: 2, minute: 600)
        #expect(fixture.trip.barriers(for: TripFixture.travel("new york", "Rome")) == [game])
        try fixture.apply(.update(game, [.gameID("game-Lima-17")]))
        #expect(fixture.trip.barriers(for: TripFixture.travel("Lima", "Rome")) == [game])
        #expect(fixture.trip.barriers(for: TripFixture.travel("new york", "Rome")) == [])
    }

    @Test func `a history sentence quotes names and describes all changes`() throws {
        var fixture = try TripFixture()
        let odd = try fixture.custom("5 items")
        let hotel = try fixture.custom("Hotel")
        #expect(
            try fixture.apply(.remove(odd)).summary == "removed “5 items” from day 1")
        #expect(
            try fixture.apply(.update(hotel, [.title("Inn")]), .move(hotel, to: .end(day: 3))).summary
                == "renamed “Hotel” to “Inn” and moved it from day 1 to day 3")
        #expect(
            try fixture.apply(.update(hotel, [.note("n")]), .move(hotel, to: .end(day: 2))).summary
                == "changed “Inn” (note) and moved it from day 3 to day 2")
        #expect(
            try fixture.apply(
                .update(hotel, [.time(ClockTime(minute: 60)), .clear(.note), .city("Rome")])
            ).summary == "changed “Inn” (city, note and time)")
        #expect(
            try fixture.apply(
                .update(hotel, [.clear(.time), .note("n"), .city("Oslo"), .place("Bay 1")])
            ).summary == "changed “Inn”", "so many make no sentence")
        #expect(
            try fixture.apply(
                .add(ItemID(high: 1, low: 1), TripFixture.custom("Bar"), to: nil),
                .trip(TripChange(name: "Tour", dayCount: 6))
            ).summary
                == "added “Bar” on day 1, renamed the trip to “Tour” and made the trip 6 days long")
        #expect(
            try fixture.apply(
                .add(ItemID(high: 1, low: 2), TripFixture.custom("A"), to: nil),
                .add(ItemID(high: 1, low: 3), TripFixture.custom("B"), to: nil), .remove(hotel)
            ).summary == "added 2 items and removed “Inn” from day 2")
    }

    @Test func `an item between two games of a minute stays there when other games come and go`() throws {
        var fixture = try TripFixture()
        let ids = try ["b", "d", "f"].map { try fixture.game($0, day: 1, minute: 720) }
        let x = try fixture.custom("x", at: .between(ids[0], ids[1], day: 1))
        let y = try fixture.custom("y", at: .after(ids[1], day: 1))
        let order = try fixture.order(x)
        let all = [ids[0], x, ids[1], y, ids[2]]
        #expect(fixture.trip.shownIDs == all)
        for gone in ids {
            var copy = fixture
            try copy.apply(.remove(gone))
            #expect(copy.trip.shownIDs == all.filter { $0 != gone })
        }
        for gameID in ["a", "c", "e", "g"] {
            var copy = fixture
            let new = try copy.game(gameID, day: 1, minute: 720)
            #expect(copy.trip.shownIDs.filter { $0 != new } == all, "\(gameID)")
            #expect(try copy.order(x) == order)
            let names = copy.titles(onDay: 1).filter { !["x", "y"].contains($0) }
            #expect(names == names.sorted())
            try copy.apply(.remove(new))
            #expect(copy.trip.shownIDs == all)
        }
    }

    @Test func `adding the thousandth game of a minute moves none past an item between them`() throws {
        var edits = try (0..<1024).map { number in
            Edit.add(
                ItemID(high: 1, low: UInt64(number)),
                try TripFixture().gameContent("g\(1000 + number)", city: nil, day: 1, minute: 720), to: nil)
        }
        let x = ItemID(high: 2, low: 1)
        edits.append(.add(x, TripFixture.custom("x"), to: .after(ItemID(high: 1, low: 500), day: 1)))
        var trip = try Trip.create(try TripFixture.header(), edits: edits, by: TripFixture.author)
        let shown = trip.shownIDs
        let last = try TripFixture().gameContent("h", city: nil, day: 1, minute: 720)
        _ = try trip.apply([.add(ItemID(high: 3, low: 1), last, to: nil)], by: TripFixture.author)
        #expect(Array(trip.shownIDs.dropLast()) == shown)
        _ = try trip.apply([.remove(ItemID(high: 3, low: 1))], by: TripFixture.author)
        #expect(trip.shownIDs == shown)
    }

    @Test(arguments: [
        ("São Paulo", "sao-paulo"), ("Łódź", "lodz"), ("Ærø", "aero"), ("Straße", "strasse"), ("🎉", ""),
        ("Đà Nẵng", "da-nang"), ("İstanbul", "istanbul"), ("  A -- b ", "a-b"), ("Þórshöfn", "thorshofn"),
    ])
    func `a name always gives the same slug`(name: String, slug: String) {
        #expect(TripHeader.slug(of: name) == slug)
    }
}
