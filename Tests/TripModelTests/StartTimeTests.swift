import Testing

@testable import TripModel

/// Times after the midnight that ends a day.
@Suite struct StartTimeTests {
    @Test(arguments: [
        ("24:30", "00:30 +1"), ("25:05", "01:05 +1"), ("35:59", "11:59 +1"), ("00:30+1", "00:30 +1"),
        ("00:30 +1", "00:30 +1"), ("0.30 + 1", "00:30 +1"), ("12:30am+1", "00:30 +1"), ("19:30", "19:30"),
        ("24.00", "00:00 +1"),
    ])
    func `a time after midnight is written in several forms and shown in one`(text: String, shown: String) {
        #expect(StartTime(written: text)?.description == shown)
        #expect(StartTime(written: shown)?.description == shown)
    }

    @Test(arguments: [
        "36:00", "24:60", "2430", "24", "00:30+2", "00:30-1", "12:00+1", "24:30+1", "+1", "00:30 +", "24:5",
        "24:30 ",
    ])
    func `other forms are refused`(text: String) { #expect(StartTime(written: text) == nil) }

    @Test func `a time after midnight is on the next date, and below all others of its day`() throws {
        var fixture = try TripFixture()
        let bar = CustomItem(title: "Bar", time: ClockTime("00:30"), isLateNight: true)
        let last = try fixture.add(
            .custom(CustomItem(title: "Film", time: ClockTime("23:59"))), to: .end(day: 2))
        let late = try fixture.add(.custom(bar), to: .end(day: 2))
        #expect(fixture.trip.problems == [])
        let clocks = TripClocks(fixture.trip)
        let items = try [last, late].map { try #require(fixture.trip[$0]) }
        #expect(clocks.start(of: items[1]) == clocks.start(of: items[0]).map { $0 + 31 })
        #expect(items[1].clockTime == "00:30 +1")
        try fixture.move(late, to: .before(last, day: 2))
        #expect(
            fixture.trip.problems.map(\.message) == ["00:30 +1 Bar, 23:59 Film are not in time order"])
        // An item of the next day comes after it.
        try fixture.move(late, to: .end(day: 2))
        let early = try fixture.add(
            .custom(CustomItem(title: "Bus", time: ClockTime("00:10"))), to: .start(day: 3))
        #expect(
            fixture.trip.problems.map(\.message) == [
                "00:10 Bus on day 3 begins before 00:30 +1 Bar of day 2 has ended; it fits on day 4"
            ])
        try fixture.apply(.update(early, [.time(ClockTime("01:00"))]))
        #expect(fixture.trip.problems == [])
        try fixture.apply(.update(late, [.durationMinutes(31)]))
        #expect(fixture.trip.problems.map(\.kind) == [.gamesOverlap, .outOfTime])
        // From noon on the flag has no effect.
        try fixture.apply(.update(late, [.time(ClockTime("12:00")), .clear(.durationMinutes)]))
        #expect(fixture.trip[late]?.clockTime == "12:00")
        #expect(fixture.trip[late]?.content[.lateNight] == .flag(true))
    }

    @Test func `travel after midnight arrives on the next day at the earliest`() throws {
        var fixture = try TripFixture()
        let leg = Travel(
            fromCity: "Rome", toCity: "Oslo", durationMinutes: 300, time: ClockTime("00:40"),
            isLateNight: true)
        let id = try fixture.add(.travel(leg), to: .end(day: 1))
        let item = try #require(fixture.trip[id])
        #expect(TripClocks(fixture.trip).timeNotes(of: item).first == "00:40 +1 → 05:40 +1")
        #expect(
            fixture.trip.laterDays(by: TripClocks(fixture.trip))[2]?.map(\.text) == [
                "→ Rome → Oslo · arrives 05:40, Oslo time"
            ])
    }
}
