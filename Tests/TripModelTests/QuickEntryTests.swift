import Testing
import TripModel

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
        "Visa 20 dec", "Walk 99999h",
    ])
    func `other lines are titles`(text: String) {
        #expect(QuickEntry(text)?.summary() == nil)
    }
}
