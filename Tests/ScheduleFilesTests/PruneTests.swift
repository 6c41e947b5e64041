import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// The items that `--prune` removes or refuses to remove, and the sources that items belong to.
@Suite struct PruneTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))
    private var trip = CalendarSamples.frame("UTC", from: "2026-06-11", days: 10).emptyTrip(named: "T")

    private static func calendar(_ uids: [String], name: String? = nil) -> [UInt8] {
        let head = ["BEGIN:VCALENDAR"] + (name.map { ["X-WR-CALNAME:\($0)"] } ?? [])
        let events = uids.flatMap {
            ["BEGIN:VEVENT", "UID:\($0)", "SUMMARY:Event \($0)", "DTSTART;VALUE=DATE:20260613", "END:VEVENT"]
        }
        return Array((head + events + ["END:VCALENDAR"]).joined(separator: "\n").utf8)
    }

    private func plan(
        _ uids: [String], name: String? = nil, _ pruning: ImportOptions.Pruning, isNamed: Bool = true,
        contents: [ItemID: ItemContent] = [:]
    ) throws -> ImportPlan {
        var options = ImportOptions(source: "basic")
        options.isSourceNamed = isNamed
        options.pruning = pruning
        options.prunedContents = contents
        var random = SplitMix64(seed: 1)
        let file = try ScheduleFile(Self.calendar(uids, name: name), .ics)
        return try ImportPlan(importing: file, into: trip, options, using: &random)
    }

    @discardableResult
    private mutating func runImport(
        _ uids: [String], name: String? = nil, _ pruning: ImportOptions.Pruning = .none, isNamed: Bool = true,
        contents: [ItemID: ItemContent] = [:]
    ) throws -> ImportReport {
        let plan = try plan(uids, name: name, pruning, isNamed: isNamed, contents: contents)
        _ = try trip.apply(plan.edits, by: Self.author)
        return plan.report
    }

    @Test
    mutating func
        `a prune of all items of a source, or of over three and over a third, needs a confirmation`()
        throws
    {
        let uids = (1...9).map { "\($0)" }
        try runImport(uids)
        for (left, isRefused) in [([], true), (Array(uids.prefix(5)), true), (Array(uids.prefix(6)), false)] {
            if isRefused {
                let refusal = ImportPlan.Refusal.prunesTooMany(9 - left.count, of: 9, source: "basic")
                #expect(throws: refusal) { try plan(left, .some) }
                #expect(refusal.description.contains("--prune=all"))
            } else {
                #expect(try plan(left, .some).report.removed == 3)
            }
            #expect(try plan(left, .all).report.removed == 9 - left.count)
        }
        try runImport(["1", "2"], .all)
        #expect(try plan(["1"], .some).report.removed == 1, "three at most are no disaster")
    }

    @Test(arguments: [FieldChange.who("ann"), .paidBy("ann"), .sharedBy("ann,ben")])
    mutating func `a prune keeps an item of which a user wrote only who takes part or pays`(
        _ change: FieldChange
    ) throws {
        try runImport(["1", "2", "3"])
        let id = try #require(trip.items.last?.id)
        _ = try trip.apply([.update(id, [change])], by: Self.author)
        let report = try plan(["1", "2"], .some).report
        #expect(report.removed == 0 && report.vanished == [id])
        #expect(
            report.lines.contains(
                "missing from the source and kept: Event 3 (your \(change.field.spokenName))"))
    }

    @Test mutating func `a prune keeps items with users' values without counting them, or lists them`() throws
    {
        try runImport(["1", "2", "3"])
        let id = try #require(trip.items.last?.id)
        _ = try trip.apply(
            [.update(id, [.note("tent booked"), .cost(Cost(amount: 9, currency: "EUR"))])], by: Self.author)
        let report = try plan(["1", "2"], .some).report
        #expect(report.removed == 0 && report.vanished == [id])
        #expect(report.lines.contains("missing from the source and kept: Event 3 (your cost and note)"))
        #expect(throws: ImportPlan.Refusal.prunesTooMany(2, of: 2, source: "basic")) { try plan([], .some) }
        let content = try #require(trip[id]?.content)
        let all = try runImport(["1", "2"], .all)
        #expect(all.removed == 1 && all.vanished == [])
        #expect(all.lines.contains("removed: Event 3 (your cost and note)"))
        // It is restored with those values, which still count as the user's.
        try runImport(["1", "2", "3"], contents: [id: content])
        #expect(trip[id]?.content[.note] == .text("tent booked"))
        #expect(trip[id]?.content[.cost] == content[.cost])
        #expect(try plan(["1", "2"], .some).report.vanished == [id])
    }

    @Test mutating func `a calendar without any item of the source named like its file is refused`() throws {
        try runImport(["1", "2"], isNamed: false)
        let refusal = ImportPlan.Refusal.sharesNothing(2, source: "basic")
        #expect(refusal.description.contains("give --source"))
        #expect(throws: refusal) { try plan(["8", "9"], .some, isNamed: false) }
        #expect(throws: refusal) { try plan(["8", "9"], .all, isNamed: false) }
        #expect(try plan(["8", "9"], .none, isNamed: false).report.imported == 2)
        #expect(throws: ImportPlan.Refusal.prunesTooMany(2, of: 2, source: "basic")) {
            try plan([], .some, isNamed: false)
        }
    }

    @Test mutating func `a renamed calendar is recognized if it has most of its events`() throws {
        try runImport(["1", "2", "3"], name: "Season 26", isNamed: false)
        let report = try runImport(["1", "2", "4"], name: "Season 27", .some, isNamed: false)
        #expect(report.imported == 1 && report.unchanged == 2 && report.removed == 1)
        // A calendar that shares fewer, and one of which they are the smaller part, is another one.
        let league = try plan(["1", "2", "4", "5", "6", "7"], name: "League", .some, isNamed: false)
        #expect(league.report.removed == 0 && league.report.imported == 6)
        let other = try runImport(["1", "8", "9"], name: "Other", .some, isNamed: false)
        #expect(other.removed == 0 && other.imported == 3)
    }

    @Test mutating func `two calendars with the same file name are distinguished by their own names`() throws
    {
        try runImport(["1", "2"], name: "One", isNamed: false)
        let report = try runImport(["8", "9"], name: "Two", .some, isNamed: false)
        #expect(report.imported == 2 && report.removed == 0 && trip.itemCount == 4)
        #expect(try runImport(["8"], name: "Two", .some, isNamed: false).removed == 1)
        // A source that was named after the file before is still the same source.
        var other = PruneTests()
        try other.runImport(["1", "2"], isNamed: true)
        let again = try other.runImport(["1", "2"], name: "One", .some, isNamed: false)
        #expect(again.unchanged == 2 && other.trip.itemCount == 2)
    }

    @Test(arguments: [("3,C,2026-06-13T10:", true), ("3,C,2026-06-13T10:\n", false), ("3,C", true)])
    mutating func `a table that ends within a row prunes nothing`(end: String, isCut: Bool) throws {
        let header = "gameId,title,startsAt\n"
        let rows = (1...6).map { "\($0),Game \($0),2026-06-13T1\($0):00:00Z\n" }
        func plan(_ text: String) throws -> ImportPlan {
            var options = ImportOptions(source: "basic")
            options.pruning = .some
            var random = SplitMix64(seed: 1)
            let file = try ScheduleFile(Array(text.utf8), .csv)
            return try ImportPlan(importing: file, into: trip, options, using: &random)
        }
        _ = try trip.apply(try plan(header + rows.joined()).edits, by: Self.author)
        let report = try plan(header + rows[0] + rows[1] + rows[4] + rows[5] + end).report
        #expect(report.isCut == isCut && report.removed == (isCut ? 0 : 1))
        let complete = (header + rows[0] + rows[1] + rows[4] + rows[5]).dropLast()
        #expect(try plan(String(complete)).report.removed == 2, "the last line end is optional")
    }
}
