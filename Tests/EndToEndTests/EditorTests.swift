import JSONLine
import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    @Suite struct EditorTests {
        private static let first = "Arrive in Atlanta"
        private static let demo = ["demo", "--user", "Ann"]

        /// The editor with the drawn demonstration trip, and the focus on its first item.
        private func demo(in home: Home) throws -> Terminal {
            let terminal = try home.openTerminal(Self.demo)
            try terminal.wait(for: "Day 1 · Mon 15 Jun 2026")
            try terminal.press(.home, .down)
            try terminal.wait(for: "the first item in focus") { screen in
                screen.lines.contains { $0.hasPrefix("▌") && $0.contains(Self.first) }
            }
            return terminal
        }

        private func trip(_ client: LineClient) throws -> JSONNode {
            try client.result("trip.get", #"{"trip":"world-cup-2026"}"#)
        }

        private func titles(onDay day: Int, _ client: LineClient) throws -> [String] {
            try #require(trip(client)["items"]).elements.filter { $0["day"]?.int == day }
                .map { $0["title"]?.string ?? "travel" }
        }

        private func add(_ title: String, _ client: LineClient) throws {
            try client.result(
                "item.add",
                #"{"trip":"world-cup-2026","item":{"kind":"custom","title":"\#(title)"},"to":{"day":1,"at":"end"}}"#
            )
        }

        @Test func `the demo trip is drawn, and a drag moves an item`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            try terminal.wait(for: "World Cup 2026: Spain")
            let ann = try home.connect(as: "Bob")
            let before = try titles(onDay: 1, ann)
            #expect(before.first == Self.first)
            for title in before { #expect(terminal.screen.text.contains(title)) }

            try terminal.press(.space)
            try terminal.wait(for: "\(Self.first) is lifted, for days 1 to 35.")
            try terminal.press(.down)
            try terminal.wait(for: "Day 1, 2 of 3. After \(before[1]), before \(before[2]).")
            try terminal.press(.space)
            try terminal.wait(for: "Moved \(Self.first) from Day 1, 1 of 3 to Day 1, 2 of 3.")
            #expect(try titles(onDay: 1, ann) == [before[1], Self.first, before[2]])

            // Esc leaves everything where it is.
            let version = try trip(ann)["version"]?.int
            try terminal.press(.space)
            try terminal.wait(for: "is lifted")
            try terminal.press(.down, .down, .escape)
            try terminal.wait(for: "stays at Day 1, 2 of 3.")
            #expect(try trip(ann)["version"]?.int == version)
        }

        @Test func `a game cannot be dragged, and the reason is shown`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            try terminal.press(.down, .space)
            try terminal.wait(for: "An event follows its schedule and cannot be moved.")
        }

        @Test func `others' changes are shown at once, and wait during a drag`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let bob = try home.connect(as: "Bob")
            try bob.result("trip.subscribe", #"{"trip":"world-cup-2026"}"#)
            try terminal.wait(for: "Ann, Bob")
            try add("Coffee", bob)
            try terminal.wait(for: "Coffee")

            try terminal.press(.space)
            try terminal.wait(for: "is lifted")
            let held = try bob.next("trip.presence") { $0.text.contains("\"drag\"") }
            #expect(held.text.contains("Ann"))
            let rows = terminal.screen.lines.count { !$0.isEmpty }
            try add("Tea", bob)
            try terminal.wait(for: "1 change waiting")
            try add("Cake", bob)
            try terminal.wait(for: "2 changes waiting")
            try terminal.press(.down)
            try terminal.wait(for: "Day 1, 2 of 4.")
            #expect(!terminal.screen.text.contains("Tea"))
            #expect(terminal.screen.lines.count { !$0.isEmpty } == rows)
            try terminal.press(.space)
            try terminal.wait(for: "Moved \(Self.first)")
            try terminal.wait(for: "Tea")
            try terminal.wait(without: "waiting")
            #expect(terminal.screen.text.contains("Cake"))
        }

        @Test func `another user's drag is shown and blocks the item`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let bob = try home.connect(as: "Bob")
            try bob.result("trip.subscribe", #"{"trip":"world-cup-2026"}"#)
            let item = try #require(trip(bob)["items"]?.elements.first { _ in true }?["id"]?.string)
            let start = try bob.result("drag.begin", #"{"trip":"world-cup-2026","item":"\#(item)"}"#)
            let drag = try #require(start["drag"]?.string)
            try terminal.wait(for: "Bob is moving it")
            try terminal.press(.space)
            try terminal.wait(for: "Bob is moving \(Self.first).")
            try terminal.press(.enter)
            try bob.result("drag.drop", #"{"drag":"\#(drag)","to":{"day":2,"at":"end"}}"#)
            try terminal.wait(for: "Bob moved \(Self.first) to Day 2, 1 of 1")
            try terminal.wait(without: "Bob is moving it")
        }

        @Test(arguments: ["q", Terminal.Key.interrupt.rawValue])
        func `the end of the editor restores the terminal`(keys: String) throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            #expect(terminal.screen.isAlternate)
            #expect(try terminal.settings != terminal.settingsBefore)
            try terminal.type(keys)
            #expect(try terminal.finish() == .exited(0))
            try expectRestored(terminal)
        }

        @Test(arguments: [SIGSEGV, SIGILL, SIGTRAP, SIGABRT])
        func `a crash restores the terminal`(signal: Int32) throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            terminal.send(signal)
            #expect(try terminal.finish() == .signalled(signal))
            try expectRestored(terminal)
        }

        @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
        func `a signal restores the terminal`(signal: Int32) throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            // In the middle of a drag, which ends with the editor.
            try terminal.press(.space)
            try terminal.wait(for: "is lifted")
            terminal.send(signal)
            #expect(try terminal.finish() == .signalled(signal))
            try expectRestored(terminal)
            let bob = try home.connect(as: "Bob")
            let users = try bob.call("trip.subscribe", #"{"trip":"world-cup-2026"}"#)
            #expect(users.result?["presence"]?.count == 1, "\(users)")
        }

        private func expectRestored(_ terminal: Terminal) throws {
            #expect(try terminal.settings == terminal.settingsBefore)
            // Lines wrap and the cursor is visible, as before; no other mode is on.
            #expect(terminal.screen.modes == [7, 25])
        }

        @Test func `a window that is too small shows a message until it grows`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try home.openTerminal(Self.demo, columns: 30, rows: 8)
            try terminal.wait(for: "The window is 30×8;")
            #expect(!terminal.screen.text.contains("Day 1"))
            try terminal.resize(columns: 100, rows: 30)
            try terminal.wait(for: "Day 1 · Mon 15 Jun 2026")
            try terminal.resize(columns: 39, rows: 9)
            try terminal.wait(for: "The window is 39×9;")
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))
        }

        @Test func `the editor survives a crash of its daemon and starts another`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let watcher = try home.connect(as: "Carl")
            let before = try trip(watcher)
            try watcher.result("trip.subscribe", #"{"trip":"world-cup-2026"}"#)
            try terminal.press(.space)
            // The screen shows the drag at once; from here on the daemon has it too.
            _ = try watcher.next("trip.presence") { $0.text.contains("\"drag\"") }
            let killed = home.servingProcess
            try home.crashServing()
            try terminal.wait(for: "is no longer lifted")
            try terminal.wait(for: "a connection") { !$0.lines[0].contains("connect") }
            let bob = try home.connect(as: "Bob")
            #expect(home.servingProcess != killed)
            #expect(try Places(trip(bob)) == Places(before))
            try add("Coffee", bob)
            try terminal.wait(for: "Coffee")
            // The drag was lost: its keys do not apply to the list.
            try terminal.press(.space)
            try terminal.wait(for: "is no longer lifted")
            try terminal.press(.enter, .space)
            try terminal.wait(for: "is lifted, for days")
            try terminal.press(.down, .space)
            try terminal.wait(for: "Moved \(Self.first)")
            #expect(try titles(onDay: 1, bob)[1] == Self.first)
        }

        @Test func `a change in flight at a crash of the daemon is applied once`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let before = try titles(onDay: 1, home.connect(as: "Bob"))
            // A stopped process receives the request and does not answer.
            let daemon = try home.stopServing()
            try terminal.type("J")
            try terminal.wait(for: "\(Self.first): Day 1, 2 of 3.")
            kill(daemon, SIGKILL)
            try terminal.wait(for: "Moved \(Self.first) from Day 1, 1 of 3 to Day 1, 2 of 3.")
            #expect(home.servingProcess != daemon)
            let bob = try home.connect(as: "Bob")
            #expect(try titles(onDay: 1, bob) == [before[1], Self.first, before[2]])
            #expect(try trip(bob)["version"]?.int == 2)
        }

        @Test func `the editor finds its trip under a new slug`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let bob = try home.connect(as: "Bob")
            try bob.result("trip.update", #"{"trip":"world-cup-2026","slug":"renamed","name":"Renamed"}"#)
            try terminal.wait(for: "Renamed")
            try home.crashServing()
            try terminal.wait(for: "a connection lost") { $0.lines[0].contains("connect") }
            try terminal.wait(for: "a connection") { !$0.lines[0].contains("connect") }
            try home.connect(as: "Bob").result(
                "item.add", #"{"trip":"renamed","item":{"kind":"custom","title":"Coffee"}}"#)
            try terminal.wait(for: "Coffee")
        }

        @Test func `a daemon that was stopped by a user is not started again`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            try home.shutDown()
            try terminal.wait(for: "the daemon was stopped")
            #expect(home.servingProcess == nil)
            let daemon = try home.serve()
            try terminal.wait(without: "the daemon was stopped")
            try add("Coffee", home.connect(as: "Bob"))
            try terminal.wait(for: "Coffee")
            #expect(home.servingProcess == daemon.processID)
        }

        @Test func `two editors of one trip see each other`() throws {
            let home = try Home()
            defer { home.end() }
            let ann = try demo(in: home)
            let bob = try home.openTerminal(["connect", "--user", "Bob"])
            try bob.wait(for: "Day 1 · Mon 15 Jun 2026")
            try ann.wait(for: "Ann, Bob")
            try bob.press(.home, .down)
            try bob.wait(for: "the first item in focus") { screen in
                screen.lines.contains { $0.hasPrefix("▌") && $0.contains(Self.first) }
            }
            try bob.press(.space)
            try ann.wait(for: "Bob is moving it")
            try bob.press(.down, .space)
            try bob.wait(for: "Moved \(Self.first)")
            try ann.wait(for: "Bob moved \(Self.first) to Day 1, 2 of 3")
            try bob.type("q")
            #expect(try bob.finish() == .exited(0))
            try ann.wait(without: "Ann, Bob")
        }

        @Test func `a missing trip is reported without a screen`() throws {
            let home = try Home()
            defer { home.end() }
            let outcome = try home.client("connect", "nowhere", "--plain")
            #expect(outcome.status == .exited(66))
            #expect(outcome.errors.contains("nowhere"), "\(outcome.errors)")
        }
    }
}
