import ScheduleFiles
import TestSupport
import Testing
import TripModel

@Suite struct ImportPlanTests {
    private typealias S = CalendarSamples
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))

    private func emptyTrip(_ zone: String = "UTC", from: String = "2026-06-11", days: Int = 5) throws -> Trip
    {
        S.frame(zone, from: from, days: days).emptyTrip(named: "T")
    }

    private func csv(_ lines: String...) throws -> ScheduleFile {
        try ScheduleFile(Array(lines.joined(separator: "\n").utf8), .csv)
    }

    private func ics(_ events: [String]...) throws -> ScheduleFile {
        let lines = events.flatMap { ["BEGIN:VEVENT"] + $0 + ["END:VEVENT"] }
        return try ScheduleFile(
            Array((["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\n").utf8), .ics)
    }

    /// Plans, applies, and returns the plan.
    @discardableResult
    private func runImport(
        _ file: ScheduleFile, into trip: inout Trip,
        _ options: ImportOptions = ImportOptions(source: "league"),
        seed: UInt64 = 1
    ) throws -> ImportPlan {
        var random = SplitMix64(seed: seed)
        let plan = try ImportPlan(importing: file, into: trip, options, using: &random)
        _ = try trip.apply(plan.edits, by: Self.author)
        return plan
    }

    /// The fields of an item that a plan changes, without the source's last values.
    private static func changes(of id: ItemID, in plan: ImportPlan) -> [FieldChange] {
        plan.edits.flatMap { edit in
            if case .update(id, let changes) = edit {
                changes.filter { $0.field != .source }
            } else {
                [FieldChange]()
            }
        }
    }

    private func item(_ title: String, in trip: Trip) throws -> Item {
        try #require(trip.items.first { $0.content.title == title })
    }

    @Test func `new games are added, changed ones updated, equal ones kept, and invalid rows skipped`() throws
    {
        var trip = try emptyTrip()
        let first = try runImport(
            csv(
                "gameId,title,city,startsAt", "g1,One,Lima,2026-06-11T10:00:00Z",
                "g2,Two,Lima,2026-06-12T10:00:00Z", "g3,Three,,2026-06-13T10:00:00Z"), into: &trip)
        #expect(first.report.summary == "imported 3 · updated 0 · unchanged 0 · removed 0 · skipped 0")
        #expect(first.report.isComplete)
        let ids = trip.shownIDs

        let second = try runImport(
            csv(
                "gameId,title,city,startsAt", "g4,Four,,2026-06-14T10:00:00Z", "g3,,x,2026-06-13T10:00:00Z",
                "g2,Two,Lima,2026-06-12T12:30:00Z", "g1,One,Lima,2026-06-11T10:00:00Z"), into: &trip, seed: 2)
        #expect(second.report.summary == "imported 1 · updated 1 · unchanged 1 · removed 0 · skipped 1")
        #expect(second.report.concerns == ["line 3: g3, title: it must not be empty"])
        #expect(
            !second.report.isComplete && second.report.vanished == [], "a row that is bad has not vanished")
        let start = try #require(OffsetDateTime("2026-06-12T12:30:00Z"))
        #expect(Self.changes(of: ids[1], in: second) == [.startsAt(start)], "just the field that changed")
        #expect(trip.shownIDs.prefix(3) == ids[...])
        #expect(trip[ids[1]]?.position == Position(day: 2, sortOrder: 850))
    }

    @Test func `an import sets the file's values and clears nothing, and users' values stay`() throws {
        var trip = try emptyTrip()
        try runImport(
            csv(
                "gameId,title,city,venue,startsAt,timeZone,durationMinutes,note",
                "g1,One,Lima,Monumental,2026-06-11T10:00:00Z,America/Lima,100,file"), into: &trip)
        let id = try #require(trip.shownIDs.first)
        _ = try trip.apply([.update(id, [.note("mine")])], by: Self.author)
        let empty = try runImport(
            csv(
                "durationMinutes,timeZone,venue,city,gameId,title,startsAt,note",
                ",,,,g1,Uno,2026-06-11T10:00:00Z,new"),
            into: &trip)
        #expect(empty.edits.count == 1 && Self.changes(of: id, in: empty) == [.title("Uno")])
        #expect(empty.report.kept.map(\.field) == ["note"])
        #expect(empty.report.summary == "imported 0 · updated 1 · unchanged 0 · removed 0 · skipped 0")
    }

    @Test func `a second import of the same file changes nothing, and other items stay`() throws {
        var trip = try emptyTrip()
        let lunch = ItemID(high: 9, low: 9)
        _ = try trip.apply([.add(lunch, .custom(CustomItem(title: "g1")), to: nil)], by: Self.author)
        let file = try csv(
            "gameId,title,startsAt", "g1,One,2026-06-11T10:00:00Z", "g2,Two,2026-06-11T10:00:00Z")
        try runImport(file, into: &trip)
        let version = trip.version
        let again = try runImport(file, into: &trip, seed: 7)
        #expect(again.report.summary == "imported 0 · updated 0 · unchanged 2 · removed 0 · skipped 0")
        #expect(again.edits == [] && trip.version == version && trip.itemCount == 3 && trip[lunch] != nil)
    }

    @Test func `a game is matched by its source's id, then by its gameId, from any source`() throws {
        var trip = try emptyTrip()
        try runImport(csv("gameId,title,startsAt", "g1,One,2026-06-11T10:00:00Z"), into: &trip)
        let id = trip.shownIDs[0]
        // After a user has renamed it, it still matches its source.
        _ = try trip.apply([.update(id, [.gameID("other")])], by: Self.author)
        try runImport(csv("gameId,title,startsAt", "g1,Uno,2026-06-11T11:00:00Z"), into: &trip)
        #expect(trip.itemCount == 1 && trip[id]?.content.title == "Uno")
        // Another source matches it by its gameId, and does not become its source.
        try runImport(
            csv("gameId,title,startsAt", "other,Ein,2026-06-11T11:00:00Z"), into: &trip,
            ImportOptions(source: "b"))
        #expect(trip.itemCount == 1 && trip[id]?.content.title == "Ein")
        guard case .game(let game)? = trip[id]?.content else { return }
        #expect(game.source?.name == "league" && game.source?.id == "g1")
    }

    @Test func `an event that the source cancels is marked and named once, and marked again as it returns`()
        throws
    {
        var trip = try emptyTrip()
        let (one, two) = (
            ["UID:1", "SUMMARY:One", "DTSTART:20260611T100000Z"],
            ["UID:2", "SUMMARY:Two", "DTSTART:20260612T100000Z"]
        )
        let gone = two + ["STATUS:CANCELLED"]
        try runImport(ics(one, two), into: &trip)
        let id = try item("Two", in: trip).id
        let first = try runImport(ics(one, gone), into: &trip).report
        #expect(first.concerns == ["cancelled: Two"] && first.updated == 1)
        #expect(first.lines.contains("1 cancelled at the source and kept; --prune removes them"))
        #expect(trip.problems.map(\.kind) == [.cancelledEvent])
        let again = try runImport(ics(one, gone), into: &trip)
        #expect(again.report.concerns == [] && again.edits == [])
        let back = try runImport(ics(one, two), into: &trip).report
        #expect(back.updated == 1 && trip[id]?.content[.cancelled] == nil && trip.problems == [])

        // With a note it survives pruning; without one it is removed.
        _ = try trip.apply([.update(id, [.note("with ann")])], by: Self.author)
        var prune = ImportOptions(source: "league")
        prune.pruning = .some
        let kept = try runImport(ics(one, gone), into: &trip, prune).report
        #expect(kept.concerns == ["cancelled at the source and kept: Two (your note)"])
        #expect(trip[id]?.content[.cancelled] == .flag(true))
        // A user may say otherwise, until the source changes.
        _ = try trip.apply([.update(id, [.cancelled(false)])], by: Self.author)
        _ = try runImport(ics(one, gone), into: &trip, prune)
        #expect(trip[id]?.content[.cancelled] == nil)
        _ = try trip.apply([.update(id, [.clear(.note)])], by: Self.author)
        let removed = try runImport(ics(one, gone), into: &trip, prune).report
        #expect(removed.concerns == ["cancelled and removed: Two"] && trip[id] == nil)
    }

    @Test func `a time after midnight survives our exports, and is on the next date in a calendar`() throws {
        var trip = try emptyTrip()
        let (bar, leg) = (ItemID(high: 9, low: 1), ItemID(high: 9, low: 2))
        _ = try trip.apply(
            [
                .add(
                    bar,
                    .custom(
                        CustomItem(
                            title: "Bar", time: ClockTime("00:30"), isLateNight: true,
                            endTime: ClockTime("02:00"))),
                    to: .end(day: 1)),
                .add(
                    leg,
                    .travel(
                        Travel(
                            fromCity: "Here", toCity: "There", durationMinutes: 60, time: ClockTime("01:00"),
                            isLateNight: true)), to: .end(day: 1)),
            ], by: Self.author)
        for format in [FileFormat.ics, .csv, .json] {
            var copy = try emptyTrip()
            try runImport(try ScheduleFile(format.text(of: trip), format), into: &copy)
            #expect(copy.items.map(\.content) == trip.items.map(\.content), "\(format)")
            #expect(copy.items.map(\.position.day) == [1, 1], "\(format)")
            let again = try runImport(try ScheduleFile(format.text(of: trip), format), into: &trip)
            #expect(again.edits == [], "\(format)")
        }
        let text = String(decoding: FileFormat.ics.text(of: trip), as: UTF8.self)
        for line in [
            "DTSTART;TZID=UTC:20260612T003000", "DTEND;TZID=UTC:20260612T020000",
            "DTSTART;TZID=UTC:20260612T010000", "X-ITINERARYD-LATENIGHT:yes",
        ] { #expect(text.contains(line + "\r\n"), "\(line)") }
        // Another program has moved the bar to the evening of that date.
        let moved = text.replacing("20260612T003000", with: "20260612T210000")
        var copy = try emptyTrip()
        try runImport(try ScheduleFile(Array(moved.utf8), .ics), into: &copy)
        let item = try item("Bar", in: copy)
        #expect(item.clockTime == "21:00" && item.position.day == 2 && item.content[.lateNight] == nil)
    }

    @Test func `a table has times after midnight`() throws {
        var trip = try emptyTrip()
        try runImport(
            csv(
                "kind,title,day,time,fromCity,toCity", "custom,Bar,1,24:30,,", "custom,Film,1,23:00,,",
                "travel,,1,25:10,Rome,Oslo", "custom,Bus,1,00:20 +1,,"),
            into: &trip)
        #expect(
            trip.items.map { "\($0.clockTime ?? "") \($0.content.title)" } == [
                "23:00 Film", "00:20 +1 Bus", "00:30 +1 Bar", "01:10 +1 Rome → Oslo",
            ])
    }

    @Test func `a cancelled event survives our exports`() throws {
        var trip = try emptyTrip()
        try runImport(ics(["UID:1", "SUMMARY:One", "DTSTART:20260611T100000Z"]), into: &trip)
        let id = try item("One", in: trip).id
        _ = try trip.apply([.update(id, [.cancelled(true)])], by: Self.author)
        for format in [FileFormat.ics, .csv, .json] {
            let file = format.text(of: trip)
            var copy = try emptyTrip()
            try runImport(try ScheduleFile(file, format), into: &copy)
            #expect(copy.items.map { $0.content[.cancelled] } == [.flag(true)], "\(format)")
        }
        let text = String(decoding: FileFormat.ics.text(of: trip), as: UTF8.self)
        #expect(text.contains("STATUS:CANCELLED\r\n") && text.contains("TRANSP:TRANSPARENT\r\n"))
    }

    @Test func `vanished items are reported or removed, and cancelled ones count as vanished`() throws {
        var trip = try emptyTrip()
        let (one, two) = (
            ["UID:1", "SUMMARY:One", "DTSTART:20260611T100000Z"],
            ["UID:2", "SUMMARY:Two", "DTSTART:20260612T100000Z"]
        )
        try runImport(ics(one, two), into: &trip)
        _ = try trip.apply(
            [.add(ItemID(high: 9, low: 9), .custom(CustomItem(title: "mine")), to: nil)], by: Self.author)
        let id = try item("Two", in: trip).id
        let gone = try runImport(ics(one), into: &trip)
        #expect(gone.report.vanished == [id] && gone.edits == [] && gone.report.removed == 0)
        let cancelled = try runImport(ics(one, two + ["STATUS:CANCELLED"]), into: &trip)
        #expect(cancelled.report.vanished == [id])
        #expect(try item("Two", in: trip).content[.cancelled] == .flag(true))
        let other = try runImport(ics(one), into: &trip, ImportOptions(source: "another"))
        #expect(other.report.vanished == [], "that source has brought nothing")
        var prune = ImportOptions(source: "league")
        prune.pruning = .some
        let pruned = try runImport(ics(one), into: &trip, prune)
        #expect(pruned.edits == [.remove(id)] && pruned.report.removed == 1 && trip[id] == nil)
        #expect(trip.items.map(\.content.title).sorted() == ["One", "mine"])
    }

    @Test func `nothing vanishes or is removed if the end of the file is missing`() throws {
        var trip = try emptyTrip()
        let one = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:One\nDTSTART:20260611T100000Z\nEND:VEVENT\n"
        let two = "BEGIN:VEVENT\nUID:2\nSUMMARY:Two\nDTSTART:20260612T100000Z\nEND:VEVENT\n"
        try runImport(ScheduleFile(Array((one + two + "END:VCALENDAR").utf8), .ics), into: &trip)
        var prune = ImportOptions(source: "league")
        prune.pruning = .some
        let cut = try ScheduleFile(Array((one + two.dropLast(20)).utf8), .ics)
        for options in [ImportOptions(source: "league"), prune] {
            let report = try runImport(cut, into: &trip, options).report
            #expect(report.isCut && report.removed == 0 && report.vanished == [] && trip.itemCount == 2)
            #expect(report.notes.contains { $0.text.contains("no item counts as vanished") })
        }
    }

    @Test func `an event outside the trip's days is imported and reported, and a whole day there is skipped`()
        throws
    {
        var trip = try emptyTrip("America/New_York")
        let early = ["UID:1", "SUMMARY:One", "DTSTART:20260611T030000Z"]
        let plan = try runImport(ics(early, ["UID:2", "DTSTART;VALUE=DATE:20260616"]), into: &trip)
        #expect(
            plan.report.skipped.map(\.reason) == [
                "2026-06-16, day 6, is outside the trip's days, 2026-06-11 to 2026-06-15"
            ])
        #expect(trip.items.map(\.position.day) == [0])
        #expect(plan.report.problems.map(\.kind) == [.gameOutsideTrip])
    }

    @Test func `whole days come before everything timed, in the file's order`() throws {
        var trip = try emptyTrip()
        var text = ["BEGIN:VCALENDAR"]
        for number in 0..<120 {
            if number == 60 {
                text += ["BEGIN:VEVENT", "UID:g", "SUMMARY:g", "DTSTART:20260611T000000Z", "END:VEVENT"]
            }
            text += ["BEGIN:VEVENT", "UID:d\(number)", "SUMMARY:d\(number)"]
            text += ["DTSTART;VALUE=DATE:20260611", "END:VEVENT"]
        }
        text.append("END:VCALENDAR")
        let file = try ScheduleFile(Array(text.joined(separator: "\n").utf8), .ics)
        try runImport(file, into: &trip)
        let titles: [String] = (0..<120).map { "d\($0)" } + ["g"]
        #expect(trip.items.map(\.content.title) == titles)
        // A further one goes before all existing items, even if none has a time yet.
        try runImport(
            ics(["UID:x", "SUMMARY:x", "DTSTART;VALUE=DATE:20260612"]), into: &trip,
            ImportOptions(source: "b"),
            seed: 2)
        let early = ["UID:y", "SUMMARY:y", "DTSTART:20260612T000000Z"]
        try runImport(ics(early), into: &trip, ImportOptions(source: "c"), seed: 3)
        #expect(trip.items(onDay: 2).map(\.content.title) == ["x", "y"])
    }

    @Test func `as custom items timed entries are placed like games, in the trip's zone`() throws {
        var trip = try emptyTrip("America/New_York")
        var options = ImportOptions(source: "league")
        options.timed = .custom
        let one = [
            "UID:1", "SUMMARY:One", "DTSTART;TZID=Asia/Tokyo:20260613T083000", "LOCATION:Bar\\, Town",
            "DURATION:PT1H",
        ]
        try runImport(ics(one), into: &trip, options)
        let first = try item("One", in: trip)
        #expect(first.position == Position(day: 2, sortOrder: 100 + 19 * 60 + 30))
        guard case .custom(let custom) = first.content else { throw UnexpectedKind() }
        #expect(custom.time == ClockTime("19:30") && custom.place == "Bar, Town" && custom.city == "Town")
        #expect(custom.durationMinutes == 60 && custom.source?.name == "league" && custom.source?.id == "1")
        // It moves with its schedule and still matches.
        let later = one.map { $0.replacing("083000", with: "100000") }
        let moved = try runImport(ics(later), into: &trip, options)
        #expect(moved.report.updated == 1)
        #expect(trip[first.id]?.position == Position(day: 2, sortOrder: 100 + 21 * 60))
        #expect(trip[first.id]?.content.startTime?.clock == ClockTime("21:00"))
        #expect(try runImport(ics(later), into: &trip, options).report.unchanged == 1)
        // An item that a user has moved, or whose time a user has changed, stays.
        _ = try trip.apply([.update(first.id, [.time(ClockTime("18:00"))])], by: Self.author)
        #expect(try runImport(ics(later), into: &trip, options).report.unchanged == 1)
        #expect(trip[first.id]?.content.startTime?.clock == ClockTime("18:00"))
    }

    @Test func `a rescheduled game keeps the items around it in place, and invalid travel is reported`()
        throws
    {
        var trip = try emptyTrip()
        let rows = [
            "gameId,title,city,startsAt", "g1,One,Lima,2026-06-11T10:00:00Z",
            "g2,Two,Cusco,2026-06-13T10:00:00Z",
        ]
        try runImport(csv(rows[0], rows[1], rows[2]), into: &trip)
        let way = ItemID(high: 9, low: 9)
        let travel = ItemContent.travel(Travel(fromCity: "Lima", toCity: "Cusco"))
        _ = try trip.apply([.add(way, travel, to: .end(day: 1))], by: Self.author)
        let plan = try runImport(
            csv(rows[0], "g1,One,Lima,2026-06-12T10:00:00Z", "g2,Two,Cusco,2026-06-12T20:00:00Z"), into: &trip
        )
        #expect(plan.report.invalidTravel.map(\.item) == [way])
        #expect(plan.report.invalidTravel.map(\.title) == ["Lima → Cusco"])
        #expect(plan.report.problems.map(\.kind) == [.travelInvalid, .gamesInDifferentCities])
        #expect(plan.report.lines.contains { $0.hasPrefix("travel Lima → Cusco: ") })
        #expect(plan.report.lines.contains { $0.hasPrefix("day 2: ") })
        #expect(plan.report.isComplete, "all of the file is in the trip")
    }

    @Test func `cities come from the file, then from the venue table, then from the option`() throws {
        var trip = try emptyTrip()
        var options = ImportOptions(source: "league")
        options.city = "Quito"
        options.cities = try CityTable(
            FileText(Array("venue,city,timeZone\nMonumental,Lima,America/Lima\n".utf8)))
        try runImport(
            ics(
                ["UID:1", "SUMMARY:1", "DTSTART:20260612T020000Z", "LOCATION:MONUMENTAL"],
                ["UID:2", "SUMMARY:2", "DTSTART:20260612T020000Z", "LOCATION:Azteca\\, Puebla\\, Mexico"],
                ["UID:3", "SUMMARY:3", "DTSTART:20260612T020000Z"]), into: &trip, options)
        let games = trip.items.compactMap { if case .game(let game) = $0.content { game } else { nil } }
            .sorted { $0.title < $1.title }
        #expect(games.map(\.city) == ["Lima", "Puebla", "Quito"])
        #expect(games.map(\.timeZone) == ["America/Lima", nil, nil])
        #expect(try item("1", in: trip).position.day == 1, "by the clock of its venue")
    }

    @Test func `games that a user removed stay removed, also if the file has a new name`() throws {
        var trip = try emptyTrip()
        let file = try ics(["UID:1", "DTSTART:20260612T020000Z"], ["UID:2", "DTSTART:20260612T020000Z"])
        _ = try runImport(file, into: &trip, ImportOptions(source: "league"))
        let gone = try item("1", in: trip).id
        _ = try trip.apply([.remove(gone)], by: Author(name: "Ann", at: Timestamp(milliseconds: 0)))
        for source in ["league", "league-2"] {
            var copy = trip
            var options = ImportOptions(source: source)
            options.removedItems = RemovedItems([gone])
            let plan = try runImport(file, into: &copy, options)
            #expect(plan.report.imported == 0 && plan.report.isComplete)
            #expect(plan.report.notes.map(\.text).contains { $0.contains("--restore-removed") })
            options.removedItems = RemovedItems()
            #expect(try runImport(file, into: &copy, options).report.imported == 1)
        }
    }

    @Test func `an import that would exceed the maximum number of items is refused as a whole`() throws {
        let rows = (0...10_000).map { "g\($0),t,2026-06-12T10:00:00Z\n" }.joined()
        let file = try ScheduleFile(Array("gameId,title,startsAt\n\(rows)".utf8), .csv)
        var random = SplitMix64(seed: 1)
        let trip = try emptyTrip()
        #expect(throws: ImportPlan.Refusal.tooManyItems(10_001)) {
            try ImportPlan(importing: file, into: trip, ImportOptions(source: "x"), using: &random)
        }
    }

    @Test func `travel without a valid place gets an open side, with a note`() throws {
        var trip = try emptyTrip()
        let plan = try runImport(
            csv(
                "kind,title,day,fromCity,toCity,gameId,startsAt,city",
                "game,A,,,,a,2026-06-13T10:00:00Z,Lima",
                "game,B,,,,b,2026-06-12T10:00:00Z,Cusco", "travel,,1,Lima,Cusco,,,", "custom,Lunch,2,,,,,"),
            into: &trip)
        #expect(plan.report.imported == 4 && plan.report.skipped.isEmpty)
        #expect(plan.report.notes.contains { $0.line == 4 && $0.text.hasPrefix("Nothing to ") })
        #expect(trip.problems.map(\.kind) == [.eventNotReached])
    }

    @Test func `an exported entry is matched even if its id is missing or changed`() throws {
        var trip = try emptyTrip()
        let id = "00000000-0000-4000-8000-000000000001"
        func event(_ uid: String, _ id: String) -> [String] {
            ["UID:\(uid)", "SUMMARY:\(uid)", "DTSTART;VALUE=DATE:20260611"]
                + ["X-ITINERARYD-KIND:custom", "X-ITINERARYD-ID:\(id)", "X-ITINERARYD-SORTORDER:1"]
        }
        let file = try ics(event("a", id), event("b", id), event("c", "no id"))
        #expect(try runImport(file, into: &trip).report.imported == 3)
        let again = try runImport(file, into: &trip, seed: 2)
        #expect(again.report.imported == 0 && again.edits == [] && trip.itemCount == 3)
    }

    @Test func `a new trip has the days of its entries, and the calendar's zone or the most frequent one`()
        throws
    {
        let options = ImportOptions(source: "x")
        let one = ["UID:1", "DTSTART;TZID=Asia/Tokyo:20260612T010000"]
        let two = ["UID:2", "DTSTART:20260614T230000Z"]
        let frame = try #require(try ics(one, two).newTripFrame(options))
        #expect(frame == S.frame("Asia/Tokyo", from: "2026-06-12", days: 4), "by Tokyo's clock")
        let named = try ScheduleFile(
            Array(
                "BEGIN:VCALENDAR\nX-WR-TIMEZONE:America/Lima\nBEGIN:VEVENT\nUID:1\nDTSTART:20260612T030000Z\nEND:VEVENT\nEND:VCALENDAR"
                    .utf8),
            .ics)
        #expect(try named.newTripFrame(options) == S.frame("America/Lima", from: "2026-06-11", days: 1))
        let series = try #require(
            try ics(["UID:1", "DTSTART:20260101T100000Z", "RRULE:FREQ=DAILY"]).newTripFrame(options))
        #expect(series == S.frame("UTC", from: "2026-01-01", days: 366))
        var here = options
        here.zone = "Europe/Berlin"
        let floating = ["UID:1", "DTSTART:20260612T003000"]
        #expect(try ics(floating).newTripFrame(here) == S.frame("Europe/Berlin", from: "2026-06-12", days: 1))
        #expect(try ics(two).newTripFrame(here) == S.frame("UTC", from: "2026-06-14", days: 1))
        #expect(try csv("gameId,title,startsAt").newTripFrame(options) == nil)
    }

    @Test func `ids are derived from the trip and the entries, and edits are split into requests that fit`()
        throws
    {
        let rows = (0..<300).map { "g\($0),t\($0),2026-06-12T10:00:00Z\n" }.joined()
        let file = try ScheduleFile(Array("gameId,title,startsAt\n\(rows)".utf8), .csv)
        let trip = try emptyTrip()
        func plan(_ seed: UInt64) throws -> ImportPlan {
            var random = SplitMix64(seed: seed)
            return try ImportPlan(importing: file, into: trip, ImportOptions(source: "x"), using: &random)
        }
        #expect(try plan(1) == plan(2))
        #expect(try Set(plan(1).edits.compactMap(\.item)).count == 300)
    }
}

private struct UnexpectedKind: Error {}
