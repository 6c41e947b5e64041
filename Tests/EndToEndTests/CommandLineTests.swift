import JSONLine
import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

extension EndToEnd {
    /// The parsing of command lines for all commands.
    @Suite struct CommandLineTests {
        private func ready() throws -> (home: Home, ann: LineClient) {
            let home = try Home()
            _ = try home.serve()
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(3, by: ann)
            return (home, ann)
        }

        @Test(
            arguments: [
                (["--user", "zed", "move", "t", "Item 1", "--day", "2"], Int32(0)),
                (["--day=2", "move", "t", "Item 1"], 0),
                (["move", "--day", "2", "t", "Item 1", "--json"], 0),
                (["move", "t", "--day=2", "--", "Item 1"], 0), (["move", "t", "Item 1", "--day"], 64),
                (["move", "t", "Item 1", "--day=2", "--day=3"], 64),
                (["move", "t", "Item 1", "--limit", "3"], 64),
                (["move", "t", "Item 1", "--json=yes", "--day", "2"], 64), (["move", "t"], 64),
                ([String](), 64),
                (["show", "t", "more"], 64), (["show", "-t"], 64),
            ] as [([String], Int32)])
        func `options can stand anywhere`(words: [String], status: Int32) throws {
            let (home, ann) = try ready()
            defer { home.end() }
            let outcome = try home.startClient(words).finish()
            #expect(outcome.status == .exited(status), "\(words): \(outcome)")
            #expect(try ann.places().items[id(1)]?.day == (status == 0 ? 2 : 1))
            #expect(outcome.errors.split(separator: "\n").count == (status == 0 ? 0 : 1), "\(outcome.errors)")
        }

        @Test(arguments: [
            (["lst"], "list"), (["connct"], "connect"), (["show", "t", "--jsn"], "--json"),
            (["add", "t", "x", "--dya", "2"], "--day"), (["edit", "t", "nmae=x"], "name"),
            (["edit", "t", "Item 1", "nots=x"], "note"), (["--hlep"], "--help"),
            (["completions", "zhs"], "zsh"), (["export", "t", "--format", "hmtl"], "html"),
        ])
        func `the error for a misspelt word names the nearest word`(words: [String], meant: String) throws {
            let (home, _) = try ready()
            defer { home.end() }
            let outcome = try home.startClient(words).finish()
            #expect(outcome.status == .exited(64), "\(outcome)")
            #expect(outcome.errors.contains("did you mean \(meant)?"), "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }

        @Test func `a trip or item is found by slug, name, id or prefix, in any case`() throws {
            let (home, ann) = try ready()
            defer { home.end() }
            let made = try ann.result(
                "trip.create",
                #"{"name":"My Trip 2027!","slug":"japan","startDate":"2027-04-01","timeZone":"UTC","dayCount":3}"#
            )
            let trip = try #require(made["trip"]?["id"]?.string)
            for name in [
                "japan", "JAPAN", "jap", "My Trip 2027!", "my trip", trip, trip.uppercased(),
                String(trip.prefix(8)),
            ] {
                let shown = try home.client("show", name)
                #expect(shown.output.hasPrefix("My Trip 2027! (japan)"), "\(name): \(shown)")
            }
            #expect(try home.client("add", "japan", "Dinner at Gonpachi").status == .exited(0))
            let near = try home.client("show", "jpan")
            #expect(near.status == .exited(66) && near.errors.contains("did you mean japan?"), "\(near)")
            let unlike = try home.client("show", "zzz")
            #expect(unlike.errors.contains("no trip zzz; itinerary-client list lists the trips"), "\(unlike)")
            let misspelt = try home.client("remove", "japan", "Diner")
            #expect(misspelt.status == .exited(66), "\(misspelt)")
            #expect(misspelt.errors.contains("did you mean Dinner at Gonpachi?"), "\(misspelt)")
            try ann.result(
                "trip.create",
                #"{"name":"J","slug":"jamaica","startDate":"2027-04-01","timeZone":"UTC","dayCount":3}"#)
            let ambiguous = try home.client("show", "ja")
            #expect(ambiguous.status == .exited(66))
            #expect(ambiguous.errors.contains("jamaica, japan"), "\(ambiguous.errors)")
            #expect(try home.client("remove", "t", "item 2").output == id(2) + "\n")
            let several = try home.client("remove", "t", "item")
            #expect(several.status == .exited(66) && several.errors.contains(id(3)), "\(several)")
        }

        @Test func `with JSON, an error is one JSON document with the daemon's message`()
            throws
        {
            let (home, _) = try ready()
            defer { home.end() }
            for (words, reason, code) in [
                (["show", "nowhere", "--json"], "trip_not_found", nil as Int?),
                (["--json", "lst"], "usage", 64),
                (["move", "t", "nothing", "--day=1", "--json"], "item_not_found", nil),
                (["move", "t", "Item 1", "--day=9", "--json"], "day_out_of_range", -32011),
                (["call", "trip.get", "{}", "--json"], "invalid_params", -32602),
            ] {
                let outcome = try home.startClient(words).finish()
                #expect(outcome.output.isEmpty)
                let error = try #require(try JSONDocument(parsing: Array(outcome.errors.utf8)).root["error"])
                #expect(error["reason"]?.string == reason, "\(outcome.errors)")
                #expect(error["message"]?.string?.isEmpty == false && error["code"]?.int != nil)
                if let code { #expect(error["code"]?.int == code, "\(outcome.errors)") }
                if code == -32602 { #expect(error["data"]?["field"]?.string == "trip") }
            }
        }

        @Test func `help begins with examples for every command`() throws {
            let home = try Home()
            defer { home.end() }
            let general = try home.client("--help").output
            #expect(try home.client("help").output == general)
            let commands = [
                "connect", "create", "list", "show", "check", "log", "status", "add", "move", "remove",
                "edit",
                "delete", "shift", "undo", "redo", "watch", "import", "export", "ping", "call", "schema",
                "completions", "man", "mcp", "demo", "help", "stop", "today", "next", "copy", "search",
                "restore", "swap", "repeat",
            ]
            for command in commands {
                #expect(general.contains("\n  \(command) "), "\(command)")
                let help = try home.client("help", command)
                #expect(help.output.hasPrefix("Examples:\n  itinerary-client "), "\(command): \(help)")
                #expect(help.output.contains("usage: itinerary-client \(command)"), "\(command)")
                #expect(try home.client(command, "--help").output == help.output)
                let page = try home.client("man", command)
                #expect(page.output.hasPrefix(".TH \"ITINERARY\\-CLIENT\\-"), "\(command): \(page)")
            }
            #expect(try home.client("help", "lst").errors.contains("did you mean list?"))
            #expect(home.servingProcess == nil, "help starts no daemon")
        }

        @Test(arguments: ["bash", "zsh", "fish"])
        func `completions are valid input for the shell`(shell: String) throws {
            let home = try Home()
            defer { home.end() }
            let script = try home.client("completions", shell)
            #expect(script.status == .exited(0) && script.output.contains("restore-removed"))
            // Without the shell the test cannot run.
            let check = try home.shell(
                "command -v \(shell) >/dev/null || exit 0; $CLIENT completions \(shell) | \(shell) -n")
            #expect(check.status == .exited(0) && check.errors.isEmpty, "\(check)")
        }

        @Test func `bash completes commands, options and trips`() throws {
            let (home, _) = try ready()
            defer { home.end() }
            func complete(_ words: String...) throws -> [String] {
                let list = words.map { "'\($0)'" }.joined(separator: " ")
                let outcome = try home.shell(
                    """
                    mkdir -p "$HOME/bin" && ln -sf $CLIENT "$HOME/bin/itinerary-client"
                    PATH="$HOME/bin:$PATH" bash -c '. <(itinerary-client completions bash)
                    COMP_WORDS=(itinerary-client '"\(list)"'); COMP_CWORD=\(words.count)
                    _itinerary_client; printf "%s\\n" "${COMPREPLY[@]}"'
                    """)
                return outcome.output.split(separator: "\n").map(String.init)
            }
            #expect(try complete("sh") == ["shift", "show"])
            #expect(try complete("show", "") == ["t"])
            #expect(try complete("export", "t", "--format", "h") == ["html"], "import has none such")
            #expect(try complete("import", "x", "--format", "") == ["ics", "csv", "json"])
            #expect(try complete("export", "--format", "=", "m") == ["md"])
            #expect(try complete("export", "--format", "=", "md", "") == ["t"])
            #expect(try complete("import", "x.ics", "t", "--restore") == ["--restore-removed"])
        }

        @Test func `output to a full disk is an error, and output to a broken pipe is not`() throws {
            let (home, _) = try ready()
            defer { home.end() }
            for command in [
                "list", "show t", "log t", "export t", "check t", "status", "schema", "help", "man",
            ] {
                let full = try home.shell("$CLIENT \(command) >/dev/full")
                let isEmpty = command == "check t" || command == "log t"
                #expect(full.status == .exited(isEmpty ? 0 : 74), "\(command): \(full)")
                #expect(
                    try home.shell("{ $CLIENT \(command); echo $? >&2; } | true").errors == "0\n",
                    "\(command)")
            }
        }

        @Test func `an interrupted command has the exit code of the signal`() throws {
            let (home, _) = try ready()
            defer { home.end() }
            let watch = try home.startClient(["watch", "t"])
            try watch.waitForLine(with: "version")
            watch.send(SIGINT)
            #expect(try watch.finish().status == .exited(130))
        }
    }
}
