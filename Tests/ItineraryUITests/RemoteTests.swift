import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct RemoteTests {
    @Test func `during a drag others' changes are deferred and counted, and after the drop they are shown`()
        throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.type(" j")
        editor.send(.dragGranted)
        let held = editor.list
        editor.send(.waiting(1))
        #expect(editor.status.hasSuffix("1 change waiting"))
        editor.send(.waiting(2))
        #expect(editor.status.hasSuffix("2 changes waiting"))
        #expect(editor.list == held)
        editor.type(" ")
        editor.send(.dropAccepted, .waiting(0))
        #expect(!editor.status.contains("waiting"))
        try editor.sample.apply(
            .move(editor.sample.bell, to: .start(day: 3)), .remove(editor.sample.dinner),
            .add(ItemID(high: 6, low: 1), SampleTrip.custom("Walk"), to: .start(day: 2)))
        editor.load()
        editor.expectScreen(
            """
              World Cup with Brazil                                             Ann
                Day 1 · Sat 13 Jun 2026 ──────────────────────────────── 1 event ──
                   18:00  Brazil v Morocco                 New York
                Day 2 · Sun 14 Jun 2026 ─────────────────── 1 h 25 min of travel ──
                ⋮⋮        Walk
                ⋮⋮        New York → Philadelphia   train                1 h 25 min
                Day 3 · Mon 15 Jun 2026 ───────────────────────────────────────────
            ▌   ⋮⋮        Liberty Bell                     Philadelphia
                Day 4 · Tue 16 Jun 2026 ──────────────── 1 event · 3 h of travel ──
                ⋮⋮    ☕️  Coffee
                   21:00  Brazil v Haiti                   Philadelphia
                ⋮⋮        Philadelphia → Miami      plane                       3 h
                Day 5 · Wed 17 Jun 2026 ──────────────────────────────── 1 event ──
                   18:00  Scotland v Brazil                Miami
                ⋮⋮        Beach

              Moved Liberty Bell from Day 2, 2 of 2 to Day 3, 1 of 1. u undoes it.
              Space lift  a add  A travel  ? help  e edit  d remove  m move  u undo
            """)
    }

    @Test func `a state that arrives during a drag is shown only after it`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.type(" j")
        editor.send(.dragGranted)
        let held = editor.list
        try editor.sample.apply(.remove(editor.sample.coffee))
        editor.load()
        #expect(editor.list == held)
        editor.press(.escape)
        #expect(!editor.text.contains("Coffee"))
        #expect(editor.focusedLine?.contains("Liberty Bell") == true)
        editor.type(" j")
        editor.send(.dragGranted)
        try editor.sample.apply(.remove(editor.sample.bell))
        editor.load()
        editor.press(.escape)
        #expect(editor.status == "Liberty Bell has been removed.")
        #expect(editor.focusedLine?.contains("New York → Philadelphia") == true)
    }

    @Test func `the list does not change during a drag, granted or not, and later shows what arrived`() throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.type(" jjj")
        let held = editor.list
        try editor.sample.apply(
            .add(ItemID(high: 6, low: 1), SampleTrip.custom("Walk"), to: .start(day: 1)),
            .add(ItemID(high: 6, low: 2), SampleTrip.custom("Tea"), to: .start(day: 4)))
        editor.load()
        editor.send(.dragGranted)
        #expect(editor.list == held)
        #expect(editor.landing?.contains("Day 4 · after Coffee") == true)
        editor.press(.escape)
        #expect(editor.list.contains { $0.contains("Walk") })
    }

    @Test func `if others remove the dragged item, the drag ends, and keys are held until that is read`()
        throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.type(" jj")
        editor.send(.dragGranted)
        #expect(editor.send(.dragLost("Ben removed it")) == [.bell])
        #expect(editor.status == "Liberty Bell is no longer lifted: Ben removed it")
        #expect(editor.landing == nil)
        try editor.sample.apply(.remove(editor.sample.bell))
        editor.load()
        #expect(editor.focusedLine?.contains("New York → Philadelphia") == true)
        #expect(editor.type("j d") == [.bell, .bell, .bell], "the keys were meant for the lifted item")
        #expect(editor.status == "Liberty Bell is no longer lifted: Ben removed it")
        #expect(editor.bar == "Enter go on")
        editor.press(.enter)
        editor.wait(milliseconds: 2_000)
        #expect(editor.type(" ") == [.beginDrag(editor.sample.toPhiladelphia)])
    }

    @Test func `a lost connection ends the drag, and a drop in flight stays shown until its outcome`() throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.type(" jj")
        editor.send(.dragGranted)
        #expect(editor.send(.connection(.lost("the daemon has ended"))) == [.bell])
        #expect(editor.status == "Liberty Bell is no longer lifted: the daemon has ended")
        editor.press(.enter)
        editor.send(.connection(.connected))
        editor.type(" jj ")
        let dropped = editor.list
        #expect(editor.send(.connection(.lost("the daemon has ended"))) == [])
        #expect(editor.list == dropped)
        #expect(editor.send(.editUnknown("the daemon has ended")) == [.bell])
        #expect(
            editor.statusAndBar.hasPrefix(
                "May or may not be saved: moving Liberty Bell to Day 4, 1 of 4: the daemon has ended"))
    }

    @Test func `another user's dragged item shows their name, and the row above shows its place`() throws {
        var editor = try Editor(columns: 72, rows: 20)
        let sample = editor.sample
        editor.focus("Liberty Bell")
        let people = [Person(name: "Ben", dragging: sample.coffee, over: .end(day: 2)), Person(name: "Cara")]
        editor.send(.people(people))
        #expect(editor.lines[0].hasSuffix("Ann, Ben, Cara"))
        #expect(editor.lines[6].hasPrefix("▌   ⋮⋮        Liberty Bell "))
        #expect(editor.lines[6].hasSuffix("┄ Ben: Coffee"))
        #expect(editor.lines[7].hasPrefix("    Day 3"), "no row is put between")
        #expect(editor.lines[9].hasSuffix("Ben is moving it"))
        let placements: [(Placement, above: String)] = [
            (.start(day: 3), "Day 3"), (.before(sample.brazilHaiti, day: 4), "Coffee"),
            (.after(sample.brazilMorocco, day: 1), "Brazil v Morocco"), (.order(0.5, day: 1), "Day 1"),
            (.order(5000, day: 1), "Dinner"), (.end(day: 5), "Beach"),
        ]
        for (placement, above) in placements {
            editor.send(.people([Person(name: "Ben", dragging: sample.coffee, over: placement)]))
            let line = try #require(editor.list.first { $0.contains("┄ Ben: Coffee") })
            #expect(line.contains(above))
        }
        let nowhere: [Placement?] = [
            nil, .start(day: 0), .end(day: 6), .after(sample.beach, day: 2),
            .before(ItemID(high: 8, low: 8), day: 2), .start(day: .max), .order(1, day: .min),
        ]
        for placement in nowhere {
            editor.send(.people([Person(name: "Ben", dragging: sample.coffee, over: placement)]))
            #expect(!editor.text.contains("┄"))
            #expect(editor.text.contains("Ben is moving it"))
        }
    }

    @Test func `others' drags move and scroll nothing, also during the user's own drag`() throws {
        var editor = try Editor(columns: 40, rows: 10)
        editor.press(.end, .up, .up, .up)
        let before = editor.list
        for place in [Placement.start(day: 1), .end(day: 3)] {
            editor.send(.people([Person(name: "Ben", dragging: editor.sample.dinner, over: place)]))
            #expect(editor.list == before)
        }
        editor = try Editor(columns: 72, rows: 30)
        editor.send(
            .people([
                Person(name: "Ben", dragging: editor.sample.coffee, over: .end(day: 2)),
                Person(name: "Cara", dragging: editor.sample.dinner, over: .end(day: 2)),
            ]))
        editor.focus("New York → Philadelphia")
        editor.type(" ")
        editor.send(.dragGranted)
        editor.press(.home)
        let rowCount = editor.list.count { !$0.isEmpty }
        for _ in 0..<20 {
            editor.press(.down)
            #expect(editor.list.count { !$0.isEmpty } == rowCount)
            let ghosts = editor.list.filter { $0.contains("┄ Ben: Coffee ┄ Cara: Dinner in Hoboken") }
            #expect(ghosts.count == 1)
            #expect(ghosts.first?.contains("Liberty Bell") == true)
        }
    }
}
