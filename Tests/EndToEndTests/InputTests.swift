import JSONLine
import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    /// Unusual files, and trips after a failed import.
    @Suite struct InputTests {
        private static let game = "gameId,title,startsAt\ng1,A,2026-06-12T10:00:00Z\n"

        @Test func `an unreadable file is named, with the right exit code, and nothing is created`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let good = try home.write(Self.game, to: "good.csv")
            let latin = home.path + "/latin.csv"
            _ = try home.shell(
                "printf 'gameId,title,startsAt\\ng1,Caf\\260,2026-06-12T10:00:00Z\\n' > '\(latin)'")
            _ = try home.shell(
                "head -c 70000000 /dev/zero > '\(home.path)/large.csv'; mkfifo '\(home.path)/pipe.csv'")
            for (line, code, words) in [
                ("import '\(home.path)'", Int32(66), "is a directory"),
                ("import /nowhere.csv", 66, "no file /nowhere.csv"),
                ("import '\(latin)'", 65, "line 2"), ("import '\(home.path)/large.csv'", 65, "more than"),
                ("import '\(home.path)/pipe.csv' --timeout 0.2", 69, "sent no data for"),
                ("import - --timeout 0.2 < '\(home.path)/pipe.csv'", 69, "standard input sent no data for"),
                ("import - < /dev/null", 65, "standard input"),
                ("import '\(good)' --cities '\(home.path)'", 66, "directory"),
                ("import x.doc", 66, "no file x.doc"), ("add t - < '\(home.path)'", 66, "directory"),
            ] {
                // A pipe is opened for reading and writing, so that the shell does not wait for it.
                let outcome = try home.shell(
                    "$CLIENT \(line.replacing("< '\(home.path)/pipe.csv'", with: "<> '\(home.path)/pipe.csv'"))"
                )
                #expect(outcome.status == .exited(code), "\(line): \(outcome)")
                #expect(outcome.errors.contains(words) && outcome.output.isEmpty, "\(line): \(outcome)")
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(line): \(outcome)")
            }
            #expect(try home.client("list").output.isEmpty)
        }

        @Test func `text that is not UTF-8 is reported and not stored`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            _ = try home.client("create", "T")
            let lines = try home.shell(#"printf 'Tea\nCaf\260\n' | $CLIENT add t -"#)
            #expect(lines.status == .exited(65) && lines.errors.contains("line 2 is not UTF-8"), "\(lines)")
            let word = try home.shell(#"$CLIENT add t "$(printf 'Caf\351')""#)
            #expect(word.status == .exited(64) && word.errors.contains("is not UTF-8"), "\(word)")
            #expect(try home.client("log", "t").output.isEmpty)
            let latin = try home.shell(#"printf 'Caf\351\n' | $CLIENT add t -"#)
            #expect(latin.status == .exited(0), "\(latin)")
            #expect(try home.client("show", "t", "--format", "{title}").output == "Café\n")
        }

        @Test func `a schedule can come from standard input or through a symbolic link`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let file = try home.write(Self.game, to: "cup.csv")
            let piped = try home.shell("cat '\(file)' | $CLIENT import - --name Piped")
            #expect(piped.status == .exited(0) && piped.output.hasPrefix("imported 1 "), "\(piped)")
            symlink(file, home.path + "/link.csv")
            #expect(try home.client("import", home.path + "/link.csv").output.hasPrefix("imported 1 "))
            #expect(try home.client("list").output.hasPrefix("link "))
        }

        @Test func `an import is one version and one undo, of any size`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let rows = (0..<1000).map { "g\($0),A v B \($0),2026-06-1\($0 % 5)T1\($0 % 10):00:00Z\n" }
                .joined()
            let file = try home.write("gameId,title,startsAt\n" + rows, to: "large.csv")
            let imported = try home.client("import", file, "--json")
            let report = try JSONDocument(parsing: Array(imported.output.utf8.dropLast())).root
            #expect(report["imported"]?.int == 1000 && report["version"]?.int == 2, "\(imported)")
            #expect(try home.client("undo", "large").output.hasPrefix("added 1000 items"))
            #expect(
                try home.client("import", file).output.hasPrefix("imported 1000 "),
                "an undone import can be made again")
        }

        @Test func `a removed game stays removed unless an option restores it`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let file = try home.write(Self.game + "g2,B,2026-06-13T10:00:00Z\n", to: "cup.csv")
            _ = try home.client("import", file)
            _ = try home.client("remove", "cup", "A")
            let again = try home.client("import", file)
            #expect(
                again.output.hasPrefix("imported 0 ") && again.output.contains("--restore-removed"),
                "\(again)")
            #expect(again.status == .exited(0) && again.errors.contains("into cup (cup)"))
            #expect(try home.client("import", file, "--restore-removed").output.hasPrefix("imported 1 "))
        }

        @Test func `an export to a full disk leaves the older file unchanged`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            try SampleTrip.make(3, by: home.connect(as: "Ann"))
            let place = try home.write("older", to: "plan.json")
            let before = try home.everything(below: home.path).keys.filter {
                !$0.contains("/state") && !$0.contains("/run")
            }
            // A limit on the size of files simulates a full disk.
            let limited = try home.shell("ulimit -f 0; $CLIENT export t -o '\(place)'")
            #expect(
                limited.status == .exited(74) && limited.errors.contains("could not be written"), "\(limited)"
            )
            #expect(try home.read(place) == "older")
            let after = try home.everything(below: home.path).keys.filter {
                !$0.contains("/state") && !$0.contains("/run")
            }
            #expect(Set(before) == Set(after), "nothing half made stays")
            #expect(try home.client("export", "t", "-o", "/dev/full").status == .exited(74))
            #expect(
                try home.client("export", "t", "-o", home.path + "/no/such/plan.json").status == .exited(74))
            #expect(try home.client("export", "t", "-o", place).status == .exited(0))
            #expect(try home.read(place).contains("itineraryd/1"))
        }
    }
}
