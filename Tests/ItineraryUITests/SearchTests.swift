import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct SearchTests {
    @Test("ITEM 8: / goes to the first match while it is typed and marks all; n and N go on, Esc forgets")
    func search() throws {
        var editor = try Editor(columns: 64, rows: 18)
        editor.focus("Liberty Bell")
        editor.type("/b")
        #expect(editor.status == "Search: b")
        #expect(editor.focusedLine?.contains("Liberty Bell") == true, "it matches itself")
        editor.type("ra")
        #expect(editor.focusedLine?.contains("Brazil v Haiti") == true)
        #expect(editor.styledText.contains("⟦bold underline⟧Bra⟦"))
        editor.press(.down)
        #expect(editor.focusedLine?.contains("Scotland v Brazil") == true)
        editor.press(.down)
        #expect(editor.focusedLine?.contains("Brazil v Morocco") == true, "from the top again")
        editor.press(.enter)
        #expect(editor.status == "Brazil v Morocco: Day 1, 1 of 2.")
        editor.type("n")
        #expect(editor.focusedLine?.contains("Brazil v Haiti") == true)
        editor.type("N")
        #expect(editor.focusedLine?.contains("Brazil v Morocco") == true)
        #expect(editor.styledText.contains("underline"))
        editor.press(.escape)
        #expect(!editor.styledText.contains("underline"))
        #expect(editor.type("n") == [.bell])
    }

    @Test("ITEM 8: a search without a match stays where it was and says so; Esc goes back")
    func noMatch() throws {
        var editor = try Editor(columns: 64, rows: 18)
        editor.focus("Coffee")
        editor.type("/haiti")
        #expect(!editor.status.contains("nothing"))
        editor.type("x")
        #expect(
            editor.status.hasPrefix("Search: haitix") && editor.status.hasSuffix("nothing is called that"))
        #expect(editor.focusedLine?.contains("Coffee") == true)
        editor.press(.backspace)
        #expect(editor.focusedLine?.contains("Brazil v Haiti") == true)
        editor.press(.escape)
        #expect(editor.focusedLine?.contains("Coffee") == true)
        editor.type("/")
        editor.press(.enter)
        #expect(editor.status.hasPrefix("Coffee"))
    }

    @Test("ITEM 8: cities, notes and accents are found; the mark is at the right columns of wide text")
    func details() throws {
        var editor = try Editor(columns: 64, rows: 20)
        let id = ItemID(high: 7, low: 7)
        try editor.sample.apply(
            .add(id, .custom(CustomItem(title: "日本 Café", note: "window seat")), to: .end(day: 5)))
        editor.load()
        editor.type("/cafe")
        #expect(editor.focusedLine?.contains("日本 Café") == true)
        #expect(editor.styledText.contains("日本 ⟦bold underline⟧Café⟦"))
        editor.press(.escape)
        editor.type("/WINDOW")
        #expect(editor.focusedLine?.contains("日本 Café") == true)
        editor.press(.escape)
        editor.type("/miami")
        #expect(editor.focusedLine?.contains("Philadelphia → Miami") == true)
        editor.press(.down)
        #expect(editor.focusedLine?.contains("Scotland v Brazil") == true, "by its city")
    }
}
