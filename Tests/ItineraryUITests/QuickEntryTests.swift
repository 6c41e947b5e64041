import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// A line of a new item with a time, a duration, a cost or a city.
@Suite struct QuickEntryTests {
    @Test(arguments: [
        ("19:30 Dinner at Gonpachi 2h 45 EUR @Tokyo", "19:30 · Dinner at Gonpachi · 2 h · 45 EUR · Tokyo"),
        ("Dinner @New York 45 EUR", "Dinner · 45 EUR · New York"),
        ("7pm Drinks €12.50", "19:00 · Drinks · 12.50 EUR"),
        ("Walk 90 min", "Walk · 1 h 30 min"), ("Walk 1h30", "Walk · 1 h 30 min"),
        ("24:30 Night bar", "00:30 +1 · Night bar"),
        ("9:00 10,630 JPY lunch 45 eur", "09:00 · 10,630 JPY lunch · 45 EUR"),
        ("Ramen 1200 ¥ 30min", "Ramen · 30 min · 1,200 JPY"), ("Tea 2 eur", "Tea · 2 EUR"),
        ("Taxi 3 CHF @Zurich", "Taxi · 3 CHF · Zurich"),
    ])
    func `fields are read from a line`(text: String, summary: String) throws {
        #expect(try #require(QuickEntry(text)).summary() == summary)
    }

    @Test(arguments: [
        "", "Dinner", "19:30", "2h", "45 EUR", "@Tokyo", "Route 66", "Meet at 19:30", "100m race", "Run 100m",
        "Flight 20 SEP", "Match 3 top", "9 lives", "1930 Okonomiyaki", "Bar @", "a@b.c", "Gate 5",
        "12 monkeys",
        "Visa 20 dec",
    ])
    func `other lines are titles`(text: String) {
        #expect(QuickEntry(text)?.summary() == nil)
    }

    @Test func `the bar shows the fields before Enter, and Alt-Enter keeps the text as the title`() throws {
        var editor = try Editor()
        editor.focus("Coffee")
        let text = "22:00 Dinner at Gonpachi in the old town 2h 45 EUR @Tokyo"
        editor.type("a\(text)")
        #expect(
            editor.bar == "Enter add 22:00 · Dinner at Gonpa… · 2 h · 45 EUR · Tokyo  Alt+Enter as title",
            "\(editor.bar)")
        var kept = editor
        let edits = try #require(applied(editor.press(.enter)))
        guard case .add(_, .custom(let item), let place) = edits[0] else { return #expect(Bool(false)) }
        #expect(item.title == "Dinner at Gonpachi in the old town" && item.durationMinutes == 120)
        #expect(item.city == "Tokyo" && item.cost == Cost(amount: 45, currency: "EUR"))
        #expect(item.time?.description == "22:00")
        #expect(place == .after(editor.sample.brazilHaiti, day: 4), "22:00 is below the match at 21:00")
        let plain = try #require(applied(kept.send(.input(.key(.enter, .alt)))))
        guard case .add(_, let content, _) = plain[0] else { return #expect(Bool(false)) }
        #expect(content == .custom(CustomItem(title: text)))
    }

    @Test func `a title alone is added at the cursor, and the bar is as ever`() throws {
        var editor = try Editor()
        editor.focus("Coffee")
        editor.type("aTea")
        #expect(editor.bar.hasPrefix("Enter add  Esc cancel"))
        let edits = try #require(applied(editor.press(.enter)))
        guard case .add(_, let content, let place) = edits[0] else { return #expect(Bool(false)) }
        #expect(content == .custom(CustomItem(title: "Tea")) && place == .after(editor.sample.coffee, day: 4))
    }
}
