import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// A line of a new item with a time, a duration, a cost or a city.
@Suite struct QuickEntryTests {
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
