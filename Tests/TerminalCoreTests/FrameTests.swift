import TerminalCore
import Testing

@Suite struct FrameTests {
    @Test func textIsTheRowsWithoutTrailingBlanks() {
        var frame = Frame(width: 12, height: 3)
        #expect(frame.put("Day 2", row: 0, column: 1) == 5)
        #expect(frame.put("Lunch", row: 2, column: 0) == 5)
        #expect(frame.lines == [" Day 2", "", "Lunch"])
        #expect(frame.text == " Day 2\n\nLunch")
    }

    @Test func drawingOutsideIsClipped() {
        var frame = Frame(width: 4, height: 2)
        #expect(frame.put("abcdef", row: 0, column: 2) == 2)
        #expect(frame.put("abc", row: 1, column: -1) == 3)
        #expect(frame.put("x", row: -1, column: 0) == 0)
        #expect(frame.put("x", row: 2, column: 0) == 0)
        #expect(frame.put("x", row: 0, column: 4) == 0)
        #expect(frame.put("x", row: 0, column: 0, maximumColumns: 0) == 0)
        #expect(frame.lines == ["  ab", "bc"])
        frame.fill(rows: -3..<9, columns: 3..<99, with: "#")
        #expect(frame.lines == ["  a#", "bc #"])
        var empty = Frame(width: -1, height: 0)
        #expect(empty.put("x", row: 0, column: 0) == 0)
        empty.cursor = Frame.Position(row: 0, column: 0)
        #expect(empty.cursor == nil)
    }

    @Test func aWideClusterIsNeverSplit() {
        var frame = Frame(width: 5, height: 1)
        #expect(frame.put("日本語", row: 0, column: 0) == 4)
        #expect(frame.lines == ["日本"])
        #expect(frame.put("日本", row: 0, column: 0, maximumColumns: 3) == 2)
        frame.put("x", row: 0, column: 1)
        #expect(frame.lines == [" x本"])
        frame.put("y", row: 0, column: 2)
        #expect(frame.lines == [" xy"])
        frame.put("語", row: 0, column: -1)
        #expect(frame.lines == [" xy"])
        frame.put("日本", row: 0, column: 0)
        frame.put("語", row: 0, column: 1)
        #expect(frame.lines == [" 語"])
        frame.fill(rows: 0..<1, columns: 2..<3, with: "-")
        #expect(frame.lines == ["  -"])
    }

    @Test func hostileTextIsDrawnHarmless() {
        var frame = Frame(width: 20, height: 1)
        #expect(frame.put("a\u{1B}[2J\u{202E}b\u{200B}\r\n", row: 0, column: 0) == 9)
        #expect(frame.lines == ["a␛[2J�b␍␊"])
        frame.put("x" + String(repeating: "\u{301}", count: 10_000), row: 0, column: 0)
        #expect(frame[row: 0, column: 0].grapheme == "�")
    }

    @Test func styledTextMarksRuns() {
        var frame = Frame(width: 14, height: 2)
        frame.put("1 ", row: 0, column: 0)
        frame.put(
            "日Lunch", row: 0, column: 2,
            style: Style(foreground: .ansi(.red), background: .indexed(236), [.bold]))
        frame.put(
            "!", row: 0, column: 10, style: Style(foreground: .rgb(red: 1, green: 160, blue: 255), [.dim]))
        frame.fill(rows: 1..<2, columns: 12..<14, style: Style([.reverse, .italic, .underline]))
        #expect(
            frame.styledText == """
                1 ⟦bold red on @236⟧日Lunch⟦⟧ ⟦dim #01a0ff⟧!⟦⟧
                            ⟦italic underline reverse⟧  ⟦⟧
                """)
        #expect(Style.plain.description == "plain")
    }

    @Test func restyleChangesWholeClusters() {
        var frame = Frame(width: 6, height: 1)
        frame.put("a日本b", row: 0, column: 0)
        frame.restyle(rows: 0..<1, columns: 2..<4) { $0.background = .ansi(.blue) }
        #expect(frame.styledText == "a⟦on blue⟧日本⟦⟧b")
        frame.restyle(rows: -1..<5, columns: -4..<99) { $0.attributes.insert(.dim) }
        #expect(frame.styledText == "⟦dim⟧a⟦dim on blue⟧日本⟦dim⟧b⟦⟧")
    }

    @Test func theCursorStaysInside() {
        var frame = Frame(width: 3, height: 2)
        frame.cursor = Frame.Position(row: 9, column: -4)
        #expect(frame.cursor == Frame.Position(row: 1, column: 0))
    }

    @Test(arguments: [
        (Color.rgb(red: 255, green: 0, blue: 0), ColorDepth.indexed256, Color.indexed(196)),
        (.rgb(red: 128, green: 128, blue: 128), .indexed256, .indexed(244)),
        (.rgb(red: 0, green: 0, blue: 0), .indexed256, .indexed(16)),
        (.rgb(red: 255, green: 255, blue: 255), .indexed256, .indexed(231)),
        (.rgb(red: 250, green: 10, blue: 10), .ansi16, .ansi(.brightRed)),
        (.indexed(9), .ansi16, .ansi(.brightRed)), (.indexed(16), .ansi16, .ansi(.black)),
        (.indexed(255), .ansi16, .ansi(.white)), (.indexed(21), .ansi16, .ansi(.blue)),
        (.ansi(.cyan), .ansi16, .ansi(.cyan)), (.default, .ansi16, .default),
        (.indexed(200), .trueColor, .indexed(200)),
        (.ansi(.cyan), .none, .default), (.rgb(red: 1, green: 2, blue: 3), .none, .default),
    ])
    func coloursComeDownToTheNearest(_ color: Color, _ depth: ColorDepth, _ expected: Color) {
        #expect(color.reduced(to: depth) == expected)
    }
}
