import JSONLine
import LocalSystem
import TestSupport
import Testing

extension EndToEnd {
    /// Commands that create and change trips.
    @Suite struct EditingCommandTests {
        private func ready(_ items: Int = 3) throws -> (home: Home, ann: LineClient) {
            let home = try Home()
            _ = try home.serve()
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(items, by: ann)
            return (home, ann)
        }

        private func json(_ outcome: Program.Outcome) throws -> JSONNode {
            #expect(outcome.status == .exited(0), "\(outcome)")
            return try JSONDocument(parsing: Array(outcome.output.utf8.dropLast())).root
        }

        private func item(_ number: Int, _ home: Home) throws -> JSONNode {
            let trip = try json(home.client("show", "t", "--json"))
            return try #require(trip["items"]?.elements.first { $0["id"]?.string == id(number) })
        }

        @Test func `a trip is created, changed and deleted`() throws {
            let home = try Home()
            defer { home.end() }
            let made = try home.client(
                "create", "Japan in spring", "--start", "2027-04-01", "--days=10", "--zone", "Asia/Tokyo")
            #expect(made.output == "japan-in-spring\n" && made.status == .exited(0), "\(made)")
            var header = try json(home.client("show", "japan", "--json"))["trip"]
            #expect(header?["startDate"]?.string == "2027-04-01" && header?["dayCount"]?.int == 10)
            #expect(header?["timeZone"]?.string == "Asia/Tokyo")
            let edited = try home.client(
                "edit", "japan", "name=Nippon", "days=12", "start=2027-04-02", "slug=nippon")
            #expect(edited.output == (header?["id"]?.string ?? "") + "\n", "\(edited)")
            header = try json(home.client("show", "nippon", "--json"))["trip"]
            #expect(header?["name"]?.string == "Nippon" && header?["dayCount"]?.int == 12)
            #expect(try home.client("create", "x", "--slug", "nippon").status == .exited(1))
            for bad in [
                ["--days", "0"], ["--zone", "Mars/Base"], ["--start", "2027-02-30"], ["--days", "x"],
            ] {
                let refused = try home.startClient(["create", "y"] + bad).finish()
                #expect(refused.status == .exited(64), "\(refused)")
            }
            #expect(try home.client("create", "y", "--days", "367").status == .exited(1))
            let usual = try home.shell("TZ=Europe/Berlin $CLIENT create Usual --json")
            #expect(try json(usual)["trip"]?["timeZone"]?.string == "Europe/Berlin")
            #expect(try json(usual)["trip"]?["dayCount"]?.int == 7)
            for (zone, name) in [
                (":Europe/Berlin", "Europe/Berlin"), ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
                (":/usr/share/zoneinfo/posix/Asia/Tokyo", "Asia/Tokyo"), ("posix/Asia/Tokyo", "Asia/Tokyo"),
                ("\(home.path)/here", "Asia/Tokyo"), ("JST-9", "Etc/GMT-9"), ("<+03>-03:00", "Etc/GMT-3"),
                ("UTC0", "UTC"), ("", "UTC"), (":", "UTC"), ("EST5EDT", "EST5EDT"),
            ] {
                let made = try home.shell(
                    "ln -sf /usr/share/zoneinfo/Asia/Tokyo ~/here; TZ='\(zone)' $CLIENT create z --json --slug z && $CLIENT delete z --yes"
                )
                #expect(made.output.contains("\"timeZone\":\"\(name)\""), "\(zone): \(made)")
            }
            for zone in ["Mars/Base", "europe/berlin", "CET-1CEST", "/etc/hostname", "IST-5:30"] {
                let refused = try home.shell("TZ='\(zone)' $CLIENT create z")
                #expect(
                    refused.status == .exited(64) && refused.errors.contains("TZ is \(zone), but")
                        && refused.errors.contains("Europe/Berlin"), "\(refused)")
                // With a zone given, the machine's zone is not needed.
                let made = try home.shell(
                    "TZ='\(zone)' $CLIENT create z --zone Asia/Tokyo && $CLIENT delete z --yes")
                #expect(made.status == .exited(0), "\(made)")
            }
            let unasked = try home.client("delete", "nippon")
            #expect(unasked.status == .exited(64) && unasked.errors.contains("--yes"), "\(unasked)")
            #expect(try home.client("delete", "nippon", "--yes").status == .exited(0))
            #expect(try home.client("show", "nippon").status == .exited(66))
        }

        @Test func `delete asks for confirmation at a terminal`() throws {
            let (home, _) = try ready()
            defer { home.end() }
            let first = try home.openTerminal(["delete", "t"])
            try first.wait(for: "Delete Test (3 items)? [y/N]")
            try first.type("n\n")
            #expect(try first.finish() == .exited(1))
            #expect(try home.client("show", "t").status == .exited(0))
            let second = try home.openTerminal(["delete", "t"])
            try second.wait(for: "[y/N]")
            try second.type("y\n")
            #expect(try second.finish() == .exited(0))
            #expect(try home.client("show", "t").status == .exited(66))
        }

        @Test func `fields are set and cleared by their names on the wire`() throws {
            let (home, _) = try ready()
            defer { home.end() }
            let edited = try home.client(
                "edit", "t", "item 1", "cost=12.50 EUR", "time=19:30", "note=bring water",
                "durationMinutes=90",
                "coordinate=33.755 -84.401", "url=https://example.org", "title=Dinner", "source=league/7")
            #expect(edited.output == id(1) + "\n", "\(edited)")
            var dinner = try item(1, home)
            #expect(dinner["cost"]?["amount"]?.double == 12.5 && dinner["cost"]?["currency"]?.string == "EUR")
            #expect(dinner["time"]?.string == "19:30" && dinner["durationMinutes"]?.int == 90)
            #expect(dinner["coordinate"]?["lon"]?.double == -84.401 && dinner["source"]?["id"]?.string == "7")
            #expect(try home.client("edit", "t", "Dinner", "note=", "cost=").status == .exited(0))
            dinner = try item(1, home)
            #expect(dinner["note"] == nil && dinner["cost"] == nil && dinner["time"]?.string == "19:30")
            for (words, status) in [
                (["Dinner", "cost=abc"], Int32(64)), (["Dinner", "time=36:00"], 64),
                (["Dinner", "cost=1e3 EUR"], 64), (["Dinner", "coordinate=0x10 0x20"], 64),
                (["Dinner", "title="], 64),
                (["Dinner", "venue=x"], 64), (["Dinner"], 64), (["Nobody", "note=x"], 66),
                (["Dinner", "url=javascript:x"], 1), (["days=x"], 64), (["name="], 64),
            ] {
                let refused = try home.startClient(["edit", "t"] + words).finish()
                #expect(refused.status == .exited(status), "\(words): \(refused)")
            }
            let unsure = try home.client("edit", "t", "Dinner", "cost=1,234 KWD")
            #expect(unsure.status == .exited(64))
            #expect(
                unsure.errors.contains("cost cannot be 1,234 KWD")
                    && unsure.errors.contains("Write 1234 KWD or 1.234 KWD: the comma may mean either."),
                "\(unsure)")
            #expect(try home.client("edit", "t", "Dinner", "cost=1,5 EUR").status == .exited(0))
            dinner = try item(1, home)
            #expect(dinner["cost"]?["amount"]?.double == 1.5)
            #expect(try home.client("edit", "t", "Dinner", "cost=").status == .exited(0))
            let added = try home.client(
                "add", "t", "Lunch", "time=12:00", "cost=450 MXN", "city=Mexico City", "--day=2")
            let shown = try home.client("show", "t").output
            #expect(
                added.status == .exited(0) && shown.contains("12:00  Lunch")
                    && shown.contains("Cost: 450 MXN"))
            #expect(shown.contains("City: Mexico City") && shown.contains("Duration: 1 h 30 min"), "\(shown)")
            #expect(shown.contains("Changed: Ann, ") && shown.contains("Costs: 450 MXN"), "\(shown)")
        }

        @Test func `games and travel are added by command, with advice if travel does not fit`() throws {
            let (home, _) = try ready()
            defer { home.end() }
            let game = { (id: String, title: String, city: String, day: Int) in
                try home.client(
                    "add", "t", title, "--game", id, "--starts", "2026-06-\(10 + day)T13:00:00Z",
                    "city=\(city)")
            }
            #expect(try game("g1", "A v B", "Boston", 1).status == .exited(0))
            #expect(try game("g2", "C v D", "Toronto", 2).status == .exited(0))
            #expect(try game("g3", "E v F", "Toronto", 4).status == .exited(0))
            #expect(try game("g4", "G v H", "Boston", 5).status == .exited(0))
            let opened = try home.client("add", "t", "--from", "Toronto", "--to", "Boston")
            #expect(opened.status == .exited(0))
            #expect(
                opened.errors.contains(
                    "Boston has events before and after it, so none constrains its arrival (beforeGame=none)."
                )
            )
            let refused = try home.client(
                "add", "t", "--from", "Toronto", "--to", "Boston", "--after-game", "e v", "--before-game",
                "a v")
            #expect(refused.status == .exited(1))
            #expect(
                refused.errors.contains("--after-game 'E v F' --before-game 'G v H'")
                    && refused.errors.contains("A v B (day 1, 13:00)")
                    && refused.errors.contains("--after-game none allows day 1"), "\(refused.errors)")
            let added = try home.client(
                "add", "t", "--from", "Toronto", "--to", "Boston", "--after-game", "e v", "--before-game",
                "G v H",
                "mode=plane", "durationMinutes=1:40")
            #expect(added.status == .exited(0), "\(added)")
            let trip = try json(home.client("show", "t", "--json"))
            let travel = try #require(trip["items"]?.elements.first { $0["mode"]?.string == "plane" })
            #expect(travel["mode"]?.string == "plane" && travel["durationMinutes"]?.int == 100)
            #expect(travel["day"]?.int == 4 && travel["afterGame"]?.string != nil)
            #expect(try home.client("add", "t", "--game", "g5").status == .exited(64))
            #expect(try home.client("add", "t", "--game", "g5", "--starts", "noon").status == .exited(64))
            #expect(try home.client("add", "t", "--from", "Toronto").status == .exited(64))
        }

        @Test func `several items are moved and removed together or not at all`() throws {
            let (home, ann) = try ready(4)
            defer { home.end() }
            let moved = try home.client("move", "t", "Item 3", "Item 1", "--day", "2")
            #expect(moved.output == "\(id(3))\n\(id(1))\n", "\(moved)")
            #expect(try ann.places().order == [2, 4, 3, 1].map(id))
            #expect(try ann.places().version == 2)
            let before = try ann.places()
            #expect(try home.client("move", "t", "Item 2", "Item 9", "--day", "3").status == .exited(66))
            #expect(try home.client("remove", "t", "Item 2", "Item 9").status == .exited(66))
            #expect(try home.client("move", "t", "Item 2", "Item 4", "--day", "9").status == .exited(1))
            #expect(try ann.places() == before)
            let removed = try home.client("remove", "t", "Item 2", "Item 1")
            #expect(removed.output == "\(id(2))\n\(id(1))\n")
            #expect(try ann.places().order == [4, 3].map(id))
        }

        @Test func `swap exchanges two days in order, all or nothing, and names travel that cannot move`()
            throws
        {
            let (home, ann) = try ready(4)
            defer { home.end() }
            _ = try home.client("move", "t", "Item 3", "Item 4", "--day", "2")
            let swapped = try home.client("swap", "t", "1", "2")
            #expect(swapped.output.split(separator: "\n").count == 4, "\(swapped)")
            #expect(try ann.places().order == [3, 4, 1, 2].map(id))
            #expect(try home.client("undo", "t").status == .exited(0))
            #expect(try ann.places().order == [1, 2, 3, 4].map(id))
            _ = try home.client("add", "t", "X v Y", "--game=g", "--starts=2026-06-12T13:00:00Z", "city=Rome")
            _ = try home.client("edit", "t", "Item 1", "time=23:00")
            _ = try home.client("swap", "t", "1", "2")
            #expect(try ann.places().order.suffix(2) == [1, 2].map(id), "below the event")
            _ = try home.client("add", "t", "--from", "Rome", "--to", "Oslo", "--day", "3")
            let below = try home.client("swap", "t", "3", "2")
            #expect(below.status == .exited(0), "travel goes below the event that it must follow: \(below)")
            let version = try ann.places().version
            let refused = try home.client("swap", "t", "1", "2")
            #expect(
                refused.status == .exited(1) && refused.errors.contains("Rome → Oslo: it must be"),
                "\(refused)")
            #expect(try ann.places().version == version)
            for days in [["1", "1"], ["1"], ["1", "x"]] {
                #expect(try home.client(["swap", "t"] + days).status == .exited(64), "\(days)")
            }
            #expect(try home.client("swap", "t", "1", "99").errors.contains("99 is not a day of"))
        }

        @Test func `repeat adds copies on other days, at the place of their time`() throws {
            let (home, ann) = try ready(2)
            defer { home.end() }
            _ = try home.client("edit", "t", "Item 1", "time=9:00", "cost=5 EUR")
            _ = try home.client("move", "t", "Item 2", "--day", "3")
            _ = try home.client("edit", "t", "Item 2", "time=10:00")
            let made = try home.client("repeat", "t", "Item 1", "1-2", "3")
            #expect(made.output.split(separator: "\n").count == 2, "\(made)")
            let shown = try home.client("show", "t", "--json").output
            #expect(shown.ranges(of: #""title":"Item 1""#).count == 3 && shown.ranges(of: "EUR").count == 3)
            #expect(try ann.places().order.last == id(2), "9:00 is above 10:00")
            #expect(try home.client("repeat", "t", "Item 2", "3").errors.contains("on that day already"))
            #expect(try home.client("repeat", "t", "Item 2", "0-3").errors.contains("0 is not a day of"))
            #expect(try home.client("repeat", "t", "Item 2", "frob").status == .exited(64))
            #expect(try home.client("undo", "t").status == .exited(0))
            #expect(try ann.places().order.count == 2)
        }

        @Test func `edit --all changes every item with a value as one change, or none`() throws {
            let (home, _) = try ready(3)
            defer { home.end() }
            _ = try home.client("add", "t", "--from", "Oslo", "--to", "Rome", "mode=Train", "--day", "1")
            _ = try home.client("add", "t", "--from", "Rome", "--to", "Bern", "mode=train", "--day", "2")
            func count(_ text: String) throws -> Int {
                try home.client("show", "t", "--json").output.ranges(of: text).count
            }
            let made = try home.client("edit", "t", "--all", "mode=train", "note=window seat")
            #expect(made.output.split(separator: "\n").count == 2, "\(made)")
            #expect(try count(#""note":"window seat""#) == 2)
            #expect(try home.client("undo", "t").status == .exited(0))
            #expect(try count(#""note":"window seat""#) == 0)
            #expect(try home.client("edit", "t", "--all", "kind=custom", "note=x").status == .exited(0))
            #expect(try home.client("edit", "t", "--all", "note=", "note=y").status == .exited(0))
            #expect(try count(#""note":"x""#) == 3 && count(#""note":"y""#) == 2)
            #expect(try home.client("edit", "t", "--all", "day=1-2", "who=ann").status == .exited(0))
            #expect(try count(#""who":"ann""#) >= 2)
            let mixed = try home.client("edit", "t", "--all", "note=y", "place=here")
            #expect(mixed.status == .exited(64) && mixed.errors.contains("has no field place"), "\(mixed)")
            for (words, sentence) in [
                (["--all", "mode=ship", "note=z"], "no item has mode=ship"),
                (["--all", "mode", "note=z"], "--all is FIELD=VALUE"),
                (["--all", "mod=x", "note=z"], "did you mean mode?"),
                (["--all", "kind=boat", "note=z"], "kind is custom, travel or event"),
                (["Item 1", "--all", "mode=train", "note=z"], "takes the place of the ITEM"),
            ] {
                let refused = try home.client(["edit", "t"] + words)
                #expect(refused.status != .exited(0) && refused.errors.contains(sentence), "\(refused)")
            }
        }

        @Test func `add reads a time, a duration, a cost and a city from the title, and says so`() throws {
            let (home, _) = try ready(1)
            defer { home.end() }
            let made = try home.client(
                "add", "t", "19:30 Ramen 1h 12 EUR @Tokyo", "cost=15 EUR", "--day", "2")
            #expect(made.status == .exited(0), "\(made)")
            #expect(made.errors.contains("read as 19:30 · Ramen · 1 h · 12 EUR · Tokyo"))
            let shown = try home.client("show", "t").output
            #expect(shown.contains("19:30  Ramen") && shown.contains("15 EUR") && shown.contains("Tokyo"))
            for words in [["title=20:00 Tea"], ["--", "20:00 Tea"]] {
                #expect(try home.client(["add", "t"] + words).errors.isEmpty)
            }
            #expect(try home.client("show", "t").output.ranges(of: "20:00 Tea").count == 2)
        }

        @Test func `costs are summed by day and in one currency, and a missing rate is named`() throws {
            let (home, _) = try ready(2)
            defer { home.end() }
            _ = try home.client("edit", "t", "Item 1", "cost=1000 JPY")
            _ = try home.client("edit", "t", "Item 2", "cost=5 EUR")
            _ = try home.client("move", "t", "Item 2", "--day", "2")
            let all = try home.client("costs", "t", "--by", "day", "--rates", "JPY:0.0061 EUR")
            #expect(
                all.output
                    == "EUR  sum 11.10, of which 11.10 name no payer\nEUR  day 1 6.10\nEUR  day 2 5.00\n",
                "\(all)")
            for (words, sentence) in [
                (["--rates", "JPY:"], "is not a rate such as"), (["--by", "hour"], "not by hour"),
            ] {
                let refused = try home.client(["costs", "t"] + words)
                #expect(refused.status == .exited(64) && refused.errors.contains(sentence), "\(refused)")
            }
            let apart = try home.client("costs", "t", "--rates", "USD:0.9 EUR")
            #expect(
                apart.output.contains("JPY  sum 1000") && apart.output.contains("EUR  sum 5.00"), "\(apart)")
            #expect(apart.errors.contains("there is no rate for JPY into EUR"), "\(apart)")
        }

        @Test func `the rates of a trip convert its costs until they are removed`() throws {
            let (home, _) = try ready(2)
            defer { home.end() }
            _ = try home.client("edit", "t", "Item 1", "cost=1000 JPY")
            _ = try home.client("edit", "t", "Item 2", "cost=5 EUR")
            #expect(try home.client("edit", "t", "rates=JPY:0.0061 EUR").status == .exited(0))
            #expect(try home.client("costs", "t").output.hasPrefix("EUR  sum 11.10"))
            #expect(try home.client("show", "t").output.contains("Costs: 11.10 EUR\n"))
            let refused = try home.client("edit", "t", "rates=JPY:")
            #expect(
                refused.status != .exited(0) && refused.errors.contains("is not a rate such as"), "\(refused)"
            )
            #expect(
                try home.client("costs", "t", "--rates", "JPY:0.01 EUR").output.hasPrefix("EUR  sum 15.00"))
            // A copy made of the exported trip has them too.
            for format in ["json", "csv", "ics"] {
                let file = try home.client("export", "t", "--format", format)
                let path = try home.write(file.output, to: "trip.\(format)")
                #expect(try home.client("import", path, "--name", "Copy \(format)").status == .exited(0))
                #expect(try home.client("costs", "copy-\(format)").output.hasPrefix("EUR  sum 11.10"))
            }
            _ = try home.client("undo", "t")
            #expect(try home.client("costs", "t").output.contains("JPY  sum 1000"))
            #expect(try home.client("redo", "t").status == .exited(0))
            #expect(try home.client("edit", "t", "rates=").status == .exited(0))
            #expect(try home.client("costs", "t").output.contains("JPY  sum 1000"))
        }

        @Test func `things to do are sorted by due date, and filtered by assignee and group`() throws {
            let (home, _) = try ready(1)
            defer { home.end() }
            let texts = ["Visa", "Hotel @ann #before due:2099-03-01", "Train @ben #before due:2020-01-01"]
            _ = try home.client(["todo", "t", "add"] + texts)
            #expect(
                try home.client("todo", "t").output
                    == "[ ] \(texts[2])  (overdue)\n[ ] \(texts[1])\n[ ] Visa\n")
            #expect(try home.client("todo", "t", "--person", "Ann").output == "[ ] \(texts[1])\n[ ] Visa\n")
            let group = try home.client("todo", "t", "--group", "BEFORE", "--person", "ben", "--json")
            #expect(group.output.contains("Train") && !group.output.contains("Hotel"))
            #expect(
                try home.client("export", "t", "--format", "md", "--person", "ann").output.contains("Hotel"))
        }

        @Test func `an idea is added, planned onto a day and put aside, by commands and in an exported trip`()
            throws
        {
            let (home, ann) = try ready(2)
            defer { home.end() }
            let added = try home.client(
                "add", "t", "--idea", "10:00 Tea ceremony 2h 30 EUR @Kyoto", "note=shoes off")
            #expect(added.status == .exited(0), "\(added)")
            #expect(try home.client("todo", "t", "--group", "ideas").output == "[ ] Tea ceremony  (idea)\n")
            #expect(try home.client("costs", "t").output.isEmpty, "an idea is in no sum")
            #expect(try home.client("export", "t", "--format", "ics").output.contains("CATEGORIES:ideas"))
            let file = try home.write(home.client("export", "t", "--format", "json").output, to: "trip.json")
            let planned = try home.client("todo", "t", "plan", "tea", "--day", "2")
            #expect(planned.status == .exited(0), "\(planned)")
            let item = try #require(
                try json(home.client("show", "t", "--json"))["items"]?.elements.first {
                    $0["title"]?.string == "Tea ceremony"
                })
            #expect(
                item["time"]?.string == "10:00" && item["note"]?.string == "shoes off"
                    && item["day"]?.int == 2)
            #expect(try home.client("todo", "t", "aside", "Tea", "Item 1").status == .exited(0))
            #expect(try ann.places().items.count == 1)
            #expect(try home.client("todo", "t").output == "[ ] Tea ceremony  (idea)\n[ ] Item 1  (idea)\n")
            _ = try home.client("undo", "t")
            #expect(try ann.places().items.count == 3)
            #expect(try home.client("import", file, "--name", "Copy").status == .exited(0))
            let calendar = try home.write(
                home.client("export", "copy", "--format", "ics").output, to: "trip.ics")
            #expect(try home.client("import", calendar, "--name", "Again").status == .exited(0))
            #expect(try home.client("todo", "copy", "add", "Visa", "=1+1").status == .exited(0))
            #expect(try home.client("todo", "copy", "done", "Visa").status == .exited(0))
            let table = try home.write(
                home.client("export", "copy", "--format", "csv").output, to: "trip.csv")
            #expect(try home.client("import", table, "--name", "Table").status == .exited(0))
            let tasks = try home.client("todo", "table")
            #expect(tasks.output.hasPrefix("[ ] Tea ceremony  (idea)\n[ ] =1+1\n[x] Visa  ("), "\(tasks)")
            let rows = "kind,title,note\nidea,Long,\(String(repeating: "x", count: 2100))\ntodo,Pack,\n"
            let long = try home.client("import", home.write(rows, to: "long.csv"), "table")
            #expect(
                long.output.contains("“Long” is left out: the texts of an idea have at most 2048"), "\(long)")
            #expect(
                try home.client("todo", "table").output.contains("[ ] Pack\n"), "the rows below it are read")
            let ideas = try ["copy", "again", "table"].map { trip in
                try json(home.client("todo", trip, "--json"))["todo"]?.elements.first { $0["item"] != nil }
                    .flatMap { $0["item"] }.map { Array($0.rawBytes) }
            }
            #expect(ideas[0] != nil && ideas[0] == ideas[1] && ideas[0] == ideas[2])
            #expect(try home.client("todo", "copy", "plan", "tea", "--day", "1").status == .exited(0))
            for (words, sentence) in [
                (["todo", "t", "plan", "tea"], "plan needs --day DAY"),
                (["todo", "t", "done", "x", "--day", "2"], "--day is only for plan"),
                (["todo", "t", "--day", "2"], "--day is only for plan"),
                (["todo", "t", "plan", "Item 1", "--day", "2"], "no idea is called"),
                (
                    ["add", "t", "--idea", "Tea", "--day", "2"],
                    "--idea is for an item or travel without a PLACE"
                ),
            ] {
                let refused = try home.client(words)
                #expect(refused.status != .exited(0) && refused.errors.contains(sentence), "\(refused)")
            }
        }

        @Test func `shift moves all later days, both ways, and names travel that cannot move`() throws {
            let (home, ann) = try ready(3)
            defer { home.end() }
            _ = try home.client("move", "t", "Item 2", "--day", "3")
            _ = try home.client("move", "t", "Item 3", "--day", "5")
            let on = try home.client("shift", "t", "--from-day", "3", "--days", "2")
            #expect(on.output == "2\n" && on.status == .exited(0), "\(on)")
            #expect([1, 2, 3].map { try? ann.places().items[id($0)]?.day } == [1, 5, 7])
            #expect(try json(home.client("show", "t", "--json"))["trip"]?["dayCount"]?.int == 7)
            let back = try home.client("shift", "t", "--from-day", "5", "--days", "-4")
            #expect(back.output == "2\n", "\(back)")
            #expect([1, 2, 3].map { try? ann.places().items[id($0)]?.day } == [1, 1, 3])
            #expect(try ann.places().order == [1, 2, 3].map(id))
            let early = try home.client("shift", "t", "--from-day", "1", "--days", "-1")
            #expect(early.status == .exited(1) && early.errors.contains("Item 1 is on day 1"), "\(early)")
            _ = try home.client("add", "t", "X v Y", "--game=g", "--starts=2026-06-14T13:00:00Z", "city=Rome")
            _ = try home.client("add", "t", "--from", "Oslo", "--to", "Rome", "--day", "3")
            let version = try ann.places().version
            let refused = try home.client("shift", "t", "--from-day", "3", "--days", "2")
            #expect(
                refused.status == .exited(1) && refused.errors.contains("Oslo → Rome: it must be"),
                "\(refused)")
            #expect(try ann.places().version == version)
            #expect(try home.client("shift", "t", "--from-day", "7", "--days", "1").output == "0\n")
            #expect(try home.client("shift", "t", "--days", "1").status == .exited(64))
            for days in ["400", "-400", "9999999999"] {
                let far = try home.client("shift", "t", "--from-day", "1", "--days", days)
                #expect(far.status == .exited(1) && far.errors.contains("at most 366 days"), "\(far)")
            }
        }

        @Test func `undo and redo apply to the user's changes from any program`() throws {
            let (home, ann) = try ready()
            defer { home.end() }
            #expect(try home.client("undo", "t").status == .exited(0), "there is nothing")
            let coffee = try home.client("add", "t", "Coffee").output.prefix(36)
            _ = try home.client("remove", "t", "Item 2")
            let undone = try home.client("undo", "t")
            #expect(
                undone.output == "removed “Item 2” from day 1\n" && undone.status == .exited(0), "\(undone)")
            #expect(try ann.places().order.contains(id(2)))
            #expect(try home.client("redo", "t").output == "Redone: removed “Item 2” from day 1\n")
            _ = try home.client("undo", "t")
            #expect(try home.client("undo", "t").output.hasPrefix("added “Coffee”"))
            #expect(try !ann.places().order.contains(String(coffee)))
            let nothing = try home.client("undo", "t")
            #expect(nothing.status == .exited(0) && nothing.output.isEmpty)
            #expect(nothing.errors.contains("nothing of yours to undo"))
            // A change in the editor belongs to the same person.
            let editor = try home.startClient(["connect", "t", "--plain"], input: .typed)
            try editor.waitForLine(with: "help lists the commands")
            try editor.type("move 1 to day 2")
            try editor.waitForLine(with: "Moved Item 1")
            editor.endInput()
            _ = try editor.finish()
            #expect(try home.client("undo", "t").output == "moved “Item 1” from day 1 to day 2\n")
            let person = try home.read(home.dataDirectory + "/person")
            #expect(person.utf8.count == 37 && person.hasSuffix("\n"))
            // Another user has changed the same field since.
            _ = try home.client("move", "t", "Item 1", "--day", "3")
            try ann.result("item.move", LineClient.moving(1, to: end(4)))
            let conflict = try home.client("undo", "t")
            #expect(conflict.status == .exited(1) && conflict.output.isEmpty, "\(conflict)")
            #expect(conflict.errors.contains("moved “Item 1” from day 1 to day 3; its undo is given up"))
            #expect(conflict.errors.contains("There is nothing else of yours to undo"), "\(conflict)")
        }

        @Test func `a user name does not undo changes of another name of the same account`() throws {
            let (home, _) = try ready()
            defer { home.end() }
            _ = try home.client("add", "t", "Dinner", "--user", "ann")
            let undone = try home.client("undo", "t", "--user", "bob")
            #expect(undone.output.isEmpty && undone.errors.contains("nothing of yours to undo"), "\(undone)")
            let editor = try home.startClient(["connect", "t", "--plain", "--user", "b/b"], input: .typed)
            try editor.waitForLine(with: "help lists the commands")
            try editor.type("undo")
            try editor.waitForLine(with: "There is nothing of yours to undo.")
            editor.endInput()
            _ = try editor.finish()
            #expect(try home.client("undo", "t", "--user", "ann").output.hasPrefix("added “Dinner”"))
            #expect(try home.client("redo", "t", "--user", "bob").output.isEmpty)
            // The daemon's own check accepts the files.
            let files = try RealFileSystem().list(home.dataDirectory).filter { $0.hasPrefix("person-") }
            #expect(files.sorted() == ["person-ann", "person-b%2Fb", "person-bob"])
            let check = try home.startDaemon(["check"]).finish()
            #expect(!(check.output + check.errors).contains("person-"), "\(check)")
        }

        @Test func `log, check, status and call print the daemon's data`() throws {
            let (home, _) = try ready()
            defer { home.end() }
            for day in 2...4 {
                _ = try home.client("move", "t", "Item 1", "--day", "\(day)", "--user", "Bob")
            }
            let log = try home.client("log", "t", "--limit", "2").output.split(separator: "\n")
            #expect(log.count == 2 && log[0].hasSuffix("Bob  moved “Item 1” from day 3 to day 4"), "\(log)")
            #expect(try json(home.client("log", "t", "--json"))["entries"]?.count == 3)
            #expect(try home.client("log", "t", "--limit", "0").status == .exited(64))
            #expect(try home.client("check", "t").status == .exited(0))
            _ = try home.client("add", "t", "A v B", "--game=g", "--starts=2027-01-01T13:00:00Z")
            let check = try home.client("check", "t")
            #expect(
                check.status == .exited(1) && check.output.contains("A v B is after the last day"), "\(check)"
            )
            #expect(check.errors.isEmpty)
            let problems = try home.client("check", "t", "--json")
            #expect(problems.status == .exited(1) && problems.output.contains("\"game_outside_trip\""))
            let reason = try JSONDocument(parsing: Array(problems.errors.utf8.dropLast())).root["error"]
            #expect(reason?["message"]?.string == "the trip has 1 problem", "\(problems)")
            let status = try home.client("status")
            #expect(status.status == .exited(0) && status.output.contains("1 trip"), "\(status)")
            let metrics = try home.client("status", "--prometheus").output
            #expect(metrics.contains("# TYPE itineraryd_commits_total counter\nitineraryd_commits_total "))
            #expect(try json(home.client("ping")).kind == .object)
            #expect(try json(home.client("schema"))["openrpc"]?.string != nil)
            #expect(try json(home.client("call", "trip.get", #"{"trip":"t"}"#))["items"]?.count == 4)
            let piped = try home.shell(#"printf '{"trip":\n"t"}' | $CLIENT call trip.sync -"#)
            #expect(try json(piped)["version"]?.int == 5)
            for (words, code) in [
                (["trip.get", "{}"], Int32(64)), (["trip.get", "{"], 64), (["trip.get", "[]"], 64),
                (["no.such"], 76), (["trip.get", #"{"trip":"x"}"#], 66),
            ] {
                let refused = try home.startClient(["call"] + words).finish()
                #expect(refused.status == .exited(code), "\(refused)")
            }
            #expect(try home.shell("echo '{' | $CLIENT call trip.get -").status == .exited(65))
            #expect(try home.client("call", "daemon.shutdown").status == .exited(0))
        }

        @Test func `status, and any command with --no-start, never starts a daemon`() throws {
            let home = try Home()
            defer { home.end() }
            #expect(try home.client("status").status == .exited(69))
            #expect(try home.client("ping", "--no-start").status == .exited(69))
            #expect(home.servingProcess == nil)
            #expect(try home.client("ping").status == .exited(0))
        }
    }
}
