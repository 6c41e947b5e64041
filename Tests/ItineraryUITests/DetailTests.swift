import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct DetailTests {
    @Test func `a wide terminal shows the details of the focus beside the list, and the days' totals`() throws
    {
        var editor = try Editor(columns: 116, rows: 14)
        try editor.sample.apply(
            .update(
                editor.sample.toMiami, [.note("Gate 12, be there at nine and not a minute later.\nRow 4")]))
        editor.load()
        editor.focus("Philadelphia → Miami")
        editor.expectScreen(
            """
              World Cup with Brazil                                                                                         Ann
                ⋮⋮    🍝  Dinner in Hoboken                                               │ Philadelphia → Miami
                Day 2 · Sun 14 Jun 2026 ──────────────────────── 1 h 25 min of travel ──  │ From        Philadelphia
                ⋮⋮        New York → Philadelphia        train                1 h 25 min  │ To          Miami
                ⋮⋮        Liberty Bell                          Philadelphia              │ Mode        plane
                Day 3 · Mon 15 Jun 2026 ────────────────────────────────────────────────  │ Duration    3 h
                Day 4 · Tue 16 Jun 2026 ───────────────────── 1 event · 3 h of travel ──  │
                ⋮⋮    ☕️  Coffee                                                          │ Gate 12, be there at nine and not a
                   21:00  Brazil v Haiti                        Philadelphia              │ minute later.
            ▌   ⋮⋮        Philadelphia → Miami           plane                       3 h  │ Row 4
                Day 5 · Wed 17 Jun 2026 ───────────────────────────────────── 1 event ──  │
                   18:00  Scotland v Brazil                     Miami                     │ When        Day 4, 3 of 3
              Philadelphia → Miami: Day 4, 3 of 3.
              Space lift  a add  A travel  ? help  e edit  d remove  m move  u undo  q quit  c copy  / search  T to do  t trips
            """)
        editor.press(.pageUp)
        #expect(editor.lines[1].hasSuffix("│ Day 4 · Tue 16 Jun 2026"))
        #expect(editor.lines[4].hasSuffix("│ 3 h of travel"))
        editor.send(.resized(columns: 109, rows: 14))
        #expect(!editor.text.contains("│"))
    }

    @Test func `during a drag the pane shows the dragged item and its valid places`() throws {
        var editor = try Editor(columns: 120, rows: 14)
        editor.focus("New York → Philadelphia")
        editor.type(" ")
        editor.press(.end)
        #expect(editor.lines[1].hasSuffix("│ New York → Philadelphia"))
        #expect(editor.lines.contains { $0.hasSuffix("│ Allowed     days 1 to 4") })
    }

    @Test func `a day's total includes all its travel, and the lines of a note are as wide as the pane`()
        throws
    {
        var editor = try Editor(columns: 116, rows: 24)
        let words = "aaa " + String(repeating: "ab ", count: 60)
        try editor.sample.apply(
            .add(ItemID(high: 7, low: 1), SampleTrip.travel("Rome", "Oslo", "ship", 50), to: .end(day: 2)),
            .update(editor.sample.beach, [.note(words)]))
        editor.load()
        #expect(editor.lines.contains { $0.contains(" 2 h 15 min of travel ") })
        editor.focus("Beach")
        let widths = editor.lines.filter { $0.contains("│ a") }.map { line in
            line.reversed().prefix { $0 != "│" }.count
        }
        // A blank and the text: the first line can use 33 of 35 columns, the others all.
        #expect(widths.prefix(2) == [34, 36])
        #expect(!editor.text.contains("│ b"), "no word is cut")
    }

    @Test func `R-TEXT: wide and hostile text stays within the pane`() throws {
        var editor = try Editor(columns: 110, rows: 40)
        let id = ItemID(high: 7, low: 7)
        let family = "👩‍👩‍👧‍👦"
        let note =
            String(repeating: "日本語\(family)☕️e\u{301}", count: 40) + "\n" + String(repeating: "x", count: 300)
        try editor.sample.apply(.add(id, .custom(CustomItem(title: "日本", note: note)), to: .start(day: 1)))
        editor.load()
        editor.focus("日本")
        for line in editor.lines { #expect(TextWidth.columns(of: line) <= 110) }
        #expect(editor.lines.count { $0.contains(family) } > 3, "clusters stay whole")
    }
}
