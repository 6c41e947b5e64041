import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct CursorTests {
    @Test func `arrows, j and k move over days and items, and stop at the ends`() throws {
        var editor = try Editor(columns: 64, rows: 18)
        #expect(editor.focusedLine?.contains("Brazil v Morocco") == true)
        editor.press(.down)
        #expect(editor.focusedLine?.contains("Dinner in Hoboken") == true)
        editor.type("j")
        #expect(editor.status == "Day 2 · Sun 14 Jun 2026: 2 items, 1 h 25 min of travel.")
        editor.type("kk")
        #expect(editor.status == "Brazil v Morocco: Day 1, 1 of 2.")
        editor.press(.home, .up, .up)
        #expect(editor.focusedLine?.contains("Day 1") == true)
        editor.press(.end, .down)
        #expect(editor.focusedLine?.contains("Beach") == true)
        #expect(editor.effects.isEmpty)
    }

    @Test func `PgUp and PgDn move by one day`() throws {
        var editor = try Editor(columns: 64, rows: 18)
        editor.press(.pageDown, .pageDown)
        #expect(editor.status == "Day 3 · Mon 15 Jun 2026: nothing yet.")
        editor.press(.down, .down, .pageUp)
        #expect(editor.focusedLine?.contains("Day 4") == true)
        editor.press(.pageUp, .pageUp)
        #expect(editor.focusedLine?.contains("Day 2") == true)
    }

    @Test func `the terminal's cursor is on the focused row, which is always visible`() throws {
        var editor = try Editor(columns: 40, rows: 10)
        for key in [Key.end, .home, .pageDown, .pageDown, .pageDown, .down, .up, .end, .up, .up, .up, .up] {
            editor.press(key)
            let row = try #require(editor.lines.firstIndex { $0.hasPrefix("▌") })
            #expect(editor.state.frame().cursor == Frame.Position(row: row, column: 0))
            #expect((1...7).contains(row))
        }
    }

    @Test func `the focus stays on its item through remote changes`() throws {
        var editor = try Editor(columns: 64, rows: 18)
        editor.focus("Liberty Bell")
        try editor.sample.apply(.move(editor.sample.bell, to: .end(day: 1)))
        editor.load()
        editor.send(.announced("Ben moved Liberty Bell to Day 1, 3 of 3"))
        editor.expectScreen(
            """
              World Cup with Brazil                                     Ann
                Day 1 · Sat 13 Jun 2026 ──────────────────────── 1 event ──
                   18:00  Brazil v Morocco                         New York
                ⋮⋮    🍝  Dinner in Hoboken
            ▌   ⋮⋮        Liberty Bell                         Philadelphia
                Day 2 · Sun 14 Jun 2026 ─────────── 1 h 25 min of travel ──
                ⋮⋮        New York → Philadelphia        train · 1 h 25 min
                Day 3 · Mon 15 Jun 2026 ───────────────────────────────────
                Day 4 · Tue 16 Jun 2026 ──────── 1 event · 3 h of travel ──
                ⋮⋮    ☕️  Coffee
                   21:00  Brazil v Haiti                       Philadelphia
                ⋮⋮        Philadelphia → Miami                  plane · 3 h
                Day 5 · Wed 17 Jun 2026 ──────────────────────── 1 event ──
                   18:00  Scotland v Brazil                           Miami
                ⋮⋮        Beach

              Ben moved Liberty Bell to Day 1, 3 of 3
              Space lift  a add  A travel  ? help  e edit  d remove  m move
            """)
        try editor.sample.apply(
            .remove(editor.sample.dinner), .move(editor.sample.toPhiladelphia, to: .end(day: 3)))
        editor.load()
        #expect(editor.focusedLine?.contains("Liberty Bell") == true)
    }

    @Test func `if the focused item is removed, the next one of its day gets the focus, or that above it`()
        throws
    {
        var editor = try Editor(columns: 64, rows: 18)
        editor.focus("Liberty Bell")
        try editor.sample.apply(.remove(editor.sample.bell), .remove(editor.sample.coffee))
        editor.load()
        #expect(editor.focusedLine?.contains("New York → Philadelphia") == true)
        editor.press(.end)
        try editor.sample.apply(.remove(editor.sample.beach))
        editor.load()
        #expect(editor.focusedLine?.contains("Scotland v Brazil") == true)
        for item in editor.sample.trip.items { try editor.sample.apply(.remove(item.id)) }
        editor.load()
        #expect(editor.focusedLine?.contains("Day 5") == true)
    }

    @Test func `the list does not scroll when rows above are added or removed`() throws {
        var editor = try Editor(columns: 40, rows: 10)
        editor.press(.end)
        let before = editor.list
        try editor.sample.apply(
            .add(ItemID(high: 5, low: 1), SampleTrip.custom("One"), to: .start(day: 1)),
            .add(ItemID(high: 5, low: 2), SampleTrip.custom("Two"), to: .start(day: 1)))
        editor.load()
        #expect(editor.list == before)
        try editor.sample.apply(.remove(ItemID(high: 5, low: 2)), .remove(editor.sample.dinner))
        editor.load()
        #expect(editor.list == before)
        // If a visible row is moved away, the list does not scroll with it.
        try editor.sample.apply(.add(ItemID(high: 5, low: 3), SampleTrip.custom("Swim"), to: .end(day: 5)))
        editor.load()
        editor.press(.end, .up, .up, .up)
        let rest = editor.list.dropFirst()
        #expect(editor.list[0].contains("Coffee"))
        try editor.sample.apply(.move(editor.sample.coffee, to: .start(day: 1)))
        editor.load()
        #expect(editor.list.dropFirst() == rest)
    }

    @Test func `R-DAY: games outside the trip are shown before and after it, and nothing can be added there`()
        throws
    {
        var editor = try Editor(columns: 64, rows: 22)
        try editor.sample.apply(
            .add(
                ItemID(high: 3, low: 1), try SampleTrip.game("Early", "Rome", "2026-05-01T12:00:00Z"), to: nil
            ),
            .add(
                ItemID(high: 3, low: 2), try SampleTrip.game("Late", "Rome", "9999-12-31T12:00:00Z"), to: nil)
        )
        editor.load()
        #expect(editor.list[0].hasPrefix(" !  Fri 1 May 2026 · outside the trip"))
        editor.press(.end)
        #expect(editor.focusedLine?.contains("Late") == true)
        editor.type("!")
        #expect(editor.list.contains { $0.contains("Early") && $0.hasSuffix("Fri 1 May 2026") })
        editor.press(.escape)
        #expect(!editor.text.contains("Day -"), "days outside the trip have no number")
        #expect(editor.type("a") == [.bell])
        #expect(editor.status == "This day is outside the trip.")
        editor.focus("Liberty Bell")
        editor.type(" ")
        editor.press(.home)
        #expect(editor.landing?.contains("Day 1 · before Brazil v Morocco") == true)
        editor.press(.end)
        #expect(editor.landing?.contains("Day 5 · after Beach") == true)
    }

    @Test func `with 10,000 items only the visible rows are drawn, wherever the cursor is`() throws {
        let items = (0..<TripLimits.items).map { index in
            Item(
                id: ItemID(high: 1, low: UInt64(index)),
                position: Position(day: index / 1000 + 1, sortOrder: Double(index)),
                content: SampleTrip.custom("Item \(index)"), version: 1,
                modifiedAt: Timestamp(milliseconds: 0), modifiedBy: "Ann")
        }
        let trip = try Trip(header: SampleTrip.header(days: 10), version: 1, items: items)
        var editor = try Editor(loads: false)
        editor.send(.loaded(TripView(trip: trip, problems: [])))
        for _ in 0..<2_000 { editor.press(.down) }
        #expect(editor.status == "Item 1999: Day 2, 1000 of 1000.")
        editor.press(.end)
        #expect(editor.status == "Item 9999: Day 10, 1000 of 1000.")
        editor.type(" ")
        editor.press(.home)
        #expect(editor.landing?.contains("Day 1 · before Item 0") == true)
        #expect(editor.list.count == 21)
    }

    @Test func `the focus moves to an item restored by undo`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Liberty Bell")
        let trip = editor.sample.trip
        editor.type("d")
        editor.send(.editAccepted(nil))
        try editor.sample.apply(.remove(editor.sample.bell))
        editor.load()
        editor.press(.home)
        editor.type("u")
        editor.send(.editAccepted("removed Liberty Bell", [editor.sample.bell]))
        editor.sample.trip = trip
        editor.load()
        #expect(editor.focusedLine?.contains("Liberty Bell") == true)
    }

    @Test(arguments: [true, false])
    func `the focus does not move to a restored item if the user has moved the cursor since`(byKey: Bool)
        throws
    {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Liberty Bell")
        let trip = editor.sample.trip
        editor.type("d")
        editor.send(.editAccepted(nil))
        try editor.sample.apply(.remove(editor.sample.bell))
        editor.load()
        editor.press(.home)
        editor.type("u")
        if byKey { editor.type("j") } else { editor.wait(milliseconds: 400) }
        let line = editor.focusedLine
        editor.send(.editAccepted("removed Liberty Bell", [editor.sample.bell]))
        editor.sample.trip = trip
        editor.load()
        #expect(editor.focusedLine == line)
    }

    @Test func `the focus does not move to a restored item if the outcome precedes the view with the item`()
        throws
    {
        for milliseconds in [300, 301] {
            var editor = try Editor(columns: 80, rows: 18)
            editor.focus("Liberty Bell")
            let trip = editor.sample.trip
            try editor.sample.apply(.remove(editor.sample.bell))
            editor.load()
            editor.press(.home)
            editor.type("u")
            editor.send(.editAccepted("removed Liberty Bell", [editor.sample.bell]))
            editor.wait(milliseconds: milliseconds)
            editor.sample.trip = trip
            editor.load()
            #expect(editor.focusedLine?.contains("Liberty Bell") == (milliseconds == 300))
        }
    }
}
