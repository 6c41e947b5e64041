import Foundation
import TestSupport
import Testing

@testable import TripModel

/// Travel on the days after its departure, and the clock of where the travellers are.
@Suite struct LaterDayTests {
    private func train(
        _ minutes: Int?, from: String = "Berlin", to: String = "Paris", at time: String? = "20:12"
    ) -> ItemContent {
        .travel(
            Travel(
                fromCity: from, toCity: to, durationMinutes: minutes, afterGame: .open, beforeGame: .open,
                time: time.flatMap { ClockTime($0) }))
    }

    private func lines(_ fixture: TripFixture) -> [Int: [String]] {
        fixture.trip.laterDays(by: TripClocks(fixture.trip)).mapValues { $0.map(\.text) }
    }

    @Test func `travel that arrives on a later day has a line on each day up to its arrival`() throws {
        var fixture = try TripFixture(start: "2027-06-01", zone: "Europe/Berlin")
        let night = try fixture.add(train(740), to: .end(day: 1))
        #expect(lines(fixture) == [2: ["→ Berlin → Paris · arrives 08:32, Paris time"]])
        try fixture.apply(.update(night, [.durationMinutes(740 + 1440)]))
        #expect(
            lines(fixture) == [
                2: ["→ Berlin → Paris · under way"], 3: ["→ Berlin → Paris · arrives 08:32, Paris time"],
            ])
        // The date of the arrival is that of its own clock.
        try fixture.apply(.update(night, [.durationMinutes(600), .toCity("Los Angeles")]))
        #expect(lines(fixture) == [:])
        try fixture.apply(.update(night, [.clear(.durationMinutes)]))
        #expect(lines(fixture) == [:])
    }

    @Test func `an arrival after the last day shows only the days of the trip`() throws {
        var fixture = try TripFixture(start: "2027-06-01", zone: "Europe/Berlin")
        _ = try fixture.add(train(740 + 1440), to: .end(day: 4))
        #expect(lines(fixture) == [5: ["→ Berlin → Paris · under way"]])
    }

    @Test(arguments: [
        ("2027-06-01T12:00:00Z", "Europe/Berlin", 1),
        // On the plane it is still the date of the departure.
        ("2027-06-02T12:00:00Z", "Europe/Berlin", 2),
        ("2027-06-03T05:00:00Z", "America/Los_Angeles", 2),
        ("2027-06-03T08:00:00Z", "America/Los_Angeles", 3),
        // After a concert in Tokyo, which begins on 4 June at 10:00 UTC.
        ("2027-06-04T09:59:00Z", "America/Los_Angeles", 4), ("2027-06-04T16:00:00Z", "Asia/Tokyo", 5),
    ])
    func `the date is that of the last arrival or attended event`(moment: String, zone: String, day: Int)
        throws
    {
        var fixture = try TripFixture(start: "2027-06-01", zone: "Europe/Berlin")
        _ = try fixture.add(train(700, to: "Los Angeles", at: "12:00"), to: .end(day: 2))
        let concert = try #require(OffsetDateTime("2027-06-04T19:00:00+09:00"))
        _ = try fixture.add(
            .game(Game(gameID: "c", title: "c", city: "Tokyo", startsAt: concert, timeZone: "Asia/Tokyo")))
        let clocks = TripClocks(fixture.trip)
        let now = try #require(OffsetDateTime(moment)).secondsSince1970
        #expect(clocks.zone(at: now) == zone)
        #expect(clocks.day(at: now) == day)
    }
}
