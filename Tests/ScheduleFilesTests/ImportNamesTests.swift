import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// What an import says about single entries, and entries whose source has given them new ids.
@Suite struct ImportNamesTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))
    private var trip = CalendarSamples.frame("UTC", from: "2026-04-01", days: 90).emptyTrip(named: "T")

    /// One event with an id, a title and a start in April or May.
    private typealias Event = (uid: String, title: String, start: String)

    private static func calendar(_ events: [Event], _ more: String = "") -> [UInt8] {
        let lines = events.flatMap {
            [
                "BEGIN:VEVENT", "UID:\($0.uid)", "SUMMARY:\($0.title)", "DTSTART:2026\($0.start)0000Z\(more)",
                "END:VEVENT",
            ]
        }
        return Array((["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\n").utf8)
    }

    @discardableResult
    private mutating func runImport(
        _ events: [Event], _ more: String = "", _ pruning: ImportOptions.Pruning = .none
    ) throws -> ImportReport {
        var options = ImportOptions(source: "tour")
        options.pruning = pruning
        var random = SplitMix64(seed: 1)
        let file = try ScheduleFile(Self.calendar(events, more), .ics)
        let plan = try ImportPlan(importing: file, into: trip, options, using: &random)
        _ = try trip.apply(plan.edits, by: Self.author)
        return plan.report
    }

    @Test mutating func `a report names what is changed, new, missing and removed`() throws {
        try runImport([("1", "Manchester", "0409T19"), ("2", "Leeds", "0410T19"), ("3", "York", "0411T19")])
        let events: [Event] = [
            ("1", "Manchester", "0519T19"), ("2", "Leeds", "0410T19"), ("4", "Hull", "0412T20"),
        ]
        let kept = try runImport(events, "\nLOCATION:Forum\\, Leeds\nDURATION:PT90M")
        #expect(
            kept.lines.dropFirst().prefix(4) == [
                "Manchester: 9 Apr 19:00 → 19 May 19:00, city none → Leeds, venue none → Forum, duration none → 1 h 30 min",
                "Leeds: city none → Leeds, venue none → Forum, duration none → 1 h 30 min",
                "new: Hull, 12 Apr",
                "missing from the source and kept: York, 11 Apr",
            ])
        let pruned = try runImport(events, "\nLOCATION:Forum\\, Leeds\nDURATION:PT90M", .some)
        #expect(pruned.lines == [pruned.summary, "removed: York, 11 Apr"])
    }

    @Test mutating func `of each kind at most twenty lines are named, and the others counted`() throws {
        let events: [Event] = (0..<32).map { ("\($0)", "Gig \($0)", "04\(10 + $0 / 2)T1\($0 % 2)") }
        let report = try runImport(events)
        let names = report.names(more: ": log tour")
        #expect(names.count == 21 && names.last == "and 12 more: log tour")
    }

    @Test mutating func `entries with new ids keep their items and what people wrote`() throws {
        let titles = ["Manchester", "Leeds", "York", "Hull"]
        func events(_ prefix: String, moved: Bool = false) -> [Event] {
            titles.enumerated().map { index, title in
                (prefix + title, title, "041\(index)T\(moved && index == 1 ? "21" : "19")")
            }
        }
        try runImport(events("a"))
        let ids = Set(trip.items.map(\.id))
        let york = try #require(trip.items.first { $0.content.title == "York" })
        _ = try trip.apply([.update(york.id, [.note("my seat")])], by: Self.author)
        let report = try runImport(events("b", moved: true), "", .some)
        #expect(Set(trip.items.map(\.id)) == ids && trip[york.id]?.content[.note] == .text("my seat"))
        #expect(report.notes.map(\.text) == ["4 entries have new ids"] && report.removed == 0)
        #expect(report.changed.map(\.description) == ["Leeds: 11 Apr 19:00 → 11 Apr 21:00"])
        let again = try runImport(events("b", moved: true))
        #expect(again.unchanged == 4 && again.notes == [], "the new ids are known now")
    }

    @Test
    mutating func
        `entries with new ids and longer titles are the same, also beside items that vanished long ago`()
        throws
    {
        let starts = (10..<20).map { "04\($0)T19" }
        try runImport(starts.enumerated().map { ("old\($0)", "Gone \($0)", $1) })
        try runImport([("a", "Race", "0501T14"), ("b", "Sprint", "0501T10")])
        let report = try runImport([("c", "Race - Brno", "0501T14"), ("d", "Sprint - Brno", "0501T10")])
        #expect(report.imported == 0 && report.updated == 2 && report.vanished.count == 10)
        #expect(report.changed.map(\.description).contains("Race: title Race → Race - Brno"))
    }

    @Test mutating func `a title that only begins with the same letters is another entry`() throws {
        try runImport([("a", "Race", "0501T14")])
        #expect(try runImport([("b", "Racewalk", "0501T14")]).imported == 1)
    }

    @Test mutating func `entries that differ in more than their ids are new`() throws {
        try runImport([("1", "Manchester", "0409T19"), ("2", "Leeds", "0410T19"), ("3", "York", "0411T19")])
        let report = try runImport([
            ("4", "Manchester", "0409T19"), ("5", "Hull", "0410T19"), ("6", "Bath", "0411T19"),
        ])
        #expect(report.imported == 3 && report.vanished.count == 3, "one of three is less than half")
    }
}
