import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// The exported calendar as a phone shows it.
@Suite struct PhoneCalendarTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))

    private static func trip() throws -> Trip {
        var trip = CalendarSamples.frame("Europe/Berlin", from: "2026-06-11", days: 5).emptyTrip(named: "T")
        let start = try #require(OffsetDateTime("2026-06-12T18:00:00Z"))
        func id(_ number: UInt64) -> ItemID { ItemID(high: 1, low: number) }
        let edits: [Edit] = [
            .add(
                id(1),
                .game(Game(gameID: "g", title: "Final", city: "Paris", venue: "Arena", startsAt: start)),
                to: nil),
            .update(id(1), [.attending(false)]),
            .add(id(2), .custom(CustomItem(title: "Louvre")), to: .end(day: 1)),
            .update(
                id(2),
                [
                    .place("Rue de Rivoli"), .city("Paris"), .time(ClockTime(minute: 600)), .note("Room 12"),
                    .reference("R2D2"), .who("Ann, Ben"),
                ]),
            .add(
                id(3), .travel(Travel(fromCity: "Rome", toCity: "Paris", mode: "night train")),
                to: .end(day: 3)),
            .update(id(3), [.who("Ben")]),
        ]
        _ = try trip.apply(edits, by: author)
        return trip
    }

    private static func lines(_ trip: Trip, alarm: Int? = nil) -> [String] {
        String(decoding: FileFormat.ics.text(of: trip, alarmMinutes: alarm), as: UTF8.self)
            .replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    }

    @Test func `a description begins with the mode and the reference, and the place has its city`() throws {
        let lines = try Self.lines(Self.trip())
        #expect(lines.contains("DESCRIPTION:Reference: R2D2\\nWith: Ann\\, Ben\\n\\nRoom 12"))
        #expect(lines.contains("LOCATION:Rue de Rivoli\\, Paris"))
        #expect(lines.contains("DESCRIPTION:night train\\nWith: Ben") && lines.contains("LOCATION:Rome"))
        #expect(lines.contains("SUMMARY:(not attending) Final"))
        #expect(!lines.contains("BEGIN:VALARM"))
    }

    @Test func `an alarm stands before each item with a time that somebody attends`() throws {
        let lines = try Self.lines(Self.trip(), alarm: 90)
        #expect(lines.filter { $0 == "BEGIN:VALARM" }.count == 1)
        #expect(lines.contains("TRIGGER:-PT90M"))
    }

    @Test func `titles and notes are as before when the calendar is imported again`() throws {
        let trip = try Self.trip()
        var random = SplitMix64(seed: 1)
        let file = try ScheduleFile(FileFormat.ics.text(of: trip, alarmMinutes: 30), .ics)
        let plan = try ImportPlan(importing: file, into: trip, ImportOptions(source: "T"), using: &random)
        #expect(plan.report.unchanged == 3 && plan.report.skipped == [] && plan.report.changed == [])
    }

    @Test func `the items of a person are those that name the person, and those that name nobody`() throws {
        let trip = try Self.trip()
        #expect(try trip.items(of: "ANN").items.map(\.content.title) == ["Louvre", "Final"])
        #expect(try trip.items(of: "ben").itemCount == 3)
        #expect(trip.spellings.values.sorted() == ["Ann", "Ben"])
    }
}
