import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// What real trips need of files: accepted problems, stays and attendance survive them.
@Suite struct RealTripFileTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))

    private func empty(_ zone: String = "Asia/Tokyo", days: Int = 10) -> Trip {
        CalendarSamples.frame(zone, from: "2027-04-01", days: days).emptyTrip(named: "T")
    }

    private func runImport(
        _ bytes: [UInt8], _ format: FileFormat, into trip: inout Trip,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportReport {
        var options = ImportOptions(source: "league")
        change(&options)
        var random = SplitMix64(seed: 1)
        let plan = try ImportPlan(
            importing: try ScheduleFile(bytes, format), into: trip, options, using: &random)
        _ = try trip.apply(plan.edits, by: Self.author)
        return plan.report
    }

    private func calendar(_ events: [String]...) -> [UInt8] {
        let lines = events.flatMap { ["BEGIN:VEVENT"] + $0 + ["END:VEVENT"] }
        return Array((["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\n").utf8)
    }

    /// A trip with two problems, of which the stay's is accepted.
    private func accepted() throws -> Trip {
        var trip = empty()
        let stay = ItemContent.custom(CustomItem(title: "Hotel", nights: 5))
        let late = ItemContent.custom(CustomItem(title: "Inn", nights: 9))
        _ = try trip.apply(
            [
                .add(ItemID(high: 1, low: 1), stay, to: .end(day: 8)),
                .add(ItemID(high: 1, low: 2), late, to: .end(day: 9)),
            ], by: Self.author)
        let key = try #require(trip.problems.first).key
        _ = try trip.apply([.trip(TripChange(acceptance: .init(of: key, true)))], by: Self.author)
        return trip
    }

    @Test(arguments: [FileFormat.json, .csv, .ics])
    func `an accepted problem is accepted in a trip made from the file`(format: FileFormat) throws {
        let original = try accepted()
        var copy = empty()
        _ = try runImport(format.text(of: original), format, into: &copy)
        #expect(copy.problems.filter { !$0.kind.isHint }.map(\.isAccepted) == [true, false])
        // Its items have other ids if the trip has items by the same ones already.
        let isWithdrawn = TripChange(acceptance: .init(of: copy.problems[0].key, false))
        _ = try copy.apply([.trip(isWithdrawn)], by: Self.author)
        _ = try runImport(format.text(of: original), format, into: &copy)
        #expect(
            copy.problems.filter { !$0.kind.isHint }.map(\.isAccepted) == [false, false],
            "people of the trip have withdrawn it")
    }

    @Test(arguments: [
        (
            FileFormat.md,
            ["## To do\n\n- [x] Visa", "## To do: before\n\n- [ ] Hotel · ann · by Mon 1 Mar 2027"]
        ),
        (
            .html,
            [
                "<h2>To do: before</h2>", "☐</span><div><strong dir=\"auto\">Hotel</strong>",
                "by Mon 1 Mar 2027",
            ]
        ),
        (.txt, ["To do: before\n  [ ] Hotel · ann · by Mon 1 Mar 2027", "To do\n  [x] Visa"]),
        (
            .ics,
            ["DUE;VALUE=DATE:20270301\r\nCATEGORIES:before", "SUMMARY:Hotel @ann #before due:2027-03-01"]
        ),
    ])
    func `exports list the things to do with group, assignee and due date`(
        format: FileFormat, lines: [String]
    ) throws {
        var trip = empty()
        let texts = ["Visa", "Hotel @ann #before due:2027-03-01"]
        for (index, text) in texts.enumerated() {
            let change = TodoChange(TodoID(high: 3, low: UInt64(index)), text: text, isDone: index == 0)
            _ = try trip.apply([.trip(TripChange(todo: change))], by: Self.author)
        }
        let text = String(decoding: format.text(of: trip), as: UTF8.self)
        for line in lines { #expect(text.contains(line), "\(text)") }
    }

    @Test(arguments: [FileFormat.json, .ics])
    func `things to do are restored from a file, and users' later changes are kept`(format: FileFormat) throws
    {
        var original = empty()
        let (visa, passes) = (TodoID(high: 3, low: 1), TodoID(high: 3, low: 2))
        func change(_ id: TodoID, _ text: String? = nil, _ isDone: Bool? = nil) -> Edit {
            .trip(TripChange(todo: TodoChange(id, text: text, isDone: isDone)))
        }
        _ = try original.apply(
            [change(visa, "Visa; now, please", true), change(passes, "Passes")], by: Self.author)
        var copy = empty()
        let report = try runImport(format.text(of: original), format, into: &copy)
        #expect(report.notes.contains { $0.text == "2 things to do added or ticked off" })
        #expect(copy.header.todo.map(\.text) == original.header.todo.map(\.text))
        #expect(copy.header.todo.map { $0.doneBy != nil } == [true, false])
        _ = try copy.apply([change(visa, "Get a visa", false)], by: Self.author)
        _ = try original.apply([change(passes, nil, true)], by: Self.author)
        _ = try runImport(format.text(of: original), format, into: &copy)
        #expect(copy.header.todo.map(\.text) == ["Get a visa", "Passes"])
        #expect(copy.header.todo.map { $0.doneBy != nil } == [true, true])
    }

    @Test func `tasks of another calendar are recognized by their UID`() throws {
        var trip = empty()
        let task = { (status: String) in
            Array(
                "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:t1\nSUMMARY:Vaccination\nSTATUS:\(status)\nEND:VTODO\nEND:VCALENDAR"
                    .utf8)
        }
        _ = try runImport(task("NEEDS-ACTION"), .ics, into: &trip)
        #expect(trip.header.todo.map(\.doneBy) == [nil])
        _ = try runImport(task("COMPLETED"), .ics, into: &trip)
        #expect(
            trip.header.todo == [TodoEntry(id: trip.header.todo[0].id, text: "Vaccination", doneBy: "Ann")])
    }

    @Test func `an accepted problem stays accepted if its items get other ids`() throws {
        let original = try accepted()
        let hotel = try #require(original.items.first)
        var other = empty()
        _ = try other.apply(
            [.add(ItemID(high: 9, low: 9), .custom(CustomItem(title: "Here already")), to: nil)],
            by: Self.author)
        let file = String(decoding: FileFormat.csv.text(of: original), as: UTF8.self)
        let renamed = ItemID(high: 7, low: 7)
        let text = file.replacing(hotel.id.description, with: renamed.description)
        _ = try runImport(Array(text.utf8), .csv, into: &other)
        #expect(other.problems.first { $0.items == [renamed] }?.isAccepted == true)
    }

    @Test(arguments: [ImportOptions.Timed.games, .custom])
    func `a timed event of several nights is a stay`(timed: ImportOptions.Timed) throws {
        var trip = empty("America/New_York")
        let hotel = [
            "UID:h", "SUMMARY:Hotel", "DTSTART;TZID=Asia/Tokyo:20270403T150000",
            "DTEND;TZID=Asia/Tokyo:20270406T110000",
        ]
        let report = try runImport(calendar(hotel), .ics, into: &trip) { $0.timed = timed }
        #expect(report.imported == 1)
        let item = try #require(trip.items.first)
        #expect(item.content.kind == .custom && item.position.day == 3)
        #expect(item.content[.nights] == .nights(3))
        #expect(item.content[.time] == ClockTime(minute: 900).map(FieldValue.time))
        #expect(item.content[.endTime] == ClockTime(minute: 660).map(FieldValue.time))
        #expect(try runImport(calendar(hotel), .ics, into: &trip) { $0.timed = timed }.unchanged == 1)
    }

    @Test func `an event of less than a day is imported as an event`() throws {
        var trip = empty()
        let concert = ["UID:c", "SUMMARY:Concert", "DTSTART:20270403T120000Z", "DTEND:20270404T120000Z"]
        _ = try runImport(calendar(concert), .ics, into: &trip)
        #expect(trip.items.first?.isGame == true)
    }

    @Test func `extend includes the nights of a stay, and reports the trip's new length`() throws {
        var trip = empty(days: 3)
        let stay = ["UID:s", "SUMMARY:Inn", "DTSTART;VALUE=DATE:20270403", "DTEND;VALUE=DATE:20270407"]
        let report = try runImport(calendar(stay), .ics, into: &trip) { $0.extends = true }
        #expect(trip.header.dayCount == 6 && trip.problems.map(\.kind) == [.nightWithoutStay])
        #expect(
            report.lines.contains("note: the trip has 6 days now, from 2027-04-01 to 2027-04-06"),
            "\(report.lines)")
    }

    @Test func `an event stays unattended after it was pruned, or was without a time for a while`() throws {
        let game = ["UID:g", "SUMMARY:A v B", "DTSTART:20270403T120000Z"]
        let day = ["UID:g", "SUMMARY:A v B", "DTSTART;VALUE=DATE:20270403"]
        for gone in [calendar(day), calendar(["UID:other", "SUMMARY:C", "DTSTART:20270404T120000Z"])] {
            var trip = empty()
            _ = try runImport(calendar(game), .ics, into: &trip)
            let item = try #require(trip.items.first)
            _ = try trip.apply([.update(item.id, [.attending(false)])], by: Self.author)
            let removed = try #require(trip[item.id]).content
            _ = try runImport(gone, .ics, into: &trip) {
                $0.isSourceNamed = true
                $0.pruning = .all
            }
            #expect(trip.items.allSatisfy { !$0.isGame || $0.content.title == "C" })
            _ = try runImport(calendar(game), .ics, into: &trip) { $0.prunedContents = [item.id: removed] }
            #expect(trip[item.id]?.content[.attending] == .flag(false))
        }
    }

    @Test func `a wrong source is reported before anything is pruned`() throws {
        var trip = empty()
        let game = ["UID:g", "SUMMARY:A v B", "DTSTART:20270403T120000Z"]
        _ = try runImport(calendar(game), .ics, into: &trip)
        var options = ImportOptions(source: "leage")
        (options.isSourceNamed, options.pruning) = (true, .some)
        var random = SplitMix64(seed: 1)
        let file = try ScheduleFile(calendar(game), .ics)
        #expect(throws: ImportPlan.Refusal.otherSource("league", source: "leage")) {
            try ImportPlan(importing: file, into: trip, options, using: &random)
        }
    }

    @Test func `a cancelled event is not reported as vanished`() throws {
        var trip = empty()
        let game = ["UID:g", "SUMMARY:A v B", "DTSTART:20270403T120000Z"]
        _ = try runImport(calendar(game), .ics, into: &trip)
        let text = String(decoding: calendar(game), as: UTF8.self)
            .replacing("BEGIN:VEVENT", with: "METHOD:CANCEL\nBEGIN:VEVENT")
        let report = try runImport(Array(text.utf8), .ics, into: &trip)
        #expect(
            report.lines.contains("1 cancelled at the source and kept; --prune removes them"),
            "\(report.lines)")
    }

    @Test(arguments: [FileFormat.json, .csv])
    func `travel keeps both zones in a new trip, and a changed zone in a file is applied`(format: FileFormat)
        throws
    {
        var trip = empty()
        let flight = Travel(
            fromCity: "Los Angeles", toCity: "Berlin", timeZone: "America/Los_Angeles",
            arrivalTimeZone: "Europe/Berlin")
        let id = ItemID(high: 1, low: 1)
        _ = try trip.apply([.add(id, .travel(flight), to: .end(day: 1))], by: Self.author)
        let file = format.text(of: trip)
        var copy = empty()
        _ = try runImport(file, format, into: &copy)
        let fields: [ItemField] = [.timeZone, .arrivalTimeZone]
        #expect(fields.map { copy.items[0].content[$0] } == fields.map { trip.items[0].content[$0] })
        _ = try trip.apply(
            [.update(id, [.timeZone("Asia/Seoul"), .clear(.arrivalTimeZone)])], by: Self.author)
        _ = try runImport(file, format, into: &trip)
        #expect(fields.map { trip.items[0].content[$0] } == fields.map { copy.items[0].content[$0] })
    }

    @Test func `a calendar contains the reference, the cost, and whether a time is free`() throws {
        var trip = empty()
        let contents: [ItemContent] = [
            .custom(
                CustomItem(
                    title: "Hotel", note: "late check-in", cost: Cost(amount: 41.5, currency: "EUR"),
                    time: ClockTime("15:00"), nights: 2, reference: "H9")),
            .travel(Travel(fromCity: "Oslo", toCity: "Rome", time: ClockTime("09:00"), reference: "R,1")),
            .custom(CustomItem(title: "Dinner", time: ClockTime("19:00"))),
        ]
        let game = Game(
            gameID: "g", title: "A v B", startsAt: try #require(OffsetDateTime("2027-04-03T10:00:00Z")),
            isAttended: false)
        _ = try trip.apply(
            contents.enumerated().map { .add(ItemID(high: 1, low: UInt64($0)), $1, to: .end(day: 2)) }
                + [.add(ItemID(high: 1, low: 9), .game(game), to: nil)], by: Self.author)
        let text = String(decoding: FileFormat.ics.text(of: trip), as: UTF8.self).replacing("\r\n ", with: "")
        let events = Dictionary(
            uniqueKeysWithValues: text.components(separatedBy: "BEGIN:VEVENT").dropFirst().map { event in
                let lines = event.components(separatedBy: "\r\n")
                return (lines.first { $0.hasPrefix("SUMMARY:") } ?? "", lines)
            })
        func has(_ line: String, _ title: String) -> Bool {
            events["SUMMARY:\(title)"]?.contains(line) == true
        }
        #expect(has(#"DESCRIPTION:Reference: H9\nCost: 41.50 EUR\n\nlate check-in"#, "Hotel"), "\(text)")
        #expect(has(#"DESCRIPTION:Reference: R\,1"#, "Oslo → Rome"), "\(text)")
        let free = events.filter { $0.value.contains("TRANSP:TRANSPARENT") }.keys.sorted()
        #expect(free == ["SUMMARY:(not attending) A v B", "SUMMARY:Hotel"])
        var copy = empty()
        _ = try runImport(Array(text.utf8), .ics, into: &copy)
        #expect(copy.items.map(\.content) == trip.items.map(\.content))
        // Another program has written below the note.
        let edited = text.replacing(
            #"Reference: H9\nCost: 41.50 EUR\n\nlate check-in"#,
            with: #"Reference: H9\nCost: 41.50 EUR\nbring cash\n\nmoved"#)
        var other = empty()
        _ = try runImport(Array(edited.utf8), .ics, into: &other)
        #expect(
            other.items.first { $0.content.title == "Hotel" }?.content[.note]
                == .text("Reference: H9\nCost: 41.50 EUR\nbring cash\n\nmoved"), "nothing is lost")
    }

    @Test func `a table keeps times, durations, zones and the check-out`() throws {
        let table = """
            kind,title,fromCity,toCity,day,time,durationMinutes,timeZone,arrivalTimeZone,nights,endTime
            travel,,Tokyo,Los Angeles,2,17:00,600,Asia/Tokyo,America/Los_Angeles,,
            custom,Hotel,,,2,15:00,,,,3,11:00

            """
        var trip = empty()
        #expect(try runImport(Array(table.utf8), .csv, into: &trip).imported == 2)
        let flight = try #require(trip.items.first { $0.content.kind == .travel })
        let clocks = TripClocks(trip)
        #expect(clocks.timeNotes(of: flight) == ["17:00 → 11:00", "Tokyo → Los Angeles time"])
        #expect(flight.content[.durationMinutes] == .minutes(600))
        var copy = empty()
        _ = try runImport(FileFormat.csv.text(of: trip), .csv, into: &copy)
        for (copied, item) in zip(copy.items, trip.items) {
            for field in item.content.kind.fields where field != .source {
                #expect(copied.content[field] == item.content[field], "\(field)")
            }
        }
        #expect(copy.items.count == 2)
        let hotel = try #require(copy.items.first { $0.content.kind == .custom })
        #expect(hotel.content[.endTime] == ClockTime(minute: 660).map(FieldValue.time))
        #expect(hotel.content[.nights] == .nights(3))
    }
}
