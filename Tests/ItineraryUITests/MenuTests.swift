import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Menus of places and trips.
@Suite struct MenuTests {
    @Test func `m lists every place by day and neighbour, with the reasons for invalid ones`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Philadelphia → Miami")
        #expect(editor.type("m") == [])
        editor.expectScreen(
            """
              World Cup with Brazil                                             Ann
                   21:00  Brazil v Haiti                   Philadelphia
                ⋮⋮        Philadelphia → Miami      plane                       3 h
                Day 5 · Wed 17 Jun 2026 ──────────────────────────────── 1 event ──
            ▌      18:00  Scotland v Brazil                Miami
                ⋮⋮        Beach
              ── Move Philadelphia → Miami to ──────────────────── 2 to 10 of 12 ──
              Day 1 · after Brazil v Morocco           must be on a day from 4 to 5
              Day 1 · after Dinner in Hoboken          must be on a day from 4 to 5
              Day 2 · before New York → Philadelphia   must be on a day from 4 to 5
              Day 2 · after New York → Philadelphia    must be on a day from 4 to 5
              Day 2 · after Liberty Bell               must be on a day from 4 to 5
              Day 3 · nothing else yet                 must be on a day from 4 to 5
              Day 4 · before Coffee              must be after Brazil v Haiti 21:00
              Day 4 · after Coffee               must be after Brazil v Haiti 21:00
            ▌ Day 5 · before Scotland v Brazil                      Wed 17 Jun 2026
              10 of 12.
              Enter move here  Esc back  / filter
            """)
        #expect(
            editor.press(.enter) == [
                .apply([.move(editor.sample.toMiami, to: .before(editor.sample.scotlandBrazil, day: 5))])
            ])
        #expect(editor.focusedLine?.contains("Philadelphia → Miami") == true)
        editor.send(.editAccepted(nil))
        #expect(editor.status.hasPrefix("Moved Philadelphia → Miami from Day 4, 3 of 3 to Day 5, 1 of 3."))
    }

    @Test func `m is filtered without regard to case and accents, and an invalid place gives its reason`()
        throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("New York → Philadelphia")
        editor.type("m/day 1 DINNÉR")
        #expect(editor.status.hasPrefix("Filter: day 1 DINNÉR"))
        #expect(editor.panel[1].hasPrefix("▌ Day 1 · after Dinner in Hoboken"))
        #expect(editor.panel[2].isEmpty)
        editor.press(.character("u"), .control)
        editor.type("beach")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "Must be on a day from 1 to 4: it was not moved there.")
        editor.type("zzz")
        #expect(editor.status.hasSuffix("no matches"))
        #expect(editor.press(.enter) == [.bell])
        editor.press(.escape, .escape)
        #expect(editor.focusedLine?.contains("New York → Philadelphia") == true)
        editor.focus("Brazil v Haiti")
        #expect(editor.type("m") == [.bell])
        editor.press(.home)
        #expect(editor.type("m") == [.bell])
    }

    @Test
    func `the list of m scrolls, keeps its filter and selection through changes, and reports a removal`()
        throws
    {
        var editor = try Editor(columns: 40, rows: 10)
        editor.focus("Liberty Bell")
        editor.type("m")
        for _ in 0..<30 {
            editor.press(.down)
            #expect(editor.list.count { $0.hasPrefix("▌") } == 1)
        }
        #expect(editor.list.last == "▌ Day 5 · after Beach   Wed 17 Jun 2026")
        editor.press(.up)
        try editor.sample.apply(.remove(editor.sample.dinner))
        editor.load()
        #expect(editor.list.contains { $0.hasPrefix("▌ Day 5 · after Scotland v Brazil") })
        try editor.sample.apply(.remove(editor.sample.bell))
        #expect(editor.send(.loaded(editor.sample.view)) == [.bell])
        #expect(editor.statusAndBar.hasPrefix("Liberty Bell has been removed. Enter or Esc closes the list."))
        #expect(editor.type("d") == [.bell] && editor.status.contains("d does nothing here"))
        #expect(editor.press(.enter) == [])
        #expect(editor.focusedLine?.contains("New York → ") == true)
    }

    @Test func `in a list the wheel scrolls, a click selects and a second click chooses`() throws {
        var editor = try Editor(columns: 64, rows: 12)
        editor.focus("Beach")
        editor.type("m")
        editor.mouse(.wheelDown, row: 4)
        #expect(editor.panel[4].hasPrefix("▌ Day 2 · before New York"))
        editor.click(row: 5)
        #expect(editor.panel[2].hasPrefix("▌ Day 1 · after Brazil v Morocco"))
        editor.click(row: 3)
        editor.click(row: 1)
        editor.click(row: 11, column: 60)
        editor.mouse(.press(.left), row: 5)
        #expect(editor.mouse(.release(.left), row: 6) == [], "released on another line")
        #expect(
            editor.click(row: 5) == [
                .apply([.move(editor.sample.beach, to: .after(editor.sample.brazilMorocco, day: 1))])
            ])
        #expect(editor.focusedLine?.contains("Beach") == true)
    }

    @Test func `M gives the mouse to the terminal and takes it back`() throws {
        var editor = try Editor()
        #expect(editor.type("MM") == [.captureMouse(false), .captureMouse(true)])
        editor = try Editor(options: EditorOptions(takesMouse: false))
        #expect(editor.type("M") == [.captureMouse(true)])
    }

    @Test(arguments: [
        ("t", "New travel", nil), ("r", "New travel", "train"), ("f", "New travel", "flight"),
        ("b", "New travel", "bus"), ("o", "A new item", nil), ("e", "A new event", nil),
    ])
    func `a letter in the list of kinds opens a form`(letter: String, heading: String, mode: String?) throws {
        var editor = try Editor(columns: 80, rows: 40)
        editor.focus("Coffee")
        editor.type("A\(letter)")
        #expect(editor.text.contains(" \(heading) "))
        guard let mode else { return }
        #expect(editor.lines.contains { $0.hasPrefix("  Mode") && $0.hasSuffix(" \(mode)") })
    }

    @Test func `in a list j and k select, g and G go to its ends, q closes it, and other letters do nothing`()
        throws
    {
        var editor = try Editor()
        editor.focus("Coffee")
        editor.type("m")
        let lines = editor.lines
        let place = editor.focusedLine
        editor.type("jjk")
        #expect(editor.focusedLine != place)
        editor.type("G")
        #expect(editor.focusedLine?.contains("Day 5") == true)
        editor.type("g")
        #expect(editor.type("b") == [.bell] && editor.status == "b does nothing here; / filters the list.")
        editor.press(.up)
        #expect(
            editor.lines.dropLast(2) == lines.dropLast(2) || editor.focusedLine?.contains("Day 1") == true)
        #expect(editor.type("q").isEmpty && editor.state.context == .list)
    }

    @Test func `the status line shows the number of the line, or the full text of a truncated one`()
        throws
    {
        for (columns, status) in [
            (80, ["1 of 2."]), (40, ["Ben moved “Coffee” from day 4 to day", "5: 00:00"]),
        ] {
            var editor = try Editor(columns: columns)
            editor.type("H")
            let summary = "moved “Coffee” from day 4 to day 5"
            editor.send(
                .history((1...2).map { HistoryLine(user: "Ben", seconds: $0, summary: summary, items: []) }))
            #expect(editor.lines.dropLast().suffix(status.count) == status.map { "  \($0)" }[...])
        }
    }

    @Test func `the bar of the list has the keys that work on the focus`() throws {
        var editor = try Editor(columns: 120)
        editor.focus("Coffee")
        #expect(editor.bar.hasPrefix("Space lift  a add  A travel  ? help  e edit  d remove  m move  u undo"))
        editor.type("x")
        #expect(editor.bar.hasPrefix("Space lift  ? help  d remove  m move  > day on  Esc unmark"))
        editor.press(.escape)
        editor.focus("Brazil v Haiti")
        #expect(editor.bar.hasPrefix("a add  A travel  y attend  ? help  e edit  d remove  u undo"))
        editor.press(.home)
        #expect(
            editor.bar.hasPrefix(
                "a add  A travel  + insert day  - remove day  ? help  : go to  = sort  u undo"))
        for hint in ["Space", "e edit", "d remove", "m move"] { #expect(!editor.bar.contains(hint)) }
    }
}
