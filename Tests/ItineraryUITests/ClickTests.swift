import EditorSessions
import TerminalCore
import Testing
import TripModel

@testable import ItineraryUI

/// A click is a press and a release on the same target, and does only what the target is for.
@Suite struct ClickTests {
    @Test func `a click on a hint of the bar presses only that key`() throws {
        var editor = try Editor(columns: 140)
        editor.focus("Coffee")
        #expect(editor.click(hint: "Space lift") == [.beginDrag(editor.sample.coffee)])
        editor.send(.dragGranted)
        #expect(editor.landing != nil)
        let before = editor.landing
        #expect(!editor.click(hint: "J next valid").contains { if case .drop = $0 { true } else { false } })
        #expect(editor.landing != nil && editor.landing != before)
        #expect(editor.click(hint: "Esc cancel") == [.cancelDrag])
        editor.click(hint: "c copy")
        #expect(editor.landing?.contains("Coffee") == true, "the item is lifted")
        editor.press(.escape)
    }

    @Test func `if quitting is not confirmed, the dragged items are kept`() throws {
        var editor = try Editor()
        editor.send(.input(.paste("One\nTwo")))
        editor.type("q")
        #expect(editor.click(hint: "n no") == [])
        #expect(editor.landing?.contains("One and 1 more") == true)
    }

    @Test func `a click on the message, or a release without a press, does not move a dragged item`() throws {
        for mode in ["", "J"] {
            var editor = try Editor()
            editor.focus("Coffee")
            editor.type(" ")
            editor.send(.dragGranted)
            editor.type(mode)
            let landing = editor.landing
            for row in 1..<24 {
                editor.mouse(.release(.left), row: row)
                #expect(editor.landing == landing, "row \(row)")
            }
            #expect(editor.click(row: 22) == [])
            #expect(editor.landing == landing)
        }
    }

    @Test func `a release off the pressed target, or on another screen, has no effect`() throws {
        var editor = try Editor()
        editor.focus("Coffee")
        let row = editor.lines.count - 1
        editor.mouse(.press(.left), row: row, column: 3)
        #expect(editor.mouse(.release(.left), row: 4) == [])
        #expect(editor.landing == nil)
        editor.mouse(.press(.left), row: row, column: 3)
        editor.type(" ")
        editor.send(.dragGranted)
        #expect(editor.mouse(.release(.left), row: row, column: 3) == [], "it says drop there now")
        #expect(editor.landing != nil)
    }

    @Test func `a press in the list holds the dragged item, and the release drops it`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.type(" ")
        editor.send(.dragGranted)
        editor.mouse(.press(.left), row: 9)
        #expect(editor.mouse(.release(.left), row: 9) == [.drop(.after(editor.sample.coffee, day: 4))])
    }

    @Test func `a click on the problems lists them, and one on a name follows that person`() throws {
        var editor = try Editor(columns: 100)
        try editor.sample.apply(
            .add(
                ItemID(high: 9, low: 9),
                try SampleTrip.game("Italy v Chile", "Boston", "2026-06-13T19:00:00Z"),
                to: nil))
        editor.load()
        editor.send(.people([Person(name: "Ben", focus: .item(editor.sample.beach))]))
        editor.load()
        let top = editor.lines[0]
        func column(_ text: String) throws -> Int {
            top.distance(from: top.startIndex, to: try #require(top.range(of: text)).lowerBound)
        }
        editor.click(row: 0, column: try column("2 problems") + 3)
        #expect(editor.heading == "2 problems")
        editor.press(.escape)
        editor.click(row: 0, column: try column("Ben") + 1)
        #expect(editor.status.hasPrefix("Following Ben") && editor.focusedLine?.contains("Beach") == true)
        #expect(editor.click(row: 0, column: 3).isEmpty, "the name of the trip")
    }

    @Test func `a double click edits an item, and two slow clicks or clicks on two items do not`() throws {
        var editor = try Editor()
        func row(_ text: String) throws -> Int {
            try #require(editor.lines.firstIndex { $0.contains(text) && !$0.contains("Day") })
        }
        let (coffee, beach) = (try row("Coffee"), try row("Beach"))
        editor.click(row: coffee)
        editor.wait(milliseconds: 500)
        editor.click(row: coffee)
        editor.click(row: beach)
        #expect(editor.state.context == .list)
        editor.click(row: beach)
        #expect(editor.state.context == .form && editor.status == "Title: Beach")
    }
}
