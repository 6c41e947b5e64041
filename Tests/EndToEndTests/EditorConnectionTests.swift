import JSONLine
import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    /// The editor without a daemon.
    @Suite struct EditorConnectionTests {
        private static let first = "Arrive in Atlanta"

        /// The editor with its first item in focus, and its daemon stopped by a user.
        private func stopped(in home: Home) throws -> Terminal {
            _ = try home.serve()
            let terminal = try home.openTerminal(["demo", "--user", "Ann"])
            try terminal.wait(for: "Day 1 · Mon 15 Jun 2026")
            try terminal.press(.home, .down)
            try terminal.wait(for: "the first item in focus") { screen in
                screen.lines.contains { $0.hasPrefix("▌") && $0.contains(Self.first) }
            }
            try home.shutDown()
            try terminal.wait(for: "the daemon was stopped; S starts it")
            return terminal
        }

        @Test func `changes made while disconnected show, are counted, and are applied after a reconnect`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            let terminal = try stopped(in: home)
            try terminal.type("J")
            try terminal.wait(for: "1 change not saved yet")
            try terminal.type("J")
            try terminal.wait(for: "2 changes not saved yet")
            _ = try home.serve()
            try terminal.wait(without: "not saved yet")
            // The second waits for the outcome of the first.
            let bob = try home.connect(as: "Bob")
            let timeout = Deadline()
            var titles: [String] = []
            while titles.last != Self.first {
                try timeout.check(for: "both moves")
                let items = try bob.result("trip.get", #"{"trip":"world-cup-2026"}"#)["items"]
                titles =
                    items?.elements.filter { $0["day"]?.int == 1 }.map { $0["title"]?.string ?? "" } ?? []
            }
            #expect(titles.count == 3)
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))
        }

        @Test func `at exit the editor lists the changes that did not reach the daemon`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try stopped(in: home)
            try terminal.type("J")
            try terminal.wait(for: "1 change not saved yet")
            try terminal.type("q")
            try terminal.wait(for: "The daemon has not confirmed moving \(Self.first)")
            try terminal.type("n")
            try terminal.type("q")
            try terminal.type("y")
            #expect(try terminal.finish() == .exited(69))
            #expect(terminal.screen.text.contains("1 change is not done:"))
            #expect(terminal.screen.text.contains("Not done: moving \(Self.first) to Day 1"))
        }

        @Test func `an editor that cannot continue lists the changes that were not applied`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try stopped(in: home)
            try terminal.type("J")
            try terminal.wait(for: "1 change not saved yet")
            // Another user has removed the trips meanwhile.
            try #require(rename(home.dataDirectory, home.dataDirectory + ".away") == 0)
            _ = try home.serve()
            // It reports that and stays open, so that the typed text is still visible.
            try terminal.wait(for: "Enter goes to the trips")
            try terminal.type("\u{3}")
            #expect(try terminal.finish() == .exited(0))
            #expect(terminal.screen.text.contains("Not done: moving \(Self.first) to Day 1"))
        }

        @Test func `a key starts a stopped daemon again, with the same trips`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try stopped(in: home)
            try terminal.type("J")
            try terminal.wait(for: "1 change not saved yet")
            try terminal.type("S")
            try terminal.wait(without: "not saved yet")
            #expect(home.servingProcess != nil)
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))
        }

        @Test func `a read-only editor is shown as a viewer`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let terminal = try home.openTerminal(["demo", "--user", "Ann"])
            try terminal.wait(for: "Day 1 · Mon 15 Jun 2026")
            // Users are in the order of their connections.
            let bob = try home.connect(as: "Bob")
            _ = try bob.call("trip.subscribe", #"{"trip":"world-cup-2026"}"#)
            let watcher = try home.startClient(["watch", "world-cup-2026", "--user", "Vic"])
            try terminal.wait(for: "Ann, Bob, Vic (viewing)")
            watcher.send(SIGTERM)
        }
    }
}
