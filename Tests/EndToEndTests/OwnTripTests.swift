import LocalSystem
import TerminalCore
import Testing

extension EndToEnd {
    /// The whole life of a trip, from an empty home directory.
    @Suite struct OwnTripTests {
        @Test func `a trip is created, planned, copied, deleted and restored by lines`() throws {
            let home = try Home()
            defer { home.end() }
            let ann = try home.startClient(["connect", "--plain", "--user", "Ann"], input: .typed)
            try ann.waitForLine(with: "1 of 4, name, now none:")
            try ann.type("Japan\n2027-04-01\n10\nAsia/Tokyo")
            try ann.waitForLine(with: "Japan: 10 days, 0 items, no problems.")
            try ann.waitForLine(with: "You are Ann.")
            try ann.type(
                "add Sushi to day 2\nedit Sushi time 19:30\nedit Sushi cost 40 EUR\nedit Sushi note by the gate"
            )
            try ann.waitForLine(with: "Changed note of Sushi.")
            try ann.type("trips")
            try ann.waitForLine(with: "Open the trip")
            try ann.type("copy 1\nJapan again\ndone")
            try ann.waitForLine(with: "Japan again: 10 days, 1 item, no problems. It costs 40 EUR.")
            try ann.type("trips")
            try ann.waitForLine(with: "Open the trip")
            try ann.type("delete 1\nyes")
            try ann.waitForLine(with: "It can be restored here until")
            try ann.waitForLine(with: "Open the trip")
            #expect(try home.client("list").output.split(separator: "\n").count == 1)
            try ann.type("3")
            try ann.waitForLine(with: "Sushi")
            try ann.waitForLine(with: "You are Ann.")
            try ann.type("show 1")
            let reported = try ann.waitForLine(with: "Sushi: ")
            #expect(
                reported.contains("time 19:30") && reported.contains("cost 40 EUR")
                    && reported.contains("note by the gate"))
            try ann.type("quit")
            #expect(try ann.finish().status == .exited(0))
            #expect(try home.client("list").output.split(separator: "\n").count == 2)
        }

        @Test func `after the open trip is deleted, the list of trips is shown`() throws {
            let home = try Home()
            defer { home.end() }
            let bob = try home.serve()
            let line = try home.connect(as: "Bob")
            try SampleTrip.make(2, by: line)
            let terminal = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try terminal.wait(for: "Item 1")
            try terminal.type("t")
            try terminal.wait(for: "A new trip")
            try terminal.type("\u{18}")
            try terminal.wait(for: "It can be restored here for 30 days. y/n")
            try terminal.type("y")
            try terminal.wait(for: "It can be restored here until")
            try terminal.wait(for: "Restore ")
            try terminal.type("\u{1B}[B\r")
            try terminal.wait(for: "Item 2")
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))
            bob.end()
        }

        @Test func `undo continues in the next session, also after a restart of the daemon`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            let line = try home.connect(as: "Bob")
            try SampleTrip.make(2, by: line)
            let ann = try home.startClient(["connect", "t", "--plain", "--user", "Ann"], input: .typed)
            try ann.waitForLine(with: "You are Ann.")
            try ann.type("remove Item 1\nquit")
            try ann.waitForLine(with: "Removed Item 1.")
            #expect(try ann.finish().status == .exited(0))
            daemon.end()
            let next = try home.serve()
            // On the screen, where the row is in focus again.
            let terminal = try home.openTerminal(["connect", "t", "--user", "Ann"], columns: 80, rows: 24)
            try terminal.wait(for: "Item 2")
            try terminal.type("u")
            try terminal.wait(for: "Undone: removed “Item 1” from day 1.")
            try terminal.type("e")
            try terminal.wait(for: "Title       Item 1")
            try terminal.press(.escape)
            try terminal.wait(for: "Space lift")
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))
            next.end()
        }

        @Test func `an unknown name can be created, and without a terminal it is an error`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try home.openTerminal(["connect", "oslo"], columns: 80, rows: 24)
            try terminal.wait(for: "There is no trip oslo. Create it? y/n")
            try terminal.type("y")
            try terminal.wait(for: "A new trip")
            try terminal.type("\r")
            try terminal.wait(for: "Day 7")
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))
            #expect(try home.client("connect", "rome", "--plain").status == .exited(66))
        }

        @Test func `a viewer changes nothing, and another locale is drawn in its letters`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let line = try home.connect(as: "Bob")
            try SampleTrip.make(2, by: line)
            let ann = try home.startClient(["connect", "t", "--plain", "--view"], input: .typed)
            try ann.waitForLine(with: "help lists the commands.")
            try ann.type("add Tea\nremove 1\nmove 1 to day 2\nedit 1 note x\nquit")
            for _ in 0..<4 { try ann.waitForLine(with: "You can only view this trip; nothing was changed.") }
            #expect(try ann.finish().status == .exited(1))
            #expect(try line.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
        }
    }
}
