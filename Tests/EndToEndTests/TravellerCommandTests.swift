import JSONLine
import LocalSystem
import Testing
import TripModel

extension EndToEnd {
    /// Commands for travellers: days by words, today's items, copies, searches, followed exports.
    @Suite struct TravellerCommandTests {
        private func today(plus days: Int = 0) throws -> String {
            let seconds = WallClock.nowMilliseconds / 1000
            let date = try #require(TripModel.WallClock(zone: "UTC")?.time(atSecondsSince1970: seconds)?.date)
            return try #require(date.adding(days: days)).description
        }

        private func day(of title: String, in trip: String, _ home: Home) throws -> String {
            let lines = try home.client("show", trip, "--format", "{title}={day}").output.split(
                separator: "\n")
            return lines.first { $0.hasPrefix("\(title)=") }.map { String($0.dropFirst(title.count + 1)) }
                ?? ""
        }

        @Test func `a person sees the own items and those of nobody in particular`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client(
                "create", "T", "--slug", "t", "--start", "today", "--days", "2", "--zone", "UTC")
            for (title, who) in [("Opera", "who=Ann"), ("Hike", "who=Ben, Cleo"), ("Lunch", "note=all")] {
                #expect(
                    try home.client("add", "t", title, "--day", "1", who, "time=23:59").status == .exited(0))
            }
            let shown = try home.client("show", "t", "--person", "ann", "--format", "{title}").output
            #expect(shown == "Opera\nLunch\n")
            for command in [
                ["show", "t", "--json"], ["today"], ["next", "-n", "9"], ["export", "t", "--format", "csv"],
            ] {
                let output = try home.client(command + ["--person", "Cleo"]).output
                #expect(
                    output.contains("Hike") && output.contains("Lunch") && !output.contains("Opera"),
                    "\(command)")
            }
            let nobody = try home.client("today", "--person", "Zoe")
            #expect(nobody.status == .exited(66) && nobody.errors.contains("the items name Ann, Ben, Cleo"))
            let calendar = try home.client("export", "t", "--format", "ics", "--alarm", "90m").output
            #expect(calendar.split(separator: "TRIGGER:-PT90M").count == 4)
            #expect(try home.client("export", "t", "--format", "md", "--alarm", "90m").status == .exited(64))
        }

        @Test func `a day can be a number, a date, a word or a weekday in every command`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client(
                "create", "T", "--slug", "t", "--start", "today", "--days", "9", "--zone", "UTC")
            let start = try #require(CalendarDate(try today()))
            let words: [(String, String)] = [
                ("3", "3"), (try today(plus: 3), "4"), ("today", "1"), ("tomorrow", "2"), ("+4", "5"),
                (["mon", "tue", "wed", "thu", "fri", "sat", "sun"][start.weekday], "1"),
                (["mon", "tue", "wed", "thu", "fri", "sat", "sun"][(start.weekday + 6) % 7], "7"),
            ]
            for (word, expected) in words {
                #expect(try home.client("add", "t", "Item", "--day", word).status == .exited(0), "\(word)")
                #expect(try day(of: "Item", in: "t", home) == expected, "\(word)")
                #expect(try home.client("show", "t", "--day", word).output.hasPrefix("Day \(expected) "))
                _ = try home.client("remove", "t", "Item")
            }
            _ = try home.client("add", "t", "Item", "--day", "2")
            #expect(try home.client("shift", "t", "--from-day", "tomorrow", "--days", "2").output == "1\n")
            #expect(try day(of: "Item", in: "t", home) == "4")
            let bad = try home.client("move", "t", "Item", "--day", "someday")
            #expect(bad.status == .exited(64) && bad.errors.contains("today, tomorrow, +2"), "\(bad)")
            let outside = try home.client("show", "t", "--day", "+9")
            #expect(outside.status == .exited(1) && outside.errors.contains("which has 9 days"), "\(outside)")
            let listed = try home.client("list", "--format", "{slug} {startDate}").output
            #expect(listed == "t \(start)\n")
        }

        @Test func `show lists chosen days, and consecutive days without items as one line`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client(
                "create", "T", "--slug", "t", "--start", "2027-03-01", "--days", "30", "--zone", "UTC")
            _ = try home.client("add", "t", "Tea", "--day", "2")
            let all = try home.client("show", "t").output
            #expect(
                all.contains("\nDays 3–30 · Wed 3 Mar 2027 – Tue 30 Mar 2027: nothing planned\n"), "\(all)")
            let some = try home.client("show", "t", "--from", "2", "--to", "2027-03-04").output
            #expect(some.hasPrefix("Day 2 · Tue 2 Mar 2027\n") && some.contains("\nDays 3–4 ·"), "\(some)")
            let json = try home.client("show", "t", "--day", "1", "--json").output
            let root = try JSONDocument(parsing: Array(json.utf8)).root
            #expect(root["items"]?.count == 0 && root["trip"]?["slug"]?.string == "t")
        }

        @Test func `today and next follow the clock`() throws {
            let home = try Home()
            defer { home.end() }
            #expect(try home.client("next").errors.contains("there is no next item"))
            _ = try home.client(
                "create", "T", "--slug", "t", "--start", "today", "--days", "3", "--zone", "UTC")
            _ = try home.client("add", "t", "Begun", "time=00:00")
            _ = try home.client("add", "t", "Later", "--day", "tomorrow")
            _ = try home.client("add", "t", "Last", "time=23:59", "--day", "+2")
            let shown = try home.client("today").output
            #expect(shown.hasPrefix("T\nDay 1 · ") && shown.contains("Begun") && !shown.contains("Later"))
            let next = try home.client("next", "t", "-n", "5", "--format", "{day} {time} {title}").output
            #expect(next == "2  Later\n3 23:59 Last\n")
            let json = try home.client("next", "--json").output
            let root = try JSONDocument(parsing: Array(json.utf8)).root
            #expect(
                root["items"]?.elements.first { _ in true }?["item"]?["title"]?.string == "Later", "\(json)")
            // It is already tomorrow in Kiritimati, and yesterday or today in Pago Pago.
            _ = try home.client(
                "create", "K", "--slug", "k", "--start", "today", "--zone", "Pacific/Kiritimati")
            let first = try home.client("today", "k", "--json").output
            #expect(first.contains(#""day":1"#), "today is that of the trip's clock: \(first)")
        }

        @Test func `a copy has the items on its own dates, with or without the events`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client(
                "create", "T", "--slug", "t", "--start", "2027-03-01", "--days", "4", "--zone", "UTC")
            _ = try home.client(
                "add", "t", "Final", "--game", "g", "--starts", "2027-03-02T18:00:00Z", "city=Rome")
            _ = try home.client("add", "t", "--from", "Rome", "--to", "Paris")
            _ = try home.client("add", "t", "Tea", "--day", "3", "cost=3 EUR")
            let copy = try home.client("copy", "t", "--start", "2028-03-01", "--name", "U", "--without-games")
            #expect(copy.output == "u\n" && copy.errors.isEmpty, "\(copy)")
            let lines = try home.client("show", "u", "--format", "{date} {title} {cost}").output
            #expect(lines.contains("2028-03-03 Tea 3 EUR\n") && !lines.contains("Final"), "\(lines)")
            let with = try home.client("copy", "t", "--start", "2028-03-01", "--name", "V")
            #expect(with.errors.contains("1 event outside of the copy's days"), "\(with)")
            #expect(try home.client("copy", "t").status == .exited(64))
        }

        @Test func `restore brings back a trip that any program deleted, with its history`() throws {
            let home = try Home()
            defer { home.end() }
            #expect(try home.client("restore").errors.contains("nothing was deleted or removed"))
            _ = try home.client("create", "Summer tour", "--slug", "t", "--zone", "UTC")
            _ = try home.client("add", "t", "Tea", "--day", "3", "note=green")
            let deleted = try home.client("delete", "t", "--yes")
            #expect(deleted.errors.contains("itinerary-client restore t restores it"), "\(deleted)")
            #expect(try home.client("restore").output.hasPrefix("t  Summer tour  1 item, deleted "))
            #expect(try home.client("restore", "winter").status == .exited(66))
            #expect(try home.client("restore", "summer").output == "t\n")
            #expect(
                try home.client("show", "t", "--format", "{day} {title} {note}").output == "3 Tea green\n")
            #expect(try home.client("restore").output.isEmpty)
            #expect(try home.client("undo", "t").output.contains("added “Tea”"))
            // Any client, over the socket.
            _ = try home.client("call", "trip.delete", #"{"trip":"t"}"#)
            _ = try home.client("create", "Other", "--slug", "t")
            #expect(try home.client("restore", "Summer tour").output == "summer-tour\n", "the slug is taken")
            #expect(try home.client("delete", "none", "--yes").status == .exited(66))
        }

        @Test func `restore brings back items that were removed or pruned, where they were`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "T", "--slug", "t", "--days", "3", "--zone", "UTC")
            for title in ["Tea", "Cake", "Walk"] { _ = try home.client("add", "t", title, "--day", "2") }
            _ = try home.client("remove", "t", "Tea", "Cake", "--user", "bob")
            let both = try home.write("kind,id,title,day\ncustom,a,Zoo,1\ncustom,b,Museum,3\n", to: "a.csv")
            let one = try home.write("kind,id,title,day\ncustom,b,Museum,3\n", to: "b.csv")
            _ = try home.client("import", both, "t", "--source", "x")
            #expect(
                try home.client("import", one, "t", "--source", "x", "--prune").output.contains("removed 1"))
            let listed = try home.client("restore").output.split(separator: "\n")
            #expect(listed.count == 3 && listed[0].hasPrefix("t  day 1  Zoo, removed "), "\(listed)")
            #expect(
                listed[1...].allSatisfy { $0.hasPrefix("t  day 2  ") && $0.hasSuffix(" by bob") }, "\(listed)"
            )
            #expect(try home.client("restore", "t").output.hasPrefix("day 1  Zoo, removed "))
            let restored = try home.client("restore", "t", "cake", "Tea", "Zoo")
            #expect(restored.output.split(separator: "\n").count == 3, "\(restored)")
            let shown = try home.client("show", "t", "--format", "{day} {title}").output
            #expect(shown == "1 Zoo\n2 Tea\n2 Cake\n2 Walk\n3 Museum\n", "\(shown)")
            let missing = try home.client("restore", "t", "Cake")
            #expect(
                missing.status == .exited(66) && missing.errors.contains("no item removed within 30 days"),
                "\(missing)")
            #expect(try home.client("undo", "t").status == .exited(0))
            #expect(try home.client("show", "t", "--format", "{title}").output == "Walk\nMuseum\n")
        }

        @Test func `import refuses an address and suggests a pipe`() throws {
            let home = try Home()
            defer { home.end() }
            let refused = try home.client("import", "webcal://example.org/a.ics")
            #expect(refused.status == .exited(64))
            #expect(
                refused.errors.contains(
                    "curl -fsSL 'https://example.org/a.ics' | itinerary-client import - TRIP"),
                "\(refused)")
        }

        @Test func `a failed undo names the change that the next undo reverts`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "T", "--slug", "t", "--zone", "UTC", "--user", "ann")
            _ = try home.client("add", "t", "Precious", "--user", "ann")
            _ = try home.client("add", "t", "Base", "--user", "bob")
            _ = try home.client("edit", "t", "Base", "note=a", "--user", "ann")
            _ = try home.client("edit", "t", "Base", "note=b", "--user", "bob")
            let given = try home.client("undo", "t", "--user", "ann")
            #expect(given.status == .exited(1) && given.output.isEmpty, "\(given)")
            #expect(given.errors.contains("its undo is given up"), "\(given)")
            #expect(
                given.errors.contains("The next undo would revert: added “Precious” on day 1"), "\(given)")
            #expect(try home.client("show", "t", "--format", "{title}").output.contains("Precious"))
        }

        @Test func `the JSON of each command has the documented members`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client(
                "create", "T", "--slug", "t", "--start", "today", "--days", "3", "--zone", "UTC")
            _ = try home.client("add", "t", "Gone", "--day", "3")
            _ = try home.client("remove", "t", "Gone")
            _ = try home.client("add", "t", "Tea", "--day", "3")
            _ = try home.client("create", "Gone", "--slug", "gone")
            _ = try home.client("delete", "gone", "--yes")
            /// The names of members down to a depth; for an array those of its first element.
            func shape(_ node: JSONNode, _ depth: Int) -> String {
                switch node.kind {
                case .array: "[" + (node.elements.first { _ in true }.map { shape($0, depth) } ?? "") + "]"
                case .object where depth == 0: "{}"
                case .object:
                    "{" + node.members.map { "\($0.key)\(shape($0.value, depth - 1))" }.joined(separator: " ")
                        + "}"
                default: ""
                }
            }
            let commands: [([String], String)] = [
                (["today"], "{trips[{trip{} day date items[]}]}"), (["next"], "{items[{trip date item{}}]}"),
                (["search", "tea"], "{items[{trip item{}}]}"),
                (
                    ["show", "t", "--day", "3"],
                    "{trip{id slug name startDate timeZone dayCount} epoch version "
                        + "items[{id day sortOrder version modifiedAt modifiedBy kind title}] problems[]}"
                ),
                (["edit", "t", "days=2", "--dry-run"], "{dryRun moved[{item title fromDay toDay}]}"),
                (
                    ["shift", "t", "--from-day", "1", "--days", "1", "--dry-run"],
                    "{dryRun moved[{item title fromDay toDay}]}"
                ),
                (
                    ["restore"],
                    "{deleted[{id slug name startDate timeZone dayCount version itemCount deletedAt keptUntil}] "
                        + "removed[{trip items[{}] since}]}"
                ), (["restore", "t"], "{trip items[{item{} removedAt removedBy}] since}"),
                (["undo", "t", "--dry-run"], "{version summary items[]}"),
                (["redo", "t"], "{noop}"),
            ]
            for (words, expected) in commands {
                let outcome = try home.startClient(words + ["--json"]).finish()
                #expect(outcome.output.split(separator: "\n").count == 1, "\(words): \(outcome)")
                let root = try JSONDocument(parsing: Array(outcome.output.utf8)).root
                #expect(shape(root, 2) == expected, "\(words)")
            }
        }

        @Test func `search ignores case and accents`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "T", "--slug", "t", "--zone", "UTC")
            _ = try home.client("create", "U", "--slug", "u", "--zone", "UTC")
            _ = try home.client("add", "t", "Café", "note=bring cash")
            _ = try home.client("add", "u", "Tea", "reference=CASH1")
            #expect(try home.client("search", "cafe").output == "t  day 1  Café\n")
            #expect(
                try home.client("search", "cash", "--format", "{trip} {title}").output == "t Café\nu Tea\n")
            #expect(try home.client("search", "cash", "u").output == "day 1  Tea\n")
            let nothing = try home.client("search", "dinner")
            #expect(nothing.output.isEmpty && nothing.status == .exited(0), "\(nothing)")
        }

        @Test func `an edit that moves other items names them, and days=+2 adds two days`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "T", "--slug", "t", "--days", "4", "--zone", "UTC")
            _ = try home.client("add", "t", "Tea", "--day", "4")
            _ = try home.client("edit", "t", "days=+2")
            #expect(try home.client("list", "--format", "{dayCount}").output == "6\n")
            let plan = try home.client("edit", "t", "days=3", "--dry-run")
            #expect(plan.output.contains("Tea: day 4 to day 3"), "\(plan)")
            #expect(try home.client("list", "--format", "{dayCount}").output == "6\n")
            let made = try home.client("edit", "t", "days=-3")
            #expect(made.errors.contains("Tea: day 4 to day 3") && made.status == .exited(0), "\(made)")
            let terminal = try home.openTerminal(["edit", "t", "days=1"])
            try terminal.wait(for: "Go on? [y/N]")
            try terminal.type("n\r")
            #expect(try terminal.finish() == .exited(1))
            #expect(try day(of: "Tea", in: "t", home) == "3")
        }

        @Test func `a note can come from a file, and spellings of a currency are equal`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "T", "--slug", "t", "--zone", "UTC")
            let note = try home.write("one\ntwo\n", to: "note")
            _ = try home.client("add", "t", "Tea", "cost=3.50 €")
            _ = try home.client("add", "t", "Cake", "cost=2 eur")
            _ = try home.client("add", "t", "Ramen", "cost=900.4 jpy")
            #expect(try home.client("edit", "t", "Tea", "note=@\(note)").status == .exited(0))
            let shown = try home.client("show", "t").output
            #expect(shown.contains("one\n") && shown.contains("Costs: 5.50 EUR + 900 JPY"), "\(shown)")
            #expect(try home.client("edit", "t", "Tea", "note=@\(home.path)/none").status == .exited(66))
            _ = try home.client("edit", "t", "Tea", "note=@@home")
            #expect(try home.client("show", "t", "--format", "{note}").output.hasPrefix("@home\n"))
        }

        @Test func `a followed export is written after each change, also after a crash of the daemon`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "T", "--slug", "t", "--zone", "UTC")
            let file = home.path + "/t.ics"
            let export = try home.startClient(["export", "t", "--follow", "-o", file])
            let timeout = Deadline()
            while (try? home.read(file))?.contains("END:VCALENDAR") != true {
                try timeout.check(for: "a file")
            }
            _ = try home.client("add", "t", "Tea")
            while !(try home.read(file)).contains("Tea") { try timeout.check(for: "Tea in the file") }
            try home.crashServing()
            try export.waitForLine(with: "waiting for the daemon", of: .errors)
            _ = try home.client("add", "t", "Cake")
            while !(try home.read(file)).contains("Cake") { try timeout.check(for: "Cake in the file") }
            _ = try home.client("delete", "t", "--yes")
            let end = try export.finish()
            #expect(end.status == .exited(66) && end.errors.contains("is unchanged"), "\(end)")
            #expect(try home.client("export", "t", "--follow").status == .exited(64))
        }

        @Test func `watch runs a command with each line on its standard input`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "T", "--slug", "t", "--zone", "UTC")
            let file = home.path + "/lines"
            let watch = try home.startClient(["watch", "t", "--exec", "cat >> '\(file)'; exit 3"])
            try watch.waitForLine(with: "here:", of: .errors)
            _ = try home.client("add", "t", "Tea")
            try watch.waitForLine(with: "exit code 3", of: .errors)
            let line = try home.read(file)
            #expect(line.hasPrefix("version 2  ") && line.hasSuffix("added “Tea” on day 1\n"), "\(line)")
            watch.send(2)
            #expect(try watch.finish().status == .exited(130))
        }

        @Test(arguments: ["bash", "zsh", "fish"])
        func `a completion offers items, fields, days and zones`(shell: String) throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "T", "--slug", "t", "--days", "3", "--zone", "UTC")
            _ = try home.client("add", "t", "Green tea")
            let words = { (line: String...) in
                try home.startClient(["completions", "--words", "any", "--"] + line).finish().output
            }
            #expect(try words("show") == "t\n")
            #expect(try words("move", "t") == "Green tea\n")
            #expect(try words("edit", "t").contains("days=\n") && words("edit", "t").contains("Green tea\n"))
            #expect(try words("edit", "t", "Green tea", "note=x").contains("cost=\n"))
            #expect(try !words("edit", "t", "Green tea", "note=x").contains("note=\n"))
            _ = try home.client("remove", "t", "Green tea")
            _ = try home.client("create", "Gone", "--slug", "gone")
            _ = try home.client("delete", "gone", "--yes")
            #expect(try words("restore") == "gone\nt\n" && words("restore", "t") == "Green tea\n")
            #expect(try words("show") == "t\n" && words("move", "t") == "")
            let days = try home.client("completions", "--words", "day", "--", "move", "t", "Green tea").output
            #expect(days.hasPrefix("today\n") && days.hasSuffix("\n3\n"))
            #expect(
                try home.client("completions", "--words", "zone", "--", "create").output.contains(
                    "Asia/Tokyo\n"))
            let script = try home.client("completions", shell).output
            // The functions of zsh expect options for compadd before their own arguments.
            if shell == "zsh" { #expect(script.contains("--words ${@[-1]} ")) }
            for kind in ["day", "zone"] {
                #expect(script.contains("words \(kind)"), "the values of options, such as --\(kind)")
            }
        }
    }
}
