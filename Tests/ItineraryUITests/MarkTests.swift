import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Selections, moves by days, and navigation in long trips.
@Suite struct MarkTests {
    private func marked(_ titles: String...) throws -> Editor {
        var editor = try Editor()
        for title in titles {
            editor.focus(title)
            editor.type("x")
        }
        return editor
    }

    @Test func `x selects and moves on, X selects a range, Esc deselects, and the bar has the next keys`()
        throws
    {
        var editor = try marked("Dinner in Hoboken")
        #expect(editor.status == "1 marked.")
        #expect(editor.bar.contains("Space lift") && editor.bar.contains("Esc unmark"))
        #expect(editor.lines[3].hasPrefix("    ●"))
        editor.focus("Liberty Bell")
        editor.type("X")
        #expect(editor.status.hasPrefix("3 marked"))
        editor.press(.escape)
        #expect(!editor.text.contains("●"))
    }

    @Test func `selected items are dragged and dropped as one change, below each other in their order`()
        throws
    {
        var editor = try marked("Beach", "Dinner in Hoboken")
        editor.focus("Liberty Bell")
        #expect(editor.type(" ") == [])
        #expect(editor.status == "Dinner in Hoboken and 1 more are lifted, for days 1 to 5.")
        editor.press(.down)
        let (dinner, beach) = (editor.sample.dinner, editor.sample.beach)
        #expect(
            editor.type(" ") == [
                .apply([.move(dinner, to: .start(day: 3)), .move(beach, to: .after(dinner, day: 3))])
            ])
        editor.send(.editAccepted(nil))
        #expect(editor.status == "Moved 2 items to day 3. u undoes it.")
        #expect(!editor.text.contains("●"))
    }

    @Test func `several selected travels can be dropped only where all are valid`() throws {
        var editor = try marked("Philadelphia → Miami", "Dinner in Hoboken")
        editor.focus("Liberty Bell")
        editor.type(" ")
        #expect(editor.status == "Dinner in Hoboken and 1 more are lifted, for days 4 to 5.")
        editor.type("J")
        #expect(editor.status.hasPrefix("Day 4"), "the next place that is allowed")
        editor.press(.escape)
        #expect(editor.status == "Dinner in Hoboken and 1 more stay where they are.")
        editor.type("m")
        #expect(editor.heading == "Move 2 items to")
        #expect(editor.panel[1].contains("must be on a day from 4 to 5"))
    }

    @Test func `selected items are removed after a question, without a game among them`() throws {
        var editor = try marked("Beach", "Liberty Bell")
        #expect(editor.type("d") == [])
        #expect(editor.status == "Remove the 2 marked items? y/n")
        #expect(
            editor.type("y") == [.apply([.remove(editor.sample.bell), .remove(editor.sample.beach)])])
    }

    @Test func `of a range the events stay, and the others move`() throws {
        var editor = try marked("Beach", "Brazil v Haiti")
        #expect(editor.type("<") == [.apply([.move(editor.sample.beach, to: .end(day: 4))])])
        editor.send(.editAccepted(nil))
        #expect(editor.status == "Moved Beach to day 4. Brazil v Haiti stays: it is an event. u undoes it.")
        editor = try marked("Beach", "Brazil v Haiti")
        editor.type(" ")
        #expect(editor.status.hasSuffix("Brazil v Haiti stays: it is an event."))
        editor.press(.escape)
        editor = try marked("Brazil v Haiti")
        for key in [" ", ">", "m"] {
            #expect(editor.type(key) == [.bell])
            #expect(editor.status.hasPrefix("Only events are marked: they follow their schedules"))
        }
    }

    @Test func `> and < move an item or the selection by days, and a time decides the place on the day`()
        throws
    {
        var editor = try marked()
        editor.focus("Dinner in Hoboken")
        #expect(editor.type(">") == [.apply([.move(editor.sample.dinner, to: .end(day: 2))])])
        editor.focus("Beach")
        #expect(editor.type("2<") == [.apply([.move(editor.sample.beach, to: .end(day: 3))])])
        editor = try marked()
        editor.focus("Beach")
        #expect(editor.type(">") == [.bell])
        #expect(editor.status == "There is no day 6; + adds one.")
        try editor.sample.apply(.update(editor.sample.beach, [.time(ClockTime("10:00"))]))
        editor.load()
        #expect(
            editor.type("<") == [
                .apply([.move(editor.sample.beach, to: .before(editor.sample.brazilHaiti, day: 4))])
            ])
        editor.focus("Philadelphia → Miami")
        #expect(editor.type("<") == [.bell])
        #expect(editor.status == "Philadelphia → Miami: must be on a day from 4 to 5.")
    }

    // MARK: Navigation

    @Test(arguments: [
        (":3\n", "Day 3"), (":day 4\n", "Day 4"), (":2026-06-15\n", "Day 3"), (":14 jun\n", "Day 2"),
        (":today\n", "Day 5"), ("3G", "Day 3"),
    ])
    func `a day can be opened by number, date and name`(keys: String, row: String) throws {
        var options = EditorOptions()
        options.today = { CalendarDate("2026-06-17") ?? .epoch }
        var editor = try Editor(options: options)
        for scalar in keys.unicodeScalars { editor.press(scalar == "\n" ? .enter : .character(scalar)) }
        #expect(editor.focusedLine?.contains("\(row) ·") == true)
    }

    @Test func `an invalid day, or one outside the trip, is refused with a valid example`() throws {
        var editor = try Editor()
        editor.type(":soon")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "Type a day, such as 3, day 3, 2027-04-01, 1 Apr or today.")
        editor.press(.character("u"), .control)
        editor.type("9")
        editor.press(.enter)
        #expect(
            editor.statusAndBar.contains("Sat 13 Jun 2026 to Wed 17 Jun 2026, days 1 to 5."))
        editor.press(.escape)
        #expect(editor.type("9G") == [.bell])
        #expect(editor.status == "There is no day 9; the trip has days 1 to 5.")
    }

    @Test func `a count before a key repeats it, and Ctrl-D and Ctrl-U scroll half a screen`() throws {
        var editor = try Editor()
        editor.press(.home)
        editor.type("4j")
        #expect(editor.focusedLine?.contains("New York → Philadelphia") == true)
        editor.type("2k")
        #expect(editor.focusedLine?.contains("Dinner") == true)
        editor.press(.character("d"), .control)
        #expect(editor.focusedLine?.contains("Scotland v Brazil") == true)
        editor.press(.character("u"), .control)
        #expect(editor.focusedLine?.contains("Dinner") == true)
    }

    @Test func `z folds a run of empty days to one line, and a drag unfolds it`() throws {
        var editor = try Editor()
        try editor.sample.apply(.trip(TripChange(dayCount: 12)))
        editor.load()
        let open = editor.list.filter { !$0.isEmpty }.count
        editor.type("z")
        #expect(editor.status == "7 empty days are folded; z opens them.")
        #expect(editor.text.contains("Days 6 to 12 · Thu 18 Jun 2026 to Wed 24 Jun 2026 · 7 empty days"))
        #expect(editor.list.filter { !$0.isEmpty }.count == open - 6)
        #expect(editor.text.contains("Day 3 ·"), "one alone is a line anyway")
        editor.press(.end)
        #expect(editor.status == "Days 6 to 12: nothing yet.")
        editor.focus("Beach")
        #expect(editor.type(" ") == [.beginDrag(editor.sample.beach)])
        #expect(editor.text.contains("Day 9 ·"))
        editor.press(.end)
        editor.type(" ")
        editor.send(.dragGranted, .dropAccepted)
        #expect(editor.focusedLine?.contains("Beach") == true)
        #expect(editor.text.contains("Day 5"))
        #expect(editor.text.contains("Days 6 to 11 ·"), "and folds what is empty then")
        editor.focus("Coffee")
        #expect(editor.type("J").count == 1, "a place is found though days are folded")
        editor.type("m")
        #expect(editor.heading == "Move Coffee to")
    }

    @Test func `every key has an effect or a message`() throws {
        var editor = try Editor()
        #expect(editor.type("Q") == [.bell])
        #expect(editor.status == "Q does nothing here; ? lists the keys.")
        editor.press(.home)
        #expect(editor.type("e") == [.bell])
        #expect(editor.status == "A day has no fields of its own. r edits the trip.")
        #expect(editor.type("d") == [.bell])
        #expect(editor.status == "A day cannot be removed like an item. - removes the whole day.")
    }

    @Test func `X does not select another range after others have moved its start`() throws {
        var editor = try Editor()
        editor.focus("Dinner")
        editor.type("x")
        editor.focus("Beach")
        try ben(&editor, .move(editor.sample.dinner, to: .end(day: 5)))
        #expect(editor.type("X") == [.bell])
        #expect(
            editor.statusAndBar.contains(
                "Ben moved Dinner in Hoboken, the start of the range: mark its first item again."))
        editor.type("d")
        #expect(editor.status.hasPrefix("Remove Dinner"))
        editor.type("n")
        editor.focus("Beach")
        editor.type("x")
        editor.focus("Coffee")
        #expect(editor.type("X") == [])
        #expect(editor.status.contains(" marked.") && !editor.status.hasPrefix("1 "))
    }
}
