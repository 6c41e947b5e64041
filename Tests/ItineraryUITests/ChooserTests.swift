import Testing

@testable import ItineraryUI

/// Which line of a list the typed words select.
@Suite struct ChooserTests {
    private func selected(_ words: String, _ lines: [(text: String, isAllowed: Bool)]) -> String? {
        var chooser = Chooser(
            "Go to", .importing(""),
            lines.map { Chooser.Choice(text: $0.text, detail: "", isAllowed: $0.isAllowed) })
        chooser.line = Chooser.Line(isEntry: false, editor: LineEditor(words))
        return chooser.current?.choice.text
    }

    @Test func `the first allowed line that begins with the typed words is selected`() {
        let lines = [
            ("Day 1 · Rome by train", true), ("Rome, the north", false), ("Rome, the south", true),
            ("Rome, the west", true),
        ]
        #expect(selected("rome", lines) == "Rome, the south")
        #expect(selected("train", lines) == "Day 1 · Rome by train")
        #expect(selected("north", lines) == "Rome, the north", "nothing else matches")
        #expect(selected("zzz", lines) == nil)
    }
}
