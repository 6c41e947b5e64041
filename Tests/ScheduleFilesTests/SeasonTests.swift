import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// A league's season, imported once a week with `--prune`, while a person edits the trip between the imports.
///
/// The feed has the form of real ones: zones, sequences, cancelled events, rounds with a date only. Each week's feed is
/// imported twice, and the second import changes nothing.
@Suite struct SeasonTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))
    private var trip = CalendarSamples.frame("Europe/Berlin", from: "2027-03-01", days: 70)
        .emptyTrip(named: "Season")
    private var feed: [String: [String: String]] = [:]
    private var pruned: [ItemID: ItemContent] = [:]
    private var table: [String] = []

    init() {
        for round in 1...8 {
            let date = 20_270_306 + 7 * (round - 1)
            let month = date > 20_270_331 ? date - 20_270_331 + 20_270_400 : date
            feed["r\(round)"] = [
                "SUMMARY": "Round \(round)", "DTSTART;TZID=Europe/Berlin": "\(month)T153000",
                "DURATION": "PT2H", "LOCATION": #"Stadion\, Bremen"#, "SEQUENCE": "0",
            ]
        }
        feed["r6"] = ["SUMMARY": "Round 6 (TV decides)", "DTSTART;VALUE=DATE": "20270410"]
        feed["t"] = [
            "SUMMARY": "Training", "DTSTART;TZID=Europe/Berlin": "20270302T190000",
            "RRULE": "FREQ=WEEKLY;COUNT=6",
        ]
        feed["final"] = ["SUMMARY": "Cup final", "DTSTART;VALUE=DATE": "20270501"]
    }

    private var file: [UInt8] {
        let events = feed.sorted { $0.key < $1.key }.flatMap { uid, properties in
            ["BEGIN:VEVENT", "UID:\(uid)@league"]
                + properties.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" } + ["END:VEVENT"]
        }
        let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:PUBLISH", "X-WR-CALNAME:League"]
        return Array((head + events + ["END:VCALENDAR"]).joined(separator: "\r\n").utf8)
    }

    private func plan(_ file: [UInt8], takesSource: Bool) throws -> ImportPlan {
        var options = ImportOptions(source: "league")
        (options.pruning, options.prunedContents, options.takesSource) = (.some, pruned, takesSource)
        var random = SplitMix64(seed: 1)
        return try ImportPlan(
            importing: try ScheduleFile(file, .ics), into: trip, options, using: &random)
    }

    /// Imports the week's feed, and checks which of the report's counts are not zero and what it says.
    private mutating func week(
        _ number: Int, _ source: String, _ counts: String, _ lines: [String] = [], takesSource: Bool = false
    ) throws {
        let plan = try plan(file, takesSource: takesSource)
        for case .remove(let id) in plan.edits { pruned[id] = trip[id]?.content }
        _ = try trip.apply(plan.edits, by: Self.author)
        let report = plan.report
        let seen = [
            ("imported", report.imported), ("updated", report.updated), ("removed", report.removed),
        ]
        .filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        #expect(seen == counts && report.isComplete, "week \(number): \(report.lines)")
        #expect(report.concerns == lines, "week \(number)")
        table.append("| \(number) | \(source) | \(counts) | \(lines.joined(separator: "; ")) |")
        let again = try self.plan(file, takesSource: takesSource)
        #expect(again.edits.isEmpty && again.report.updated == 0, "week \(number): \(again.report.lines)")
    }

    private func item(_ title: String, onDay day: Int? = nil) throws -> Item {
        try #require(
            trip.items.first { $0.content.title == title && (day == nil || $0.position.day == day) },
            "\(title) is lost")
    }

    private mutating func change(_ title: String, onDay day: Int? = nil, _ changes: FieldChange...) throws {
        let id = try item(title, onDay: day).id
        _ = try trip.apply([.update(id, changes)], by: Self.author)
    }

    /// The day, the hour, the title and what people have added, in the trip's order.
    private func lines(without title: String) -> [String] {
        trip.items.filter { $0.content.title != title }.map { item in
            var words = ["\(item.position.day)", item.clockTime ?? "–"]
            words.append(item.content.title)
            if case .text(let note)? = item.content[.note] { words.append("note=\(note)") }
            if case .cost(let cost)? = item.content[.cost] { words.append("cost=\(CostText.text(of: cost))") }
            if item.content[.attending] == .flag(false) { words.append("not attending") }
            return words.joined(separator: " ")
        }
    }

    @Test
    mutating func `over a season, users' changes are kept and everything else follows the league's calendar`()
        throws
    {
        try week(0, "the schedule is published", "imported 15")
        try change("Round 2", .note("seat 12"))
        try change("Round 3", .cost(Cost(amount: 35.5, currency: "EUR")))
        try change("Round 4", .title("Derby with Ben"))
        try change("Round 5", .attending(false))
        try change("Round 6 (TV decides)", .note("free that evening?"))
        try change("Round 7", .note("train at 11:05"))
        try change("Training", onDay: 16, .note("bring shoes"))
        let final = try item("Cup final").id
        _ = try trip.apply([.move(final, to: .end(day: 60))], by: Self.author)

        feed["r2"]?["DTSTART;TZID=Europe/Berlin"] = "20270317T190000"
        feed["r2"]?["SEQUENCE"] = "1"
        try week(1, "round 2 is postponed to a Wednesday", "updated 1")

        feed["r6"] = [
            "SUMMARY": "Round 6", "DTSTART;TZID=Europe/Berlin": "20270411T173000", "DURATION": "PT2H",
        ]
        try week(2, "round 6 has got its hour", "updated 1")

        feed["r4"]?["SUMMARY"] = "Round 4 (sold out)"
        feed["r4"]?["DTSTART;TZID=Europe/Berlin"] = "20270327T203000"
        try week(
            3, "round 4 is renamed and moved", "updated 1",
            ["kept: title of Round 4 is yours; the source now says “Round 4 (sold out)”"])

        feed["r5"]?["STATUS"] = "CANCELLED"
        feed["r7"]?["STATUS"] = "CANCELLED"
        try week(
            4, "rounds 5 and 7 are cancelled", "updated 1, removed 1",
            ["cancelled at the source and kept: Round 7 (your note)", "cancelled and removed: Round 5"])

        feed["r5"]?["STATUS"] = nil
        feed["r7"]?["STATUS"] = nil
        feed["r7"]?["DTSTART;TZID=Europe/Berlin"] = "20270420T183000"
        try week(5, "they take place after all, round 7 on another day", "imported 1, updated 1")

        feed["t"]?["DTSTART;TZID=Europe/Berlin"] = "20270302T180000"
        try week(6, "the trainings begin an hour earlier", "updated 6")

        let later = try #require(OffsetDateTime("2027-04-24T16:00:00+02:00"))
        try change("Round 8", .startsAt(later))
        feed["r8"]?["DTSTART;TZID=Europe/Berlin"] = "20270424T173000"
        let keptDay = "kept: day of Cup final is yours; the source now says “2027-05-02”"
        feed["final"]?["DTSTART;VALUE=DATE"] = "20270502"
        try week(
            7, "round 8 and the final, which a person has moved, are moved", "",
            ["kept: start of Round 8 is yours; the source now says “2027-04-24T17:30:00+02:00”", keptDay]
                .sorted { $0.contains("Cup") && !$1.contains("Cup") })

        feed["r1"]?["LOCATION"] = #"Weserstadion\, Bremen"#
        try week(8, "a stadium has another name", "updated 1")

        // A provider that fails sends an empty calendar.
        let events = feed
        feed = [:]
        #expect(throws: ImportPlan.Refusal.self) { try plan(file, takesSource: false) }
        feed = events
        try week(9, "the feed is back after an empty one", "")
        try week(10, "the same, with --theirs", "updated 3", takesSource: true)

        #expect(
            lines(without: "Training") == [
                "6 15:30 Round 1", "17 19:00 Round 2 note=seat 12", "20 15:30 Round 3 cost=35.50 EUR",
                "27 20:30 Round 4 (sold out)", "34 15:30 Round 5 not attending",
                "42 17:30 Round 6 note=free that evening?", "51 18:30 Round 7 note=train at 11:05",
                "55 17:30 Round 8", "63 – Cup final",
            ])
        #expect(
            trip.items.filter { $0.content.title == "Training" }.map {
                "\($0.position.day) \($0.clockTime ?? "")"
            } == ["2 18:00", "9 18:00", "16 18:00", "23 18:00", "30 18:00", "37 18:00"])
        #expect(try item("Training", onDay: 16).content[.note] == .text("bring shoes"))
        print((["| week | at the source | report | left to a decision |"] + table).joined(separator: "\n"))
    }
}
