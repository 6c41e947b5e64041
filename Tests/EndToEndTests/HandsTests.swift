import JSONLine
import Testing

extension EndToEnd {
    /// A whole trip, typed by hand in a terminal of 80×24.
    @Suite struct HandsTests {
        /// The person at the keys, who counts them.
        private struct Hands {
            let terminal: Terminal
            private(set) var keyCount = 0

            init(_ terminal: Terminal) { self.terminal = terminal }

            /// Types keys that are a character each.
            mutating func type(_ text: String) throws {
                keyCount += text.unicodeScalars.count
                try terminal.type(text)
            }

            /// Types keys, the last of which ends something, and waits until the screen says so.
            mutating func type(_ text: String, until sign: String) throws {
                try type(text)
                try terminal.wait(for: sign)
            }

            private func label(_ screen: Screen) -> Substring {
                screen.lines[screen.lines.count - 2].drop { $0 == " " }.prefix { $0 != ":" }
            }

            /// Goes to the field of a label by Tab, and writes into it.
            mutating func write(_ field: String, _ text: String) throws {
                for _ in 0..<20 where label(terminal.screen) != field {
                    let before = label(terminal.screen)
                    try type("\t")
                    try terminal.wait(for: "the field behind \(before)") { label($0) != before }
                }
                try #require(label(terminal.screen) == field)
                try type(text)
            }

            /// Adds an item of a kind on a day, field by field.
            mutating func add(
                _ kind: String, onDay day: Int, _ fields: [(String, String)], as title: String
            ) throws {
                try type("\(day)GA\(kind)", until: "trf".contains(kind) ? " New travel " : " A new ")
                for (field, text) in fields { try write(field, text) }
                try type("\r", until: "Added \(title).")
            }
        }

        @Test func `a trip of ten days with nine items takes at most 300 keys and no wrong one`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let terminal = try home.openTerminal(["connect"], columns: 80, rows: 24)
            var hands = Hands(terminal)
            try terminal.wait(for: "A new trip")
            try hands.type("Japan\t1 apr 2027\t10\ttokyo\r", until: "Day 1 · Thu 1 Apr 2027")
            for (day, title, city) in [
                (3, "Giants v Tigers", "Tokyo"), (6, "Tigers v Carp", "Osaka"),
                (8, "Carp v Giants", "Hiroshima"),
            ] {
                try hands.add(
                    "e", onDay: day, [("Title", title), ("Starts at", "18"), ("City", city)], as: title)
            }
            for (day, time, duration, cost, title) in [
                (5, "9:30", "2h30", "14520 jpy", "Tokyo → Osaka"),
                (7, "10", "1h30", "10630", "Osaka → Hiroshima"),
            ] {
                try hands.add(
                    "r", onDay: day, [("Time", time), ("Duration", duration), ("Cost", cost)], as: title)
            }
            for (day, title, time) in [(2, "Dinner at Gonpachi", "19:30"), (7, "Okonomiyaki", "19")] {
                try hands.add("o", onDay: day, [("Title", title), ("Time", time)], as: title)
            }
            let hotel = "Hotel Gracery"
            try hands.add(
                "o", onDay: 1,
                [
                    ("Title", hotel), ("Time", "15"), ("Nights", "4"), ("End time", "11"),
                    ("Place", "Kabukicho 1-19-1"), ("Cost", "88000"), ("Reference", "XK4J7P"),
                    ("URL", "gracery.com"),
                ], as: hotel)
            try hands.add(
                "f", onDay: 10, [("To", "Zurich"), ("Time", "11"), ("Cost", "900 eur")],
                as: "Hiroshima → Zurich")
            #expect(hands.keyCount <= 300, "\(hands.keyCount) keys")

            let trip = try home.connect(as: "Bob").result("trip.get", #"{"trip":"japan"}"#)
            let items = Array(try #require(trip["items"]).elements)
            #expect(items.count == 9)
            #expect(
                items.compactMap { $0["cost"]?["amount"]?.int }.sorted() == [900, 10_630, 14_520, 88_000])
            #expect(Set(items.compactMap { $0["cost"]?["currency"]?.string }) == ["JPY", "EUR"])
            #expect(
                Set(items.compactMap { $0["time"]?.string }) == [
                    "09:30", "10:00", "11:00", "15:00", "19:00", "19:30",
                ])
            #expect(Set(items.compactMap { $0["mode"]?.string }) == ["train", "flight"])
            #expect(items.compactMap { $0["nights"]?.int } == [4])
            #expect(
                Set(items.compactMap { $0["startsAt"]?.string }) == [
                    "2027-04-03T18:00:00+09:00", "2027-04-06T18:00:00+09:00", "2027-04-08T18:00:00+09:00",
                ])
        }
    }
}
