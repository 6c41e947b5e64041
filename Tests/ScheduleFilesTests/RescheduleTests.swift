import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// Imports after reschedules: series that move, dates that get a time, cancellations, days outside the trip.
@Suite struct RescheduleTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))
    private var trip = CalendarSamples.frame("Europe/Berlin", from: "2027-03-01", days: 40)
        .emptyTrip(named: "T")

    private static let weekly = "RRULE:FREQ=WEEKLY;COUNT=4"

    private static func event(_ uid: String, _ start: String, _ more: String...) -> [String] {
        ["UID:\(uid)", "SUMMARY:\(uid)", start] + more
    }

    @discardableResult
    private mutating func runImport(
        _ events: [String]..., before: [String] = [], extends: Bool = false,
        pruning: ImportOptions.Pruning = .none, removed: Set<ItemID> = [], takesSource: Bool = false,
        prunedContents: [ItemID: ItemContent] = [:]
    ) throws -> ImportReport {
        let lines = events.flatMap { ["BEGIN:VEVENT"] + $0 + ["END:VEVENT"] }
        let text = (["BEGIN:VCALENDAR"] + before + lines + ["END:VCALENDAR"]).joined(separator: "\n")
        var options = ImportOptions(source: "league")
        (options.isSourceNamed, options.extends, options.pruning) = (true, extends, pruning)
        (options.removedItems, options.takesSource) = (RemovedItems(removed), takesSource)
        options.prunedContents = prunedContents
        var random = SplitMix64(seed: 1)
        let plan = try ImportPlan(
            importing: try ScheduleFile(Array(text.utf8), .ics), into: trip, options, using: &random)
        _ = try trip.apply(plan.edits, by: Self.author)
        return plan.report
    }

    private mutating func note(_ item: Item, _ text: String) throws {
        _ = try trip.apply([.update(item.id, [.note(text)])], by: Self.author)
    }

    /// The starts of the games in order, in Berlin time, with their notes.
    private var games: [String] {
        trip.items.compactMap { item in
            guard case .game(let game) = item.content else { return nil }
            let minute = Int(item.position.sortOrder) - 100
            return "\(item.position.day) \(minute / 60)" + (game.note.map { " \($0)" } ?? "")
        }
    }

    @Test mutating func `a pruned series that returns on other days has its users' values`() throws {
        let first = Self.event("s", Self.berlin + "190000", Self.weekly)
        try runImport(first, Self.event("x", "DTSTART;VALUE=DATE:20270303"))
        try note(try #require(trip.items.first { $0.position.day == 9 }), "seat 12")
        var pruned: [ItemID: ItemContent] = [:]
        for item in trip.items where item.isGame {
            pruned[item.id] = item.content
            #expect(ReturningItems.needContent(of: item), "the other instances identify it")
        }
        try runImport(Self.event("x", "DTSTART;VALUE=DATE:20270303"), pruning: .all)
        #expect(games == [])
        try runImport(
            Self.event("s", "DTSTART;TZID=Europe/Berlin:20270304T200000", Self.weekly),
            Self.event("x", "DTSTART;VALUE=DATE:20270303"), prunedContents: pruned)
        #expect(games == ["4 20", "11 20 seat 12", "18 20", "25 20"])
    }

    private static let berlin = "DTSTART;TZID=Europe/Berlin:20270302T"

    @Test(arguments: [
        ("\(berlin)180000", ["2 18", "9 18 seat 12", "16 18", "23 18"]),
        // Another zone, another day of the week.
        ("DTSTART;TZID=Europe/Lisbon:20270302T190000", ["2 19", "9 19 seat 12", "16 19", "23 19"]),
        ("DTSTART;TZID=Europe/Berlin:20270303T190000", ["3 19", "10 19 seat 12", "17 19", "24 19"]),
    ]) func `if a series moves, its items move with it and keep users' values`(
        start: String, moved: [String]
    ) throws {
        var test = self
        try test.runImport(Self.event("s", Self.berlin + "190000", Self.weekly))
        try test.note(test.trip.items[1], "seat 12")
        let before = Set(test.trip.items.map(\.id))
        let report = try test.runImport(Self.event("s", start, Self.weekly), pruning: .some)
        #expect(report.summary == "imported 0 · updated 4 · unchanged 0 · removed 0 · skipped 0")
        #expect(test.games == moved)
        #expect(Set(test.trip.items.map(\.id)) == before)
        // It matches by its new times, and moves back.
        let same = try test.runImport(Self.event("s", start, Self.weekly), pruning: .some)
        #expect(same.unchanged == 4)
        try test.runImport(Self.event("s", Self.berlin + "190000", Self.weekly), pruning: .some)
        #expect(test.games == ["2 19", "9 19 seat 12", "16 19", "23 19"])
    }

    @Test mutating func `a changed rule keeps the items of the dates that it still has`() throws {
        try runImport(
            Self.event("s", Self.berlin + "190000", Self.weekly, "EXDATE;TZID=Europe/Berlin:20270309T190000"),
            ["UID:s", "SUMMARY:moved", "DTSTART;TZID=Europe/Berlin:20270317T100000"]
                + ["RECURRENCE-ID;TZID=Europe/Berlin:20270316T190000"])
        #expect(games == ["2 19", "17 10", "23 19"])
        try note(trip.items[1], "seat 12")
        let report = try runImport(Self.event("s", Self.berlin + "180000", Self.weekly), pruning: .some)
        #expect(report.imported == 1 && report.updated == 3 && report.removed == 0)
        #expect(games == ["2 18", "9 18", "16 18 seat 12", "23 18"])
    }

    @Test(arguments: [
        // Another hour, day of the week, zone and rule.
        ("\(berlin)180000", weekly, 3), ("DTSTART;TZID=Europe/Berlin:20270304T190000", weekly, 3),
        ("DTSTART;TZID=Asia/Tokyo:20270302T190000", weekly, 3),
        ("\(berlin)180000", "RRULE:FREQ=WEEKLY;COUNT=6", 5),
    ])
    func
        `a removed instance of a series stays removed if the series changes, and the others keep their notes`(
            start: String, rule: String, count: Int
        ) throws
    {
        var test = self
        try test.runImport(Self.event("s", Self.berlin + "190000", Self.weekly))
        for (index, item) in test.trip.items.enumerated() { try test.note(item, "\(index + 1)") }
        let removed = test.trip.items[1].id
        _ = try test.trip.apply([.remove(removed)], by: Self.author)
        // The second import finds all others by their new times.
        for _ in 1...2 {
            let report = try test.runImport(Self.event("s", start, rule), removed: [removed])
            #expect(report.imported + report.updated + report.unchanged == count || report.unchanged == count)
            #expect(report.notes.count == 1)
            #expect(test.games.prefix(3).map { $0.split(separator: " ").last } == ["1", "3", "4"])
        }
    }

    @Test mutating func `a removed item stays removed if its event gets a time or becomes a series`() throws {
        try runImport(Self.event("m", "DTSTART;VALUE=DATE:20270310"))
        let id = trip.items[0].id
        _ = try trip.apply([.remove(id)], by: Self.author)
        let hour = "DTSTART;TZID=Europe/Berlin:20270310T190000"
        #expect(try runImport(Self.event("m", hour), removed: [id]).imported == 0)
        #expect(try runImport(Self.event("m", hour, Self.weekly), removed: [id]).imported == 3)
    }

    @Test
    mutating func `an event that a user moved to another date of its later series stays the first instance`()
        throws
    {
        try runImport(Self.event("m", Self.berlin + "180000"))
        try note(trip.items[0], "mine")
        let moved = try #require(OffsetDateTime("2027-03-09T18:00:00+01:00"))
        _ = try trip.apply([.update(trip.items[0].id, [.startsAt(moved)])], by: Self.author)
        try runImport(Self.event("m", Self.berlin + "180000", Self.weekly))
        #expect(games.sorted() == ["16 18", "23 18", "9 18", "9 18 mine"])
        #expect(try runImport(Self.event("m", Self.berlin + "180000", Self.weekly)).unchanged == 4)
    }

    @Test(arguments: [false, true])
    func `a user's day and time are kept if an event gets a time, and if it loses it again`(
        takesSource: Bool
    ) throws {
        var test = self
        try test.runImport(Self.event("final", "DTSTART;VALUE=DATE:20270310"))
        let time = try #require(ClockTime("19:00"))
        let id = test.trip.items[0].id
        _ = try test.trip.apply([.update(id, [.time(time)]), .move(id, to: .end(day: 12))], by: Self.author)
        let hour = Self.event("final", "DTSTART;TZID=Europe/Berlin:20270310T200000")
        let report = try test.runImport(hour, takesSource: takesSource)
        #expect(test.games == [takesSource ? "10 20" : "12 19"])
        #expect(report.kept.map(\.field) == (takesSource ? [] : ["startsAt"]))
        if takesSource { return }
        #expect(try test.runImport(hour).unchanged == 1)
        let back = try test.runImport(Self.event("final", "DTSTART;VALUE=DATE:20270310"))
        let item = try #require(test.trip.items.first)
        #expect(item.position.day == 12 && item.content[.time] == .time(time) && back.kept.count == 1)
        // The source's version is still to be had.
        try test.runImport(hour, takesSource: true)
        #expect(test.games == ["10 20"])
    }

    @Test
    mutating func
        `an unattended event with a user's venue keeps both if it loses its time and gets it again`()
        throws
    {
        let hour = Self.event("final", "DTSTART;TZID=Europe/Berlin:20270310T200000", "LOCATION:Old Park")
        try runImport(hour)
        _ = try trip.apply(
            [.update(trip.items[0].id, [.attending(false), .venue("New Park")])], by: Self.author)
        try runImport(Self.event("final", "DTSTART;VALUE=DATE:20270310", "LOCATION:Old Park"))
        #expect(trip.items[0].content[.place] == .text("New Park"))
        try runImport(hour)
        #expect(trip.items[0].content[.venue] == .text("New Park"))
        #expect(trip.items[0].content[.attending] == .flag(false))
    }

    @Test mutating func `all nights of a stay are within a new trip, and within an extended one`() throws {
        let camp = Self.event("camp", "DTSTART;VALUE=DATE:20270408", "DTEND;VALUE=DATE:20270413")
        try runImport(camp, extends: true)
        #expect(trip.header.dayCount == 43 && trip.problems.map(\.kind) == [.nightWithoutStay])
        let lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + camp + ["END:VEVENT", "END:VCALENDAR"]
        let file = try ScheduleFile(Array(lines.joined(separator: "\n").utf8), .ics)
        #expect(try file.newTripFrame(ImportOptions(source: "x"))?.dayCount == 5)
    }

    @Test
    mutating func `an item is kept if its event becomes a series, and if it becomes a single event again`()
        throws
    {
        let single = Self.event("m", Self.berlin + "180000")
        try runImport(single)
        try note(trip.items[0], "mine")
        let id = trip.items[0].id
        let series = try runImport(Self.event("m", Self.berlin + "180000", Self.weekly), pruning: .some)
        #expect(series.imported == 3 && series.unchanged == 1 && series.removed == 0)
        #expect(games == ["2 18 mine", "9 18", "16 18", "23 18"])
        let again = try runImport(single, pruning: .all)
        #expect(again.removed == 3 && trip.items.map(\.id) == [id] && games == ["2 18 mine"])
    }

    @Test
    mutating func `a whole-day item becomes an event if it gets a time, and the reverse, with users' values`()
        throws
    {
        let date = Self.event("final", "DTSTART;VALUE=DATE:20270310")
        try runImport(date)
        try note(trip.items[0], "tickets")
        let hour = try runImport(Self.event("final", "DTSTART;TZID=Europe/Berlin:20270310T200000"))
        #expect(hour.updated == 1 && hour.imported == 0 && hour.isComplete && trip.itemCount == 1)
        #expect(games == ["10 20 tickets"])
        let open = try runImport(Self.event("final", "DTSTART;VALUE=DATE:20270312"))
        #expect(open.updated == 1 && open.isComplete && trip.itemCount == 1)
        #expect(open.notes.contains { $0.text.contains("no longer has a start") })
        let item = try #require(trip.items.first)
        #expect(item.content.kind == .custom && item.position.day == 12)
        #expect(item.content[.note] == .text("tickets"))
        #expect(try runImport(Self.event("final", "DTSTART;VALUE=DATE:20270312")).unchanged == 1)
    }

    @Test mutating func `METHOD CANCEL cancels its events and nothing else`() throws {
        let (one, two) = (Self.event("1", Self.berlin + "180000"), Self.event("2", Self.berlin + "200000"))
        let series = Self.event("s", "DTSTART;TZID=Europe/Berlin:20270310T100000", Self.weekly)
        try runImport(one, two, series)
        let cancel = ["METHOD:CANCEL"]
        let seen = try runImport(one, before: cancel)
        #expect(seen.imported == 0 && seen.vanished.count == 1)
        #expect(try runImport(one, before: cancel, pruning: .some).removed == 1)
        #expect(games == ["2 20", "10 10", "17 10", "24 10", "31 10"])
        #expect(throws: ImportPlan.Refusal.prunesTooMany(4, of: 5, source: "league")) {
            var test = self
            try test.runImport(series, before: cancel, pruning: .some)
        }
        #expect(try runImport(series, before: cancel, pruning: .all).removed == 4)
        var other = RescheduleTests()
        #expect(try other.runImport(one, before: cancel).imported == 0)
    }

    @Test mutating func `an event that moves out of the trip is moved and reported`() throws {
        try runImport(Self.event("1", Self.berlin + "180000"))
        let report = try runImport(Self.event("1", "DTSTART;TZID=Europe/Berlin:20270420T180000"))
        #expect(report.updated == 1 && report.problems.map(\.kind) == [.gameOutsideTrip])
        #expect(trip.items[0].position.day == 51)
    }

    @Test mutating func `a trip is extended to all entries, and its items stay on their dates`() throws {
        let own = ItemID(high: 9, low: 9)
        let lunch = Edit.add(own, .custom(CustomItem(title: "Lunch")), to: .end(day: 3))
        _ = try trip.apply([lunch], by: Self.author)
        let report = try runImport(
            Self.event("1", "DTSTART;TZID=Europe/Berlin:20270420T180000"),
            Self.event("2", "DTSTART;VALUE=DATE:20270225"),
            Self.event("s", "DTSTART;TZID=Europe/Berlin:20270405T100000", Self.weekly), extends: true)
        #expect(report.imported == 5 && report.isComplete && report.problems == [])
        #expect(trip.header.startDate == CalendarDate("2027-02-25") && trip.header.dayCount == 55)
        #expect(trip[own]?.position.day == 7)
        #expect(games == ["40 10", "47 10", "54 10", "55 18"])
        #expect(
            try runImport(Self.event("2", "DTSTART;VALUE=DATE:20280625"), extends: true).skipped.count == 1)
    }

    @Test
    mutating func `a stay that the source shortens to one day is one, unless a person has set its nights`()
        throws
    {
        let camp = ["UID:camp", "SUMMARY:camp", "DTSTART;VALUE=DATE:20270303"]
        let tour = ["UID:tour", "SUMMARY:tour", "DTSTART;VALUE=DATE:20270303"]
        let end = ["DTEND;VALUE=DATE:20270306"]
        try runImport(camp + end, tour + end)
        let mine = try #require(trip.items.first { $0.content.title == "tour" }?.id)
        _ = try trip.apply([.update(mine, [.nights(5)])], by: Self.author)
        let report = try runImport(camp, tour)
        #expect(report.updated == 1 && report.unchanged == 1)
        #expect(
            report.kept.map(\.description) == [
                "kept: nights of tour is yours; the source no longer has one"
            ])
        #expect(trip.items.map { $0.content[.nights] } == [nil, .nights(5)])
    }
}
