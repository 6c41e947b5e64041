import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

extension EndToEnd {
    /// Opening another trip in place of the open one: keys typed meanwhile, and changes of the first trip.
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

        @Test func `keys typed after the key that opens a trip apply to that trip`() throws {
            let (home, daemon, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            let before = try ann.settings
            try ann.type("t")
            try ann.wait(for: "A new trip")
            _ = try home.stopServing()
            try ann.type("/bern\raDinner\r")
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

        @Test func `keys typed after a new trip's form apply to the new trip`() throws {
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

        @Test func `the trip being opened is named before the daemon answers`() throws {
            let (home, daemon, _) = try ready()
            defer { home.end() }
            _ = try home.stopServing()
            let ann = try home.openTerminal(["connect", "bern"], columns: 80, rows: 24)
            try ann.wait(for: "Opening bern… Ctrl-C leaves.")
            daemon.send(SIGCONT)
            try ann.wait(for: "Day 1 · ")
            try ann.type("q")
            #expect(try ann.finish() == .exited(0))
        }

        @Test func `a trip is not deleted if its items have changed since the question`() throws {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("t")
            try ann.wait(for: "A new trip")
            try ann.type("d")
            try ann.wait(for: "Delete Bern?")
            try bob.result(
                "item.add",
                #"{"trip":"bern","item":{"kind":"custom","title":"Tea"},"to":{"day":1,"at":"end"}}"#)
            try ann.type("y")
            try ann.wait(for: "It was not deleted: Bern has 1 item now.")
            #expect(try count("bern", bob) == 1)
        }

        @Test func `after another user deletes the trip, written text stays readable`() throws {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
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

        @Test func `a trip that cannot be opened leaves the plain editor in its trip`() throws {
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

        @Test func `the form of an item that another user drags keeps its text`() throws {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 100, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("/Item 1\re")
            try ann.wait(for: "Title")
            try bob.result("trip.subscribe", #"{"trip":"t"}"#)
            _ = try bob.result("drag.begin", #"{"trip":"t","item":"\#(id(1))"}"#)
            try ann.wait(for: "Bob")
            try ann.type(" by the sea\r")
            try ann.wait(for: "Bob is moving Item 1")
            #expect(ann.screen.text.contains("Item 1 by the sea"), "the form is still there")
            try ann.press(.interrupt)
            #expect(try ann.finish() == .exited(0))
        }

        @Test func `a trip that was renamed is not deleted by its old name`() throws {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("t")
            try ann.wait(for: "A new trip")
            try ann.type("d")
            try ann.wait(for: "Delete Bern?")
            try bob.result("trip.update", #"{"trip":"bern","name":"Zzz"}"#)
            try ann.type("y")
            try ann.wait(for: "It was not deleted: Bern is called Zzz now.")
            #expect(try count("bern", bob) == 0, "it is there")
            try ann.press(.interrupt)
            #expect(try ann.finish() == .exited(0))
        }

        @Test
        func `the form of another trip does not overwrite others' changes since it was opened`()
            throws
        {
            let (home, _, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 100, rows: 24)
            try ann.wait(for: "Item 1")
            try ann.type("t")
            try ann.wait(for: "A new trip")
            try ann.type("e")
            try ann.wait(for: "Time zone")
            try bob.result("trip.update", #"{"trip":"bern","name":"Zzz"}"#)
            try ann.type("!\r")
            try ann.wait(for: "Name is now Zzz (someone else). Enter again saves Bern!.")
            #expect(try bob.result("trip.get", #"{"trip":"bern"}"#)["trip"]?["name"]?.string == "Zzz")
            try ann.press(.interrupt)
            #expect(try ann.finish() == .exited(0))
        }

        @Test func `a message for a closed window is shown by the next editor`() throws {
            let (home, daemon, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            _ = try home.stopServing()
            try ann.type("aDinner\r")
            try ann.wait(for: "Dinner: Day 1")
            ann.send(SIGHUP)
            #expect(try ann.finish() == .signalled(SIGHUP))
            daemon.send(SIGCONT)
            _ = try count("t", bob)
            let next = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try next.wait(for: "1 change was not saved or not confirmed when a window was closed")
            try next.type("E")
            try next.wait(for: "May or may not be saved: adding Dinner")
            try next.press(.interrupt)
            _ = try next.finish()
            let last = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try last.wait(for: "Item 1")
            try last.type("E")
            try last.wait(for: "All your changes are saved")
            try last.press(.interrupt)
            #expect(try last.finish() == .exited(0))
        }

        @Test func `text written when the window closed is shown by the next editor`() throws {
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
            let next = try home.openTerminal(["connect", "t"], columns: 100, rows: 24)
            try next.wait(for: "1 change was not saved or not confirmed when a window was closed")
            try next.type("E")
            try next.wait(for: "writing Item 1: the window was closed")
            #expect(next.screen.text.contains("title: Item 1!"))
            // Other ways to end print it there.
            try next.press(.enter)
            try next.wait(without: "writing Item 1")
            try next.type("aDinner with")
            try next.wait(for: "New item: Dinner with")
            next.send(SIGTERM)
            #expect(try next.finish() == .signalled(SIGTERM))
            #expect(next.screen.text.contains("title: Dinner with"))
        }

        @Test func `a closed window keeps half-written text, and Ctrl-C prints it`()
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
            let next = try home.openTerminal(["connect", "t"], columns: 100, rows: 24)
            try next.wait(for: "1 change was not saved or not confirmed when a window was closed")
            try next.type("E")
            try next.wait(for: "writing a new item: the window was closed")
            #expect(next.screen.text.contains("title: Dinner with"))
            try next.press(.enter)
            try next.type("aSupper at")
            try next.wait(for: "New item: Supper at")
            try next.press(.interrupt)
            #expect(try next.finish() == .exited(0))
            #expect(next.screen.text.contains("title: Supper at"))
        }

        @Test func `closing the window waits for changes in flight, as q does`() throws {
            let (home, daemon, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            _ = try home.stopServing()
            // The second is sent after the outcome of the first is known.
            try ann.type("aDinner\raSupper\r")
            try ann.wait(for: "Supper: Day 1")
            try ann.closeWindow()
            daemon.send(SIGCONT)
            #expect(try ann.finish() == .signalled(SIGHUP))
            #expect(try count("t", bob) == 4)
        }

        @Test func `closing the window during the editor's exit interrupts nothing`() throws {
            let (home, daemon, bob) = try ready()
            defer { home.end() }
            let ann = try home.openTerminal(["connect", "t"], columns: 80, rows: 24)
            try ann.wait(for: "Item 1")
            _ = try home.stopServing()
            try ann.type("aDinner\raSupper\r")
            try ann.wait(for: "Supper: Day 1")
            try ann.type("q")
            try ann.wait(for: "Waiting for 2 changes before leaving")
            // The end of the input, or here a key, has already begun the exit.
            ann.send(SIGHUP)
            daemon.send(SIGCONT)
            #expect(try ann.finish() == .signalled(SIGHUP))
            #expect(try count("t", bob) == 4)
        }
    }
}
