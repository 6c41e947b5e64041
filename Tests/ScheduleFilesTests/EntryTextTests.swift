import ScheduleFiles
import TestSupport
import Testing
import TripModel

@Suite struct EntryTextTests {
    private typealias S = CalendarSamples

    @Test(arguments: 0..<300)
    func `cleaned text of any file is accepted by a trip`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "a", "\u{301}", "\u{915}\u{94D}", "\u{200D}", "\u{FE0F}", "\u{1F600}", "\u{1B}", "\u{202E}",
            "\u{0}", "\\n", "\r",
            "\t", "\u{2028}", " ", "\u{1100}", "\u{1161}", "\u{600}", "é", "\u{20E3}", "❤", "\u{E0100}",
            "\u{85}", "\\,",
        ]
        func text() -> String {
            (0..<random.below(60)).map { _ in pieces[random.below(pieces.count)] }.joined()
        }
        func property(_ name: String) -> String { "\(name):\(text().filter { !$0.isNewline })" }
        let entries = try S.entries(
            S.event(
                "DTSTART:20260611T190000Z", property("X-A"), property("LOCATION"), property("DESCRIPTION"),
                property("URL"),
                property("UID")))
        var trip = S.frame().emptyTrip(named: text())
        var generator = SplitMix64(seed: 1)
        let file = try ScheduleFile(
            S.event("DTSTART:20260611T190000Z", property("LOCATION"), property("DESCRIPTION")), .ics)
        let plan = try ImportPlan(
            importing: file, into: trip, ImportOptions(source: text()), using: &generator)
        #expect(plan.report.skipped == [] && entries.skipped == [])
        _ = try trip.apply(plan.edits, by: Author(name: "A", at: Timestamp(milliseconds: 0)))
        #expect(trip.itemCount == 1)
    }

    @Test func `truncated ids stay distinct`() throws {
        let long = String(repeating: "x", count: 600)
        func event(_ uid: String) -> [String] {
            ["BEGIN:VEVENT", "UID:\(uid)", "DTSTART:20260611T190000Z", "END:VEVENT"]
        }
        let lines = ["BEGIN:VCALENDAR"] + event(long + "1") + event(long + "2") + ["END:VCALENDAR"]
        let entries = try S.entries(Array(lines.joined(separator: "\n").utf8))
        #expect(Set(entries.entries.map(\.id)).count == 2)
        #expect(entries.entries.allSatisfy { $0.id.utf8.count <= TripLimits.sourceIDBytes })
        #expect(entries.notes.count { $0.text.contains("UID is cut") } == 2)
    }
}
