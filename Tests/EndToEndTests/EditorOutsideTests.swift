import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    /// External input of the editor: a configuration, pastes, files, other trips.
    @Suite struct EditorOutsideTests {
        private static let ready = "Day 1 · Mon 15 Jun 2026"

        private func paste(_ text: String, _ terminal: Terminal) throws {
            try terminal.type("\u{1B}[200~\(text)\u{1B}[201~")
        }

        @Test func `a pasted text becomes an item, is placed and stored`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try home.openTerminal(["demo"])
            try terminal.wait(for: Self.ready)
            try paste("Mu\u{1B}[31mseum\nSandwich", terminal)
            try terminal.wait(for: "and 1 more are lifted, for days 1 to 35.")
            try terminal.type(" ")
            try terminal.wait(for: "Added 2 items.")
            try terminal.wait(for: "u undoes it")
            #expect(try home.client("show", "world-cup-2026").output.contains("Sandwich"))
            try terminal.type("u")
            try terminal.wait(without: "Sandwich")
        }

        @Test func `the message contains an address that no program can open`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            #expect(try home.client("create", "Cup", "--start", "2027-05-01").status == .exited(0))
            let url = "url=https://tickets.example"
            #expect(try home.client("add", "cup", "Tickets", url, "--day", "1").status == .exited(0))
            let opener = try home.write("#!/bin/sh\nexit 3\n", to: "xdg-open")
            try #require(chmod(opener, 0o700) == 0)
            let terminal = try home.openShell("PATH='\(home.path)' $CLIENT connect cup")
            try terminal.wait(for: "Tickets")
            try terminal.type("/tickets\ro")
            try terminal.wait(for: "xdg-open could not open https://tickets.example")
        }

        @Test func `a dropped table is shown before it is imported`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try home.openTerminal(["demo"])
            try terminal.wait(for: Self.ready)
            let path = try home.write(
                "gameId,title,startsAt,city\nx1,Aland v Bland,2026-06-16T12:00:00Z,Atlanta\nx2,C v D,soon,\n",
                to: "some games.csv")
            try paste(path.replacing(" ", with: "\\ "), terminal)
            try terminal.wait(for: "Import some games.csv?")
            try terminal.wait(for: "1 new, 0 changed, 0 as they are, 1 skipped")
            #expect(terminal.screen.text.contains("line 3"))
            try terminal.type("\r")
            try terminal.wait(for: "Imported: 1 new, 0 changed.")
            #expect(try home.client("show", "world-cup-2026").output.contains("Aland v Bland"))
            try paste("/nowhere/games.csv", terminal)
            try terminal.wait(for: "there is no file /nowhere/games.csv")
            let large = try home.write("gameId,title,startsAt\n", to: "large.csv")
            try #require(truncate(large, 64 << 20 | 1) == 0)
            try paste(large, terminal)
            try terminal.wait(for: "has more than 64 MiB")
        }

        @Test func `a removed game stays removed when its table is dropped again`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try home.openTerminal(["demo"])
            try terminal.wait(for: Self.ready)
            let table = "gameId,title,startsAt,city\nx1,Aland v Bland,2026-06-16T12:00:00Z,Atlanta\n"
            try paste(try home.write(table, to: "games.csv"), terminal)
            try terminal.wait(for: "1 new, 0 changed")
            try terminal.type("\r")
            try terminal.wait(for: "Imported: 1 new, 0 changed.")
            #expect(try home.client("remove", "world-cup-2026", "Aland v Bland").status == .exited(0))
            try terminal.wait(for: "removed Aland v Bland")
            let longer = table + "x2,Cland v Dland,2026-06-16T12:00:00Z,Atlanta\n"
            try paste(try home.write(longer, to: "games.csv"), terminal)
            try terminal.wait(for: "1 new, 0 changed, 0 as they are, 0 skipped")
            #expect(terminal.screen.text.contains("new: Cland v Dland, 16 Jun"))
            #expect(!terminal.screen.text.contains("new: Aland v Bland"))
            #expect(terminal.screen.text.contains("it was removed from the trip"))
        }

        @Test
        func
            `keys typed after the choice of another trip apply to it, or to none if it does not open`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            let terminal = try home.openTerminal(["demo", "--user", "Ann"])
            try terminal.wait(for: Self.ready)
            let bob = try home.connect(as: "Bob")
            try bob.result(
                "trip.create",
                #"{"name":"Summer","slug":"summer","startDate":"2026-07-01","timeZone":"UTC","dayCount":3}"#)
            let before = try bob.result("trip.get", #"{"trip":"world-cup-2026"}"#)["version"]?.int
            try terminal.type("t")
            try terminal.wait(for: "Open the trip")
            // In one write; with a word that consists of key commands of the list.
            try terminal.type("/summ\raAquarium dq\raTea\r")
            try terminal.wait(for: "Added Tea.")
            try terminal.wait(for: "Aquarium dq")
            let items = try bob.result("trip.get", #"{"trip":"summer"}"#)["items"]
            #expect(Set(items?.elements.compactMap { $0["title"]?.string } ?? []) == ["Aquarium dq", "Tea"])
            #expect(try bob.result("trip.get", #"{"trip":"world-cup-2026"}"#)["version"]?.int == before)
            try bob.result(
                "trip.create",
                #"{"name":"Winter","slug":"winter","startDate":"2026-07-01","timeZone":"UTC","dayCount":3}"#)
            try terminal.type("t")
            try terminal.wait(for: "Open the trip")
            try terminal.type("/wint")
            try terminal.wait(for: "Winter")
            try bob.result("trip.delete", #"{"trip":"winter"}"#)
            try terminal.type("\rdd")
            try terminal.wait(for: "It cannot be opened")
            try terminal.wait(for: "A new trip")
            try terminal.press(.interrupt)
            #expect(try terminal.finish() == .exited(0))
            #expect(try bob.result("trip.get", #"{"trip":"summer"}"#)["items"]?.count == 2)
        }

        @Test func `another trip is opened from the menu`() throws {
            let home = try Home()
            defer { home.end() }
            let terminal = try home.openTerminal(["demo", "--user", "Ann"])
            try terminal.wait(for: Self.ready)
            let bob = try home.connect(as: "Bob")
            try bob.result(
                "trip.create",
                #"{"name":"Summer","slug":"summer","startDate":"2026-07-01","timeZone":"UTC","dayCount":3}"#)
            try terminal.type("t")
            try terminal.wait(for: "Open the trip")
            try terminal.type("/summ\r")
            try terminal.wait(for: "Day 3 · Fri 3 Jul 2026")
            try terminal.type("aIce cream\r")
            try terminal.wait(for: "Added Ice cream.")
            #expect(try home.client("show", "summer").output.contains("Ice cream"))
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))
            #expect(try terminal.settings == terminal.settingsBefore)
        }

        @Test
        func `a configuration is applied, and an invalid one is refused before the screen is drawn`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            let path = try home.write("key list lift = v\nascii = yes\nmouse = no\n", to: "editor.conf")
            let terminal = try home.openTerminal(["demo", "--config", path])
            try terminal.wait(for: "Day 1 - Mon 15 Jun 2026")
            #expect(!terminal.screen.modes.contains(1002))
            try terminal.type("M")
            try terminal.wait(for: "the mouse is reported") { $0.modes.contains(1002) }
            try terminal.type("gjv")
            try terminal.wait(for: "is lifted")
            try terminal.type("q")
            #expect(try terminal.finish() == .exited(0))

            _ = try home.write("asci = yes\n", to: "editor.conf")
            let refused = try home.openTerminal(["demo", "--config", path])
            #expect(try refused.finish() == .exited(65))
            #expect(refused.screen.text.contains("line 1: there is no setting asci"))
            #expect(!refused.screen.isAlternate)
            let folder = try home.openTerminal(["demo", "--config", home.path])
            try folder.wait(for: "it is a directory; a file is needed")
            #expect(try folder.finish() == .exited(66))
            let missing = try home.openTerminal(["demo", "--config", path + "x"])
            #expect(try missing.finish() == .exited(66))
            let loud = try home.openTerminal(["demo", "--feedback", "loud"])
            #expect(try loud.finish() == .exited(64))
        }
    }
}
