import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// The messages and hints at the bottom of the screen.
@Suite struct StatusTests {
    @Test func `a sentence that does not fit is shown in full, on two lines`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Beach")
        editor.type("K")
        editor.send(.editRefused("someone else has changed that since: renamed Supper to Dinner"))
        #expect(editor.statusRows.count == 2)
        #expect(editor.status.hasSuffix("has changed that since: renamed Supper to Dinner"))
        #expect(editor.bar.hasPrefix("Space lift  a add"), "and the keys stay to be seen")
    }

    @Test
    func `a long sentence covers the end of the list, never the cursor's row, and a click dismisses it`()
        throws
    {
        var editor = try Editor(columns: 60, rows: 10)
        try editor.sample.apply(.add(ItemID(high: 4, low: 1), SampleTrip.custom("Bags"), to: .end(day: 5)))
        editor.load()
        let long = "someone else has changed that since: renamed Supper to Dinner"
        func refuse(_ editor: inout Editor) {
            editor.type("K")
            editor.send(.editRefused(long))
        }
        // At the end of the trip the cursor is on the last row.
        editor.press(.end)
        let last = editor.lines.count - 3
        #expect(editor.lines[last].hasPrefix("▌"))
        let under = editor.lines
        refuse(&editor)
        #expect(editor.statusRows == last + 1..<last + 2)
        #expect(editor.lines[last] == under[last], "the row with the cursor is to be seen")
        #expect(editor.bar.hasPrefix("has changed that since") || editor.bar.contains("renamed Supper"))
        // With one row below it, the message covers that row.
        editor.press(.up)
        let above = editor.lines
        #expect(above[last - 1].hasPrefix("▌"))
        refuse(&editor)
        #expect(editor.statusRows == last..<last + 2)
        #expect(Array(editor.lines[..<last]) == Array(above[..<last]))
        #expect(editor.bar.hasPrefix("renamed Supper to Dinner   Space lift"), "\(editor.bar)")
        // Otherwise the message covers part of the list, which does not move.
        editor.focus("Liberty Bell")
        let before = editor.lines
        refuse(&editor)
        let rows = editor.statusRows
        #expect(rows == last - 1..<last + 2)
        #expect(Array(editor.lines[..<rows.lowerBound]) == Array(before[..<rows.lowerBound]))
        #expect(editor.status.hasSuffix("renamed Supper to Dinner"))
        let focus = editor.focusedLine
        editor.click(row: last)
        #expect(editor.focusedLine == focus, "what is not seen is not pointed at")
        #expect(editor.lines[last] == before[last])
    }

    @Test func `while a question is open, every key has an effect or a message`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Brazil v Haiti")
        editor.type("d")
        let question = editor.status
        #expect(question.hasSuffix("y/n"), "\(question)")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == question)
        #expect(editor.press(.down) == [.bell])
    }

    @Test func `the hints for a viewer contain no key that would be refused`() throws {
        var editor = try Editor(columns: 100, rows: 18)
        var view = editor.sample.view
        view.mayChange = false
        _ = editor.state.handle(.shown(view), now: editor.now)
        editor.press(.down)
        #expect(editor.bar == "? help  q quit  / search  T to do  t trips  i details  H history")
        #expect(editor.type("x") == [.bell])
        #expect(editor.status.hasPrefix("You can only view this trip"))
    }
}
