import ScheduleFiles
import Testing
import TripModel

@Suite struct TableFileTests {
    private typealias S = CalendarSamples
    private static let header = "gameId,title,city,venue,startsAt,timeZone,durationMinutes"

    private func table(_ lines: String...) throws -> FileEntries {
        try S.entries(Array(lines.joined(separator: "\n").utf8), format: .csv)
    }

    @Test func `a row gives a game, without its empty optional fields`() throws {
        let table = try table(
            Self.header, "g1,A v B,Mexico City,Azteca,2026-06-11T13:00:00-06:00,America/Mexico_City,105",
            "g2,\"C, or D\",,,2026-06-11T20:00:00Z,,")
        #expect(table.skipped == [] && table.notes == [])
        #expect(table.entries.map(\.line) == [2, 3])
        #expect(S.starts(table) == ["2026-06-11T13:00:00-06:00 America/Mexico_City", "2026-06-11T20:00:00Z"])
        #expect(table.entries[0].words(.city) == "Mexico City" && table.entries[0].words(.venue) == "Azteca")
        #expect(table.entries[0].words(.durationMinutes) == "105")
        #expect(table.entries[1].words(.title) == "C, or D" && table.entries[1].words(.city) == nil)
        #expect(table.present == [TextKey("g1"), TextKey("g2")])
    }

    @Test func `columns can be in any order and case, with unknown ones between`() throws {
        let table = try table(
            "Round, STARTSAT ,Title,what,gameid", "1,2026-06-11T20:00:00Z,A v B,\"x\ny\u{7}\",g1")
        #expect(table.skipped == [] && table.notes == [])
        #expect(table.entries.map(\.id) == ["g1"])
    }

    @Test(arguments: [",", ";", "\t"])
    func `the separator is a comma, a semicolon or a tab, as in the header row`(separator: String) throws {
        let lines = ["gameId,title,startsAt,note", "g1,A,2026-06-11T20:00:00Z,\"x;y,z\t!\""]
        let table = try table(
            lines[0].replacing(",", with: separator),
            "g1\(separator)A\(separator)2026-06-11T20:00:00Z\(separator)\"x;y,z\t!\"")
        #expect(table.entries.map { $0.words(.note) } == ["x;y,z !"], "a tab is no text of a note")
    }

    @Test(arguments: [
        ("Mittwoch, 10. März 2027", "19.30 Uhr"), ("mercredi 10 mars 2027", "19h30"),
        ("10 de marzo de 2027", "19:30"),
        ("10.03.27", "7:30 p.m."), ("2027/3/10", "1930"), ("Wed, March 10th 2027", "7:30 PM"),
        ("3/13/27", "19:30"),
        ("10. mars 2027", "19:30"), ("2027年3月10日", "19:30"),
    ])
    func `dates and times can be written in words and in the short forms of spreadsheets`(
        date: String, time: String
    ) throws {
        let table = try table("gameId;title;date;time", "g;A;\(date);\(time)")
        let day = date.hasPrefix("3/13") ? "13" : "10"
        #expect(S.starts(table) == ["2027-03-\(day) 1170"] && table.skipped == [])
    }

    @Test func `the calendar that Outlook or Google writes as a table gives events and whole days`() throws {
        let table = try table(
            "Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private",
            "Tour,03/10/2027,09:00 AM,03/10/2027,11:00 AM,False,\"Meet, at gate\",\"Forum, Via Sacra 1, Rome\",True",
            "Fair,03/11/2027,,03/13/2027,,True,,,", "Fair,03/11/2027,,03/11/2027,,True,,,", "Odd,soon,,,,,,,")
        #expect(S.starts(table) == ["2027-03-10 540", "2027-03-11", "2027-03-11"])
        let tour = table.entries[0]
        #expect(tour.kind == .game && tour.words(.city) == "Rome" && tour.words(.durationMinutes) == "120")
        #expect(table.entries.map { $0[.nights] } == [nil, .nights(2), nil])
        #expect(Set(table.entries.map(\.id)).count == 3 && table.skipped.map(\.line) == [5])
        let german = try self.table(
            "\"Betreff\";\"Beginnt am\";\"Beginnt um\";\"Endet am\";\"Endet um\"",
            "Probe;10.3.2027;19:30:00;10.3.2027;21:00:00")
        #expect(S.starts(german) == ["2027-03-10 1170"] && german.entries[0].words(.durationMinutes) == "90")
    }

    @Test func `a start is in one or in three columns, and without a zone in the trip's`() throws {
        let table = try table(
            "gameId,title,date,time,timeZone", "g1,A,2026-06-11,13:00,America/Mexico_City",
            "g2,B,2026-06-11,9:05,",
            "g3,C,2026-06-11,19:30:00,Asia/Tokyo", "g4,D,2026-06-11,,", "g5,E,,12:00,",
            "g6,F,2026-06-11,25:00,",
            "g7,G,11.6.2026,12:00,")
        #expect(
            S.starts(table) == [
                "2026-06-11T13:00:00-06:00 America/Mexico_City", "2026-06-11 545",
                "2026-06-11T19:30:00+09:00 Asia/Tokyo", "2026-06-12 60", "2026-06-11 720",
            ])
        #expect(
            table.skipped.map { "\($0.line) \($0.field ?? "")" } == [
                "5 time", "6 startsAt",
            ])
    }

    @Test func `a file that is not a table is refused with the reason`() throws {
        func error(_ bytes: [UInt8]) -> FileError? {
            do throws(FileError) {
                _ = try ScheduleFile(bytes, .csv)
                return nil
            } catch {
                return error
            }
        }
        #expect(error([]) == .empty)
        #expect(error(Array("\u{FEFF}\r\n".utf8)) == .empty)
        let missing = try #require(error(Array("gameId,name,\u{1B}[2J\n".utf8)))
        #expect(missing == .missingColumns(["title", "startsAt"], found: ["gameId", "name", "\u{1B}[2J"]))
        #expect("\(missing)" == "the header row lacks title, startsAt; it has “gameId”, “name”, “\\u{1B}[2J”")
        #expect(error(Array("gameId,title,startsAt,Title\n".utf8)) == .repeatedColumn("title"))
        #expect(error([0x0A, 0x61, 0xFF, 0x0A]) == .notUTF8(line: 2))
        let quote = error(Array("gameId,title,startsAt\ng1,\"A,2026-06-11T20:00:00Z\n".utf8))
        #expect(quote == .csv(.unterminatedQuote(line: 2)))
        #expect(error(Array("gameId,title,startsAt".utf8)) == nil, "no games, but a table")
    }

    @Test(arguments: [
        ("g,t,,,2026-06-11T20:00:00Z,", nil, "it has 6 fields and the header row 7"),
        ("g,t,,,2026-06-11T20:00:00Z,,,", nil, "it has 8 fields and the header row 7"),
        (",t,,,2026-06-11T20:00:00Z,,", "gameId", "it must not be empty"),
        ("g, ,,,2026-06-11T20:00:00Z,,", "title", "it must not be empty"),
        ("g,t,,,,,", "startsAt", "it must not be empty"),
        (
            "g,t,,,2026-06-31T20:00:00Z,,", "startsAt",
            "“2026-06-31T20:00:00Z” is not a date and time; an example is \(MomentText.examples)"
        ),
        (
            "g,t,,,2026-06-11 25:00,,", "startsAt",
            "“2026-06-11 25:00” is not a date and time; an example is \(MomentText.examples)"
        ),
        (
            "g,t,,,2026-06-11T20:00:00Z,Mexico,", "timeZone",
            "no IANA zone is called “Mexico”; did you mean America/Mexico_City?"
        ),
        (
            "g,t,,,2026-06-11T20:00:00Z,,-1", "durationMinutes",
            "“-1” is not a duration of at most 527040 minutes; an example is 120, 1:30 or 2 h"
        ),
        (
            "g,t,,,2026-06-11T20:00:00Z,,+5", "durationMinutes",
            "“+5” is not a duration of at most 527040 minutes; an example is 120, 1:30 or 2 h"
        ),
        (
            "g,t,,,2026-06-11T20:00:00Z,,-0", "durationMinutes",
            "“-0” is not a duration of at most 527040 minutes; an example is 120, 1:30 or 2 h"
        ),
        (
            "g,t,,,2026-06-11T20:00:00Z,,99999999999999999999", "durationMinutes",
            "“99999999999999999999” is not a duration of at most 527040 minutes; an example is 120, 1:30 or 2 h"
        ),
        (
            "g,t,,,9999-12-31T23:00:00-12:00,,", "startsAt",
            "an event must be in the years 1583 to 9999, in the time of its zone"
        ),
        ("g1,t,,,2026-06-11T20:00:00Z,,", "gameId", "“g1” is on line 2 already"),
    ])
    func `an invalid row is reported by line, column and a valid example, and the others are imported`(
        row: String, column: String?, reason: String
    ) throws {
        let table = try table(
            Self.header, "g1,A v B,,,2026-06-11T20:00:00Z,,", row, "g3,E v F,,,2026-06-12T20:00:00Z,,")
        #expect(table.entries.map(\.id) == ["g1", "g3"])
        #expect(table.skipped.map(\.line) == [3] && table.skipped.map(\.field) == [column])
        #expect(table.skipped.map(\.reason) == [reason])
    }

    @Test func `the gameId of an invalid row can be used by a later row`() throws {
        let table = try table(
            Self.header, "g1,A,,,2026-06-31T20:00:00Z,,", "g1,B,,,2026-06-11T20:00:00Z,, 5",
            "g1,C,,,2026-06-12T20:00:00Z,,")
        #expect(table.entries.map(\.line) == [3] && table.entries.map { $0.words(.durationMinutes) } == ["5"])
        #expect(table.skipped.map { "\($0.line) \($0.field ?? "")" } == ["2 startsAt", "4 gameId"])
    }

    @Test func `text is cleaned and truncated, and an invalid URL left out, each with a note`() throws {
        let long = String(repeating: "é", count: 300)
        let table = try table(
            "gameId,title,startsAt,url,city", "g1,t\u{1B}[2J,2026-06-11T20:00:00Z,javascript:1,\(long)")
        let entry = try #require(table.entries.first)
        #expect(entry.words(.title) == "t[2J" && entry.words(.url) == nil)
        #expect(entry.words(.city) == String(repeating: "é", count: 256))
        #expect(table.skipped == [] && table.notes.count == 3 && table.notes.allSatisfy { $0.line == 2 })
    }

    @Test func `a column kind distinguishes games, travel and custom items`() throws {
        let table = try table(
            "kind,title,day,date,time,fromCity,toCity,gameId,startsAt,cost,coordinate",
            "custom,Lunch,2,,12:30,,,,,12.50 EUR,33.755 -84.401", "Travel,,3,,,Lima,Cusco,,,,",
            "custom,Lunch,2,,,,,,,,", "game,A v B,,,,,,g1,2026-06-11T20:00:00Z,,", "plan,x,1,,,,,,,,",
            "custom,x,,,,,,,,,", "travel,,1,,,Lima,,,,,")
        #expect(table.entries.map(\.kind) == [.custom, .travel, .custom, .game])
        #expect(table.entries.map(\.id) == ["2/Lunch", "3/Lima-Cusco", "2/Lunch/2", "g1"])
        #expect(S.starts(table).prefix(2) == ["day 2", "day 3"])
        #expect(table.entries[0][.cost] == .cost(Cost(amount: 12.5, currency: "EUR")))
        #expect(table.entries[0].words(.coordinate) == "33.755 -84.401")
        #expect(table.skipped.map(\.field) == ["kind", "day", "toCity"])
    }

    @Test(arguments: [
        "0x10 EUR", "1e3 EUR", "inf EUR", "nan EUR", "infinity EUR", "1_000 EUR",
        "1.2.3 EUR",
        "- EUR", ". EUR", "12",
    ])
    func `a row with a number in another form than decimal digits is skipped by its line`(text: String) throws
    {
        let costs = try table(
            "kind,id,title,day,cost", "custom,a,A,1,12.50 EUR", "custom,b,B,1,\"\(text)\"")
        #expect(costs.entries.map(\.id) == ["a"])
        #expect(
            costs.skipped.map(\.description)
                == ["line 3: b, cost: “\(text)” is not an amount of money; an example is 12.50 EUR"])
        #expect(costs.notes == [])
        let places = try table("kind,id,title,day,coordinate", "custom,b,B,1,\"0x10 \(text.prefix(3))\"")
        #expect(places.skipped.map(\.field) == ["coordinate"])
    }

    @Test func `a currency is cleaned and truncated like any text, with a note`() throws {
        let table = try table(
            "kind,id,title,day,cost", "custom,a,A,1,5 \(String(repeating: "x", count: 40))",
            "custom,b,B,1,5 E\u{7}UR")
        let costs = table.entries.map { $0[.cost] }
        #expect(
            costs == [String(repeating: "x", count: 32), "EUR"].map { .cost(Cost(amount: 5, currency: $0)) })
        #expect(
            table.notes.map(\.text) == [
                "its cost is cut at 32 bytes", "its cost had characters that are not allowed",
            ])
    }

    @Test func `an apostrophe that an export added is removed, and no other`() throws {
        let table = try table(
            "gameId,title,startsAt", "'=1,'=1+1,2026-06-11T20:00:00Z", "b,''tis,2026-06-11T20:00:00Z",
            "c,'tis,2026-06-11T20:00:00Z", "d,'-x,2026-06-11T20:00:00Z",
            "e,x;'=2;''3; 'tis;'tis,2026-06-11T20:00:00Z")
        #expect(table.entries.map(\.id) == ["=1", "b", "c", "d", "e"])
        #expect(
            table.entries.map { $0.words(.title) } == ["=1+1", "'tis", "'tis", "-x", "x;=2;'3; 'tis;'tis"])
    }

    @Test func `a table with CR line ends is read`() throws {
        let text = "gameId,title,startsAt\rg1,\"a\rb\",2026-06-11T20:00:00Z\rg2,t,2026-06-11T20:00:00Z\r"
        let table = try S.entries(Array(text.utf8), format: .csv)
        #expect(table.entries.map { $0.words(.title) } == ["a b", "t"], "a title is one line")
        #expect(table.entries.map(\.line) == [2, 4])
    }

    @Test func `gameIds with different bytes are different games`() throws {
        let table = try table(
            Self.header, "\u{E9},t,,,2026-06-11T20:00:00Z,,", "e\u{301},t,,,2026-06-11T20:00:00Z,,")
        #expect(table.entries.count == 2 && table.skipped == [])
    }

    @Test(arguments: ["UTC\u{0}", "America/Lima\u{0}\u{0}", "America/Lima "])
    func `a zone with text after its name is invalid`(zone: String) throws {
        let table = try table(Self.header, "g1,t,,,2026-06-11T20:00:00Z,\(zone),")
        #expect(table.entries == [] && table.skipped.map(\.field) == ["timeZone"])
        #expect(!TimeZoneName.isKnown(zone))
    }

    @Test func `blank rows are ignored`() throws {
        let table = try table(Self.header, "", ",,,,,,", "g1,t,,,2026-06-11T20:00:00Z,,", " ,,\t,,,,")
        #expect(table.entries.map(\.id) == ["g1"] && table.skipped == [])
    }
}
