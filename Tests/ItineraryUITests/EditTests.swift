import EditorSessions
import ItineraryUI
import TerminalCore
import TestSupport
import Testing
import TripModel

@Suite struct EditTests {
    @Test func `a asks for a title and adds an item below the cursor, which is shown at once`() throws {
        var editor = try Editor(columns: 64, rows: 12)
        editor.focus("Liberty Bell")
        editor.type("aLuncheon")
        editor.press(.backspace, .backspace, .backspace)
        editor.expectScreen(
            """
              World Cup with Brazil                                     Ann
                Day 1 · Sat 13 Jun 2026 ──────────────────────── 1 event ──
                   18:00  Brazil v Morocco                         New York
                ⋮⋮    🍝  Dinner in Hoboken
                Day 2 · Sun 14 Jun 2026 ─────────── 1 h 25 min of travel ──
                ⋮⋮        New York → Philadelphia        train · 1 h 25 min
            ▌   ⋮⋮        Liberty Bell                         Philadelphia
                Day 3 · Mon 15 Jun 2026 ───────────────────────────────────
                Day 4 · Tue 16 Jun 2026 ──────── 1 event · 3 h of travel ──
                ⋮⋮    ☕️  Coffee
              New item: Lunch
              Enter add  Esc cancel  Ctrl-U erase
            """)
        #expect(editor.state.frame().cursor == Frame.Position(row: 10, column: 17))
        var generator = SplitMix64(seed: 1)
        let id = ItemID.random(using: &generator)
        let edit = Edit.add(
            id, .custom(CustomItem(title: "Lunch")), to: .after(editor.sample.bell, day: 2))
        #expect(editor.press(.enter) == [.apply([edit])])
        #expect(editor.focusedLine?.contains("Lunch") == true)
        let shown = editor.list
        editor.send(.editAccepted(nil))
        #expect(editor.status == "Added Lunch. u undoes it.")
        try editor.sample.apply(edit)
        editor.load()
        #expect(editor.list == shown)
    }

    @Test func `on an empty day an item can be added from the day's heading`() throws {
        var editor = try Editor()
        editor.press(.pageDown, .pageDown)
        editor.type("aRest")
        let effects = editor.press(.enter)
        guard case .apply(let edits) = effects.first, case .add(_, _, let to) = edits.first else {
            Issue.record("an item is added")
            return
        }
        #expect(to == .start(day: 3))
    }

    @Test func `in a prompt Esc cancels, an empty title is refused, and q and u are letters`() throws {
        var editor = try Editor(columns: 64, rows: 12)
        editor.type("a")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "A title is needed; Esc cancels.")
        #expect(editor.type("  qu?  ") == [])
        #expect(editor.status == "New item:   qu?")
        editor.press(.left, .left, .left)
        editor.type("é")
        editor.press(.home)
        editor.type("W ")
        editor.press(.end)
        #expect(editor.status == "New item: W   qué?")
        editor.press(.character("w"), .control)
        #expect(editor.status == "New item: W")
        #expect(editor.press(.escape) == [])
        #expect(editor.state.context == .list)
    }

    @Test func `e edits the title of a custom item`() throws {
        var editor = try Editor(columns: 64, rows: 12)
        editor.focus("Beach")
        editor.type("e")
        #expect(editor.status == "Title: Beach")
        editor.type(" day")
        #expect(editor.press(.enter) == [.apply([.update(editor.sample.beach, [.title("Beach day")])])])
        #expect(editor.focusedLine?.contains("Beach day") == true)
        editor.send(.editRefused("the item is held by Ben"))
        #expect(editor.focusedLine?.contains("Beach day") == false)
        #expect(editor.status == "Not done: changing title of Beach: the item is held by Ben")
        editor.focus("Brazil v Haiti")
        #expect(editor.type("e") == [])
        #expect(!editor.lines.contains { $0.hasPrefix("▌ Title") }, "its title is the schedule's")
    }

    @Test func `d removes a custom item at once, and a game after a question`() throws {
        var editor = try Editor(columns: 64, rows: 18)
        editor.focus("Liberty Bell")
        #expect(editor.type("d") == [.apply([.remove(editor.sample.bell)])])
        #expect(!editor.list.contains { $0.contains("Liberty Bell") })
        #expect(editor.status == "Removed Liberty Bell. u undoes it.", "at once")
        #expect(editor.focusedLine?.contains("New York → Philadelphia") == true, "on the same day")
        editor.focus("Brazil v Haiti")
        #expect(editor.press(.delete) == [])
        #expect(editor.status == "Remove the event Brazil v Haiti? y/n")
        #expect(editor.bar == "y yes  n no")
        #expect(editor.type("n") == [])
        #expect(editor.status == "Nothing was removed.")
        editor.type("d")
        #expect(editor.type("y") == [.apply([.remove(editor.sample.brazilHaiti)])])
        editor.press(.home)
        #expect(editor.type("d") == [.bell])
    }

    @Test func `J, K and Alt+arrows move an item to the next valid place, also several times in a row`()
        throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        let sample = editor.sample
        editor.focus("New York → Philadelphia")
        #expect(
            editor.type("K") == [.apply([.move(sample.toPhiladelphia, to: .after(sample.dinner, day: 1))])])
        #expect(
            editor.press(.up, .alt)
                == [.apply([.move(sample.toPhiladelphia, to: .after(sample.brazilMorocco, day: 1))])])
        #expect(editor.type("K") == [.bell], "above is only the game that it follows")
        #expect(editor.status == "There is no allowed place above.")
        editor.press(.right)
        editor.send(.editAccepted(nil), .editAccepted(nil))
        #expect(
            editor.statusAndBar.hasPrefix(
                "Moved New York → Philadelphia from Day 1, 3 of 3 to Day 1, 2 of 3. u undoes it."))
        try editor.sample.apply(
            .move(sample.toPhiladelphia, to: .after(sample.brazilMorocco, day: 1)))
        let shown = editor.list
        editor.load()
        #expect(editor.list == shown)
    }

    @Test func `a refused change disappears from the screen, and pending changes stay`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Beach")
        editor.type("K")
        editor.focus("Liberty Bell")
        editor.type("d")
        editor.send(.editRefused("Ben is moving it"))
        #expect(editor.list.last { !$0.isEmpty }?.contains("Beach") == true)
        #expect(!editor.list.contains { $0.contains("Liberty Bell") })
        editor.send(.editAccepted(nil))
        #expect(
            editor.status == "Not done: moving Beach to Day 5, 1 of 2: Ben is moving it", "until it is read")
        editor.press(.right)
        #expect(editor.status.hasSuffix("1 not done: E"))
        #expect(!editor.list.contains { $0.contains("Liberty Bell") }, "until the newer state comes")
        editor.type("E")
        #expect(editor.panel[1].hasPrefix("▌ moving Beach to Day 5"))
        editor.press(.enter)
        #expect(!editor.status.contains("not done"))
    }

    @Test func `each event of a drag is described in one sentence`() throws {
        var editor = try Editor(columns: 100, rows: 18)
        editor.focus("New York → Philadelphia")
        #expect(editor.status == "New York → Philadelphia: Day 2, 1 of 2.")
        editor.type(" ")
        #expect(editor.status == "New York → Philadelphia is lifted, for days 1 to 4.")
        editor.send(.dragGranted)
        editor.press(.up)
        #expect(editor.status == "Day 1, 3 of 3. After Dinner in Hoboken.")
        editor.send(.waiting(2))
        #expect(editor.status.hasSuffix("2 changes waiting"))
        editor.send(.waiting(0))
        editor.press(.home)
        #expect(editor.status == "Must be after Brazil v Morocco 18:00. Day 1, 1 of 3.")
        editor.type(" ")
        #expect(editor.status == "Must be after Brazil v Morocco 18:00: it was not moved there.")
        editor.focus("Beach")
        editor.type("e")
        #expect(editor.status == "Title: Beach")
        editor.press(.escape)
        editor.type("m")
        #expect(editor.panel[1].hasPrefix("▌ Day 1 · before Brazil v Morocco") && editor.status == "1 of 12.")
    }

    @Test func `a change that the daemon refuses cannot be undone, and its toast disappears`() throws {
        var editor = try Editor(columns: 72, rows: 18, reduceMotion: false)
        editor.focus("Beach")
        editor.type("d")
        #expect(editor.styledText.contains("⟦reverse cyan⟧u undo"))
        editor.send(.editRefused("Ben is moving it"))
        #expect(!editor.styledText.contains("⟦reverse cyan⟧u undo"))
    }

    @Test func `u and U undo and redo, and the answer's sentence is shown`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        #expect(editor.type("u") == [.undo])
        #expect(editor.status == "Undoing your last change.", "the message shows that the key was accepted")
        #expect(editor.type("U") == [.redo])
        #expect(editor.status == "Redoing your last undone change.")
        editor.send(.editAccepted("Beach is back at Day 5"))
        #expect(editor.status == "Undone: Beach is back at Day 5.")
        #expect(editor.send(.editRefused("there is nothing to make again")) == [.bell])
        #expect(editor.status == "Not done: redo: there is nothing to make again")
    }
}
