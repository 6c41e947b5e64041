import LocalSystem
import TerminalCore
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

extension EndToEnd {
    /// `connect --plain`: the editor by lines, over pipes and in a terminal.
    @Suite struct PlainTests {
        /// A home with a daemon and the sample trip, and the plain editor, which has printed the trip.
        private func ready(_ count: Int = 3) throws -> (
            home: Home, daemon: Program, bob: LineClient, ann: Program
        ) {
            let home = try Home()
            let daemon = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(count, by: bob)
            let ann = try home.startClient(["connect", "t", "--plain", "--user", "Ann"], input: .typed)
            try ann.waitForLine(with: "You are Ann.")
            return (home, daemon, bob, ann)
        }

        /// The next printed line.
        private func expect(
            _ said: String, by program: Program, sourceLocation: SourceLocation = #_sourceLocation
        )
            throws
        {
            #expect(try program.nextLine() == said, sourceLocation: sourceLocation)
        }

        private func order(_ client: LineClient) throws -> [String] { try client.places().order }

        @Test func `lines are answered, others' changes are printed, and quit waits for delivery`() throws {
            let (home, _, bob, ann) = try ready()
            defer { home.end() }
            try ann.type("add Tea to day 2")
            try expect("Added Tea. u undoes it.", by: ann)
            try ann.type("move 1 to day 2")
            try expect("Moved Item 1 from Day 1, 1 of 3 to Day 2, 2 of 2. u undoes it.", by: ann)
            #expect(try order(bob).last == id(1))
            try ann.type("undo")
            try expect("Undone: moved “Item 1” from day 1 to day 2.", by: ann)
            #expect(try order(bob).first == id(1))
            try bob.result("item.move", LineClient.moving(3, to: end(5)))
            let reported = try ann.waitForLine(with: "Bob")
            #expect(reported.lowercased() == "bob moved item 3 to day 5, 1 of 1.")
            // The number belongs to the item, wherever it is now.
            try ann.type("3")
            try expect("3. Item 3. Day 5, 1 of 1.", by: ann)
            try ann.type("add Last\nquit\nadd Never")
            try expect("Added Last. u undoes it.", by: ann)
            try expect("Leaving.", by: ann)
            let outcome = try ann.finish()
            #expect(outcome.status == .exited(0))
            #expect(outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(outcome.output.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 && $0 != 0x7F })
            #expect(!outcome.output.contains("> "), "a prompt is for terminals")
            #expect(try bob.result("trip.get", #"{"trip":"t"}"#)["items"]?.count == 5)
        }

        @Test func `a drag holds the item, and others' changes wait`() throws {
            let (home, _, bob, ann) = try ready()
            defer { home.end() }
            try bob.result("trip.subscribe", #"{"trip":"t"}"#)
            try expect("Bob is here.", by: ann)
            try ann.type("lift 1")
            try expect("Item 1 is lifted, for days 1 to 5.", by: ann)
            _ = try bob.next("trip.presence") { $0.text.contains("\"drag\"") }
            try bob.result("item.move", LineClient.moving(3, to: end(4)))
            try expect("1 change waiting.", by: ann)
            try ann.type("next day\nlist 4\ndrop")
            try expect("Day 2, 1 of 1. Nothing else is on this day.", by: ann)
            try expect("Day 4, Sun 14 Jun 2026, nothing yet.", by: ann)
            try expect(
                "Moved Item 1 from Day 1, 1 of 3 to Day 2, 1 of 1. u undoes it. Meanwhile Bob moved Item 3 to Day 4, 1 of 1.",
                by: ann)
            try ann.waitForLine(with: "shown now")
            #expect(try order(bob) == [2, 1, 3].map(id))
            try ann.type("list 4")
            try ann.waitForLine(with: "3. Item 3.")
        }

        @Test func `another trip is opened, and lines typed ahead apply to it`()
            throws
        {
            let (home, _, bob, ann) = try ready(1)
            defer { home.end() }
            try bob.result(
                "trip.create",
                #"{"name":"Weekend","slug":"a","startDate":"2026-07-01","timeZone":"UTC","dayCount":2}"#)
            let path = try home.write(
                "gameId,title,startsAt\ngame-Paris-1,France v Spain,2026-07-02T18:00:00Z\n", to: "games.csv")
            try ann.type("trips")
            try expect("Loading the trips...", by: ann)
            let choices = [try #require(try ann.nextLine()), try #require(try ann.nextLine())]
            let number = try #require(choices.firstIndex { $0.contains("Weekend") }) + 1
            try expect("3. A new trip.", by: ann)
            try expect(
                "Open the trip, by number; or new, edit 1, copy 1, delete 1; cancel leaves it.", by: ann)
            try ann.type("\(number)\nadd Walk to day 2\nimport \(path)\nyes\nquit")
            try expect("Opening Weekend...", by: ann)
            try expect("Weekend: 2 days, 0 items, no problems.", by: ann)
            try ann.waitForLine(with: "Added Walk.")
            try ann.waitForLine(with: "Import games.csv? Answer yes or cancel.")
            try expect("Imported: 1 new, 0 changed. u undoes it.", by: ann)
            try expect("Leaving.", by: ann)
            #expect(try ann.finish().status == .exited(0))
            #expect(try bob.result("trip.get", #"{"trip":"a"}"#)["items"]?.count == 2)
        }

        @Test func `a line after an undo sees the undo's result`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(2, by: bob)
            let script = String(
                repeating: "remove Item 1\nundo\nshow Item 1\nredo\nundo\nshow Item 1\n", count: 8)
            let path = try home.write(script, to: "script")
            let ann = try home.startClient(["connect", "t", "--plain"], input: .file(path))
            let outcome = try ann.finish()
            #expect(outcome.status == .exited(0), "\(outcome.output)")
            #expect(!outcome.output.contains("No item is called"))
        }

        @Test func `a script with a failed line ends with an error's exit code`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(2, by: bob)
            for (script, code) in [
                ("add Tea\nmove 1 to day 2\nquit\n", 0), ("mvoe 1 to day 2\nquit\n", 1),
                ("move 77 to day 2\n", 1), ("move 1 to day 99\n", 1), ("remove 99\n", 1), ("add Half", 1),
            ] {
                let path = try home.write(script, to: "script")
                let ann = try home.startClient(
                    ["connect", "t", "--plain", "--user", "Zed\(code)"], input: .file(path))
                let outcome = try ann.finish()
                #expect(outcome.status == .exited(Int32(code)), "\(script): \(outcome)")
            }
        }

        @Test func `a file is a session, and its unfinished last line is not executed`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(1, by: bob)
            let script = (1...40).map { "add Stop \($0) to day 3\n" }.joined() + "delete 1\nadd Half"
            let path = try home.write(script, to: "script")
            let ann = try home.startClient(["connect", "t", "--plain"], input: .file(path))
            let outcome = try ann.finish()
            #expect(outcome.status == .exited(1), "\(outcome)")
            let lines = outcome.output.split(separator: "\n").map(String.init)
            let added = (1...40).map { "Added Stop \($0). u undoes it." }
            #expect(
                lines.suffix(43)
                    == added + [
                        "Removed Item 1. u undoes it.", "The last line is incomplete and was ignored.",
                        "Leaving.",
                    ])
            #expect(try order(bob).count == 40)
            daemon.end()
        }

        @Test func `a lost connection is reported, and edits made offline are kept`() throws {
            let (home, daemon, _, ann) = try ready()
            defer { home.end() }
            daemon.send(SIGTERM)
            try ann.waitForLine(with: "The connection is lost")
            // This client does not start a daemon that a user stopped.
            try ann.type("add Tea to day 2")
            try expect(
                "Kept until the connection is back: Added Tea. u undoes it.", by: ann)
            #expect(try daemon.finish().status == .exited(0))
            _ = try home.serve()
            try ann.waitForLine(with: "Connected again.")
            try ann.waitForLine(with: "Added Tea.")
            let bob = try home.connect(as: "Bob")
            #expect(try order(bob).count == 4)
            ann.endInput()
            #expect(try ann.finish().status == .exited(0))
        }

        @Test func `changes that never reached the daemon are counted at the end`() throws {
            let (home, daemon, _, ann) = try ready()
            defer { home.end() }
            daemon.send(SIGTERM)
            try ann.waitForLine(with: "The connection is lost")
            try ann.type("add Tea\nquit")
            let outcome = try ann.finish()
            #expect(outcome.status == .exited(69), "\(outcome)")
            let last = outcome.output.split(separator: "\n").suffix(3)
            #expect(last.first == "Leaving.")
            #expect(last.contains("Waiting for 1 change (adding Tea) before leaving. Ctrl-C leaves now."))
            #expect(last.last?.hasPrefix("Not done: ") == true)
            #expect(
                outcome.errors.contains(
                    "1 change is not done:\n  Not done: adding Tea: the daemon has stopped"),
                "\(outcome.errors)")
        }

        @Test func `a terminal gets a prompt, and its mode is restored`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try home.openTerminal(
                ["demo", "--plain", "--user", "Ann"], columns: 100, rows: 100)
            try terminal.wait(for: "You are Ann. help lists the commands.")
            try terminal.wait(for: "a prompt") { $0.lines.contains { $0.hasPrefix(">") } }
            try terminal.type("add Tea\n")
            try terminal.wait(for: "> add Tea")
            try terminal.wait(for: "Added Tea. u undoes it.")
            let bob = try home.connect(as: "Bob")
            try bob.result("trip.subscribe", #"{"trip":"world-cup-2026"}"#)
            try terminal.wait(for: "Bob is here.")
            try terminal.type("quit\n")
            try terminal.wait(for: "Leaving.")
            #expect(try terminal.finish() == .exited(0))
        }
    }
}
