import LocalSystem
import Testing

extension EndToEnd {
    /// Repeated imports, as by cron, while others change the trip.
    @Suite struct ResyncCommandTests {
        private func table(_ games: ClosedRange<Int>) -> String {
            "gameId,title,startsAt\n"
                + games.map { "g\($0),Game \($0),2026-06-12T10:00:00Z\n" }.joined()
        }

        @Test
        func `items removed by a shorter file return with the full file, items removed by a user do not`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let (both, one) = (
                try home.write(table(1...2), to: "cup.csv"), try home.write(table(1...1), to: "one")
            )
            func run(_ file: String) throws -> Program.Outcome {
                try home.client(
                    "import", file, "cup", "--source", "league", "--format", "csv", "--prune")
            }
            _ = try home.client("import", both, "--source", "league")
            #expect(try run(one).output.hasPrefix("imported 0 · updated 0 · unchanged 1 · removed 1"))
            #expect(try run(both).output.hasPrefix("imported 1 · updated 0 · unchanged 1 · removed 0"))
            // A redo of the removal is still no user's.
            _ = try run(one)
            _ = try home.client("undo", "cup")
            _ = try home.client("redo", "cup")
            #expect(try run(both).output.hasPrefix("imported 1 · updated 0 · unchanged 1 · removed 0"))
            // A user's removal after an undo of the import's removal counts as the user's decision.
            _ = try run(one)
            #expect(try home.client("undo", "cup").output.contains("removed"))
            _ = try home.client("remove", "cup", "Game 2")
            let away = try run(both)
            #expect(
                away.output.hasPrefix("imported 0 ") && away.output.contains("--restore-removed"), "\(away)")
            #expect(
                try home.client("import", both, "cup", "--restore-removed").output.hasPrefix("imported 1 "))
        }

        @Test func `an import keeps users' changes, a large prune is refused, and --quiet prints nothing`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let all = try home.write(table(1...6), to: "cup.csv")
            _ = try home.client("import", all)
            _ = try home.client("edit", "cup", "Game 1", "title=Derby", "note=seat 9")
            func run(_ file: String, _ options: String = "") throws -> Program.Outcome {
                try home.shell("$CLIENT import '\(file)' cup --source cup --format csv \(options)")
            }
            #expect(try run(all).output.hasPrefix("imported 0 · updated 0 · unchanged 6 "))
            let quiet = try run(all, "--quiet --prune")
            #expect(quiet.status == .exited(0) && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")
            let renamed = try home.write(
                table(1...6).replacing("Game 1,", with: "Final,"), to: "renamed")
            let kept = try run(renamed, "--quiet")
            #expect(
                kept.output.contains("kept: title of Game 1 is yours; the source now says “Final”"), "\(kept)"
            )
            #expect(try run(renamed, "--theirs").output.hasPrefix("imported 0 · updated 1 "))
            let empty = try home.write("gameId,title,startsAt\n", to: "empty")
            let refused = try run(empty, "--prune --quiet")
            #expect(
                refused.status == .exited(1) && refused.errors.contains("5 of the 5")
                    && refused.errors.contains("--prune=all"), "\(refused)")
            let shown = try home.client("show", "cup", "--json").output
            #expect(shown.contains("seat 9") && !shown.contains("\"said\""))
            #expect(try home.client("export", "cup", "--format", "json").output.contains("\"said\""))
            let pruned = try run(empty, "--prune=all")
            #expect(pruned.output.contains("removed: Final (your note)"), "\(pruned)")
            #expect(try run(all).output.hasPrefix("imported 6 "))
            #expect(try home.client("show", "cup", "--json").output.contains("seat 9"))
        }

        @Test func `a copy keeps the last imported values, also if it begins on another date`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            func calendar(_ day: Int, year: Int) throws -> String {
                try home.write(
                    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:c\nSUMMARY:Camp\nDTSTART;VALUE=DATE:\(year)060\(day)\n"
                        + "END:VEVENT\nEND:VCALENDAR\n", to: "\(year)-\(day).ics")
            }
            _ = try home.client("create", "Club", "--start", "2026-06-01", "--days", "9", "--zone", "UTC")
            _ = try home.client("import", try calendar(3, year: 2026), "club", "--source", "l")
            _ = try home.client("edit", "club", "Camp", "title=Our camp")
            for (name, year) in [("same", 2026), ("later", 2027)] {
                _ = try home.client("copy", "club", "--start", "\(year)-06-01", "--name", name)
                let (again, moved) = (try calendar(3, year: year), try calendar(5, year: year))
                let unchanged = try home.client("import", again, name, "--source", "l")
                #expect(
                    unchanged.output == "imported 0 · updated 0 · unchanged 1 · removed 0 · skipped 0\n",
                    "the title is theirs, and its source has not changed: \(unchanged)")
                let updated = try home.client("import", moved, name, "--source", "l")
                #expect(updated.output.hasPrefix("imported 0 · updated 1 "), "\(updated)")
                let shown = try home.client("show", name, "--format", "{day} {title}").output
                #expect(shown == "5 Our camp\n")
            }
        }

        @Test func `concurrent imports all succeed, each entry once`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            for round in 1...4 {
                let file = try home.write(table(1...50), to: "cup\(round).csv")
                let programs = try (1...3).map { _ in try home.startClient(["import", file]) }
                var imported = 0
                for program in programs {
                    let outcome = try program.finish()
                    #expect(outcome.status == .exited(0), "\(outcome)")
                    if outcome.output.hasPrefix("imported 50 ") { imported += 1 }
                }
                #expect(imported == 1)
                #expect(try home.client("list").output.contains("cup\(round)  2026-06-12  1 day, 50 items"))
            }
        }

        @Test func `an import succeeds while another user removes its items, and restores them`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let early = try home.write(table(1...20), to: "cup.csv")
            let late = try home.write(
                table(1...20).replacing("T10:00", with: "T11:00"), to: "late.csv")
            _ = try home.client("import", early)
            let busy = try home.startShell(
                "while [ ! -e '\(home.path)/stop' ]; do $CLIENT remove cup 'Game 1'; $CLIENT undo cup; done")
            for _ in 1...6 {
                for file in [late, early] {
                    let outcome = try home.client(
                        "import", file, "cup", "--source", "league", "--restore-removed")
                    #expect(outcome.status == .exited(0), "\(outcome)")
                }
            }
            _ = try home.write("", to: "stop")
            _ = try busy.finish()
        }

        @Test func `if another user drags an item of an import, the error names the user and the item`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let head = "kind,id,title,date\n"
            let file = try home.write(head + "custom,a,Walk,2026-06-12\n", to: "plan.csv")
            _ = try home.client("import", file)
            let ann = try home.connect(as: "Ann")
            let walk = try #require(
                ann.result("trip.get", #"{"trip":"plan"}"#)["items"]?.elements.first { _ in true })
            _ = try ann.result(
                "drag.begin", #"{"trip":"plan","item":"\#(walk["id"]?.string ?? "")","gaps":false}"#)
            let other = try home.write(head + "custom,a,Long walk,2026-06-12\n", to: "plan.csv")
            let outcome = try home.client("import", other, "plan")
            #expect(outcome.status == .exited(75))
            #expect(outcome.errors.contains("Ann is dragging Walk: nothing was imported"), "\(outcome)")
        }
    }
}
