import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    /// Another trip in place of the one that is open: what is typed on the way, and what becomes of the one before.
    @Suite struct OtherTripTests {
        /// A home with the sample trip of two items and with an empty trip, `bern`.
        private func ready() throws -> (home: Home, daemon: Program, bob: LineClient) {
            let home = try Home()
            let daemon = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(2, by: bob)
            try bob.result(
                "trip.create",
                #"{"name":"Bern","slug":"bern","startDate":"2026-06-11","timeZone":"UTC","dayCount":2}"#)
            return (home, daemon, bob)
        }

        private func count(_ trip: String, _ bob: LineClient) throws -> Int? {
            try bob.result("trip.get", #"{"trip":"\#(trip)"}"#)["items"]?.count
        }

        @Test func `what is typed behind the key that opens a trip is for that trip`() throws {
            let (home, daemon, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            let before = try ann.settings
            try ann.type("t")
            try ann.wait(for: "A new trip")
            daemon.send(SIGSTOP)
            try ann.type("bern\raDinner\r")
            try ann.wait(for: "Opening Bern")
            #expect(try ann.settings == before, "the terminal is not given back in between")
            daemon.send(SIGCONT)
            try ann.wait(for: "Added Dinner")
            #expect(ann.screen.text.contains("Bern"))
            try ann.type("q")
            #expect(try ann.finish() == .exited(0))
            #expect(try count("t", bob) == 2)
            #expect(try count("bern", bob) == 1)
        }

        @Test func `what is typed behind a new trip's form is for the new trip`() throws {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("t")
            try ann.wait(for: "A new trip")
            try ann.type("\u{E}")
            try ann.wait(for: "Time zone")
            try ann.type("Mine\raquarium\r")
            try ann.wait(for: "Added quarium")
            try ann.type("q")
            #expect(try ann.finish() == .exited(0))
            #expect(try count("mine", bob) == 1)
            #expect(try count("t", bob) == 2)
        }

        @Test func `where somebody deletes the trip, what is written stays to be read`() throws {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 120, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("aDinner with")
            try ann.wait(for: "Dinner with")
            try bob.result("trip.delete", #"{"trip":"t"}"#)
            try ann.wait(for: "goes to the trips")
            try ann.type(" and rm\r")
            try ann.wait(for: "goes to the trips")
            #expect(ann.screen.text.contains("Dinner with"))
            try ann.press(.interrupt)
            _ = try ann.finish()
            #expect(ann.screen.text.contains("title: Dinner with"), "it is said on the way out")
        }

        @Test func `a trip that cannot be opened leaves the plain editor where it was`() throws {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.startClient(["connect", "t", "--plain", "--user", "Ann"], input: .typed)
            try ann.waitForLine(with: "You are Ann.")
            try ann.type("trips")
            try ann.waitForLine(with: "Open the trip")
            try bob.result("trip.delete", #"{"trip":"bern"}"#)
            try ann.type("1")
            try ann.waitForLine(with: "It cannot be opened: the trip has been deleted.")
            try ann.waitForLine(with: "Open the trip")
            try ann.type("add Lost")
            try ann.waitForLine(with: "Nothing in the list matches")
            try ann.type("cancel\nadd Tea")
            try ann.waitForLine(with: "Added Tea.")
            try ann.type("quit")
            #expect(try ann.finish().status == .exited(1), "a line of it was not done")
            #expect(try count("t", bob) == 3)
        }

        @Test func `a form of an item that somebody holds keeps what is written`() throws {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 100, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("/Item 1\re")
            try ann.wait(for: "Title")
            try bob.result("trip.subscribe", #"{"trip":"t"}"#)
            _ = try bob.result("drag.begin", #"{"trip":"t","item":"\#(SampleTrip.id(1))"}"#)
            try ann.wait(for: "Bob")
            try ann.type(" by the sea\r")
            try ann.wait(for: "Bob is moving Item 1")
            #expect(ann.screen.text.contains("Item 1 by the sea"), "the form is still there")
            try ann.press(.interrupt)
            #expect(try ann.finish() == .exited(0))
        }

        @Test func `a trip that is called otherwise by now is not deleted by its old name`() throws {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("t")
            try ann.wait(for: "A new trip")
            try ann.type("bern\u{18}")
            try ann.wait(for: "Delete Bern?")
            try bob.result("trip.update", #"{"trip":"bern","name":"Zzz"}"#)
            try ann.type("y")
            try ann.wait(for: "It is not deleted: Bern is called Zzz now.")
            #expect(try count("bern", bob) == 0, "it is there")
            try ann.press(.interrupt)
            #expect(try ann.finish() == .exited(0))
        }

        @Test
        func `the form of another trip writes over nothing that somebody has written since it was opened`()
            throws
        {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 100, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("t")
            try ann.wait(for: "A new trip")
            try ann.type("bern\u{5}")
            try ann.wait(for: "Time zone")
            try bob.result("trip.update", #"{"trip":"bern","name":"Zzz"}"#)
            try ann.type("!\r")
            try ann.wait(for: "Name is Zzz now (somebody else). Enter again writes Bern!.")
            #expect(try bob.result("trip.get", #"{"trip":"bern"}"#)["trip"]?["name"]?.string == "Zzz")
            try ann.press(.interrupt)
            #expect(try ann.finish() == .exited(0))
        }

        @Test func `what cannot be told to a window that is closed is told by the next one`() throws {
            let (home, daemon, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            daemon.send(SIGSTOP)
            try ann.type("aDinner\r")
            try ann.wait(for: "Dinner: Day 1")
            ann.send(SIGHUP)
            #expect(try ann.finish() == .signalled(SIGHUP))
            daemon.send(SIGCONT)
            _ = try count("t", bob)
            let next = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try next.wait(for: "1 change could not be told of when the editor was closed last")
            try next.type("E")
            try next.wait(for: "May or may not be done: adding Dinner")
            try next.press(.interrupt)
            _ = try next.finish()
            let last = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try last.wait(for: "Item 1")
            try last.type("E")
            try last.wait(for: "Everything that you did has been done")
            try last.press(.interrupt)
            #expect(try last.finish() == .exited(0))
        }

        @Test func `what was being written when the window was closed is told by the next one`() throws {
            let (home, _, _) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("/Item 1\re")
            try ann.wait(for: "Title: Item 1")
            try ann.type("!")
            try ann.wait(for: "Title: Item 1!")
            ann.send(SIGHUP)
            #expect(try ann.finish() == .signalled(SIGHUP))
            let next = try home.openTerminal(["connect", "t"], columns: 120, rows: 24)
            try next.wait(for: "1 change could not be told of when the editor was closed last")
            try next.type("E")
            try next.wait(for: "writing Item 1: the window was closed")
            #expect(next.screen.text.contains("title: Item 1!"))
            // Whoever ends it otherwise reads it there.
            try next.press(.enter)
            try next.wait(without: "writing Item 1")
            try next.type("aDinner with")
            try next.wait(for: "New item: Dinner with")
            next.send(SIGTERM)
            #expect(try next.finish() == .signalled(SIGTERM))
            #expect(next.screen.text.contains("title: Dinner with"))
        }

        @Test func `a closed window keeps what was half written, and Ctrl-C prints it`()
            throws
        {
            let (home, _, _) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("aDinner with")
            try ann.wait(for: "New item: Dinner with")
            try ann.closeWindow()
            _ = try ann.finish()
            let next = try home.openTerminal(["connect", "t"], columns: 120, rows: 24)
            try next.wait(for: "1 change could not be told of when the editor was closed last")
            try next.type("E")
            try next.wait(for: "writing a new item: the window was closed")
            // The line is broken after 80 columns.
            #expect(next.screen.text.contains("title: Dinner\n    with"))
            try next.press(.enter)
            try next.type("aSupper at")
            try next.wait(for: "New item: Supper at")
            try next.press(.interrupt)
            #expect(try next.finish() == .exited(0))
            #expect(next.screen.text.contains("title: Supper at"))
        }

        @Test func `closing the window leaves time for what is on its way, as q does`() throws {
            let (home, daemon, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            daemon.send(SIGSTOP)
            // The second is sent when it is known what became of the first.
            try ann.type("aDinner\raSupper\r")
            try ann.wait(for: "Supper: Day 1")
            try ann.closeWindow()
            daemon.send(SIGCONT)
            #expect(try ann.finish() == .signalled(SIGHUP))
            #expect(try count("t", bob) == 4)
        }

        @Test func `a window that is closed while its editor leaves cuts nothing short`() throws {
            let (home, daemon, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            daemon.send(SIGSTOP)
            try ann.type("aDinner\raSupper\r")
            try ann.wait(for: "Supper: Day 1")
            try ann.type("q")
            try ann.wait(for: "Leaving when 2 changes have reached the daemon")
            // The end of the input, or here a key, has begun to end it already.
            ann.send(SIGHUP)
            daemon.send(SIGCONT)
            #expect(try ann.finish() == .signalled(SIGHUP))
            #expect(try count("t", bob) == 4)
        }
    }
}
