import EditorSessions
import ItineraryUI
import TerminalCore
import TestSupport
import Testing
import TripModel

/// The list does not scroll unless the user scrolls it.
@Suite struct ScrollTests {
    /// The text of a list line without its marks; of a day heading without the summary.
    private static func content(_ line: String) -> String {
        String(line.contains("──") ? line.prefix(26).dropFirst(2) : line.dropFirst(12))
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a drop does not scroll the list, and changes only the line in the gap`(which: Int) throws {
        let sample = try SampleTrip()
        let id = [sample.dinner, sample.toPhiladelphia, sample.coffee, sample.beach][which]
        let gaps = try #require(sample.trip.gaps(for: id)).gaps
        var dropped = 0
        for index in gaps.indices where gaps[index].isValid {
            // So wide that the message about the drop covers no row.
            var editor = try Editor(columns: 100, rows: 10)
            editor.focus(try #require(sample.trip[id]).content.title)
            editor.type(" ")
            editor.send(.dragGranted)
            editor.press(.home)
            for _ in 0..<index { editor.press(.down) }
            let before = editor.list
            guard case .drop(let placement)? = editor.press(.enter).first else { continue }
            dropped += 1
            editor.send(.dropAccepted)
            let shown = editor.list
            try editor.sample.apply(.move(id, to: placement))
            editor.load()
            #expect(editor.list == shown, "the daemon's state is what was shown")
            let changed = zip(before, shown).count { Self.content($0) != Self.content($1) }
            #expect(changed == 1, "gap \(index)")
        }
        #expect(dropped > 2)
    }

    @Test func `the list does not scroll through 300 remote changes, above, below and on the screen`() throws
    {
        var editor = try Editor(columns: 60, rows: 20)
        var generator = SplitMix64(seed: 5)
        for number in 10..<70 {
            try editor.sample.apply(
                .add(
                    ItemID(high: 4, low: UInt64(number)), SampleTrip.custom("Stop \(number)"),
                    to: .end(day: number % 5 + 1)))
        }
        editor.load()
        editor.focus("Stop 37")
        for _ in 0..<6 { editor.press(.down) }
        for _ in 0..<6 { editor.press(.up) }
        var stays = 0
        for _ in 0..<300 {
            let items = editor.sample.trip.items.filter { !$0.isGame && $0.content.title != "Stop 37" }
            let item = try #require(items.randomElement(using: &generator))
            // Travel may not be valid there; then nothing changes.
            _ = try? editor.sample.apply(
                .move(item.id, to: .end(day: Int.random(in: 1...5, using: &generator))))
            let before = editor.list
            editor.load()
            let focus = try #require(editor.list.firstIndex { $0.hasPrefix("▌") })
            let first = try #require(before.first { !$0.contains(item.content.title) })
            if editor.list.firstIndex(of: first) == before.firstIndex(of: first) {
                stays += 1
            } else {
                // Scrolls only so far that the cursor and two rows around it are visible.
                #expect(focus == 2 || focus == editor.list.count - 3)
            }
        }
        #expect(stays > 250)
    }

    @Test func `during a drag every pointer position means a gap, on every screen size`() throws {
        for (columns, rows) in [(40, 10), (60, 14), (100, 30)] {
            var editor = try Editor(columns: columns, rows: rows)
            editor.focus("Dinner")
            let start = try #require(editor.lines.firstIndex { $0.hasPrefix("▌") })
            editor.mouse(.press(.left), row: start)
            editor.mouse(.drag(.left), row: start + 1)
            editor.send(.dragGranted)
            for row in -2...rows + 2 {
                for column in [-1, 0, 11, columns / 2, columns - 1, columns + 50] {
                    editor.mouse(.drag(.left), row: row, column: column)
                    let line = try #require(editor.lines.firstIndex { $0.contains("●━━") })
                    if (1...rows - 3).contains(row), !editor.lines[row].isEmpty {
                        #expect(abs(line - row) <= 1, "\(columns)×\(rows), \(row): the gap at the pointer")
                    }
                }
            }
        }
    }
}
