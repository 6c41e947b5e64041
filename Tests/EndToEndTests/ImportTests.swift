import Foundation
import LocalSystem
import Testing

extension EndToEnd {
    @Suite struct ImportTests {
        private static let schedule = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/itinerary-client/Resources/worldcup-2026.csv")

        private static let kickOff = "2026-06-11T13:00:00-06:00"

        /// A home with a daemon and the schedule, as `cup.csv`.
        private func ready() throws -> (home: Home, file: String, text: String) {
            let home = try Home()
            let text = try String(contentsOf: Self.schedule, encoding: .utf8)
            #expect(text.contains(Self.kickOff))
            _ = try home.serve()
            return (home, try home.write(text, to: "cup.csv"), text)
        }

        @Test func `104 games are imported once, a repeat adds none, and a new time changes one`() throws {
            let (home, file, text) = try ready()
            defer { home.end() }
            #expect(
                try home.client("import", file).output.hasPrefix(
                    "imported 104 · updated 0 · unchanged 0 · removed 0 · skipped 0\n"))
            let listed = try home.client("list").output
            #expect(listed.hasPrefix("cup  2026-06-11  39 days, 104 items"), "\(listed)")
            let ann = try home.connect(as: "Ann")
            let before = try Places(ann.result("trip.get", #"{"trip":"cup"}"#))
            #expect(
                try home.client("import", file).output.hasPrefix(
                    "imported 0 · updated 0 · unchanged 104 · removed 0 · skipped 0\n"))
            #expect(try Places(ann.result("trip.get", #"{"trip":"cup"}"#)) == before)

            let late = try home.write(
                text.replacing(Self.kickOff, with: "2026-06-11T15:30:00-06:00"), to: "late.csv")
            #expect(
                try home.client("import", late, "cup").output.hasPrefix(
                    "imported 0 · updated 1 · unchanged 103 · removed 0 · skipped 0\n"))
            let shown = try home.client("show", "cup").output
            #expect(shown.contains("15:30  Mexico v South Africa · Mexico City"), "\(shown.prefix(400))")
            #expect(!shown.contains("13:00  Mexico v South Africa"))
        }

        @Test func `a changed game is named by its old and new start, also in the log`() throws {
            let (home, file, text) = try ready()
            defer { home.end() }
            _ = try home.client("import", file)
            let late = try home.write(
                text.replacing(Self.kickOff, with: "2026-06-12T15:30:00-06:00"), to: "late.csv")
            let report = try home.client("import", late, "cup").output
            #expect(
                report.split(separator: "\n").dropFirst().first
                    == "Mexico v South Africa: 11 Jun 13:00 → 12 Jun 15:30", "\(report)")
            let log = try home.client("log", "cup", "--limit", "1", "--items").output.split(separator: "\n")
            #expect(
                log.count == 2 && log[1].contains("changed Mexico v South Africa: startsAt 2026-06-11T13:00"))
        }

        @Test func `an encoding with other letters is asked for, and can be named`() throws {
            let (home, _, _) = try ready()
            defer { home.end() }
            let path = home.path + "/polish.csv"
            let bytes =
                Array("kind,id,title,date\ncustom,c,Gda".utf8) + [0xF1] + Array("sk,2027-03-01\n".utf8)
            try Data(bytes).write(to: URL(filePath: path))
            let refused = try home.client("import", path)
            #expect(refused.status == .exited(65))
            #expect(
                refused.errors.contains("“Gdañsk” in windows-1252, “Gdańsk” in windows-1250"),
                "\(refused.errors)")
            let named = try home.client("import", path, "--encoding", "windows-1250")
            #expect(named.status == .exited(0) && named.output.contains("new: Gdańsk, 1 Mar"))
            #expect(try home.client("import", path, "--encoding", "klingon").status == .exited(64))
        }

        @Test func `a table with an unknown extension is refused with the known formats`() throws {
            let (home, _, text) = try ready()
            defer { home.end() }
            let sheet = try home.write(text, to: "cup.xlsx")
            let refused = try home.client("import", sheet)
            #expect(refused.status == .exited(64), "\(refused)")
            #expect(
                refused.errors.contains(".xlsx files; use --format or one of the extensions ics, csv, json"))
            #expect(try home.client("import", sheet, "--format", "csv").status == .exited(0))
        }

        @Test func `an invalid row is reported, and the others are imported`() throws {
            let (home, _, text) = try ready()
            defer { home.end() }
            let bad = try home.write(text.replacing(Self.kickOff, with: "yesterday"), to: "cup.csv")
            let outcome = try home.client("import", bad)
            #expect(outcome.status == .exited(1))
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.first == "imported 103 · updated 0 · unchanged 0 · removed 0 · skipped 1")
            #expect(
                lines[1].hasPrefix("line 2: game-Mexico_City-001, startsAt: “yesterday”"), "\(outcome.output)"
            )
        }

        @Test func `a strict import imports all rows or none`() throws {
            let (home, file, text) = try ready()
            defer { home.end() }
            let bad = try home.write(text.replacing(Self.kickOff, with: "yesterday"), to: "bad.csv")
            let refused = try home.client("import", bad, "--strict")
            #expect(refused.status == .exited(65))
            #expect(refused.output.isEmpty)
            #expect(refused.errors.contains("line 2: game-Mexico_City-001, startsAt"), "\(refused.errors)")
            #expect(refused.errors.contains("nothing was imported"), "\(refused.errors)")
            #expect(try home.client("list").output.isEmpty)
            #expect(
                try home.client("import", file, "--strict").output.hasPrefix(
                    "imported 104 · updated 0 · unchanged 0 · removed 0 · skipped 0\n"))
        }

        @Test func `an import into a new trip that cannot be stored leaves no trip`() throws {
            let (home, file, _) = try ready()
            defer { home.end() }
            _ = try home.client("stop")
            // An empty trip fits into a file of this size, and its games do not.
            let daemon = try home.serve(limit: "-f 16")
            let refused = try home.client("import", file)
            #expect(refused.status != .exited(0), "\(refused.output)")
            #expect(refused.errors.contains("nothing was imported"), "\(refused.errors)")
            #expect(try home.client("list").output.isEmpty)
            daemon.end()
        }

        @Test func `the days of a new trip are those of its games, in local time`() throws {
            let (home, _, _) = try ready()
            defer { home.end() }
            let file = try home.write(
                """
                gameId,title,startsAt,timeZone
                g1,A,2026-06-12T01:00:00Z,America/Mexico_City
                g2,B,2026-06-12T20:00:00Z,Asia/Tokyo
                """, to: "late.csv")
            #expect(
                try home.client("import", file).output.hasPrefix(
                    "imported 2 · updated 0 · unchanged 0 · removed 0 · skipped 0\n"))
            let ann = try home.connect(as: "Ann")
            let trip = try ann.result("trip.get", #"{"trip":"late"}"#)
            #expect(trip["trip"]?["startDate"]?.string == "2026-06-11")
            #expect(trip["trip"]?["dayCount"]?.int == 3)
            #expect(trip["items"]?.elements.map { $0["day"]?.int } == [1, 3])
            #expect(trip["problems"]?.count == 0)
        }

        @Test func `a trip named after a file is found again, with any characters in the name`() throws {
            let (home, _, _) = try ready()
            defer { home.end() }
            let ann = try home.connect(as: "Ann")
            try ann.result(
                "trip.create",
                #"{"name":"São Paulo","startDate":"2026-06-11","timeZone":"UTC","dayCount":9}"#)
            let game = "gameId,title,startsAt\ng1,A,2026-06-12T10:00:00Z\n"
            for name in ["São Paulo.csv", "🎉.csv", "Łódź.csv"] {
                let file = try home.write(game, to: name)
                #expect(
                    try home.client("import", file).output.hasPrefix(
                        "imported 1 · updated 0 · unchanged 0 · removed 0 · skipped 0\n"))
                #expect(
                    try home.client("import", file).output.hasPrefix(
                        "imported 0 · updated 0 · unchanged 1 · removed 0 · skipped 0\n"))
            }
            let listed = try home.client("list").output.split(separator: "\n")
            #expect(listed.map { $0.prefix { $0 != " " } } == ["lodz", "sao-paulo", "trip"], "\(listed)")
        }

        @Test func `an export imports as the same trip, and a dry run creates nothing`() throws {
            let (home, file, _) = try ready()
            defer { home.end() }
            #expect(try home.client("import", file).status == .exited(0))
            for format in ["ics", "csv", "json"] {
                let path = home.path + "/copy-\(format).\(format)"
                #expect(try home.client("export", "cup", "-o", path).status == .exited(0))
                let dry = try home.client("import", path, "--dry-run", "--json")
                #expect(dry.status == .exited(0) && dry.output.hasPrefix(#"{"imported":104,"updated":0,"#))
                #expect(try home.client("show", "copy-\(format)").status == .exited(66))
                #expect(try home.client("import", path).output.hasPrefix("imported 104 "))
                let again = try home.client("import", path)
                #expect(again.output.hasPrefix("imported 0 · updated 0 · unchanged 104 "))
            }
            let page = try home.client("export", "cup", "--format", "html")
            #expect(page.output.hasPrefix("<!DOCTYPE html>"))
            #expect(try home.client("export", "cup").output.hasPrefix("cup\n"))
            #expect(try home.client("export", "cup", "--format", "doc").status == .exited(64))
        }

        @Test func `two calendars from standard input need different source names`() throws {
            let (home, _, _) = try ready()
            defer { home.end() }
            _ = try home.client("create", "Both", "--start", "2026-06-11", "--days", "9")
            for name in ["one", "two"] {
                _ = try home.write(
                    "gameId,title,startsAt\n\(name),\(name),2026-06-12T10:00:00Z\n", to: name + ".csv")
            }
            for input in ["- both < ~/one.csv", "/dev/stdin both < ~/one.csv", "/dev/fd/3 both 3< ~/one.csv"]
            {
                let unnamed = try home.shell("$CLIENT import --prune --format csv \(input)")
                #expect(
                    unnamed.status == .exited(64) && unnamed.errors.contains("--source NAME"), "\(unnamed)")
            }
            #expect(try home.client("list").output.contains("0 items"))
            for _ in 1...2 {
                for name in ["one", "two"] {
                    let line = "$CLIENT import - both --prune --source \(name) < ~/\(name).csv"
                    #expect(try home.shell(line).status == .exited(0))
                }
            }
            #expect(try home.client("list").output.contains("2 items"))
            // Any descriptor number of a pipe is the same source.
            for number in [3, 4] {
                let line =
                    "$CLIENT import /dev/fd/\(number) --format csv \(number)< ~/one.csv"
                let imported = try home.shell(line)
                #expect(imported.errors.contains("into standard input (standard-input)"), "\(imported)")
            }
            #expect(
                try home.client("show", "standard-input", "--json").output.contains(
                    #""name":"standard input""#))
        }

        @Test func `a table with old Mac line ends is imported`() throws {
            let (home, _, _) = try ready()
            defer { home.end() }
            let file = try home.write(
                "gameId,title,startsAt\rg1,A,2026-06-12T10:00:00Z\r", to: "mac.csv")
            #expect(
                try home.client("import", file).output.hasPrefix(
                    "imported 1 · updated 0 · unchanged 0 · removed 0 · skipped 0\n"))
        }

        @Test func `a file without any date reports each entry's error and creates no trip`()
            throws
        {
            let (home, _, _) = try ready()
            defer { home.end() }
            let event = "BEGIN:VEVENT\nUID:u\nDTSTART;TZID=Mars/Base:20260612T100000\nEND:VEVENT\n"
            for (text, code, words) in [
                (
                    "\(event)END:VCALENDAR\n", Int32(1),
                    "line 2: u, DTSTART: no IANA zone is called “Mars/Base”"
                ),
                ("BEGIN:VEVENT\nUID:u\nDTSTART:20260", 1, "line 4: the file ends in the middle of VEVENT"),
                ("BEGIN:VTODO\nEND:VTODO\nEND:VCALENDAR\n", 65, "(1 VTODO not imported)"),
            ] {
                let file = try home.write("BEGIN:VCALENDAR\n" + text, to: "undated.ics")
                let outcome = try home.client("import", file)
                #expect(outcome.status == .exited(code), "\(outcome)")
                #expect((outcome.output + outcome.errors).contains(words), "\(outcome)")
                let programs = try home.client("import", file, "--json")
                #expect(programs.status == .exited(code))
                #expect(code == 65 || programs.output.contains(#""trip":null"#), "\(programs)")
                #expect(try home.client("import", file, "--strict").status == .exited(65))
            }
            #expect(try home.client("list").output.isEmpty)
        }

        @Test func `a file that is not a schedule is refused`() throws {
            let (home, _, _) = try ready()
            defer { home.end() }
            let missing = try home.client("import", home.path + "/nothing.csv")
            #expect(missing.status == .exited(66))
            #expect(missing.errors.contains("nothing.csv"))
            let other = try home.write("name,age\nAnn,30\n", to: "other.csv")
            let refused = try home.client("import", other)
            #expect(refused.status == .exited(65))
            #expect(refused.errors.contains("gameId"), "\(refused.errors)")
            let empty = try home.write("gameId,title,startsAt\n", to: "empty.csv")
            #expect(try home.client("import", empty).status == .exited(65))
            #expect(try home.client("list").output.isEmpty)
        }
    }
}
