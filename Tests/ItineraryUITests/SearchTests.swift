import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct SearchTests {
    @Test func `a search moves to the first match and highlights all, n and N move on, Esc ends it`() throws {
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

    @Test func `a search without a match stays at its start with a message, and Esc returns`() throws {
        var editor = try Editor(columns: 64, rows: 18)
        editor.focus("Coffee")
        editor.type("/haiti")
        #expect(!editor.status.contains("nothing"))
        editor.type("x")
        #expect(
            editor.status.hasPrefix("Search: haitix") && editor.status.hasSuffix("no matches"))
        #expect(editor.focusedLine?.contains("Coffee") == true)
        editor.press(.backspace)
        #expect(editor.focusedLine?.contains("Brazil v Haiti") == true)
        editor.press(.escape)
        #expect(editor.focusedLine?.contains("Coffee") == true)
        editor.type("/")
        editor.press(.enter)
        #expect(editor.status.hasPrefix("Coffee"))
    }

    @Test func `cities, notes and accents are found, and matches in wide text are highlighted exactly`()
        throws
    {
        var editor = try Editor(columns: 64, rows: 20)
        let id = ItemID(high: 7, low: 7)
        try editor.sample.apply(
            .add(id, .custom(CustomItem(title: "日本 Café", note: "window seat")), to: .end(day: 5)))
        editor.load()
        editor.type("/cafe")
        #expect(editor.focusedLine?.contains("日本 Café") == true)
        #expect(editor.styledText.contains("日本 ⟦bold underline on brightBlack⟧Café⟦"))
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
