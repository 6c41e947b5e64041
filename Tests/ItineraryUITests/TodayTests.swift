import TestSupport
import Testing
import TripModel

@testable import ItineraryUI

/// The editor during a trip.
@Suite struct TodayTests {
    /// A trip from 11 June in Berlin, with a night train to Tokyo time, at a moment.
    private func editor(at moment: String) throws -> Editor {
        let start = try #require(CalendarDate("2026-06-11"))
        let header = TripHeader(
            id: TripID(high: 1, low: 1), slug: "t", name: "T", startDate: start, timeZone: "Europe/Berlin",
            dayCount: 5)
        var trip = Trip(empty: header)
        let train = Travel(
            fromCity: "Berlin", toCity: "Paris", durationMinutes: 740, afterGame: .open, beforeGame: .open,
            time: ClockTime("20:12"))
        let edits: [Edit] = [
            .add(ItemID(high: 1, low: 1), .travel(train), to: .end(day: 2)),
            .add(ItemID(high: 1, low: 2), .custom(CustomItem(title: "Louvre")), to: .end(day: 4)),
        ]
        _ = try trip.apply(edits, by: Author(name: "Ann", at: Timestamp(milliseconds: 0)))
        var options = EditorOptions()
        let seconds = try #require(OffsetDateTime(moment)).secondsSince1970
        options.seconds = { seconds }
        var editor = try Editor(loads: false, options: options)
        editor.send(.loaded(TripView(trip: trip, problems: [])))
        return editor
    }

    @Test func `the editor opens at today, marks it, and a key goes back`() throws {
        var editor = try editor(at: "2026-06-13T09:00:00+02:00")
        #expect(editor.focusedLine?.contains("Day 3 · Sat 13 Jun 2026 · today") == true)
        #expect(editor.list.contains { $0.contains("→ Berlin → Paris · arrives 08:32, Paris time") })
        editor.press(.home)
        #expect(editor.focusedLine?.contains("today") == false)
        editor.type(".")
        #expect(editor.focusedLine?.contains("today") == true)
        editor.type("z")
        #expect(editor.list.contains { $0.contains("arrives 08:32") }, "the day is not folded as empty")
    }

    @Test func `before and after the trip there is no today`() throws {
        var editor = try editor(at: "2026-06-10T09:00:00+02:00")
        #expect(editor.focusedLine?.contains("Day 3") == false)
        editor.type(".")
        #expect(editor.status == "Today is not a day of the trip.")
    }
}
