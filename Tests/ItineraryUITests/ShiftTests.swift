import EditorSessions
import ItineraryUI
import Testing
import TripModel

/// Moves of several items by days: each goes to the place of its time on the new day.
@Suite struct ShiftTests {
    private static func id(_ number: Int) -> ItemID { ItemID(high: 9, low: UInt64(number)) }

    /// A sample trip with additional items, the marked ones selected.
    private func editor(_ items: [(title: String, day: Int, time: String?, isMarked: Bool)]) throws -> Editor
    {
        var editor = try Editor(columns: 100, rows: 40)
        for (number, item) in items.enumerated() {
            try editor.sample.apply(
                .add(Self.id(number), .custom(CustomItem(title: item.title)), to: .end(day: item.day)))
            if let time = item.time {
                try editor.sample.apply(.update(Self.id(number), [.time(ClockTime(time))]))
            }
        }
        editor.load()
        for item in items where item.isMarked {
            editor.focus(item.title)
            editor.type("x")
        }
        return editor
    }

    /// The titles of the added items, by day.
    private func order(_ editor: inout Editor, after keys: String, day: Int) throws -> [String] {
        guard case .apply(let edits)? = editor.type(keys).last else { return [editor.status] }
        for edit in edits { try editor.sample.apply(edit) }
        return editor.sample.trip.items(onDay: day).map(\.content.title)
            .filter { $0.hasPrefix("q") }
    }

    @Test func `moved timed items are in the order of their times, and untimed ones go to the end`() throws {
        var editor = try editor([
            ("q10", 1, "10:00", true), ("q1230", 1, "12:30", true), ("q14", 1, "14:00", true),
            ("qa", 1, nil, true), ("qb", 1, nil, true), ("q9", 2, "09:00", false), ("q13", 2, "13:00", false),
        ])
        #expect(
            try order(&editor, after: ">", day: 2) == ["q9", "q10", "q1230", "q13", "q14", "qa", "qb"])
    }

    @Test func `a moving item is not used as an anchor for another one`() throws {
        var editor = try editor([
            ("qC", 2, "09:00", true), ("qX", 3, "11:00", true), ("qY", 2, "12:00", false),
        ])
        guard case .apply(let edits)? = editor.type("<").last else {
            Issue.record("\(editor.status)")
            return
        }
        for edit in edits { try editor.sample.apply(edit) }
        let trip = editor.sample.trip
        #expect(trip[Self.id(0)]?.position.day == 1)
        #expect(trip.items(onDay: 2).map(\.content.title).filter { $0.hasPrefix("q") } == ["qX", "qY"])
    }

    @Test func `any selection of items stays in the order of times if the day was in that order`() throws {
        for choice in 1..<32 {
            var editor = try editor(
                (0..<5).map { ("q\($0)", 2 + $0 % 2, "1\($0):00", choice & (1 << $0) != 0) })
            _ = try order(&editor, after: choice % 3 == 0 ? "<" : ">", day: 2)
            for day in 1...4 {
                let times = editor.sample.trip.items(onDay: day).filter { $0.content.title.hasPrefix("q") }
                    .map(\.content.title)
                #expect(times == times.sorted(), "\(choice): \(times)")
            }
        }
    }

    @Test func `a day outside the trip is refused with the days that it has`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        #expect(editor.type("99999>") == [.bell])
        #expect(editor.status == "There is no day 100004; the trip has days 1 to 5.")
        #expect(editor.type(">") == [.bell])
        #expect(editor.status == "There is no day 6; + adds one.")
        #expect(editor.type("9<") == [.bell])
        #expect(editor.status == "There is no day before day 1.")
    }
}
