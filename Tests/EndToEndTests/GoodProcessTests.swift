import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    /// The editor as a process: stopped, continued, with a terminal that does not read.
    @Suite struct GoodProcessTests {
        private static let ready = "Day 1 · Mon 15 Jun 2026"

        private func demo(in home: Home) throws -> Terminal {
            let terminal = try home.openTerminal(["demo", "--user", "Ann"])
            try terminal.wait(for: Self.ready)
            return terminal
        }

        @Test func `Ctrl-Z is ignored without a shell that could continue the editor`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            try terminal.type("\u{1A}")
            try terminal.type("/")
            try terminal.wait(for: "Search:")
            #expect(try terminal.settings != terminal.settingsBefore, "keys come as they are")
        }

        @Test func `Ctrl-Z gives the terminal to the shell, and fg returns it`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try home.openShell(
                "$CLIENT demo --user Ann; echo shell reads; read line; fg; exit")
            try terminal.wait(for: Self.ready)
            try terminal.type("\u{1A}")
            try terminal.wait(for: "shell reads")
            #expect(try terminal.settings == terminal.settingsBefore)
            try terminal.type("go on\n")
            try terminal.wait(for: Self.ready)
            try terminal.type("/")
            try terminal.wait(for: "Search:")
            try terminal.press(.escape)
            try terminal.wait(without: "Search:")
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))
        }

        @Test(arguments: ["connect t --user Ann", "connect t --plain --user Ann"])
        func `in the background the editor stops, leaves the terminal to the shell, and fg returns it`(
            command: String
        ) throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            try SampleTrip.make(1, by: home.connect(as: "Bob"))
            let isStopped = "until jobs > jobs.txt; grep -q Stopped jobs.txt; do :; done"
            let terminal = try home.openShell(
                "cd \"$HOME\"; $CLIENT \(command); bg; \(isStopped); echo shell reads; read line; "
                    + "[ \"$line\" = 'go on' ] || exit 7; fg; "
                    + "$CLIENT \(command) & \(isStopped); echo begun behind; read line; fg; exit")
            let isPlain = command.contains("plain")
            let ready = isPlain ? "You are Ann" : "Item 1"
            let keys = isPlain ? ("add Tea\n", "add Cake\n", "quit\n") : ("aTea\r", "aCake\r", "q")
            try terminal.wait(for: ready)
            try terminal.type("\u{1A}")
            try terminal.wait(for: "shell reads")
            #expect(try terminal.settings == terminal.settingsBefore)
            terminal.clear()
            try terminal.type("go on\n")
            if !isPlain { try terminal.wait(for: ready) }
            try terminal.type(keys.0)
            try terminal.wait(for: "Added Tea")
            try terminal.type(keys.2)
            try terminal.wait(for: "begun behind")
            #expect(try terminal.settings == terminal.settingsBefore)
            terminal.clear()
            try terminal.type("\n")
            try terminal.wait(for: ready)
            try terminal.type(keys.1)
            try terminal.wait(for: "Added Cake")
            try terminal.type(keys.2)
            #expect(try terminal.finish() == .exited(0))
        }

        @Test func `a continued editor takes the terminal again and redraws everything`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let raw = try terminal.settings
            terminal.send(SIGSTOP)
            // As a shell does when one of its jobs is stopped.
            try terminal.set(terminal.settingsBefore)
            terminal.clear()
            terminal.send(SIGCONT)
            // The end of the first frame may still be in flight, and contains the day too.
            try terminal.wait(for: "the list, and keys as they are") {
                $0.text.contains(Self.ready) && (try? terminal.settings) == raw
            }
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))
            #expect(try terminal.settings == terminal.settingsBefore)
        }

        @Test func `a terminal of unknown size gets 80 columns and 24 rows`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            try terminal.type("G")
            try terminal.wait(without: Self.ready)
            try terminal.forgetSize()
            terminal.clear()
            try terminal.press(.home)
            try terminal.wait(for: "the list in 24 rows") { screen in
                screen.text.contains(Self.ready) && screen.lines.last?.contains("a add") == true
            }
        }

        @Test(arguments: [SIGTERM, SIGHUP])
        func `the editor exits although its terminal does not read`(signal: Int32) throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let bob = try home.connect(as: "Bob")
            try bob.result("trip.subscribe", #"{"trip":"world-cup-2026"}"#)
            // Far more than a terminal's buffer, without a reader.
            for _ in 0..<300 { try terminal.type("Gg") }
            terminal.send(signal)
            _ = try bob.next("trip.presence") { !$0.text.contains("Ann") }
            #expect(try terminal.finish() == .signalled(signal))
            #expect(try terminal.settings == terminal.settingsBefore)
        }

        @Test(arguments: [SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU])
        func `every kind of end restores the terminal`(signal: Int32) throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            terminal.send(signal)
            #expect(try terminal.finish() == .signalled(signal))
            #expect(try terminal.settings == terminal.settingsBefore)
            #expect(terminal.screen.modes == [7, 25])
        }

        #if os(Linux)
        @Test func `a killed daemon that the editor started leaves no zombie process`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let killed = try #require(home.servingProcess)
            try home.crashServing()
            try terminal.wait(for: "not connected")
            try terminal.wait(without: "not connected")
            #expect(try FileStatus.ofPath("/proc/\(killed)") == nil)
        }
        #endif

        @Test func `if the chosen trip is deleted before it opens, the editor stays in its trip`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let bob = try home.connect(as: "Bob")
            try bob.result(
                "trip.create",
                #"{"name":"Summer","slug":"summer","startDate":"2026-07-01","timeZone":"UTC","dayCount":3}"#)
            try terminal.type("t")
            try terminal.wait(for: "Open the trip")
            try terminal.type("/summ")
            try bob.result("trip.delete", #"{"trip":"summer"}"#)
            try terminal.press(.enter)
            try terminal.wait(for: "the list of those that are left") {
                $0.text.contains("It cannot be opened: the trip has been deleted.")
                    && $0.text.contains("A new trip") && $0.text.contains("Restore Summer")
            }
            // Keys of the first second apply to the trip that did not open; in the list Esc has no further effect.
            let clock = ContinuousClock()
            for _ in 0..<8 {
                let next = clock.now + .milliseconds(200)
                while clock.now < next { try bob.result("ping") }
                try terminal.press(.escape)
            }
            try terminal.wait(for: Self.ready)
        }

        @Test func `a silent daemon is noticed, and pending changes are counted`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try demo(in: home)
            let daemon = try home.stopServing()
            try terminal.press(.home, .down)
            try terminal.type("J")
            try terminal.wait(for: "the daemon does not answer; 1 change not saved yet")
            kill(daemon, SIGCONT)
            try terminal.wait(for: "Moved")
            try terminal.wait(without: "does not answer")
        }
    }
}
