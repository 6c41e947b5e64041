import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// Our exported tables: imported without loss, edited by people, and saved again by spreadsheets.
@Suite struct OwnTableTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))
    private static let (game, walk, way) = (
        ItemID(high: 1, low: 1), ItemID(high: 2, low: 2), ItemID(high: 3, low: 3)
    )
    private var trip = CalendarSamples.frame("Asia/Tokyo", from: "2027-01-01", days: 5).emptyTrip(named: "Z")

    init() throws {
        let start = try #require(OffsetDateTime("2027-01-02T00:30:00+09:00"))
        _ = try trip.apply(
            [
                .add(
                    Self.game, .game(Game(gameID: "g1", title: "G", city: "Tokyo", startsAt: start)), to: nil),
                .add(
                    Self.walk,
                    .custom(
                        CustomItem(
                            title: "Walk", note: "shoes", cost: Cost(amount: 5, currency: "EUR"),
                            time: ClockTime(minute: 540))), to: .end(day: 2)),
                .add(Self.way, .travel(Travel(fromCity: "Tokyo", toCity: "Nara")), to: .end(day: 4)),
            ], by: Self.author)
    }

    private var text: String { String(decoding: FileFormat.csv.text(of: trip), as: UTF8.self) }

    private func file(_ text: String) throws -> ScheduleFile { try ScheduleFile(Array(text.utf8), .csv) }

    @discardableResult
    private mutating func runImport(_ text: String) throws -> ImportReport {
        var random = SplitMix64(seed: 1)
        let plan = try ImportPlan(
            importing: file(text), into: trip, ImportOptions(source: "x"), using: &random)
        _ = try trip.apply(plan.edits, by: Self.author)
        return plan.report
    }

    @Test(arguments: [nil, "Asia/Tokyo", "America/New_York"])
    func `a table gives an equal new trip, including days, zone and name`(zone: String?) throws {
        var test = self
        _ = try test.trip.apply([.update(Self.game, [.timeZone(zone)])], by: Self.author)
        let (trip, text) = (test.trip, test.text)
        let file = try file(text)
        #expect(file.tripName == "Z")
        let frame = try #require(try file.newTripFrame(ImportOptions(source: "x")))
        #expect(frame == CalendarSamples.frame("Asia/Tokyo", from: "2027-01-01", days: 5))
        var copy = frame.emptyTrip(named: "Z")
        var random = SplitMix64(seed: 1)
        let plan = try ImportPlan(importing: file, into: copy, ImportOptions(source: "x"), using: &random)
        #expect(plan.report.imported == 3 && plan.report.notes == [])
        _ = try copy.apply(plan.edits, by: Self.author)
        #expect(copy.items.map(\.content) == trip.items.map(\.content))
        #expect(copy.items.map(\.position) == trip.items.map(\.position))
        #expect(text.contains("Asia/Tokyo"), "each game's row has a zone")
    }

    @Test mutating func `every changed cell is applied, and an emptied cell clears`() throws {
        #expect(try runImport(text).unchanged == 3)
        let edited = text.replacing("Walk", with: "Long walk").replacing("5 EUR", with: "\"12,50 EUR\"")
            .replacing("09:00", with: "7.30").replacing("shoes", with: "")
        #expect(try runImport(edited).updated == 1)
        let content = try #require(trip[Self.walk]?.content)
        #expect(content.title == "Long walk" && content[.note] == nil)
        #expect(content[.cost] == .cost(Cost(amount: 12.5, currency: "EUR")))
        #expect(content[.time] == ClockTime(minute: 450).map(FieldValue.time))
    }

    @Test(arguments: [
        (["20.10.2026"], "2026-10-20"), (["1/20/2026", "2/3/2026"], "2026-02-03"),
        (["20/1/2026", "2/3/2026"], "2026-03-02"), (["3/3/2026"], "2026-03-03"), (["2/3/2026"], nil),
        (["20/1/2026", "1/20/2026", "2/3/2026"], nil), (["2/30/2026"], nil),
    ]) func `a date is read if its column allows one interpretation`(dates: [String], last: String?) throws {
        let rows = dates.enumerated().map { "custom,c\($0),Walk,\($1)\n" }.joined()
        let entries = try file("kind,id,title,date\n" + rows).entries(
            for: CalendarSamples.frame("UTC", from: "2026-01-01", days: 366))
        let when = entries.entries.first { $0.id == "c\(dates.count - 1)" }?.when
        #expect(when == last.flatMap(CalendarDate.init).map(FileEntry.When.date))
        if last == nil { #expect(entries.skipped.last?.field == "date") }
    }

    @Test mutating func `dates rewritten by a spreadsheet are ignored if there is a day`() throws {
        let saved =
            "sep=;\n"
            + text.replacing(/2027-01-0(\d),/) { "1/\($0.output.1)/2027," }
            .replacing(",", with: ";")
        #expect(saved.contains(";1/4/2027;"))
        #expect(try runImport(saved).unchanged == 3)
    }

    @Test func `UTF-16 is read, and others if they are named or no other encoding gives other letters`()
        throws
    {
        let text = "kind,id,title,day\ncustom,c,Gästezimmer für Zoë,1\n"
        func title(_ bytes: [UInt8]) throws -> FileEntries {
            try ScheduleFile(bytes, .csv).entries(for: CalendarSamples.frame())
        }
        let little = [UInt8]([0xFF, 0xFE]) + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let latin1 = text.unicodeScalars.map { UInt8($0.value) }
        for bytes in [little, big, latin1] {
            #expect(try title(bytes).entries.first?.words(.title) == "Gästezimmer für Zoë")
        }
        #expect(try title(latin1).notes.map(\.text) == ["the file is not UTF-8; it is read as Latin-1"])
        // Polish in Latin-2, which is another word in Windows-1250.
        func file(_ title: [UInt8]) -> [UInt8] {
            Array("kind,id,title,day\ncustom,c,".utf8) + title + Array(",1\n".utf8)
        }
        let other = file([0xB3, 0xF3, 0x64, 0xBC])
        let words = FileError.ambiguousEncoding(
            line: 2,
            [.init(encoding: .windows1250, word: "łódĽ"), .init(encoding: .latin2, word: "łódź")])
        #expect(throws: words) { try title(other) }
        #expect("\(words)".contains("“łódź” in iso-8859-2"))
        let named = try ScheduleFile(other, .csv, encoding: TextEncoding(named: "Latin2"))
        #expect(try named.entries(for: CalendarSamples.frame()).entries.first?.words(.title) == "łódź")
        // Gdańsk in Windows-1250 must not become Gdañsk.
        #expect(throws: FileError.self) { try title(file(Array("Gda".utf8) + [0xF1] + Array("sk".utf8))) }
        // Marks of word processors are the same in both code pages of Windows.
        let quoted = file([0x84] + Array("Z".utf8) + [0xFC] + Array("rich".utf8) + [0x92])
        #expect(throws: FileError.self) { try title(quoted) }
        let apostrophe = file(Array("Z".utf8) + [0xFC] + Array("rich".utf8) + [0x92] + Array("s".utf8))
        #expect(try title(apostrophe).entries.first?.words(.title) == "Zürich’s")
        #expect(
            try title(apostrophe).notes.map(\.text) == ["the file is not UTF-8; it is read as windows-1252"])
        // Japanese in Shift JIS.
        #expect(throws: FileError.notUTF8(line: 2)) { try title(file([0x93, 0x8C, 0x8B, 0x9E])) }
        #expect(throws: FileError.notEncoded(.shiftJIS)) {
            try ScheduleFile(file([0x93, 0xFF]), .csv, encoding: .shiftJIS)
        }
    }

    @Test(arguments: ["12,50 EUR", "€12.50", "EUR 12.50", "12.5 EUR"])
    func `a cost can be written in common forms`(cost: String) throws {
        let entries = try file("kind,id,title,day,cost\ncustom,c,Walk,1,\"\(cost)\"\n").entries(
            for: CalendarSamples.frame())
        guard case .cost(let value)? = entries.entries.first?[.cost] else {
            Issue.record("\(entries.skipped)")
            return
        }
        #expect(value.amount == 12.5)
    }
}
