import Testing

extension EndToEnd {
    /// Whole journeys by commands: there and back, over time zones, with hotels, and with events without attendance.
    @Suite struct RealTripCommandTests {
        private static let tokyo = ["city=Tokyo", "timeZone=Asia/Tokyo"]
        private static let losAngeles = ["city=Los Angeles", "timeZone=America/Los_Angeles"]

        /// A trip of eight days with a game in Tokyo, one in Los Angeles, and one on the way that is not attended.
        private func home() throws -> Home {
            let home = try Home()
            let zone = ["--zone", "Asia/Tokyo"]
            #expect(
                try home.client(
                    ["create", "Two coasts", "--slug", "t", "--start", "2027-04-01", "--days", "8"] + zone
                )
                .status == .exited(0))
            for (id, title, start, fields) in [
                ("a", "Carp v Giants", "2027-04-02T13:00:00+09:00", Self.tokyo),
                ("b", "Dodgers v Giants", "2027-04-05T13:10:00-07:00", Self.losAngeles),
                (
                    "c", "Mets v Cubs", "2027-04-05T12:00:00-04:00",
                    ["city=New York", "timeZone=America/New_York"]
                ),
            ] {
                let added = try home.client(["add", "t", title, "--game", id, "--starts", start] + fields)
                #expect(added.status == .exited(0), "\(added)")
            }
            return home
        }

        @Test func `a journey over the date line and back is planned without a problem`() throws {
            let home = try home()
            defer { home.end() }
            #expect(try home.client("check", "t").status == .exited(1), "games in two cities on one day")
            #expect(try home.client("edit", "t", "Mets v Cubs", "attending=no").status == .exited(0))
            for words in [
                ["--from", "Tokyo", "--to", "Los Angeles", "time=17:00", "arrives=11:00", "--day", "5"],
                ["Breakfast", "time=09:00", "--day", "5"],
                ["Hotel Gracery", "nights=4", "time=15:00", "endTime=11:00", "--day", "1"],
                ["Hotel Figueroa", "nights=2", "--day", "5"],
            ] {
                let added = try home.client(["add", "t"] + words)
                #expect(added.status == .exited(0), "\(added)")
            }
            let early = try home.client(
                "add", "t", "--from", "Los Angeles", "--to", "Tokyo", "time=23:10", "arrives=05:20", "--day",
                "7")
            #expect(
                early.status == .exited(64) && early.errors.contains("perhaps you mean 05:20+2"), "\(early)")
            let back = try home.client(
                "add", "t", "--from", "Los Angeles", "--to", "Tokyo", "time=13:10", "arrives=17:20+1",
                "--day", "7")
            #expect(back.status == .exited(0) && back.errors.contains("(beforeGame=none)"), "\(back)")
            let checked = try home.client("check", "t")
            #expect(checked.status == .exited(0) && checked.output.isEmpty, "\(checked)")
            let shown = try home.client("show", "t").output
            for text in [
                "17:00 → 11:00, Tokyo → Los Angeles time", "13:10 → 17:20 +1",
                "⌂ Hotel Gracery · night 2 of 4",
                "⌂ Hotel Gracery · check-out 11:00", "Attending: no",
            ] { #expect(shown.contains(text), "\(text): \(shown)") }
            let order = try home.client("show", "t", "--day", "5", "--format", "{title}").output
            #expect(
                order.hasPrefix("Breakfast\nTokyo → Los Angeles\n"),
                "above the flight by the clock of Tokyo: \(order)")
            let copy = try home.write(
                try home.client("export", "t", "--format", "ics").output, to: "again.ics")
            #expect(try home.client("import", copy, "--name", "Again").status == .exited(0))
            #expect(try home.client("check", "again").status == .exited(0))
            #expect(try home.client("show", "again").output.contains("17:00 → 11:00"))
        }

        @Test func `an added or edited item that causes a problem is reported, and stays`() throws {
            let home = try home()
            defer { home.end() }
            let added = try home.client("add", "t", "Zoo", "time=10:00", "durationMinutes=60", "--day", "2")
            #expect(added.status == .exited(0) && added.errors.isEmpty, "\(added)")
            let late = try home.client("add", "t", "Tower", "time=10:30", "--day", "2")
            #expect(late.status == .exited(0) && !late.output.isEmpty, "\(late)")
            #expect(late.errors.hasPrefix("day 2: ") && late.errors.contains("Tower"), "\(late)")
            #expect(try home.client("edit", "t", "Tower", "time=11:00").errors.isEmpty)
            let edited = try home.client("edit", "t", "Tower", "time=10:59")
            #expect(edited.status == .exited(0) && edited.errors.hasPrefix("day 2: "), "\(edited)")
        }

        @Test func `an intended problem is accepted by its key, and counts again after a move`() throws {
            let home = try home()
            defer { home.end() }
            let listed = try home.client("check", "t", "--keys")
            let key = String(listed.output.prefix { $0 != " " })
            #expect(key.hasPrefix("games_in_different_cities:"))
            let accepted = try home.client("check", "t", "--accept", key)
            #expect(accepted.output.contains("(accepted)"), "\(accepted)")
            #expect(try home.client("check", "t", "--withdraw", key).status == .exited(1))
            let wrong = try home.client("check", "t", "--accept", "games_overlap:x")
            #expect(
                wrong.status == .exited(1) && wrong.errors.contains("no problem of the trip has this key"),
                "\(wrong)")
        }

        @Test func `an import can mark new events as not attended, and opens a side of travel home`() throws {
            let home = try Home()
            defer { home.end() }
            let file = try home.write(
                "kind,gameId,title,city,startsAt,fromCity,toCity,day\n"
                    + "game,a,A,Rome,2027-04-01T12:00:00Z,,,\ngame,b,B,Oslo,2027-04-03T12:00:00Z,,,\n"
                    + "travel,,,,,Oslo,Rome,4\n", to: "cup.csv")
            let made = try home.client(
                "create", "Cup", "--start", "2027-04-01", "--days", "5", "--zone", "UTC")
            #expect(made.status == .exited(0))
            let imported = try home.client("import", file, "cup")
            #expect(
                imported.status == .exited(0) && imported.output.contains("Nothing to reach in Rome"),
                "\(imported)")
            #expect(try home.client("check", "cup").status == .exited(0))
            let other = try home.client("import", file, "--name", "Quiet", "--not-attending")
            #expect(other.status == .exited(0), "\(other)")
            #expect(
                try home.client("show", "quiet", "--format", "{title} {attending}").output.contains("A no"))
        }

        @Test func `add names the city that is probably meant`() throws {
            let home = try home()
            defer { home.end() }
            let added = try home.client(
                "add", "t", "--from", "Los Angeles", "--to", "New York City", "--day", "6")
            #expect(added.status == .exited(0), "\(added)")
            #expect(added.errors.contains("No event is in New York City; did you mean New York?"), "\(added)")
        }
    }
}
