import Testing

@testable import TripModel

/// Unattended events, stays of several nights, and accepted problems.
@Suite struct AttendanceTests {
    private static let hotel = ItemID(high: 7, low: 7)

    @Test func `an unattended game constrains no travel and is in no problem`() throws {
        var fixture = try TripFixture()
        let chicago = try fixture.game("a", city: "Chicago", day: 2, minute: 600)
        let detroit = try fixture.game("b", city: "Detroit", day: 2, minute: 660)
        #expect(fixture.trip.problems.map(\.kind) == [.gamesInDifferentCities, .gamesOverlap])
        try fixture.apply(.update(detroit, [.attending(false)]))
        #expect(fixture.trip.problems == [])
        let travel = TripFixture.travel("Chicago", "Detroit")
        #expect(fixture.trip.validDays(for: travel) == 2...5)
        #expect(fixture.trip.barriers(for: travel) == [chicago])
        #expect(
            fixture.trip.barriers(for: TripFixture.travel("Chicago", "Lima", beforeGame: detroit)) == [
                chicago
            ])
        try fixture.apply(.update(detroit, [.attending(true)]))
        #expect(fixture.trip.validDays(for: travel) == 2...2)
        try fixture.apply(.update(detroit, [.attending(false)]), .trip(TripChange(dayCount: 1)))
        #expect(
            fixture.trip.problems.map(\.items) == [[chicago]], "outside the trip only the attended one counts"
        )
    }

    @Test func `a cancelled game constrains no travel, is in no problem, and is a hint`() throws {
        var fixture = try TripFixture()
        let chicago = try fixture.game("a", city: "Chicago", day: 2, minute: 600)
        let detroit = try fixture.game("b", city: "Detroit", day: 2, minute: 660)
        let travel = TripFixture.travel("Chicago", "Detroit")
        #expect(fixture.trip.validDays(for: travel) == 2...2)
        try fixture.apply(.update(detroit, [.cancelled(true)]))
        #expect(fixture.trip.validDays(for: travel) == 2...5)
        #expect(fixture.trip.barriers(for: travel) == [chicago])
        let hint = try #require(fixture.trip.problems.first)
        #expect(fixture.trip.problems.count == 1 && hint.kind == .cancelledEvent && hint.items == [detroit])
        #expect(hint.message == "b is cancelled" && !hint.isCounted && hint.day == 2)
        try fixture.apply(.trip(TripChange(acceptance: .init(of: hint.key, true))))
        #expect(fixture.trip.problems.map(\.isAccepted) == [true])
        try fixture.apply(.update(detroit, [.cancelled(false)]))
        #expect(fixture.trip[detroit]?.content[.cancelled] == nil)
        #expect(fixture.trip.problems.map(\.kind) == [.gamesInDifferentCities, .gamesOverlap])
        #expect(fixture.trip.header.acceptedProblems == [])
    }

    @Test func `games in two cities on one day are not a problem if travel between them fits`() throws {
        var fixture = try TripFixture()
        let chicago = try fixture.game("a", city: "Chicago", day: 2, minute: 600, duration: 120)
        _ = try fixture.game("b", city: "Detroit", day: 2, minute: 1000)
        func kinds() -> [Problem.Kind] { fixture.trip.problems.map(\.kind) }
        #expect(kinds() == [.gamesInDifferentCities])
        let train = try fixture.travel("Chicago", "Detroit", at: .after(chicago, day: 2))
        #expect(kinds() == [])
        try fixture.apply(.update(train, [.durationMinutes(280)]))
        #expect(kinds() == [], "it leaves as the one ends and arrives as the other begins")
        try fixture.apply(.update(train, [.durationMinutes(281)]))
        #expect(kinds() == [.gamesInDifferentCities])
        try fixture.apply(.update(train, [.durationMinutes(60), .time(ClockTime("11:00"))]))
        #expect(kinds() == [.gamesInDifferentCities, .gamesOverlap], "it leaves during the game")
        try fixture.apply(.update(train, [.time(ClockTime("12:30")), .toCity("Toledo")]))
        #expect(kinds() == [.gamesInDifferentCities], "the travel leads to another city")
        _ = try fixture.travel("Toledo", "Detroit", at: .after(train, day: 2))
        #expect(kinds() == [], "two legs lead there")
    }

    @Test func `a stay is a line on each later day and a problem past the last day`() throws {
        var fixture = try TripFixture()
        let stay = CustomItem(title: "Hotel", endTime: ClockTime("11:00"), nights: 2)
        try fixture.apply(.add(Self.hotel, .custom(stay), to: .start(day: 3)))
        #expect(fixture.trip.problems.map(\.kind) == [.nightWithoutStay])
        #expect(
            fixture.trip.laterDays(by: TripClocks(fixture.trip)).mapValues { $0.map(\.text) }
                == [4: ["⌂ Hotel · night 2 of 2"], 5: ["⌂ Hotel · check-out 11:00"]])
        try fixture.move(Self.hotel, to: .start(day: 4))
        #expect(
            fixture.trip.problems.filter { !$0.kind.isHint } == [
                Problem(
                    kind: .stayOutsideTrip, items: [Self.hotel], day: 4,
                    message: "Hotel lasts until day 6, but the trip has 5 days")
            ])
        #expect(
            fixture.trip.laterDays(by: TripClocks(fixture.trip)).mapValues { $0.map(\.text) } == [
                5: ["⌂ Hotel · night 2 of 2"]
            ])
        #expect(fixture.rejection(of: .update(Self.hotel, [.nights(366)])) != nil)
    }

    /// A trip with a stay past its last day, whose problem is accepted.
    private func marks(_ fixture: TripFixture) -> [Bool] {
        fixture.trip.problems.filter { !$0.kind.isHint }.map(\.isAccepted)
    }

    /// Whether each problem is accepted.
    private func accepted() throws -> (fixture: TripFixture, key: String) {
        var fixture = try TripFixture()
        try fixture.apply(
            .add(Self.hotel, .custom(CustomItem(title: "Hotel", nights: 2)), to: .start(day: 4)))
        let key = try #require(fixture.trip.problems.first).key
        #expect(key == "stay_outside_trip:\(Self.hotel)")
        try fixture.apply(.trip(TripChange(acceptance: TripChange.Acceptance(of: key, true))))
        #expect(marks(fixture) == [true])
        return (fixture, key)
    }

    @Test func `an accepted problem stays accepted until an item changes its day, time or city`() throws {
        var (fixture, _) = try accepted()
        try fixture.apply(.update(Self.hotel, [.note("n"), .nights(3)]))
        #expect(marks(fixture) == [true])
        for edit in [
            Edit.update(Self.hotel, [.time(ClockTime("15:00"))]), .update(Self.hotel, [.city("Lima")]),
            .move(Self.hotel, to: .end(day: 5)),
        ] {
            var copy = fixture
            try copy.apply(edit)
            #expect(marks(copy) == [false])
            #expect(copy.trip.header.acceptedProblems == [])
        }
        try fixture.apply(.remove(Self.hotel))
        #expect(fixture.trip.header.acceptedProblems == [])
    }

    @Test func `an acceptance ends with its problem, also later in the change that accepted it`() throws {
        var (fixture, key) = try accepted()
        let accept = Edit.trip(TripChange(acceptance: TripChange.Acceptance(of: key, true)))
        let ended = try fixture.apply(.update(Self.hotel, [.nights(1)]))
        #expect(fixture.trip.header.acceptedProblems == [])
        _ = try fixture.trip.apply(reversing: ended, by: TripFixture.author)
        #expect(fixture.trip.header.acceptedProblems == [key])
        try fixture.apply(accept, .move(Self.hotel, to: .end(day: 5)))
        #expect(fixture.trip.header.acceptedProblems == [])
        try fixture.apply(.move(Self.hotel, to: .end(day: 4)), accept)
        #expect(fixture.trip.header.acceptedProblems == [key])
        try fixture.apply(.move(Self.hotel, to: .end(day: 5)), accept)
        #expect(fixture.trip.header.acceptedProblems == [key], "it was accepted after the move")
    }

    @Test func `undo revokes an acceptance, and restores one that the change had revoked`() throws {
        var (fixture, key) = try accepted()
        let move = try fixture.move(Self.hotel, to: .end(day: 5))
        #expect(fixture.trip.header.acceptedProblems == [])
        let undo = try fixture.trip.apply(reversing: move, by: TripFixture.author)
        #expect(fixture.trip.header.acceptedProblems == [key])
        _ = try fixture.trip.apply(reversing: undo, by: TripFixture.author)
        #expect(fixture.trip.header.acceptedProblems == [])
        let again = try fixture.apply(.trip(TripChange(acceptance: TripChange.Acceptance(of: key, true))))
        _ = try fixture.trip.apply(reversing: again, by: TripFixture.author)
        #expect(fixture.trip.header.acceptedProblems == [])
    }

    @Test func `only an existing problem can be accepted`() throws {
        let (fixture, key) = try accepted()
        func rejection(_ key: String, _ isAccepted: Bool) -> Rejection? {
            fixture.rejection(of: .trip(TripChange(acceptance: TripChange.Acceptance(of: key, isAccepted))))
        }
        #expect(rejection("games_overlap:\(Self.hotel)", true) != nil)
        #expect(rejection("", true) != nil)
        #expect(rejection("anything", false) == nil)
        #expect(try fixture.isNoop(.trip(TripChange(acceptance: TripChange.Acceptance(of: key, true)))))
    }

    @Test func `a problem with many items has a short key and cannot be accepted`() throws {
        var fixture = try TripFixture()
        for number in 0..<60 { _ = try fixture.game("g\(number)", city: "A", day: 2, minute: 600) }
        let problem = try #require(fixture.trip.problems.first)
        #expect(problem.items.count == 60 && problem.key.hasSuffix("+10"))
        #expect(
            fixture.rejection(of: .trip(TripChange(acceptance: TripChange.Acceptance(of: problem.key, true))))
                != nil)
    }
}
