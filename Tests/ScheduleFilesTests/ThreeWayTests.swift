import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// Imports of one source after users' changes: the source's changes are applied, and fields changed by users
/// are kept.
@Suite struct ThreeWayTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))
    private static let camp = ["UID:camp", "SUMMARY:Camp", "DTSTART;VALUE=DATE:20260613"]
    private static let game = [
        "UID:game", "SUMMARY:A v B", "DTSTART:20260612T180000Z", "DURATION:PT2H", "LOCATION:Stadium, Berlin",
    ]

    private var trip = CalendarSamples.frame("UTC", from: "2026-06-11", days: 10).emptyTrip(named: "T")

    private static func calendar(_ events: [[String]]) -> [UInt8] {
        let lines = events.flatMap { ["BEGIN:VEVENT"] + $0 + ["END:VEVENT"] }
        return Array((["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\n").utf8)
    }

    @discardableResult
    private mutating func runImport(_ events: [String]..., takesSource: Bool = false) throws -> ImportReport {
        var options = ImportOptions(source: "league")
        options.takesSource = takesSource
        var random = SplitMix64(seed: 1)
        let file = try ScheduleFile(Self.calendar(events), .ics)
        let plan = try ImportPlan(importing: file, into: trip, options, using: &random)
        _ = try trip.apply(plan.edits, by: Self.author)
        return plan.report
    }

    private mutating func edit(_ edits: Edit...) throws { _ = try trip.apply(edits, by: Self.author) }

    private func item(_ uid: String) throws -> Item {
        try #require(
            trip.items.first {
                if case .source(let source)? = $0.content[.source] { source.id == uid } else { false }
            })
    }

    @Test mutating func `an unchanged source preserves all changes of users`() throws {
        let camp = Self.camp + ["DESCRIPTION:Bring tents"]
        try runImport(camp, Self.game)
        let (one, other) = (try item("camp").id, try item("game").id)
        try edit(
            .update(one, [.title("Our camp"), .clear(.note), .time(ClockTime(minute: 600))]),
            .move(one, to: .end(day: 7)),
            .update(other, [.city("Bonn"), .venue("Own"), .durationMinutes(99), .timeZone("Europe/Berlin")]))
        let before = trip
        let report = try runImport(camp, Self.game)
        #expect(report.summary == "imported 0 · updated 0 · unchanged 2 · removed 0 · skipped 0")
        #expect(report.kept == [] && trip == before)
    }

    @Test mutating func `fields that no user has changed follow the source`() throws {
        try runImport(Self.camp + ["DESCRIPTION:TV: tba"], Self.game)
        let note = String(repeating: "Long. ", count: 400)
        try edit(.update(try item("game").id, [.note("mine")]))
        let report = try runImport(
            ["UID:camp", "SUMMARY:Camp 2", "DTSTART;VALUE=DATE:20260615", "DESCRIPTION:\(note)"],
            ["UID:game", "SUMMARY:A v B", "DTSTART:20260612T190000Z", "LOCATION:Hall 7, Bonn"])
        #expect(report.updated == 2 && report.kept == [])
        let camp = try item("camp")
        #expect(camp.content.title == "Camp 2" && camp.position.day == 5)
        #expect(camp.content[.note] == .text(String(note.dropLast())))
        let game = try item("game").content
        #expect(game[.venue] == .text("Hall 7") && game[.city] == .text("Bonn"))
        #expect(game[.note] == .text("mine") && game[.durationMinutes] == .minutes(120))
        // A note that the source removes is removed, even a long one, of which only a hash is stored.
        try runImport(["UID:camp", "SUMMARY:Camp 2", "DTSTART;VALUE=DATE:20260615"], Self.game)
        #expect(try item("camp").content[.note] == nil)
    }

    @Test mutating func `fields changed by both keep the user's value, which is reported once`() throws {
        try runImport(Self.camp, Self.game)
        let id = try item("camp").id
        try edit(.update(id, [.title("Our camp")]), .move(id, to: .end(day: 8)))
        let changed = ["UID:camp", "SUMMARY:Camp 2", "DTSTART;VALUE=DATE:20260614"]
        let report = try runImport(changed, Self.game)
        #expect(report.unchanged == 2 && report.updated == 0)
        #expect(
            report.kept.map(\.description) == [
                "kept: title of Camp is yours; the source now says “Camp 2”",
                "kept: day of Our camp is yours; the source now says “2026-06-14”",
            ])
        #expect(report.lines.contains("kept: title of Camp is yours; the source now says “Camp 2”"))
        let again = try runImport(changed, Self.game)
        #expect(again.kept == [] && again.unchanged == 2)
        #expect(trip[id]?.content.title == "Our camp" && trip[id]?.position.day == 8)
        let theirs = try runImport(changed, Self.game, takesSource: true)
        #expect(theirs.updated == 1 && theirs.kept == [])
        #expect(trip[id]?.content.title == "Camp 2" && trip[id]?.position.day == 4)
    }

    @Test mutating func `the source's value can be preferred, and only if it has changed`() throws {
        try runImport(Self.camp, Self.game)
        try edit(
            .update(try item("camp").id, [.title("Our camp")]),
            .update(try item("game").id, [.title("Our game"), .city("Bonn")]))
        let report = try runImport(
            ["UID:camp", "SUMMARY:Camp 2", "DTSTART;VALUE=DATE:20260613"], Self.game, takesSource: true)
        #expect(report.updated == 1 && report.unchanged == 1)
        #expect(try item("camp").content.title == "Camp 2")
        #expect(try item("game").content.title == "Our game", "the source has not changed it")
    }

    @Test mutating func `an item without stored source values keeps its own, and stores the source's`()
        throws
    {
        let id = ItemID(high: 7, low: 7)
        let old = CustomItem(title: "Our camp", source: ItemSource(name: "league", id: "camp"))
        try edit(.add(id, .custom(old), to: .end(day: 8)))
        let report = try runImport(Self.camp + ["DESCRIPTION:Bring tents"])
        #expect(report.kept.map(\.field) == ["title", "day"])
        #expect(trip[id]?.content.title == "Our camp" && trip[id]?.position.day == 8)
        #expect(trip[id]?.content[.note] == .text("Bring tents"), "no user has written a note")
        #expect(try runImport(Self.camp + ["DESCRIPTION:Bring tents"]).kept == [])
    }

    @Test mutating func `undo of an import restores the stored source values`() throws {
        try runImport(Self.camp)
        let changed = ["UID:camp", "SUMMARY:Camp 2", "DTSTART;VALUE=DATE:20260613"]
        var random = SplitMix64(seed: 1)
        let file = try ScheduleFile(Self.calendar([changed]), .ics)
        let plan = try ImportPlan(
            importing: file, into: trip, ImportOptions(source: "league"), using: &random)
        let commit = try trip.apply(plan.edits, by: Self.author)
        _ = try trip.apply(reversing: commit, by: Self.author)
        #expect(try item("camp").content.title == "Camp")
        #expect(try runImport(changed).updated == 1)
        #expect(try item("camp").content.title == "Camp 2")
    }

    @Test mutating func `an exported trip contains its stored source values`() throws {
        try runImport(Self.camp, Self.game)
        let file = try ScheduleFile(FileFormat.json.text(of: trip), .json)
        var copy = CalendarSamples.frame("UTC", from: "2026-06-11", days: 10).emptyTrip(named: "Copy")
        var random = SplitMix64(seed: 1)
        let plan = try ImportPlan(importing: file, into: copy, ImportOptions(source: "x"), using: &random)
        _ = try copy.apply(plan.edits, by: Self.author)
        for item in trip.items { #expect(copy[item.id]?.content == item.content) }
    }
}
