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
                try type("\(day)GA\(kind)", until: kind == "t" ? " New travel " : " A new ")
                for (field, text) in fields { try write(field, text) }
                try type("\r", until: "Added \(title).")
            }
        }

        @Test func `a trip of ten days with eight items takes at most 330 keys and no wrong one`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let terminal = try home.openTerminal(["connect"], columns: 80, rows: 24)
            var hands = Hands(terminal)
            try terminal.wait(for: "A new trip")
            try hands.type("Japan\t1 apr 2027\t10\ttokyo\r", until: "Day 1 · Thu 1 Apr 2027")
            for (day, title, start, city) in [
                (3, "Tigers-Giants", "18", "Tokyo"), (4, "Carp-Swallows", "1830", "Hiroshima"),
                (8, "Hawks-Lions", "2pm", "Fukuoka"),
            ] {
                let fields = [("Title", title), ("Starts at", start), ("City", city)]
                try hands.add("e", onDay: day, fields, as: title)
            }
            for (day, time, cost, title) in [
                (4, "1030", "10,630 JPY", "Tokyo → Hiroshima"), (6, "940", "¥9,310", "Hiroshima → Fukuoka"),
            ] {
                try hands.add("t", onDay: day, [("Time", time), ("Cost", cost)], as: title)
            }
            for (day, title, time) in [(2, "Dinner at Gonpachi", "1930"), (5, "Dinner: okonomiyaki", "7pm")] {
                try hands.add("o", onDay: day, [("Title", title), ("Time", time)], as: title)
            }
            let hotel = "Hotel Granvia Osaka"
            try hands.add(
                "o", onDay: 1,
                [
                    ("Title", hotel), ("Place", "3-1-1 Umeda, Kita-ku"), ("Cost", "72,600 JPY"),
                    ("Reference", "HG-88213"), ("URL", "https://granviaosaka.jp/b/88213"),
                ], as: hotel)
            #expect(hands.keyCount <= 330, "\(hands.keyCount) keys")

            let trip = try home.connect(as: "Bob").result("trip.get", #"{"trip":"japan"}"#)
            let items = Array(try #require(trip["items"]).elements)
            #expect(items.count == 8)
            #expect(Set(items.compactMap { $0["cost"]?["amount"]?.int }) == [10_630, 9310, 72_600])
            #expect(Set(items.compactMap { $0["time"]?.string }) == ["10:30", "09:40", "19:30", "19:00"])
            #expect(
                Set(items.compactMap { $0["startsAt"]?.string }) == [
                    "2027-04-03T18:00:00+09:00", "2027-04-04T18:30:00+09:00", "2027-04-08T14:00:00+09:00",
                ])
            #expect(try home.client("check", "japan").status == .exited(0))
        }
    }
}
