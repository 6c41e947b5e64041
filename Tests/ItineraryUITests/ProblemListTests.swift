import EditorSessions
import TerminalCore
import Testing
import TripModel

@testable import ItineraryUI

/// The list of problems.
@Suite struct ProblemListTests {
    /// An editor with two events at the same time in different cities, and one outside the trip, in the open list.
    private static func listing() throws -> Editor {
        var editor = try Editor(columns: 80, rows: 24)
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
        editor.type("!")
        return editor
    }

    @Test func `a problem that is marked as intended stays selected in the open list, and can be unmarked`()
        throws
    {
        var editor = try Self.listing()
        let count = editor.sample.view.problems.count
        #expect(editor.heading == "\(count) problems")
        editor.press(.down)
        let line = try #require(editor.focusedLine)
        #expect(editor.bar.contains("y intended"))
        #expect(editor.press(.character("y"), .control).count == 1)
        #expect(editor.heading.hasPrefix("\(count - 1) problem"))
        #expect(editor.focusedLine?.hasPrefix(String(line.prefix(30))) == true)
        #expect(editor.focusedLine?.hasSuffix("intended") == true)
        #expect(editor.bar.contains("y count again"))
        #expect(editor.press(.character("y"), .control).count == 1)
        #expect(editor.heading == "\(count) problems")
        #expect(editor.focusedLine == line)
    }

    @Test func `the key that opens a side of travel is offered only if that makes a place valid`() throws {
        let editor = try Self.listing()
        #expect(!editor.bar.contains("Ctrl-O"))
    }

    @Test func `the list follows the trip, and closes when no problem is left`() throws {
        var editor = try Self.listing()
        try editor.sample.apply(.remove(ItemID(high: 9, low: 9)))
        editor.load()
        #expect(editor.heading == "1 problem")
        try editor.sample.apply(.remove(ItemID(high: 9, low: 8)))
        editor.load()
        #expect(editor.status == "No problems are left.")
        #expect(editor.bar.hasPrefix("a add"))
    }

    @Test func `a key for a problem that is gone does not apply to the next one`() throws {
        var editor = try Self.listing()
        editor.press(.down)
        try editor.sample.apply(.remove(ItemID(high: 9, low: 9)))
        editor.load()
        #expect(editor.status.hasSuffix(" is gone: choose another line."))
        #expect(editor.press(.character("y"), .control) == [.bell])
        #expect(editor.press(.enter) == [.bell])
        editor.press(.down)
        #expect(editor.press(.character("y"), .control).count == 1)
    }

    @Test func `a long problem of the row in focus is read to its end at 80 columns`() throws {
        var editor = try Self.listing()
        editor.press(.escape)
        for title in ["Brazil v Morocco", "Italy v Chile", "Peru v Spain"] {
            editor.focus(title)
            let said = editor.text
            let about = editor.sample.view.problems.filter { problem in
                problem.items.contains { editor.sample.trip[$0]?.content.title == title }
            }
            for word in about.map(\.message).joined(separator: " ").split(separator: " ") {
                #expect(said.contains(word), "\(word): \(said)")
            }
        }
    }

    @Test func `the trip behind the list shows the item of the selected problem`() throws {
        var editor = try Self.listing()
        editor.press(.down)
        #expect(editor.state.board?.item?.id == editor.sample.brazilMorocco)
        editor.press(.down)
        #expect(editor.state.board?.item?.id == ItemID(high: 9, low: 8))
    }

    @Test func `Esc in the history returns to the item of the cursor`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type("H")
        editor.send(
            .history([
                HistoryLine(user: "Ben", seconds: 0, summary: "moved Coffee", items: [editor.sample.coffee])
            ]))
        #expect(editor.state.board?.item?.id == editor.sample.coffee)
        editor.press(.escape)
        #expect(editor.state.board?.item?.id == editor.sample.beach)
    }

    @Test
    func `the trip behind the list of places shows the selected one, and the item moves or keeps the cursor`()
        throws
    {
        var editor = try Editor()
        editor.focus("Coffee")
        editor.type("mG")
        #expect(editor.state.board?.item?.id == editor.sample.beach)
        editor.press(.escape)
        #expect(editor.state.board?.item?.id == editor.sample.coffee)
        editor.type("mG")
        #expect(
            editor.press(.enter) == [
                .apply([.move(editor.sample.coffee, to: .after(editor.sample.beach, day: 5))])
            ])
        #expect(editor.state.board?.item?.id == editor.sample.coffee)
    }
}
