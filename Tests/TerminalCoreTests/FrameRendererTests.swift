import TerminalCore
import Testing

@Suite struct FrameRendererTests {
    private func frame(_ lines: String..., cursor: Frame.Position? = nil) -> Frame {
        var frame = Frame(width: 20, height: 3)
        for (row, line) in lines.enumerated() { frame.put(line, row: row, column: 0) }
        frame.cursor = cursor
        return frame
    }

    private func diff(_ old: Frame?, _ new: Frame, _ renderer: FrameRenderer = FrameRenderer()) -> String {
        String(decoding: renderer.bytes(for: new, over: old), as: UTF8.self)
    }

    @Test func nothingChangedIsNothingWritten() {
        let one = frame("Lunch", "日本", cursor: Frame.Position(row: 1, column: 2))
        #expect(diff(one, one) == "")
        var coloured = one
        coloured.restyle(rows: 0..<3, columns: 0..<20) { $0.foreground = .ansi(.red) }
        #expect(diff(one, coloured, FrameRenderer(colorDepth: .none)) == "")
    }

    @Test func onlyChangedCellsAreWritten() {
        #expect(diff(frame("Lunch"), frame("Lurch")) == "\u{1B}[1;3Hr")
        #expect(diff(frame("Lunch"), frame("Lunch", "Dinner")) == "\u{1B}[2HDinner")
        #expect(diff(frame("a", "b"), frame("x", "y")) == "\u{1B}[Hx\r\ny")
        #expect(diff(frame("abcd"), frame("xbyd")) == "\u{1B}[Hxby")
        #expect(diff(frame("abcdefghij"), frame("xbcdefghiy")) == "\u{1B}[Hx\u{1B}[8Cy")
        #expect(diff(frame("a long line here"), frame("a")) == "\u{1B}[1;3H\u{1B}[K")
        #expect(diff(frame("日本"), frame("日x")) == "\u{1B}[1;3Hx ")
    }

    @Test func cursorAloneMovesWithFewBytes() {
        func at(_ row: Int, _ column: Int) -> Frame {
            frame("Lunch", cursor: Frame.Position(row: row, column: column))
        }
        #expect(diff(at(0, 0), at(1, 0)) == "\r\n")
        #expect(diff(at(0, 4), at(0, 3)) == "\u{8}")
        #expect(diff(at(0, 4), at(0, 0)) == "\r")
        #expect(diff(at(0, 8), at(0, 18)) == "\u{1B}[10C")
        #expect(diff(at(0, 18), at(0, 8)) == "\u{1B}[10D")
        #expect(diff(at(2, 3), at(0, 3)) == "\u{1B}[1;4H")
        #expect(diff(at(0, 3), frame("Lunch")) == "\u{1B}[?25l")
        #expect(diff(frame("Lunch"), at(0, 0)) == "\u{1B}[H\u{1B}[?25h")
    }

    @Test func aVisibleCursorIsHiddenWhileDrawing() {
        let place = Frame.Position(row: 0, column: 0)
        #expect(
            diff(frame("a", cursor: place), frame("b", cursor: place)) == "\u{1B}[?25lb\r\u{1B}[?25h")
        #expect(
            diff(
                frame("a", cursor: place), frame("b", cursor: place), FrameRenderer(synchronizesUpdates: true)
            )
                == "\u{1B}[?2026hb\r\u{1B}[?2026l")
    }

    @Test func stylesChangeByTheShortestSequence() {
        func styled(_ styles: Style...) -> Frame {
            var frame = Frame(width: 20, height: 3)
            for (column, style) in styles.enumerated() {
                frame.put("x", row: 0, column: column, style: style)
            }
            return frame
        }
        let empty = Frame(width: 20, height: 3)
        let red = Style(foreground: .ansi(.red))
        #expect(diff(empty, styled(red, red)) == "\u{1B}[H\u{1B}[31mxx\u{1B}[m")
        #expect(
            diff(empty, styled(red, Style(foreground: .ansi(.red), .bold)))
                == "\u{1B}[H\u{1B}[31mx\u{1B}[1mx\u{1B}[m")
        #expect(
            diff(empty, styled(Style([.bold, .dim]), Style(.dim)))
                == "\u{1B}[H\u{1B}[1;2mx\u{1B}[0;2mx\u{1B}[m")
        #expect(diff(empty, styled(red, .plain)) == "\u{1B}[H\u{1B}[31mx\u{1B}[mx")
        #expect(diff(empty, styled(Style(background: .ansi(.brightBlue)))) == "\u{1B}[H\u{1B}[104mx\u{1B}[m")
        let rich = Style(foreground: .rgb(red: 255, green: 0, blue: 0), background: .indexed(236), .italic)
        #expect(
            diff(empty, styled(rich), FrameRenderer(colorDepth: .trueColor))
                == "\u{1B}[H\u{1B}[3;38;2;255;0;0;48;5;236mx\u{1B}[m")
        #expect(diff(empty, styled(rich), FrameRenderer(colorDepth: .none)) == "\u{1B}[H\u{1B}[3mx\u{1B}[m")
    }

    @Test func anotherSizeIsAFullRepaint() {
        let old = Frame(width: 5, height: 1)
        let new = frame("Lunch")
        #expect(diff(old, new) == "\u{1B}[?25l\u{1B}[m\u{1B}[2J\u{1B}[HLunch")
        #expect(diff(nil, new) == diff(old, new))
    }

    @Test func leavingUndoesEntering() {
        let leave = String(decoding: TerminalSequences.leave, as: UTF8.self)
        let enter = String(decoding: TerminalSequences.enter + TerminalSequences.enableMouse, as: UTF8.self)
        for mode in enter.split(separator: "\u{1B}[") {
            let undone = String(mode.dropLast()) + (mode.hasSuffix("h") ? "l" : "h")
            #expect(leave.contains("\u{1B}[" + undone))
        }
    }
}
