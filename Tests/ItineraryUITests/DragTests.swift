import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct DragTests {
    @Test
    func `a lifted row is replaced by its target line, and the games that constrain it are highlighted`()
        throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("New York → Philadelphia")
        #expect(editor.type(" ") == [.beginDrag(editor.sample.toPhiladelphia)])
        editor.expectScreen(
            """
              World Cup with Brazil                                             Ann
                Day 1 · Sat 13 Jun 2026 ──────────────────────────────── 1 event ──
                ◆  18:00  Brazil v Morocco                 New York
                ⋮⋮    🍝  Dinner in Hoboken
                Day 2 · Sun 14 Jun 2026 ─────────────────── 1 h 25 min of travel ──
            ╎         ●━━ New York → Philadelphia ━━ Day 2 · before Liberty Bell
                ⋮⋮        Liberty Bell                     Philadelphia
                Day 3 · Mon 15 Jun 2026 ───────────────────────────────────────────
                Day 4 · Tue 16 Jun 2026 ──────────────── 1 event · 3 h of travel ──
                ⋮⋮    ☕️  Coffee
                ◆  21:00  Brazil v Haiti                   Philadelphia
                ⋮⋮        Philadelphia → Miami      plane                       3 h
                Day 5 · Wed 17 Jun 2026 ──────────────────────────────── 1 event ──
                   18:00  Scotland v Brazil                Miami
                ⋮⋮        Beach

              New York → Philadelphia is lifted, for days 1 to 4.
              Space drop  Esc cancel  J next valid  ↓ move
            """)
        let atOnce = editor.text
        #expect(editor.send(.dragGranted) == [])
        #expect(editor.text == atOnce, "the lift is shown before it is granted")
        #expect(editor.styledText.contains("⟦bold yellow⟧◆⟦"))
        #expect(editor.styledText.contains("⟦bold yellow⟧Brazil v Haiti⟦"))
        #expect(!editor.styledText.contains("⟦bold yellow⟧Scotland v Brazil⟦"))
    }

    @Test func `the target line can be at every gap, and the item's own gap is marked`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("New York → Philadelphia")
        editor.type(" ")
        editor.send(.dragGranted)
        #expect(editor.press(.down) == [.hover(.after(editor.sample.bell, day: 2))])
        #expect(editor.type("j") == [.hover(.start(day: 3))])
        editor.expectScreen(
            """
              World Cup with Brazil                                             Ann
                Day 1 · Sat 13 Jun 2026 ──────────────────────────────── 1 event ──
                ◆  18:00  Brazil v Morocco                 New York
                ⋮⋮    🍝  Dinner in Hoboken
            ╎   Day 2 · Sun 14 Jun 2026 ─────────────────── 1 h 25 min of travel ──
            ╎   ⋮⋮        Liberty Bell                     Philadelphia
                Day 3 · Mon 15 Jun 2026 ───────────────────────────────────────────
                      ●━━ New York → Philadelphia ━━ Day 3 · nothing else yet
                Day 4 · Tue 16 Jun 2026 ──────────────── 1 event · 3 h of travel ──
                ⋮⋮    ☕️  Coffee
                ◆  21:00  Brazil v Haiti                   Philadelphia
                ⋮⋮        Philadelphia → Miami      plane                       3 h
                Day 5 · Wed 17 Jun 2026 ──────────────────────────────── 1 event ──
                   18:00  Scotland v Brazil                Miami
                ⋮⋮        Beach

              Day 3, 1 of 1. Nothing else is on this day.
              Space drop  Esc cancel  J next valid  ↓ move
            """)
        #expect(editor.status == "Day 3, 1 of 1. Nothing else is on this day.")
        editor.type("kk")
        #expect(editor.landing?.hasPrefix("╎") == true)
        #expect(editor.status == "Day 2, 1 of 2. Where it was.")
    }

    @Test func `invalid gaps are dimmed and show the reason`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("New York → Philadelphia")
        editor.type(" ")
        editor.send(.dragGranted)
        editor.press(.home)
        editor.expectScreen(
            """
              World Cup with Brazil                                             Ann
                Day 1 · Sat 13 Jun 2026 ──────────────────────────────── 1 event ──
                      ○── New York → Phila… ── must be after Brazil v Morocco 18:00
                ◆  18:00  Brazil v Morocco                 New York
                ⋮⋮    🍝  Dinner in Hoboken
            ╎   Day 2 · Sun 14 Jun 2026 ─────────────────── 1 h 25 min of travel ──
            ╎   ⋮⋮        Liberty Bell                     Philadelphia
                Day 3 · Mon 15 Jun 2026 ───────────────────────────────────────────
                Day 4 · Tue 16 Jun 2026 ──────────────── 1 event · 3 h of travel ──
                ⋮⋮    ☕️  Coffee
                ◆  21:00  Brazil v Haiti                   Philadelphia
                ⋮⋮        Philadelphia → Miami      plane                       3 h
                Day 5 · Wed 17 Jun 2026 ──────────────────────────────── 1 event ──
                   18:00  Scotland v Brazil                Miami
                ⋮⋮        Beach

              Must be after Brazil v Morocco 18:00. Day 1, 1 of 3.
              Space drop  Esc cancel  J next valid  ↓ move
            """)
        #expect(editor.styledText.contains("⟦dim red⟧○──⟦"))
        #expect(editor.styledText.contains("⟦dim⟧       18:00  Scotland v Brazil"), "away from allowed gaps")
        #expect(!editor.styledText.contains("⟦dim⟧  ⋮⋮      🍝  Dinner"), "beside an allowed gap")
        editor.press(.end)
        #expect(
            editor.landing?.contains("○── New York → Philadelphia ── must be on a day from 1 to 4") == true)
    }

    @Test func `a row is dimmed if both gaps beside it are invalid, above the dragged item and below`() throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Philadelphia → Miami")
        editor.type(" ")
        let dimmed = editor.styledText.split(separator: "\n").filter { $0.hasPrefix("⟦dim⟧  ") }
        let closed = [
            "Day 1", "Dinner", "Day 2", "New York → Philadelphia", "Liberty Bell", "Day 3", "Day 4", "Coffee",
            "Beach",
        ]
        #expect(dimmed.count == closed.count + 1, "and the game in New York")
        for title in closed { #expect(dimmed.contains { $0.contains(title) }, "\(title)") }
    }

    @Test func `rows are dimmed correctly if the item is lifted from above all valid gaps`() throws {
        var editor = try Editor(columns: 72, rows: 19)
        let id = ItemID(high: 4, low: 4)
        try editor.sample.apply(.add(id, SampleTrip.travel("Rome", "Oslo", "ship", 9), to: .start(day: 1)))
        try editor.sample.apply(.update(id, [.fromCity("Philadelphia")]))
        editor.load()
        editor.focus("Philadelphia → Oslo")
        #expect(editor.status.hasPrefix("! Philadelphia → Oslo: it must be on a day from 4 to 5"))
        editor.type(" ")
        let styled = editor.styledText.split(separator: "\n")
        #expect(styled.contains { $0.hasPrefix("⟦dim⟧") && $0.contains("Coffee") })
        #expect(!styled.contains { $0.hasPrefix("⟦dim⟧  ") && $0.contains("Philadelphia → Miami") })
        #expect(!styled.contains { $0.hasPrefix("⟦dim⟧  ") && $0.contains("Beach") })
    }

    @Test func `a drop at an invalid gap rings the bell, shows the reason, and the item returns`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("New York → Philadelphia")
        editor.type(" ")
        editor.send(.dragGranted)
        editor.press(.home)
        #expect(editor.type(" ") == [.cancelDrag, .bell])
        #expect(editor.status == "Must be after Brazil v Morocco 18:00: it was not moved there.")
        #expect(editor.styledText.contains("⟦bold red⟧Must be after"))
        #expect(editor.landing == nil, "it is home again")
        #expect(editor.focusedLine?.contains("New York → Philadelphia") == true)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `R-GAPS: the number of rows is constant and every gap can be reached`(which: Int) throws {
        var editor = try Editor(columns: 72, rows: 40)
        let sample = editor.sample
        let item = [sample.dinner, sample.toPhiladelphia, sample.coffee, sample.beach][which]
        let title = try #require(sample.trip[item]).content.title
        let rowCount = editor.list.count { !$0.isEmpty }
        editor.focus(title)
        editor.type(" ")
        editor.send(.dragGranted)
        editor.press(.home)
        let gaps = try #require(sample.trip.gaps(for: item)).gaps
        for (index, gap) in gaps.enumerated() {
            let list = editor.list.filter { !$0.isEmpty }
            #expect(list.count == rowCount)
            let line = try #require(list.firstIndex { $0.contains("●━━") || $0.contains("○──") })
            #expect(list[line].contains("●━━") == gap.isValid)
            let above = gap.after.flatMap { sample.trip[$0] }?.content.title ?? "Day \(gap.day) ·"
            #expect(list[line - 1].contains(above))
            if let below = gap.before.flatMap({ sample.trip[$0] }) {
                #expect(list[line + 1].contains(below.content.title))
            }
            let effects = editor.press(.down)
            #expect(effects == (index + 1 < gaps.count ? [.hover(gaps[index + 1].placement)] : []))
        }
    }

    @Test func `a dropped item is shown at its new place before and after the daemon's state comes`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.type(" ")
        editor.send(.dragGranted)
        editor.press(.pageDown, .pageDown)
        let dragged = editor.list
        let to = Placement.before(editor.sample.coffee, day: 4)
        #expect(editor.press(.enter) == [.drop(to)])
        editor.send(.dropAccepted)
        let settled = editor.list
        editor.expectScreen(
            """
              World Cup with Brazil                                             Ann
                Day 1 · Sat 13 Jun 2026 ──────────────────────────────── 1 event ──
                   18:00  Brazil v Morocco                 New York
                ⋮⋮    🍝  Dinner in Hoboken
                Day 2 · Sun 14 Jun 2026 ─────────────────── 1 h 25 min of travel ──
                ⋮⋮        New York → Philadelphia   train                1 h 25 min
                Day 3 · Mon 15 Jun 2026 ───────────────────────────────────────────
                Day 4 · Tue 16 Jun 2026 ──────────────── 1 event · 3 h of travel ──
            ▌   ⋮⋮        Liberty Bell                     Philadelphia
                ⋮⋮    ☕️  Coffee
                   21:00  Brazil v Haiti                   Philadelphia
                ⋮⋮        Philadelphia → Miami      plane                       3 h
                Day 5 · Wed 17 Jun 2026 ──────────────────────────────── 1 event ──
                   18:00  Scotland v Brazil                Miami
                ⋮⋮        Beach

              Moved Liberty Bell from Day 2, 2 of 2 to Day 4, 1 of 4. u undoes it.
              Space lift  a add  A travel  ? help  e edit  d remove  m move  u undo
            """)
        #expect(zip(dragged, settled).count { $0 != $1 } <= 4, "the other rows stay")
        try editor.sample.apply(.move(editor.sample.bell, to: to))
        editor.load()
        #expect(editor.list == settled)
    }

    @Test func `Esc cancels, and a drop into the item's own gap changes nothing`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Beach")
        let before = editor.list
        editor.type(" ")
        editor.send(.dragGranted)
        editor.press(.home)
        #expect(editor.press(.escape) == [.cancelDrag])
        #expect(editor.list == before)
        #expect(editor.status == "Beach stays at Day 5, 2 of 2.")
        editor.type(" ")
        editor.send(.dragGranted)
        editor.type("kj")
        #expect(editor.type(" ") == [.cancelDrag])
        #expect(editor.list == before)
    }

    @Test func `keys pressed before the lease is granted are not lost`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.type(" jj")
        #expect(editor.landing?.contains("Day 4 · before Coffee") == true)
        #expect(editor.send(.dragGranted) == [])
        #expect(editor.landing?.contains("Day 4 · before Coffee") == true)
        editor.press(.escape)

        // A whole drag, and the keys after it, in one read: each key applies to the screen at that time.
        #expect(
            editor.type(" jj kK") == [
                .beginDrag(editor.sample.bell), .hover(.start(day: 3)),
                .hover(.before(editor.sample.coffee, day: 4)), .drop(.before(editor.sample.coffee, day: 4)),
            ])
        #expect(editor.focusedLine?.contains("Day 4") == true, "k went up, and a day is not nudged")
    }

    @Test func `a drop happens when its key is pressed, whatever is typed next`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        #expect(editor.type(" j q").suffix(2) == [.drop(.start(day: 3)), .quit])

        editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.type(" j aAquarium")
        let effects = editor.press(.enter)
        #expect(effects.count == 1)
        guard case .apply(let edits)? = effects.first, case .add(_, let content, let to)? = edits.first else {
            Issue.record("what was typed is added")
            return
        }
        #expect(content.title == "Aquarium")
        #expect(to == .after(editor.sample.bell, day: 3))
    }

    @Test func `if the daemon refuses a drop, the row returns, and keys are held until the reason is read`()
        throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        let before = editor.list
        editor.type(" j")
        #expect(editor.send(.dragLost("Ben is moving it")) == [.bell])
        #expect(editor.list == before)
        #expect(editor.status == "Liberty Bell stays: Ben is moving it")
        #expect(editor.type("jd ") == [.bell, .bell, .bell], "none of it is for the list")
        #expect(editor.press(.enter) == [])

        editor.type(" j")
        editor.send(.dragGranted)
        #expect(editor.type(" ") == [.drop(.start(day: 3))])
        #expect(editor.send(.dropRefused("the anchor has moved")) == [.bell])
        #expect(editor.list == before)
        #expect(editor.status == "Not done: moving Liberty Bell to Day 3, 1 of 1: the anchor has moved")
    }

    @Test func `games, days and items dragged by others cannot be lifted, and the status line says why`()
        throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        #expect(editor.type(" ") == [.bell])
        #expect(editor.status == "An event follows its schedule and cannot be moved.")
        editor.press(.home)
        #expect(editor.type(" ") == [.bell])
        editor.send(.people([Person(name: "Ben", dragging: editor.sample.beach)]))
        editor.focus("Beach")
        #expect(editor.status == "Beach: Day 5, 2 of 2. Ben is moving it.")
        #expect(editor.type(" ") == [.bell])
        #expect(editor.status == "Ben is moving Beach.")
        #expect(editor.type("d") == [.bell])
        #expect(editor.type("J") == [.bell])
        #expect(editor.type("e") == [.bell])
    }

    @Test func `travel without a valid place can be lifted, and every gap shows the reason`() throws {
        var editor = try Editor(columns: 100, rows: 18)
        let id = ItemID(high: 4, low: 4)
        try editor.sample.apply(
            .add(id, SampleTrip.travel("Philadelphia", "Rome", "plane", 9), to: .end(day: 5)))
        try editor.sample.apply(.update(id, [.toCity("New York")]))
        editor.load()
        editor.press(.end)
        editor.type(" ")
        #expect(
            editor.landing?.contains("○── Philadelphia → New ")
                == true && editor.statusAndBar.contains(" is not before "))
        #expect(editor.type("J") == [.bell])
    }

    @Test func `J, K and Alt+arrows move a dragged item to the next valid gap`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("New York → Philadelphia")
        editor.type(" ")
        editor.send(.dragGranted)
        editor.press(.home)
        #expect(editor.press(.down, .alt) == [.hover(.after(editor.sample.brazilMorocco, day: 1))])
        editor.press(.end)
        #expect(editor.type("K") == [.hover(.after(editor.sample.coffee, day: 4))])
        #expect(editor.type("J") == [.bell])
    }

    @Test func `quitting during a drag cancels the drag first`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type(" ")
        #expect(editor.type("q") == [.cancelDrag, .quit])
        editor.type(" ")
        editor.send(.dragGranted)
        #expect(editor.press(.character("z"), .control) == [.cancelDrag, .suspend])
        #expect(editor.press(.character("c"), .control) == [.quit])
    }
}
