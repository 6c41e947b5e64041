import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// Repeated imports: items still in the file are kept, and moved ones are moved.
@Suite struct ResyncTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))

    private func emptyTrip(_ zone: String = "UTC") -> Trip {
        CalendarSamples.frame(zone, from: "2026-06-11", days: 10).emptyTrip(named: "T")
    }

    private func calendar(_ events: [String]..., before: [String] = []) -> [UInt8] {
        let lines = events.flatMap { ["BEGIN:VEVENT"] + $0 + ["END:VEVENT"] }
        return bytes(["BEGIN:VCALENDAR"] + before + lines + ["END:VCALENDAR"])
    }

    private func bytes(_ lines: [String]) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

    @discardableResult
    private func runImport(
        _ file: [UInt8], _ format: FileFormat = .ics, into trip: inout Trip, prunes: Bool = false,
        seed: UInt64 = 1
    ) throws -> ImportReport {
        var options = ImportOptions(source: "league")
        options.pruning = prunes ? .some : .none
        var random = SplitMix64(seed: seed)
        let file = try ScheduleFile(file, format)
        let plan = try ImportPlan(importing: file, into: trip, options, using: &random)
        _ = try trip.apply(plan.edits, by: Self.author)
        return plan.report
    }

    private func item(_ title: String, in trip: Trip) throws -> Item {
        try #require(trip.items.first { $0.content.title == title })
    }

    /// Imports a file, and then a damaged version with `--prune`: nothing may be removed.
    private func expectKept(
        _ first: [UInt8], _ second: [UInt8], as format: FileFormat = .ics, _ comment: Comment
    ) throws {
        var trip = emptyTrip()
        try runImport(first, format, into: &trip)
        let ids = Set(trip.items.map(\.id))
        #expect(!ids.isEmpty, comment)
        let seen = try runImport(second, format, into: &trip, seed: 2)
        #expect(seen.vanished == [], comment)
        let pruned = try runImport(second, format, into: &trip, prunes: true, seed: 3)
        #expect(pruned.removed == 0 && ids.isSubset(of: trip.items.map(\.id)), comment)
    }

    @Test func `an invalid entry of a calendar does not count as vanished`() throws {
        let zone =
            ["BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:19700101T000000"]
            + ["TZOFFSETFROM:-0500", "TZOFFSETTO:-0500", "END:STANDARD", "END:VTIMEZONE"]
        let one = ["UID:1", "SUMMARY:One", "DTSTART:20260611T100000Z"]
        let series = ["UID:s", "SUMMARY:S", "DTSTART;TZID=Own:20260612T100000"]
        let daily = ["RRULE:FREQ=DAILY;COUNT=4"]
        let whole = calendar(one, series + daily, before: zone)
        try expectKept(whole, calendar(one, series + daily), "a zone that is explained no more")
        try expectKept(
            whole, calendar(one, ["UID:s", "DTSTART:20260699"] + daily, before: zone),
            "a start that makes no sense")
        try expectKept(
            whole, calendar(one, series + ["RRULE:FREQ=YEARLY;COUNT=4;BYWEEKNO=30"], before: zone),
            "a rule that is not supported")
        try expectKept(
            whole, calendar(one, series + daily + ["RDATE:tomorrow"], before: zone), "an RDATE of nothing")
        try expectKept(
            calendar(one, series + ["RDATE;TZID=Own:20260615T100000"], before: zone),
            calendar(one, series + ["RDATE;TZID=Own:2026-06-15"], before: zone), "an RDATE that is lost")
        try expectKept(
            calendar(one, series, before: zone),
            bytes(
                ["BEGIN:VCALENDAR"] + zone + ["BEGIN:VEVENT"] + one + ["END:VEVENT", "BEGIN:VEVENT"] + series
                    + ["END:VCALENDAR"]), "an event without an end")
        let moved = ["UID:s", "DTSTART;TZID=Own:20260613T120000"]
        try expectKept(
            calendar(series + daily, moved + ["RECURRENCE-ID;TZID=Own:20260613T100000"], before: zone),
            calendar(series + daily, moved + ["RECURRENCE-ID;TZID=Lost:20260613T100000"], before: zone),
            "an instance of a series, in an unknown zone")
    }

    @Test func `an invalid entry of a table does not count as vanished`() throws {
        let head = "gameId,title,startsAt"
        let whole = bytes([head, "g1,One,2026-06-11T10:00:00Z", "g2,Two,2026-06-12T10:00:00Z"])
        try expectKept(
            whole, bytes([head, "g1,One,2026-06-11T10:00:00Z", "g2,Two, too,2026-06-12T10:00:00Z"]), as: .csv,
            "a comma too many")
        try expectKept(
            whole, bytes([head, "g1,One,2026-06-11T10:00:00Z", " g2 ,Two,tomorrow"]), as: .csv, "a bad start")
        let custom = "kind,title,date,durationMinutes"
        try expectKept(
            bytes([custom, "custom,Walk,2026-06-11,10"]), bytes([custom, "custom,Walk,2026-06-11,long"]),
            as: .csv,
            "a row without an id")
        let id = String(repeating: "x", count: 400)
        try expectKept(
            bytes([head, "\(id),One,2026-06-11T10:00:00Z"]), bytes([head, "\(id),One,tomorrow"]), as: .csv,
            "an id that is cut")
    }

    @Test func `an event without an end is skipped by its line, also in the middle of a file`() throws {
        var trip = emptyTrip()
        let report = try runImport(
            bytes([
                "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "DTSTART:20260611T100000Z", "BEGIN:VEVENT",
                "UID:2", "DTSTART:20260612T100000Z", "END:VEVENT", "END:VCALENDAR",
            ]), into: &trip)
        #expect(report.imported == 1 && !report.isComplete && !report.isCut)
        #expect(report.skipped.map(\.description) == ["line 2: 1: its END:VEVENT is missing"])
    }

    @Test func `an event with an invalid RECURRENCE-ID does not replace its series`() throws {
        var trip = emptyTrip()
        let report = try runImport(
            calendar(
                ["UID:s", "SUMMARY:S", "DTSTART:20260611T100000Z", "RRULE:FREQ=DAILY;COUNT=3"],
                ["UID:s", "SUMMARY:S", "DTSTART:20260612T150000Z", "SEQUENCE:3", "RECURRENCE-ID:later"]),
            into: &trip)
        #expect(report.imported == 3)
        #expect(
            report.skipped.map(\.description) == ["line 8: s, RECURRENCE-ID: “later” is not a date or time"])
    }

    @Test(arguments: [false, true])
    func `a floating series matches after the trip's zone has changed`(asCustom: Bool) throws {
        let series = ["UID:s", "SUMMARY:S", "DTSTART:20260612T100000", "RRULE:FREQ=DAILY;COUNT=4"]
        let moved = ["UID:s", "SUMMARY:Late", "DTSTART:20260614T180000", "RECURRENCE-ID:20260614T100000"]
        let file = calendar(series, moved)
        var options = ImportOptions(source: "league")
        options.pruning = .some
        options.timed = asCustom ? .custom : .games
        func sync(_ trip: inout Trip, removed: Set<ItemID> = []) throws -> ImportReport {
            options.removedItems = RemovedItems(removed)
            var random = SplitMix64(seed: 7)
            let plan = try ImportPlan(
                importing: try ScheduleFile(file, .ics), into: trip, options, using: &random)
            _ = try trip.apply(plan.edits, by: Self.author)
            return plan.report
        }
        var trip = emptyTrip("Pacific/Kiritimati")
        #expect(try sync(&trip).imported == 4)
        let first = try #require(trip.items.first)
        _ = try trip.apply([.update(first.id, [.note("mine")])], by: Self.author)
        if asCustom { _ = try trip.apply([.move(first.id, to: .end(day: 9))], by: Self.author) }
        let last = try #require(trip.items.last { $0.id != first.id })
        _ = try trip.apply([.remove(last.id)], by: Self.author)
        // First a whole day back, where ids of the series equal those of other days; then less than a day;
        // then back again.
        for zone in ["Pacific/Honolulu", "Europe/Berlin", "Pacific/Kiritimati"] {
            _ = try trip.apply([.trip(TripChange(timeZone: zone))], by: Self.author)
            let report = try sync(&trip, removed: [last.id])
            #expect(report.imported == 0 && report.removed == 0, "\(zone): \(report.lines)")
            #expect(trip.itemCount == 3 && trip[first.id]?.content[.note] == .text("mine"), "\(zone)")
            let minutes = trip.items.compactMap { item -> Int? in
                guard case .game(let game) = item.content else { return nil }
                return WallClock(zone: zone)?.time(atSecondsSince1970: game.startsAt.secondsSince1970)?.minute
            }
            #expect(asCustom || minutes.sorted() == [600, 600, 1080], "\(zone): \(minutes)")
        }
    }

    @Test func `an item gets its source's new time and place, and a time that a user cleared stays cleared`()
        throws
    {
        var trip = emptyTrip()
        var options = ImportOptions(source: "league")
        options.timed = .custom
        func sync(_ start: String) throws {
            var random = SplitMix64(seed: 1)
            let file = try ScheduleFile(calendar(["UID:1", "SUMMARY:One", "DTSTART:\(start)"]), .ics)
            let plan = try ImportPlan(importing: file, into: trip, options, using: &random)
            _ = try trip.apply(plan.edits, by: Self.author)
        }
        try sync("20260611T080000Z")
        let id = try item("One", in: trip).id
        for (start, place) in [("20260611T093000Z", 1), ("20260613T101500Z", 3)] {
            try sync(start)
            let minute = start.hasPrefix("20260611") ? 570 : 615
            #expect(trip[id]?.position == Position(day: place, sortOrder: Double(100 + minute)))
            #expect(trip[id]?.content.startTime?.clock == ClockTime(minute: minute))
        }
        _ = try trip.apply([.update(id, [FieldChange(.time, nil)])], by: Self.author)
        try sync("20260613T120000Z")
        #expect(trip[id]?.content.startTime?.clock == nil)
    }

    @Test func `an exported travel moves to the file's day, if it is valid there`() throws {
        var trip = emptyTrip()
        let way = ItemID(high: 9, low: 9)
        let game = "game,,,Lima,,,g1,Last,2026-06-13T10:00:00Z"
        try runImport(
            bytes(["kind,id,date,city,fromCity,toCity,gameId,title,startsAt", game]), .csv, into: &trip)
        _ = try trip.apply(
            [.add(way, .travel(Travel(fromCity: "Lima", toCity: "Cusco")), to: .end(day: 4))], by: Self.author
        )
        let text = String(decoding: FileFormat.csv.text(of: trip), as: UTF8.self)
        func moved(to day: Int) -> [UInt8] {
            Array(text.replacing(",4,1,2026-06-14,", with: ",\(day),1,2026-06-14,").utf8)
        }
        #expect(moved(to: 4) == Array(text.utf8) && text.contains(",4,1,2026-06-14,"))
        #expect(try runImport(moved(to: 6), .csv, into: &trip).updated == 1, "the day counts, not its date")
        #expect(trip[way]?.position.day == 6)
        let refused = try runImport(moved(to: 1), .csv, into: &trip)
        #expect(refused.skipped.count == 1 && trip[way]?.position.day == 6)
    }

    @Test func `a time that another program has written in another zone is the same moment`() throws {
        var trip = emptyTrip("America/New_York")
        let dinner = CustomItem(title: "Dinner", time: ClockTime("19:30"))
        _ = try trip.apply(
            [.add(ItemID(high: 9, low: 9), .custom(dinner), to: .end(day: 2))], by: Self.author)
        let text = String(decoding: FileFormat.ics.text(of: trip), as: UTF8.self)
        let own = "DTSTART;TZID=America/New_York:20260612T193000"
        #expect(text.contains(own))
        for (start, day, time) in [
            (own, 2, "19:30"), ("DTSTART;TZID=Europe/Paris:20260613T023000", 2, "20:30"),
            ("DTSTART;TZID=Asia/Tokyo:20260613T133000", 3, "00:30"), ("DTSTART:20260613T120000", 3, "12:00"),
        ] {
            var copy = emptyTrip("America/New_York")
            try runImport(Array(text.replacing(own, with: start).utf8), into: &copy)
            #expect(try item("Dinner", in: copy).position.day == day, "\(start)")
            #expect(try item("Dinner", in: copy).content.startTime?.clock == ClockTime(time), "\(start)")
        }
        // In a trip with another zone, a floating time keeps its local time.
        var other = emptyTrip("Asia/Tokyo")
        try runImport(Array(text.utf8), into: &other)
        #expect(try item("Dinner", in: other).content.startTime?.clock == ClockTime("19:30"))
    }

    /// Files whose ids do not identify items by themselves, each imported three times.
    @Test(arguments: [
        // One item's id in two rows.
        "gameId,id,kind,day,date,time,title,source,sourceId\ng1,\(own),game,,2026-06-11,19:30,A v B,@,i\n"
            + ",\(own),custom,1,,,Dinner,@,j\n",
        "gameId,id,date,time,title\ng1,\(own),2026-06-11,19:30,A v B\ng2,\(own),2026-06-12,19:30,C v D\n",
        // Two rows, of which only the second is valid.
        "gameId,id,date,time,title\ng1,\(own),4052-06-11,19:30,A v B\ng2,\(own),2026-06-12,19:30,C v D\n",
        // An item's id with another source.
        "gameId,id,date,time,title,source,sourceId\ng1,\(own),2026-06-11,19:30,A v B,@,i\n",
    ])
    func `entries that name an item match it, each once`(_ table: String) throws {
        for timed in [ImportOptions(source: "league").timed, .custom] {
            var trip = emptyTrip()
            var options = ImportOptions(source: "league")
            options.timed = timed
            var random = SplitMix64(seed: 1)
            for count in 0..<3 {
                let file = try ScheduleFile(Array(table.utf8), .csv)
                let plan = try ImportPlan(importing: file, into: trip, options, using: &random)
                _ = try trip.apply(plan.edits, by: Self.author)
                #expect((plan.report.imported > 0) == (count == 0), "\(timed), time \(count + 1)")
                let repeats = table.split(separator: "\n").count { $0.contains(Self.own) } - 1
                #expect(plan.report.notes.count { $0.text.contains("already") } == repeats)
            }
        }
    }

    private static let own = "00000000-0000-0000-0000-000000000001"
}
