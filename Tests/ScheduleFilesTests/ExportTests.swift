import Foundation
import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// Trips exported and imported again.
@Suite struct ExportTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 1_780_000_000_123))
    private typealias S = CalendarSamples

    /// A trip with all kinds of content, including text that breaks formats.
    private static func trip(seed: UInt64) throws -> Trip {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "a", "Zürich", ",", ";", ":", "\"", "\\", "'", "=1+1", "<b>", "&amp;", "\u{1F1E8}\u{1F1ED}",
            "日本語", " ",
            "-x", "]]>", "#", "*_`", "|", "@", "\\n", "e\u{301}", "BEGIN:VEVENT", "--", "https://a.b/?c=<d>",
        ]
        func text(_ most: Int = 6) -> String {
            "t" + (0..<random.below(most)).map { _ in pieces[random.below(pieces.count)] }.joined()
        }
        func line() -> String? { random.below(3) == 0 ? nil : pieces[random.below(pieces.count)] + text() }
        func note() -> String? { random.below(3) == 0 ? nil : text() + "\n\n" + text(30) + "\n" }
        func minutes() -> Int? { random.below(2) == 0 ? nil : random.below(600) }
        func time() -> ClockTime? { random.below(2) == 0 ? nil : ClockTime(minute: random.below(1440)) }
        func place() -> Coordinate? {
            random.below(2) == 0
                ? nil
                : Coordinate(
                    latitude: Double(random.below(180_000)) / 1000 - 90,
                    longitude: random.below(8) == 0 ? 1e-7 : Double(random.below(360_000)) / 1000 - 180)
        }
        func source() -> ItemSource? { random.below(2) == 0 ? nil : ItemSource(name: text(), id: text()) }
        let zones = ["Europe/Zurich", "America/New_York", "Asia/Kathmandu", "UTC", "Australia/Lord_Howe"]
        let header = TripHeader(
            id: TripID(high: 1, low: seed), slug: "t", name: text(),
            startDate: try #require(CalendarDate("2026-10-20")),
            timeZone: zones[random.below(zones.count)], dayCount: 20)
        var trip = try Trip.create(header, by: author)
        var edits: [Edit] = []
        var games: [ItemID] = []
        for number in 0..<random.below(12) {
            // Around the hour that occurs twice in Zurich and, a week later, in New York.
            let seconds = 1_792_886_400 + Int64(random.below(14 * 24 * 4)) * 900
            let start = try #require(OffsetDateTime(Timestamp(milliseconds: seconds * 1000).description))
            let game = Game(
                gameID: random.below(2) == 0 ? "g\(number)@x" : "game-A_B-\(number)", title: text(),
                city: line(), venue: line(),
                startsAt: start, timeZone: random.below(2) == 0 ? nil : zones[random.below(zones.count)],
                durationMinutes: minutes(), note: note(),
                url: random.below(2) == 0 ? nil : "https://a.b/c?d=<e>&f='g'",
                coordinate: place(), source: source())
            games.append(.random(using: &random))
            edits.append(.add(games[number], .game(game), to: nil))
        }
        for _ in 0..<random.below(20) {
            let placement = Placement.order(Double(random.below(4000)) / 7 - 100, day: 1 + random.below(20))
            let custom = CustomItem(
                title: text(), icon: random.below(2) == 0 ? nil : "🍜", city: line(), note: note(),
                durationMinutes: minutes(),
                cost: random.below(2) == 0
                    ? nil
                    : Cost(
                        amount: random.below(8) == 0 ? 2.5e-7 : Double(random.below(10_000)) / 100 - 20,
                        currency: "EUR"),
                time: time(), place: line(), coordinate: place(),
                url: random.below(2) == 0 ? nil : "mailto:a@b.c", source: source())
            edits.append(.add(.random(using: &random), .custom(custom), to: placement))
        }
        for _ in 0..<random.below(5) {
            let travel = Travel(
                fromCity: text(), toCity: text(), mode: random.below(2) == 0 ? nil : "train",
                durationMinutes: minutes(),
                note: note(),
                afterGame: games.isEmpty || random.below(2) == 0
                    ? (random.below(2) == 0 ? nil : .open) : .game(games[0]), time: time(),
                source: source())
            edits.append(.add(.random(using: &random), .travel(travel), to: nil))
        }
        _ = try trip.apply(edits, by: author)
        return trip
    }

    @Test(arguments: 0..<60)
    func `an export imported into an empty trip gives the same trip`(seed: UInt64) throws {
        let trip = try Self.trip(seed: seed)
        for format in FileFormat.imported {
            let file = try ScheduleFile(format.text(of: trip), format)
            var frame = S.frame(trip.header.timeZone, from: "2026-10-20", days: 20)
            if format != .csv {
                frame = try file.newTripFrame(ImportOptions(source: "x")) ?? frame
                #expect(frame == TripFrame(trip.header))
            }
            var again = frame.emptyTrip(named: "x")
            var random = SplitMix64(seed: seed)
            let plan = try ImportPlan(
                importing: file, into: again, ImportOptions(source: "x"), using: &random)
            #expect(plan.report.skipped == [] && plan.report.notes == [], "\(format): \(plan.report.lines)")
            _ = try again.apply(plan.edits, by: Self.author)
            #expect(again.items.map(\.id) == trip.items.map(\.id), "\(format)")
            for (old, new) in zip(trip.items, again.items) {
                #expect(new.content == old.content && new.position == old.position, "\(format)")
            }
            let repeated = try ImportPlan(
                importing: file, into: trip, ImportOptions(source: "x"), using: &random)
            #expect(repeated.edits == [], "\(format): what is there already stays")
        }
    }

    @Test(arguments: 0..<20)
    func `the lines of a calendar have at most 75 octets, end with CRLF, and split no character`(seed: UInt64)
        throws
    {
        let bytes = FileFormat.ics.text(of: try Self.trip(seed: seed))
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        for line in lines {
            #expect(line.last == 0x0D && line.count <= 76)
            #expect(String(validating: line, as: UTF8.self) != nil)
        }
    }

    @Test func `the second of a repeated time is in UTC, and zones have the changes of the trip's days`()
        throws
    {
        var trip = S.frame("America/New_York", from: "2026-10-30", days: 5).emptyTrip(named: "T")
        var edits: [Edit] = []
        for (number, start) in ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-01T07:30:00Z"]
            .enumerated()
        {
            let game = Game(gameID: "g\(number)@x", title: "G", startsAt: try #require(OffsetDateTime(start)))
            edits.append(.add(ItemID(high: 1, low: UInt64(number)), .game(game), to: nil))
        }
        _ = try trip.apply(edits, by: Self.author)
        let text = String(decoding: FileFormat.ics.text(of: trip), as: UTF8.self).replacing(
            "\r\n", with: "\n")
        let starts = text.split(separator: "\n").filter {
            $0.hasPrefix("DTSTART;TZID") || $0.hasSuffix("T063000Z")
        }
        #expect(
            starts == [
                "DTSTART;TZID=America/New_York:20261101T013000", "DTSTART:20261101T063000Z",
                "DTSTART;TZID=America/New_York:20261101T023000",
            ])
        #expect(
            text.contains(
                "BEGIN:STANDARD\nDTSTART:20261101T020000\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\nEND:STANDARD")
        )
        #expect(text.contains("UID:g0@x\n") && text.contains("DTSTAMP:20260528T202640Z\n"))
    }

    @Test func `a text cell that a spreadsheet would run gets an apostrophe, and numbers do not`() throws {
        var trip = S.frame(days: 1).emptyTrip(named: "T")
        let custom = CustomItem(
            title: "=HYPERLINK(1);x; =2;'3", note: "'quoted", cost: Cost(amount: -12.5, currency: "EUR"),
            coordinate: Coordinate(latitude: -33.755, longitude: -84.401))
        let hostile = CustomItem(title: "x", cost: Cost(amount: -1, currency: "+cmd|' /C calc'!A0"))
        _ = try trip.apply(
            [
                .add(ItemID(high: 1, low: 1), .custom(custom), to: .order(-1, day: 1)),
                .add(ItemID(high: 1, low: 2), .custom(hostile), to: .order(0, day: 1)),
            ], by: Self.author)
        let text = String(decoding: FileFormat.csv.text(of: trip), as: UTF8.self)
        #expect(text.hasPrefix("kind,id,day,sortOrder,"))
        for cell in [
            ",'=HYPERLINK(1);x;' =2;''3,", ",''quoted,", ",-12.5 EUR,", ",-33.755 -84.401,",
            ",1,-1,2026-06-01,",
            ",'-1 +cmd|' /C calc'!A0,",
        ] {
            #expect(text.contains(cell), "\(cell)")
        }
    }

    @Test(arguments: 0..<20)
    func `pages, Markdown and GPX escape all markup in titles, and contain every item`(seed: UInt64) throws {
        let trip = try Self.trip(seed: seed)
        let page = String(decoding: FileFormat.html.text(of: trip), as: UTF8.self)
        #expect(!page.contains("<b>") && !page.lowercased().contains("<script") && !page.contains("<e>"))
        #expect(page.components(separatedBy: "<li>").count - 1 == trip.itemCount)
        let days = Set(trip.items.map(\.position.day)).union(trip.laterDays(by: TripClocks(trip)).keys)
        #expect(page.components(separatedBy: "<section>").count - 1 == days.count)
        let markdown = String(decoding: FileFormat.md.text(of: trip), as: UTF8.self)
        #expect(
            !markdown.contains("<b>") && markdown.components(separatedBy: "\n- ").count - 1 == trip.itemCount)
        let text = String(decoding: FileFormat.txt.text(of: trip), as: UTF8.self)
        #expect(text.components(separatedBy: "\n  ").count - 1 >= trip.itemCount)
        let places = trip.items.count { item in
            switch item.content {
            case .game(let game): game.coordinate != nil
            case .custom(let custom): custom.coordinate != nil
            case .travel: false
            }
        }
        let gpx = String(decoding: FileFormat.gpx.text(of: trip), as: UTF8.self)
        #expect(gpx.components(separatedBy: "<wpt ").count - 1 == places)
        #expect(gpx.components(separatedBy: "<rtept ").count - 1 == places)
    }

    @Test func `consecutive days without items are one line in every plan for people`() throws {
        var trip = S.frame(from: "2027-03-01", days: 30).emptyTrip(named: "T")
        let edits = [2, 3, 5].map { day in
            Edit.add(ItemID(high: 1, low: UInt64(day)), .custom(CustomItem(title: "X")), to: .end(day: day))
        }
        _ = try trip.apply(edits, by: Self.author)
        let runs = [
            "Day 1 · Monday, 1 March 2027", "Day 4 · Thursday, 4 March 2027",
            "Days 6–30 · Saturday, 6 March 2027 – Tuesday, 30 March 2027",
        ]
        for (format, mark) in [(FileFormat.txt, ""), (.md, "*"), (.html, "<p class=\"none\">")] {
            let text = String(decoding: format.text(of: trip), as: UTF8.self)
            for run in runs { #expect(text.contains("\n\(mark)\(run): nothing planned"), "\(format)") }
            #expect(text.components(separatedBy: "nothing planned").count - 1 == 3, "\(format)")
        }
    }

    @Test func `only web and mail addresses become links`() throws {
        let bad = ItemContent.custom(CustomItem(title: "x", url: "javascript:alert(1)"))
        let item = Item(
            id: ItemID(high: 1, low: 1), position: Position(day: 1, sortOrder: 1), content: bad, version: 1,
            modifiedAt: Timestamp(milliseconds: 0), modifiedBy: "")
        // As a journal from another program may contain it.
        let trip = try Trip(header: S.frame(days: 1).emptyTrip(named: "T").header, version: 1, items: [item])
        for format in [FileFormat.html, .md, .gpx, .txt] {
            #expect(
                !String(decoding: format.text(of: trip), as: UTF8.self).contains("javascript"), "\(format)")
        }
    }

    /// A trip from another or an older program, with a text in every text field.
    ///
    /// - Parameter name: the trip's name, which every daemon checks.
    private static func oldTrip(with text: String, named name: String) throws -> Trip {
        let header = TripHeader(
            id: TripID(high: 1, low: 1), slug: "t", name: name,
            startDate: try #require(CalendarDate("2026-06-01")), timeZone: "UTC", dayCount: 2)
        let custom = CustomItem(
            title: text, icon: text, city: text, note: text, cost: Cost(amount: 1, currency: text),
            place: text,
            coordinate: Coordinate(latitude: 1, longitude: 2), url: text, reference: text,
            source: ItemSource(name: text, id: text))
        let game = Game(
            gameID: text + "@x", title: text, city: text, venue: text,
            startsAt: try #require(OffsetDateTime("2026-06-02T10:00:00Z")), note: text, url: text)
        let contents: [ItemContent] = [
            .custom(custom), .travel(Travel(fromCity: text, toCity: text, mode: text, note: text)),
            .game(game),
        ]
        let items = contents.enumerated().map { index, content in
            Item(
                id: ItemID(high: 2, low: UInt64(index)),
                position: Position(day: index / 2 + 1, sortOrder: 700 + Double(index)),
                content: content, version: 1, modifiedAt: Timestamp(milliseconds: 0), modifiedBy: text)
        }
        return try Trip(header: header, version: 1, items: items)
    }

    @Test(arguments: HostileText.all)
    func `forbidden characters in old data are spelled out in every export`(_ hostile: HostileText) throws {
        let trip = try Self.oldTrip(with: hostile.text, named: hostile.isRefused ? "Trip" : hostile.text)
        for format in FileFormat.allCases where format != .json {
            // Lines of a calendar are folded, even within a character.
            let text = String(decoding: format.text(of: trip), as: UTF8.self)
                .replacingOccurrences(of: "\r\n ", with: "", options: .literal)
                .replacing("\r\n", with: "\n")
            #expect(HostileText.trouble(in: text) == [], "\(format)")
        }
        // JSON contains the text itself; its syntax escapes control characters.
        let json = FileFormat.json.text(of: trip)
        #expect(!json.contains { $0 < 0x20 && $0 != 0x0A })

        let calendar = String(decoding: FileFormat.ics.text(of: trip), as: UTF8.self)
        for line in calendar.components(separatedBy: "\r\n") {
            #expect(!line.hasPrefix("ATTENDEE") && !line.contains("\r") && !line.contains("\n"))
        }
        var table = CSVReader(FileFormat.csv.text(of: trip))
        var cellCount = 0
        while let record = try table.next() {
            for field in record.fields {
                cellCount += 1
                let cell = String(decoding: field, as: UTF8.self).drop { $0 == " " }
                // Text that begins with a minus and is not a number.
                let isRun =
                    "=@+\t\r\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".contains(cell.first ?? "x")
                    || (cell.hasPrefix("-") && Double(cell) == nil)
                #expect(!isRun, "a spreadsheet runs \(cell)")
            }
        }
        #expect(cellCount > 60)
        let page = String(decoding: FileFormat.html.text(of: trip), as: UTF8.self)
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("href=\"javascript"))
        // Without escaped text.
        let markdown = String(decoding: FileFormat.md.text(of: trip), as: UTF8.self)
            .replacing(/\\./, with: "")
        #expect(
            !markdown.contains("](javascript") && !markdown.contains("![x]") && !markdown.contains("<script"))
        let map = String(decoding: FileFormat.gpx.text(of: trip), as: UTF8.self)
        #expect(!map.contains("<script") && !map.contains("<b>"))
    }
}
