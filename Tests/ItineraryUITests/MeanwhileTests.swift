import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Remote changes between two keys: while a question or a list is open, or items are selected.
@Suite struct MeanwhileTests {
    private func marked(_ titles: String...) throws -> Editor {
        var editor = try Editor()
        for title in titles {
            editor.focus(title)
            editor.type("x")
        }
        return editor
    }

    // MARK: Questions about days

    @Test func `removing a day is confirmed again if the trip has changed since the question`() throws {
        var editor = try Editor()
        editor.focus("Liberty Bell")
        editor.type("-")
        #expect(editor.statusAndBar.contains("Remove day 2? Its 2 items move to day 1"))
        let new = ItemID(high: 9, low: 9)
        try ben(&editor, .add(new, SampleTrip.custom("Museum"), to: .end(day: 5)))
        #expect(editor.type("y") == [.bell])
        #expect(
            editor.statusAndBar.contains("The trip has changed since. Remove day 2?"),
            "\(editor.statusAndBar)")
        let edits = try #require(applied(editor.type("y")))
        #expect(edits.contains { $0.item == new }, "days do not come apart")

        editor = try Editor()
        editor.focus("Liberty Bell")
        editor.type("-")
        try ben(&editor, .move(editor.sample.bell, to: .end(day: 5)))
        #expect(editor.type("y") == [.bell])
        let others = try #require(applied(editor.type("y")))
        #expect(
            !others.contains(.move(editor.sample.bell, to: .end(day: 1))), "Ben's move is kept")
    }

    @Test func `a day is inserted into the present days, also after others have changed them`() throws {
        var editor = try Editor()
        editor.focus("Liberty Bell")
        editor.type("+")
        try ben(&editor, .trip(TripChange(dayCount: 6)))
        #expect(editor.type("y") == [.bell])
        #expect(editor.statusAndBar.contains("The trip has changed since. Insert a day after day 2?"))
        #expect(try #require(applied(editor.type("y"))).first == .trip(TripChange(dayCount: 7)))

        editor = try Editor()
        editor.focus("Scotland v Brazil")
        editor.type("-")
        try ben(&editor, .trip(TripChange(dayCount: 4)))
        #expect(editor.type("y") == [.bell])
        #expect(editor.status == "Day 5 no longer exists.")
    }

    @Test func `r asks again if the effects on items have changed`() throws {
        var editor = try Editor()
        editor.type("r")
        editor.press(.tab)
        editor.press(.tab)
        editor.press(.backspace)
        editor.type("3")
        editor.press(.enter)
        #expect(editor.statusAndBar.contains("Do it?"))
        let edits = try #require(applied(editor.type("y")))
        #expect(edits == [.trip(TripChange(dayCount: 3))])
    }

    @Test func `items that others have removed are left out of a confirmed removal`() throws {
        var editor = try marked("Dinner", "Liberty Bell", "Beach")
        editor.type("d")
        #expect(editor.status == "Remove the 3 marked items? y/n")
        try ben(&editor, .remove(editor.sample.bell))
        #expect(
            editor.type("y") == [.apply([.remove(editor.sample.dinner), .remove(editor.sample.beach)])])
        editor.send(.editAccepted(nil))
        #expect(editor.status == "Removed 2 items. u undoes it.")

        editor = try marked("Dinner")
        editor.type("d")
        try ben(&editor, .remove(editor.sample.dinner))
        #expect(editor.type("y") == [.bell])
        #expect(editor.status == "They have been removed already.")
    }

    @Test func `the user's own removal holds no keys`() throws {
        var editor = try marked("Dinner", "Liberty Bell")
        editor.focus("Liberty Bell")
        editor.type("dy")
        editor.send(.editAccepted(nil))
        #expect(editor.type("d") == [.apply([.remove(editor.sample.toPhiladelphia)])])
    }

    @Test func `a key for a new item that the daemon has just refused does not affect its neighbour`() throws
    {
        for key in ["d", "e", " ", ">", "J"] {
            var editor = try Editor(columns: 80, rows: 18)
            editor.focus("Liberty Bell")
            editor.type("aTea")
            editor.press(.enter)
            #expect(editor.focusedLine?.contains("Tea") == true)
            editor.send(.editRefused("the disk failed"))
            editor.wait(milliseconds: 600)
            #expect(editor.type(key).allSatisfy { $0 == .bell }, "\(key)")
            #expect(editor.bar == "Enter go on")
        }
    }

    // MARK: Selections

    @Test(arguments: ["d", ">", " ", "c", "m", "J", "e", "x", "X"])
    func `if others remove all selected items, that is reported, and the next key for them is held`(
        key: String
    ) throws {
        var editor = try marked("Liberty Bell")
        editor.focus("Beach")
        try ben(&editor, .remove(editor.sample.bell))
        #expect(editor.status == "Ben removed Liberty Bell: nothing is marked any more.")
        // At any time later, with the cursor anywhere.
        editor.wait(milliseconds: 5_000)
        editor.press(.up, .down)
        #expect(editor.type(key) == [.bell])
        #expect(editor.status == "Ben removed Liberty Bell: nothing is marked any more.")
        #expect(editor.bar == "Enter go on")
        editor.press(.enter)
        #expect(editor.type("d") == [.apply([.remove(editor.sample.beach)])])
    }

    @Test func `if others remove some selected items, the next key applies to the rest after one message`()
        throws
    {
        var editor = try marked("Dinner", "Liberty Bell", "Beach")
        try ben(&editor, .remove(editor.sample.bell))
        #expect(editor.status == "Ben removed Liberty Bell: 2 are still marked.")
        #expect(editor.type("d") == [.bell])
        editor.press(.enter)
        editor.type("d")
        #expect(editor.status == "Remove the 2 marked items? y/n")

        editor = try marked("Dinner", "Liberty Bell")
        try ben(&editor, .remove(editor.sample.bell))
        editor.press(.escape)
        editor.focus("Beach")
        editor.wait(milliseconds: 1_000)
        #expect(
            editor.type("d") == [.apply([.remove(editor.sample.beach)])], "Esc has cleared the selection")
    }

    @Test(arguments: ["J", "K", "e"])
    func `keys that move or edit one item do not affect another one than the selected`(key: String) throws {
        var editor = try marked("Dinner")
        #expect(editor.type(key) == [.bell])
        #expect(editor.statusAndBar.contains("1 is marked. Esc unmarks."), "\(editor.statusAndBar)")
        editor.press(.escape)
        editor.focus("Beach")
        #expect(editor.type("K").count == 1)
    }

    @Test func `the list of places for a selection follows the trip, like that for one item`() throws {
        var editor = try marked("Dinner", "Beach")
        editor.type("m/after Liberty")
        #expect(editor.focusedLine?.contains("after Liberty Bell") == true)
        try ben(&editor, .remove(editor.sample.bell))
        #expect(editor.status == "Day 2 · after Liberty Bell is gone: choose another line.")
        #expect(editor.press(.enter) == [.bell], "no other place is taken in its stead")

        editor = try marked("Dinner", "Liberty Bell", "Beach")
        editor.type("m/after Coffee")
        try ben(&editor, .remove(editor.sample.bell))
        #expect(editor.status == "Ben removed Liberty Bell: choose a place for the other 2.")
        #expect(editor.press(.enter) == [.bell])
        editor.press(.down, .up)
        let edits = try #require(applied(editor.press(.enter)))
        #expect(edits.map(\.item) == [editor.sample.dinner, editor.sample.beach])

        editor = try marked("Liberty Bell")
        editor.type("m/after Coffee")
        try ben(&editor, .remove(editor.sample.bell))
        #expect(editor.status == "Ben removed Liberty Bell. Enter or Esc closes the list.")
        #expect(editor.press(.enter) == [])
    }

    @Test func `changes that need several requests move, remove and copy items as one change`() throws {
        var editor = try Editor()
        for number in 0..<300 {
            let id = ItemID(high: 7, low: UInt64(number))
            try editor.sample.apply(.add(id, SampleTrip.custom("x\(number)"), to: .end(day: 3)))
        }
        editor.load()
        editor.focus("x0")
        editor.type("x")
        for _ in 0..<298 { editor.press(.down) }
        editor.type("X")
        #expect(editor.status.hasPrefix("300 marked"))
        #expect(applied(editor.type(">"))?.count == 300)
        editor.send(.editAccepted(nil))
        editor.type("d")
        #expect(editor.status == "Remove the 300 marked items? y/n")
        #expect(applied(editor.type("y"))?.count == 300)
    }

    @Test func `the user's own undo holds no keys, but others' removals and a late undo do`() throws {
        for (isOthers, milliseconds) in [(false, 0), (false, 300), (true, 0), (false, 301)] {
            var editor = try Editor()
            editor.focus("Liberty Bell")
            editor.type("u")
            editor.wait(milliseconds: milliseconds)
            var view = editor.sample.view
            view.isCatchingUp = true
            _ = editor.state.handle(.shown(view), now: editor.now)
            var trip = view.trip
            _ = try trip.apply(
                [.remove(editor.sample.bell)], by: Author(name: "Ann", at: Timestamp(milliseconds: 0)))
            var next = TripView(trip: trip, problems: [])
            if isOthers {
                next.news = [RemoteEdit(user: "Ben", before: view.trip[editor.sample.bell], after: nil)]
            }
            _ = editor.state.handle(.shown(next), now: editor.now)
            let isLate = milliseconds > 300
            #expect(editor.status.contains("removed Liberty Bell") == isOthers, "\(editor.status)")
            #expect(editor.status.contains("Liberty Bell was removed by your last undo or redo.") == isLate)
            let effects = editor.type("e")
            #expect((effects == [.bell]) == (isOthers || isLate))
            #expect(editor.bar.hasPrefix("Enter go on") == (isOthers || isLate))
        }
    }
}
