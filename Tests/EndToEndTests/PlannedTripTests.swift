import Foundation
import Testing

extension EndToEnd {
    /// Three real plans as scripts of commands: at the end `check` finds no problem, and every item is on its day.
    @Suite struct PlannedTripTests {
        /// Runs a script in a new home, and returns what `check` and `show` print at its end.
        private func plan(
            _ trip: String, _ files: [String: String], _ script: String
        ) throws -> (check: Program.Outcome, shown: String) {
            let home = try Home()
            defer { home.end() }
            var paths: [String: String] = [:]
            for (name, text) in files { paths[name] = try home.write(text, to: name) }
            _ = try home.serve()
            for line in script.split(separator: "\n") {
                var line = String(line)
                for (name, path) in paths { line = line.replacing(name, with: "'\(path)'") }
                let made = try home.shell("$CLIENT \(line)")
                #expect(made.status == .exited(0), "\(line): \(made)")
            }
            return (try home.client("check", trip), try home.client("show", trip).output)
        }

        /// Checks that texts follow each other in the list.
        private func expectOrder(_ texts: [String], in shown: String) {
            var rest = shown[...]
            for text in texts {
                guard let range = rest.range(of: text) else {
                    Issue.record("\(text) is not there, or not below the one before it:\n\(shown)")
                    return
                }
                rest = rest[range.upperBound...]
            }
        }

        @Test func `a road trip over ten cities and back home can be planned by commands`() throws {
            let table = """
                gameId,title,city,startsAt,timeZone
                m1,Cubs v Mets,Chicago,2027-06-01T18:40:00-05:00,America/Chicago
                m2,Brewers v Reds,Milwaukee,2027-06-02T18:40:00-05:00,America/Chicago
                m3,Tigers v Twins,Detroit,2027-06-04T18:40:00-04:00,America/Detroit
                m4,Guardians v Royals,Cleveland,2027-06-05T16:10:00-04:00,America/New_York
                m5,Pirates v Padres,Pittsburgh,2027-06-06T13:35:00-04:00,America/New_York
                m6,Phillies v Giants,Philadelphia,2027-06-08T18:40:00-04:00,America/New_York
                m7,Yankees v Rays,New York,2027-06-09T19:05:00-04:00,America/New_York
                m8,Red Sox v Jays,Boston,2027-06-11T19:10:00-04:00,America/New_York
                m9,Jays v Orioles,Toronto,2027-06-13T13:37:00-04:00,America/Toronto
                m10,Reds v Cubs,Cincinnati,2027-06-15T18:40:00-04:00,America/New_York

                """
            let cities = [
                "Chicago", "Milwaukee", "Detroit", "Cleveland", "Pittsburgh", "Philadelphia", "New York",
                "Boston", "Toronto", "Cincinnati",
            ]
            let legs = zip(cities, cities.dropFirst()).map { from, to in
                "add road --from '\(from)' --to '\(to)' mode=car durationMinutes=240"
            }
            let (check, shown) = try plan(
                "road", ["mlb.csv": table],
                """
                create Road --start 2027-06-01 --days 17 --zone America/Chicago
                import mlb.csv road
                \(legs.joined(separator: "\n"))
                add road --from Cincinnati --to Chicago mode=car time=09:00 arrives=13:30 --day 16
                add road 'Hotel Detroit' nights=1 time=15:00 endTime=11:00 cost='140 USD' --day 4
                add road 'Hotel Manhattan' nights=2 time=16:00 endTime=10:00 cost='520 USD' --day 9
                add road 'Fenway tour' time=11:00 --day 11
                add road 'Lunch at Quincy Market' time=12:30 --day 11
                """)
            // Only some nights have a hotel.
            #expect(
                check.status == .exited(0)
                    && check.output
                        == "hint: day 1: No stay for the nights of days 1 to 3\n"
                        + "hint: day 5: No stay for the nights of days 5 to 8\n"
                        + "hint: day 11: No stay for the nights of days 11 to 15\n",
                "\(check)")
            expectOrder(zip(cities, cities.dropFirst()).map { "\($0) → \($1)" }, in: shown)
            expectOrder(
                [
                    "Hotel Manhattan · night 2 of 2", "Hotel Manhattan · check-out 10:00", "Fenway tour",
                    "Quincy", "Red Sox",
                ],
                in: shown)
            expectOrder(["Reds v Cubs", "Cincinnati → Chicago", "Before event: no event"], in: shown)
        }

        @Test func `a World Cup of 104 matches, five of them attended, can be planned by commands`() throws {
            let source = URL(filePath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Sources/itinerary-client/Resources/worldcup-2026.csv")
            let (check, shown) = try plan(
                "cup", ["cup.csv": try String(contentsOf: source, encoding: .utf8)],
                """
                create Cup --start 2026-06-10 --days 41 --zone America/New_York
                import cup.csv cup --not-attending
                edit cup 'USA v Paraguay' attending=yes
                edit cup 'USA v Australia' attending=yes
                edit cup 'Turkey v USA' attending=yes
                edit cup 'USA v Bosnia' attending=yes
                edit cup 'USA v Belgium' attending=yes
                add cup --from 'New York' --to 'Los Angeles' mode=plane time=09:00 arrives=12:10 --day 2
                add cup --from 'Los Angeles' --to Seattle mode=plane time=10:00 arrives=13:00 --after-game 'USA v Paraguay' --before-game 'USA v Australia' --day 9
                add cup --from Seattle --to 'Los Angeles' mode=plane --after-game 'USA v Australia' --before-game 'Turkey v USA'
                add cup --from 'Los Angeles' --to 'San Francisco' mode=train --after-game 'Turkey v USA'
                add cup --from 'San Francisco' --to Seattle mode=train --before-game 'USA v Belgium'
                add cup --from Seattle --to 'New York' mode=plane time=22:30 arrives=06:55+1 --day 28
                add cup 'Hotel Pike Place' nights=2 time=15:00 endTime=11:00 --day 26
                """)
            // Only some nights have a hotel.
            #expect(
                check.status == .exited(0)
                    && check.output
                        == "hint: day 2: No stay for the nights of days 2 to 25\n",
                "\(check)")
            #expect(shown.components(separatedBy: "Attending: no").count == 100)
            expectOrder(
                [
                    "New York → Los Angeles", "USA v Paraguay", "Los Angeles → Seattle", "USA v Australia",
                    "Seattle → Los Angeles", "Turkey v USA", "Los Angeles → San Francisco", "USA v Bosnia",
                    "San Francisco → Seattle", "USA v Belgium", "Seattle → New York",
                ], in: shown)
        }

        @Test func `ten days in Japan by train, with the flights, can be planned by commands`() throws {
            let (check, shown) = try plan(
                "japan", [:],
                """
                create Japan --start 2027-04-01 --days 10 --zone Asia/Tokyo
                add japan 'Giants v Tigers' --game g1 --starts 2027-04-03T18:00:00+09:00 city=Tokyo
                add japan 'Tigers v Carp' --game g2 --starts 2027-04-05T14:00:00+09:00 city=Nishinomiya
                add japan 'Carp v Giants' --game g3 --starts 2027-04-07T18:00:00+09:00 city=Hiroshima
                add japan --from Frankfurt --to Tokyo mode=plane time=13:40 timeZone=Europe/Berlin arrives=09:20+1 --day 1
                add japan 'Hotel Gracery' nights=2 time=15:00 endTime=11:00 cost='42000 JPY' --day 2
                add japan --from Tokyo --to Nishinomiya mode=train time=09:03 arrives=11:50 --day 4
                add japan 'Dinner in Osaka' time=19:30 --day 4
                add japan Lunch time=12:30 --day 4
                add japan --from Nishinomiya --to Hiroshima mode=train --day 6
                add japan 'Ryokan Miyajima' nights=2 --day 7
                add japan --from Hiroshima --to Tokyo mode=train time=10:00 arrives=14:05 --day 9
                add japan --from Tokyo --to Frankfurt mode=plane time=11:05 arrives=18:10 arrivalTimeZone=Europe/Berlin --day 10
                """)
            // Only some nights have a hotel.
            #expect(
                check.status == .exited(0)
                    && check.output
                        == "hint: day 4: No stay for the nights of days 4 to 6\n"
                        + "hint: day 9: No stay for the night of day 9\n",
                "\(check)")
            expectOrder(
                [
                    "13:40 → 09:20 +1", "Hotel Gracery", "Giants v Tigers", "Hotel Gracery · check-out",
                    "Tokyo → Nishinomiya", "Lunch", "Dinner in Osaka", "Tigers v Carp",
                    "Nishinomiya → Hiroshima", "Carp v Giants", "Hiroshima → Tokyo", "Tokyo → Frankfurt",
                    "11:05 → 18:10",
                ], in: shown)
        }

        @Test func `for an arrival in a city without a clock of its own, the zone that is used is printed`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            _ = try home.client(
                "create", "North", "--start", "2027-07-01", "--days", "5", "--zone", "Europe/Oslo")
            let travel = ["add", "north", "--from", "Oslo", "--to", "Tartu", "time=10:30", "arrives=12:30"]
            let guessed = try home.client(travel + ["--day", "1"])
            #expect(
                guessed.errors.contains("the arrival is in Oslo time; arrivalTimeZone=ZONE"), "\(guessed)")
            let known = try home.client(
                "add", "north", "--from", "Oslo", "--to", "Tallinn", "time=10:30", "arrives=12:30", "--day",
                "3")
            #expect(known.status == .exited(0) && known.errors.isEmpty, "\(known)")
            let explicit = try home.client(travel + ["arrivalTimeZone=Europe/Tallinn", "--day", "2"])
            #expect(explicit.status == .exited(0) && explicit.errors.isEmpty, "\(explicit)")
        }

        @Test
        func `a day outside the trip, travel within one city, and an event outside the trip are reported`()
            throws
        {
            let home = try home(["create", "Days", "--start", "2027-04-01", "--days", "5", "--zone", "UTC"])
            defer { home.end() }
            let late = try home.client("add", "days", "Tea", "--day", "2027-05-01")
            #expect(late.status == .exited(1) && late.errors.contains("is not a day of Days"), "\(late)")
            let cleared = try home.client("add", "days", "Tea", "startsAt=")
            #expect(
                cleared.status == .exited(64) && cleared.errors.contains("startsAt cannot be cleared"),
                "\(cleared)")
            let event = ["add", "days", "Gig", "--starts", "2 Apr 19:00"]
            #expect(try home.client(event).status == .exited(0))
            let twice = try home.client(event)
            #expect(
                twice.status == .exited(1) && twice.errors.contains("has Gig with this start already"),
                "\(twice)")
            let within = try home.client("add", "days", "--from", "Oslo", "--to", "oslo")
            #expect(within.status == .exited(64) && within.errors.contains("needs two cities"), "\(within)")
            _ = try home.client("add", "days", "Match", "--game", "g", "--starts", "2027-04-05T12:00:00Z")
            let shorter = try home.client("edit", "days", "days=4")
            #expect(shorter.errors.contains("Match is after the last day of the trip"), "\(shorter)")
        }

        private func home(_ words: [String]) throws -> Home {
            let home = try Home()
            #expect(try home.client(words).status == .exited(0))
            return home
        }
    }
}
