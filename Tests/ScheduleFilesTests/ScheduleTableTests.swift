import ScheduleFiles
import Testing
import TripModel

@Suite struct ScheduleTableTests {
    private static let header = "gameId,title,city,venue,startsAt,timeZone,durationMinutes"

    private func table(_ lines: String...) throws -> ScheduleTable {
        try ScheduleTable(csv: Array(lines.joined(separator: "\n").utf8))
    }

    @Test("a row gives a game, empty optional fields left out")
    func rows() throws {
        let table = try table(
            Self.header, "g1,A v B,Mexico City,Azteca,2026-06-11T13:00:00-06:00,America/Mexico_City,105",
            "g2,\"C, or D\",,,2026-06-11T20:00:00Z,,")
        let first = try #require(OffsetDateTime("2026-06-11T13:00:00-06:00"))
        let second = try #require(OffsetDateTime("2026-06-11T20:00:00Z"))
        #expect(table.badRows == [])
        #expect(table.games.map(\.line) == [2, 3])
        #expect(
            table.games.map(\.game) == [
                Game(
                    gameID: "g1", title: "A v B", city: "Mexico City", venue: "Azteca", startsAt: first,
                    timeZone: "America/Mexico_City", durationMinutes: 105),
                Game(gameID: "g2", title: "C, or D", startsAt: second),
            ])
        #expect(table.columns == Set(ScheduleColumn.allCases))
    }

    @Test("columns come in any order and case, with unknown ones between")
    func columnOrder() throws {
        let table = try table(
            "Round, STARTSAT ,Title,note,gameid", "1,2026-06-11T20:00:00Z,A v B,\"x\ny\u{7}\",g1")
        #expect(table.badRows == [])
        #expect(table.games.map(\.game.gameID) == ["g1"])
        #expect(table.columns == [.startsAt, .title, .gameID])
    }

    @Test("a file that holds no schedule is refused as a whole, in words")
    func refusedFiles() throws {
        func error(_ bytes: [UInt8]) -> ScheduleFileError? {
            do throws(ScheduleFileError) {
                _ = try ScheduleTable(csv: bytes)
                return nil
            } catch {
                return error
            }
        }
        #expect(error([]) == .empty)
        #expect(error(Array("\u{FEFF}\r\n".utf8)) == .empty)
        let missing = try #require(error(Array("gameId,name,\u{1B}[2J\n".utf8)))
        #expect(missing == .missingColumns([.title, .startsAt], found: ["gameId", "name", "\u{1B}[2J"]))
        #expect(
            "\(missing)" == "the header row lacks title, startsAt; it has “gameId”, “name”, “\\u{1B}[2J”")
        #expect(error(Array("gameId,title,startsAt,Title\n".utf8)) == .repeatedColumn(.title))
        #expect(error([0x0A, 0x61, 0xFF, 0x0A]) == .headerNotUTF8(line: 2))
        let quote = error(Array("gameId,title,startsAt\ng1,\"A,2026-06-11T20:00:00Z\n".utf8))
        #expect(quote == .csv(.unterminatedQuote(line: 2)))
        #expect(error(Array("gameId,title,startsAt".utf8)) == nil, "no games, but a schedule")
    }

    @Test(
        "a bad row is listed by line, column and what would be right; the others count",
        arguments: [
            ("g,t,,,2026-06-11T20:00:00Z,", nil, "it has 6 fields and the header row 7"),
            ("g,t,,,2026-06-11T20:00:00Z,,,", nil, "it has 8 fields and the header row 7"),
            (",t,,,2026-06-11T20:00:00Z,,", "gameId", "it must not be empty"),
            ("g, ,,,2026-06-11T20:00:00Z,,", "title", "it must not be empty"),
            ("g,t,,,,,", "startsAt", "it must not be empty"),
            (
                "g,t,,,2026-06-31T20:00:00Z,,", "startsAt",
                "“2026-06-31T20:00:00Z” is no date and time with an offset; right is 2026-06-11T13:00:00-06:00"
            ),
            (
                "g,t,,,2026-06-11 20:00,,", "startsAt",
                "“2026-06-11 20:00” is no date and time with an offset; right is 2026-06-11T13:00:00-06:00"
            ),
            (
                "g,t,,,2026-06-11T20:00:00Z,Mexico,", "timeZone",
                "no IANA zone is called “Mexico”; right is America/Mexico_City"
            ),
            (
                "g,t,,,2026-06-11T20:00:00Z,,2h", "durationMinutes",
                "“2h” is no number of minutes from 0 to 527040; right is 120"
            ),
            (
                "g,t,,,2026-06-11T20:00:00Z,,-1", "durationMinutes",
                "“-1” is no number of minutes from 0 to 527040; right is 120"
            ),
            (
                "g,t,,,2026-06-11T20:00:00Z,,99999999999999999999", "durationMinutes",
                "“99999999999999999999” is no number of minutes from 0 to 527040; right is 120"
            ),
            ("g,t\u{1B}[2J,,,2026-06-11T20:00:00Z,,", "title", "the character U+1B is not allowed"),
            ("g,\"t\nu\",,,2026-06-11T20:00:00Z,,", "title", "the character U+A is not allowed"),
            (
                "g,t,e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301},,2026-06-11T20:00:00Z,,",
                "city", "a character has more than 8 combining marks"
            ),
            (
                "g,t,," + String(repeating: "v", count: 513) + ",2026-06-11T20:00:00Z,,", "venue",
                "it is longer than 512 bytes"
            ),
            ("first,t,,,2026-06-11T20:00:00Z,,", "gameId", "“first” is on line 2 already"),
            (
                "g,t,,,2026-06-11T20:00:00Z,BST,", "timeZone",
                "no IANA zone is called “BST”; right is Europe/London"
            ),
            (
                "g,t,,,9999-12-31T23:00:00Z,Asia/Tokyo,", "startsAt",
                "a game is played in the years 1583 to 9999, by the clocks of its zone"
            ),
            (
                "g,t,,,2026-06-11T20:00:00Z,,+5", "durationMinutes",
                "“+5” is no number of minutes from 0 to 527040; right is 120"
            ),
            (
                "g,t,,,2026-06-11T20:00:00Z,,-0", "durationMinutes",
                "“-0” is no number of minutes from 0 to 527040; right is 120"
            ),
        ] as [(String, String?, String)])
    func badRows(row: String, column: String?, message: String) throws {
        let good = "t,,,2026-06-11T20:00:00Z,,"
        let table = try table(Self.header, "first,\(good)", "", row, "last,\(good)")
        #expect(table.badRows == [BadRow(line: 4, column: column, message: message)])
        #expect(table.games.map(\.game.gameID) == ["first", "last"])
        #expect(table.badRows.first?.description == "line 4\(column.map { ", \($0)" } ?? ""): \(message)")
    }

    @Test("a field that is not UTF-8 makes a bad row, only where its column counts")
    func notUTF8() throws {
        var bytes = Array("round,gameId,title,startsAt\n".utf8)
        bytes += [0xFF] + Array(",g1,t,2026-06-11T20:00:00Z\n".utf8)
        bytes += Array("1,g2,".utf8) + [0xC3, 0x28] + Array(",2026-06-11T20:00:00Z\n".utf8)
        let table = try ScheduleTable(csv: bytes)
        #expect(table.games.map(\.game.gameID) == ["g1"])
        #expect(table.badRows == [BadRow(line: 3, column: "title", message: "it is not UTF-8")])
    }

    @Test("bad rows in any number are each named by their own line")
    func manyBadRows() throws {
        var lines = ["gameId,title,startsAt"]
        for number in 0..<500 {
            lines.append(number % 3 == 0 ? "g\(number),,x" : "g\(number),t,2026-06-11T20:00:00Z")
        }
        let table = try ScheduleTable(csv: Array(lines.joined(separator: "\r\n").utf8))
        #expect(table.badRows.map(\.line) == stride(from: 2, to: 502, by: 3).map { $0 })
        #expect(table.games.count + table.badRows.count == 500)
    }

    @Test("what a message shows of a file is short and has no control characters")
    func shownText() {
        let long = String(repeating: "x", count: 41)
        let error = ScheduleFileError.missingColumns([.title], found: ["a\u{1B}\u{202E}b\u{9B}\n", long])
        let shown = "“a\\u{1B}\\u{202E}b\\u{9B}\\u{A}”, “\(long.dropLast())…”"
        #expect("\(error)" == "the header row lacks title; it has \(shown)")
    }

    @Test(
        "C6: a bad row does not take its gameId with it, blank rows count for nothing, and space is no digit")
    func rowsBetween() throws {
        let table = try table(
            Self.header, "g1,t,,,when?,,", "g1,t,,,2026-06-11T20:00:00Z,, 5 ", ",,,,,,", " ,\t,,,,,", "   ",
            "g2,t,,,2026-06-11T20:00:00Z,,7")
        #expect(table.badRows.map(\.line) == [2])
        #expect(table.games.map(\.game.gameID) == ["g1", "g2"])
        #expect(table.games.map(\.game.durationMinutes) == [5, 7])
    }

    @Test("B6: a table with the line ends of old Macs is read like any other")
    func carriageReturns() throws {
        let text = "gameId,title,startsAt\rg1,\"a\rb\",2026-06-11T20:00:00Z\rg2,t,2026-06-11T20:00:00Z\r"
        let table = try ScheduleTable(csv: Array(text.utf8))
        #expect(table.games.map(\.game.gameID) == ["g2"])
        #expect(table.badRows.map(\.line) == [2], "a title is one line")
        #expect(table.games.map(\.line) == [4])
    }

    @Test("B3: gameIds of other bytes are other games")
    func gameIDsByBytes() throws {
        let table = try table(
            Self.header, "\u{E9},t,,,2026-06-11T20:00:00Z,,", "e\u{301},t,,,2026-06-11T20:00:00Z,,")
        #expect(table.games.count == 2 && table.badRows == [])
    }
}
