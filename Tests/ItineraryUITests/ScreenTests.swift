import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct ScreenTests {
    @Test func `the first screen shows all days, and a handle on every movable item`() throws {
        try Editor(columns: 64, rows: 18).expectScreen(
            """
              World Cup with Brazil                                     Ann
                Day 1 · Sat 13 Jun 2026 ──────────────────────── 1 event ──
            ▌      18:00  Brazil v Morocco                         New York
                ⋮⋮    🍝  Dinner in Hoboken
                Day 2 · Sun 14 Jun 2026 ─────────── 1 h 25 min of travel ──
                ⋮⋮        New York → Philadelphia        train · 1 h 25 min
                ⋮⋮        Liberty Bell                         Philadelphia
                Day 3 · Mon 15 Jun 2026 ───────────────────────────────────
                Day 4 · Tue 16 Jun 2026 ──────── 1 event · 3 h of travel ──
                ⋮⋮    ☕️  Coffee
                   21:00  Brazil v Haiti                       Philadelphia
                ⋮⋮        Philadelphia → Miami                  plane · 3 h
                Day 5 · Wed 17 Jun 2026 ──────────────────────── 1 event ──
                   18:00  Scotland v Brazil                           Miami
                ⋮⋮        Beach

              Brazil v Morocco: Day 1, 1 of 2.
              a add  A travel  y attend  ? help  e edit  d remove  u undo
            """)
    }

    @Test func `--ascii draws only ASCII except in users' text`() throws {
        var editor = try Editor(columns: 64, rows: 18, ascii: true)
        editor.focus("Liberty Bell")
        editor.type(" jj")
        editor.expectScreen(
            """
              World Cup with Brazil                                     Ann
                Day 1 - Sat 13 Jun 2026 ------------------------ 1 event --
                   18:00  Brazil v Morocco                         New York
                ::        Dinner in Hoboken
                Day 2 - Sun 14 Jun 2026 ----------- 1 h 25 min of travel --
            |   ::        New York -> Philadelphia       train - 1 h 25 min
            |   Day 3 - Mon 15 Jun 2026 -----------------------------------
                Day 4 - Tue 16 Jun 2026 -------- 1 event - 3 h of travel --
                      *== Liberty Bell == Day 4 - before Coffee
                ::        Coffee
                   21:00  Brazil v Haiti                       Philadelphia
                ::        Philadelphia -> Miami                 plane - 3 h
                Day 5 - Wed 17 Jun 2026 ------------------------ 1 event --
                   18:00  Scotland v Brazil                           Miami
                ::        Beach

              Day 4, 1 of 4. Before Coffee.
              Space drop  Esc cancel  J next valid  Down move
            """)
        editor.press(.escape)
        editor.type("?")
        let drawn = editor.text.unicodeScalars.filter { !$0.isASCII }
        #expect(drawn.isEmpty, "the help has signs of its own only")
    }

    @Test func `a terminal that is too small shows a message until it grows`() throws {
        var editor = try Editor(columns: 64, rows: 18)
        editor.focus("Beach")
        let before = editor.text
        editor.send(.resized(columns: 39, rows: 18))
        #expect(editor.lines[0] == "The window is 39×18; 40×10 is needed")
        editor.send(.resized(columns: 30, rows: 8))
        #expect(editor.lines[0] == "The window is 30×8;")
        #expect(editor.lines[1] == "40×10 is needed")
        #expect(editor.type("d JaWalk") == [], "an invisible list cannot be controlled")
        #expect(editor.press(.enter) == [])
        #expect(editor.send(.input(.mouse(MouseEvent(.press(.left), row: 3, column: 6)))) == [])
        for (columns, rows) in [(0, 0), (1, 1), (-4, 7), (3, 0), (0, 3), (2, 50), (500, 1)] {
            editor.send(.resized(columns: columns, rows: rows))
            let frame = editor.state.frame()
            #expect(frame.width == max(columns, 0) && frame.height == max(rows, 0))
        }
        editor.send(.resized(columns: 64, rows: 18))
        #expect(editor.text == before)
    }

    @Test func `all functions are usable in 40 columns and 10 rows`() throws {
        var editor = try Editor(columns: 40, rows: 10)
        editor.focus("→ Philadelphia")
        editor.expectScreen(
            """
              World Cup with Brazil             Ann
               Day 1 · Sat 13 Jun 2026 ─ 1 event ──
                 18:00  Brazil v Morocco   New York
               ⋮⋮   🍝  Dinner in Hoboken
               Day 2 · Sun 14 Jun 2026 ────────────
            ▌  ⋮⋮       New York → Philadelphia
               ⋮⋮       Liberty Bell   Philadelphia
               Day 3 · Mon 15 Jun 2026 ────────────
              New York → Philadelphia: Day 2, 1 of…
              Space lift  a add  A travel  ? help
            """)
        editor.type(" ")
        editor.send(.dragGranted)
        editor.press(.up, .up, .up)
        editor.expectScreen(
            """
              World Cup with Brazil             Ann
               Day 1 · Sat 13 Jun 2026 ─ 1 event ──
                    ○── New Yor… ── must be after …
               ◆ 18:00  Brazil v Morocco   New York
               ⋮⋮   🍝  Dinner in Hoboken
            ╎  Day 2 · Sun 14 Jun 2026 ────────────
            ╎  ⋮⋮       Liberty Bell   Philadelphia
              Must be after Brazil v Morocco 18:00.
              Day 1, 1 of 3.
              Space drop  Esc cancel  J next valid
            """)
    }

    @Test func `the help shows the key table, and scrolls`() throws {
        var editor = try Editor(columns: 64, rows: 14)
        let before = editor.text
        editor.type("?")
        editor.expectScreen(
            """
              World Cup with Brazil                                     Ann
              In the list
              ↑ k            one row up
              ↓ j            one row down
              PgUp           to the day's heading, then to the day before
              PgDn           to the next day
              Home g         to the first row
              End G          to the last row, or with a number to that day
              Ctrl-U         half a screen up
              Ctrl-D         half a screen down
              :              to a day: a number, a date, today, +2 or fri
              .              to today, while the trip lasts
              / filters the lines.
              Esc back  ↓ scroll  / filter
            """)
        editor.type("jj")
        #expect(editor.list[0].contains("one row down"))
        editor.type("k")
        #expect(editor.list[0].contains("one row up"))
        for _ in 0..<20 { editor.press(.pageDown) }
        #expect(editor.list.last?.contains("suspend") == true)
        let end = editor.text
        editor.type("g")
        #expect(editor.text != end)
        editor.type("G")
        #expect(editor.text == end)
        editor.type("q")
        #expect(editor.text == before)
    }

    @Test func `every key of the table is in the help, and the bar shows keys that work`() throws {
        var editor = try Editor(columns: 100, rows: 90)
        editor.type("?")
        let help = editor.text
        for binding in KeyMap.standard.bindings where binding.context == .list || binding.context == .drag {
            #expect(help.contains(binding.help))
            for key in binding.keys {
                #expect(KeyMap.standard.action(for: key, in: binding.context) == binding.action)
            }
        }
    }

    @Test func `problems are marked on their day and items, and described in the status line`() throws {
        var editor = try Editor(columns: 64, rows: 18)
        try editor.sample.apply(
            .add(
                ItemID(high: 9, low: 9),
                try SampleTrip.game("Italy v Chile", "Boston", "2026-06-13T19:00:00Z"),
                to: nil),
            .add(
                ItemID(high: 9, low: 8),
                try SampleTrip.game("Peru v Spain", "Dallas", "2026-06-20T19:00:00Z"),
                to: nil))
        editor.load()
        editor.expectScreen(
            """
              World Cup with Brazil  ! 3 problems                       Ann
             !  Day 1 · Sat 13 Jun 2026 ─────────────────────── 2 events ──
            ▌!     18:00  Brazil v Morocco                         New York
                ⋮⋮    🍝  Dinner in Hoboken
             !     19:00  Italy v Chile                              Boston
                Day 2 · Sun 14 Jun 2026 ─────────── 1 h 25 min of travel ──
                ⋮⋮        New York → Philadelphia        train · 1 h 25 min
                ⋮⋮        Liberty Bell                         Philadelphia
                Day 3 · Mon 15 Jun 2026 ───────────────────────────────────
                Day 4 · Tue 16 Jun 2026 ──────── 1 event · 3 h of travel ──
                ⋮⋮    ☕️  Coffee
                   21:00  Brazil v Haiti                       Philadelphia
                ⋮⋮        Philadelphia → Miami                  plane · 3 h
                Day 5 · Wed 17 Jun 2026 ──────────────────────── 1 event ──
                   18:00  Scotland v Brazil                           Miami
              ! Day 1 has events in New York, Boston; Brazil v Morocco,
              Italy v Chile overlap
              a add  A travel  y attend  ? help  e edit  d remove  u undo
            """)
        editor.press(.end)
        editor.type("!")
        #expect(
            editor.heading == "3 problems"
                && editor.panel.dropFirst() == [
                    "▌ Day 1 has events in New York, Boston                    Day 1",
                    "  Brazil v Morocco, Italy v Chile overlap                 Day 1",
                    "  Peru v Spain is after the last day of the trip",
                ])
        editor.type("/overlap")
        editor.press(.enter)
        #expect(editor.focusedLine?.contains("Brazil v Morocco") == true)
        #expect(editor.state.frame().styledText.contains("⟦bold yellow⟧!⟦"))
    }

    @Test func `before the trip is loaded, and while the daemon is away, the screen says so`() throws {
        var editor = try Editor(columns: 60, rows: 12, loads: false)
        #expect(editor.list.contains { $0.contains("Waiting for the trip.") })
        editor.press(.down, .pageDown, .home, .end, .enter, .delete)
        editor.type("aejJKuU!")
        editor.load()
        editor.send(.connection(.lost("the daemon has ended")))
        #expect(editor.lines[0].hasSuffix("not connected; the daemon has ended"))
        editor.send(.connection(.stopped))
        #expect(editor.lines[0].hasSuffix("the daemon was stopped; S starts it"))
        editor.focus("Beach")
        editor.type("K")
        #expect(editor.lines[0].hasSuffix("the daemon was stopped; S starts it;…"))
        #expect(editor.type("S") == [.startDaemon])
        editor.send(.connection(.silent))
        #expect(editor.lines[0].hasSuffix("the daemon does not answer; 1 change…"))
        editor.send(.connection(.connected), .editAccepted(nil))
        #expect(editor.lines[0].hasSuffix("Ann"))
    }

    @Test func `R-TEXT: hostile names are drawn harmless and every line stays within the width`() throws {
        var editor = try Editor(columns: 44, rows: 20)
        let id = ItemID(high: 7, low: 7)
        try editor.sample.apply(
            .add(id, SampleTrip.custom("日本語の長い長い長い長い長い長い長い題名 👩‍👩‍👧‍👦"), to: .start(day: 1)))
        editor.load()
        editor.send(.people([Person(name: "Eve\u{1B}[2J\u{202E}", dragging: id, over: .end(day: 2))]))
        editor.send(.announced("bad \u{1B}[31m news"))
        let text = editor.text
        #expect(!text.unicodeScalars.contains("\u{1B}"))
        #expect(!text.unicodeScalars.contains("\u{202E}"))
        for line in editor.lines { #expect(TextWidth.columns(of: line) <= 44) }
        #expect(editor.lines.contains { $0.contains("Eve␛[2J� is m") })
    }

    @Test func `a list is drawn only with the 16 standard colours`() throws {
        var editor = try Editor(columns: 64, rows: 18)
        #expect(editor.styledText.contains("⟦bold cyan⟧▌⟦"))
        #expect(editor.styledText.contains("⟦cyan⟧18:00⟦"))
        editor.focus("Liberty")
        editor.type(" ")
        editor.press(.down)
        let frame = editor.state.frame()
        for row in 0..<frame.height {
            for column in 0..<frame.width {
                let style = frame[row: row, column: column].style
                #expect(style.reduced(to: .ansi16) == style)
            }
        }
    }
}
