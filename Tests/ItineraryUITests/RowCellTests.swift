import TerminalCore
import Testing
import TripModel

@testable import ItineraryUI

/// The columns at the right of items.
@Suite struct RowCellTests {
    private func editor(columns: Int) throws -> Editor {
        var editor = try Editor(columns: columns, rows: 24)
        try editor.sample.apply(
            .update(
                editor.sample.toMiami,
                [.time(ClockTime("09:30")), .cost(Cost(amount: 14_520, currency: "jpy"))]),
            .update(editor.sample.beach, [.city("Miami"), .cost(Cost(amount: 1_234.5, currency: "EUR"))]))
        editor.load()
        return editor
    }

    private func line(_ text: String, _ editor: Editor) throws -> String {
        try #require(editor.lines.first { $0.contains(text) && !$0.contains("Day") })
    }

    private func column(of text: String, in line: String) throws -> Int {
        TextWidth.columns(of: String(line[..<(try #require(line.range(of: text)).lowerBound)]))
    }

    @Test func `cities and modes begin below each other, and durations and costs end below each other`()
        throws
    {
        let editor = try editor(columns: 100)
        let first = try line("New York → Philadelphia", editor)
        let second = try line("Philadelphia → Miami", editor)
        #expect(try column(of: "train", in: first) == column(of: "plane", in: second))
        #expect(try column(of: "5 min", in: first) + 5 == column(of: "3 h", in: second) + 3)
        let beach = try line("Beach", editor)
        let event = try line("Scotland v Brazil", editor)
        #expect(try column(of: "Miami", in: beach) == column(of: "Miami", in: event))
        #expect(second.hasSuffix("  14,520 JPY") && beach.hasSuffix("  1,234.50 EUR"))
    }

    @Test func `a narrow list has no columns, and a long title keeps its place`() throws {
        var narrow = try editor(columns: 64)
        #expect(try line("New York → Philadelphia", narrow).contains("train · 1 h 25 min"))
        narrow = try editor(columns: 80)
        let (train, plane) = (
            try line("New York → Philadelphia", narrow), try line("Philadelphia → Miami", narrow)
        )
        #expect(try column(of: "train", in: train) == column(of: "plane", in: plane))
        let title = "A walk to the lighthouse with a very long name"
        try narrow.sample.apply(.update(narrow.sample.beach, [.title(title)]))
        narrow.load()
        #expect(try line(title, narrow).hasSuffix("  Miami"))
    }

    @Test(arguments: [
        ("88000 JPY", "88,000 JPY"), ("1234567.891 EUR", "1,234,567.891 EUR"),
        ("-1000 X + 999 Y", "-1,000 X + 999 Y"),
        ("12.5000 BHD", "12.5000 BHD"),
    ])
    func `amounts have commas between thousands`(text: String, shown: String) {
        #expect(CostText.grouped(text) == shown)
    }

    @Test func `the status line has what a row does not show, unless the details are on the screen`() throws {
        var editor = try editor(columns: 80)
        try editor.sample.apply(.update(editor.sample.beach, [.reference("XK4"), .note("Bring\nwater")]))
        editor.load()
        editor.focus("Beach")
        #expect(editor.status == "Beach: Day 5, 2 of 2. XK4 · 1,234.50 EUR · Bring water")
        editor.type("i")
        editor.press(.down)
        #expect(editor.status == "Beach: Day 5, 2 of 2.")
    }
}
