import TerminalCore
import TestSupport
import Testing

/// Random sequences of frames: after the bytes of each difference, an emulated terminal must show the next
/// frame.
@Suite struct FrameRendererPropertyTests {
    private static let texts = [
        "a", "Lunch", "日", "日本語", "한국", "Ａ", "é", "e\u{301}", "👨‍👩‍👧", "🇺🇸", "❤\u{FE0F}", "⚽", "👍🏽", "━━●", " ",
        "    ",
        "x日y本z", "\u{1F1FA}", "\u{1F3FD}", "1\u{FE0F}\u{20E3}", "\u{928}\u{93F}", "a\tb", "\u{301}q", "░▒▓",
    ]

    private static let styles = [
        Style.plain, .plain, .plain, Style(.bold), Style([.bold, .dim]), Style(.reverse),
        Style([.italic, .underline]),
        Style(foreground: .ansi(.red)),
        Style(foreground: .ansi(.brightCyan), background: .ansi(.brightBlack), .bold),
        Style(background: .indexed(236)), Style(foreground: .rgb(red: 10, green: 200, blue: 90), .dim),
    ]

    private func scribble(on frame: inout Frame, _ generator: inout SplitMix64) {
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            let row = Int.random(in: -1...frame.height, using: &generator)
            let column = Int.random(in: -2...frame.width, using: &generator)
            let style = Self.styles.pick(&generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                let rows = row..<row + Int.random(in: 0...2, using: &generator)
                frame.fill(
                    rows: rows, columns: column..<column + Int.random(in: 0...9, using: &generator),
                    style: style)
            case 1:
                frame.restyle(rows: row..<row + 1, columns: column..<column + 3) { $0 = style }
            default:
                let text = Self.texts.pick(&generator)
                frame.put(
                    text, row: row, column: column, style: style,
                    maximumColumns: Int.random(in: 1...9, using: &generator))
            }
        }
        frame.cursor =
            Bool.random(using: &generator)
            ? Frame.Position(
                row: Int.random(in: 0..<frame.height, using: &generator),
                column: Int.random(in: 0..<frame.width, using: &generator)) : nil
    }

    /// The cells in which the terminal differs from the frame. If it counts widths differently, only cells on
    /// which all terminals agree.
    private func differences(_ terminal: TerminalEmulator, _ frame: Frame, _ depth: ColorDepth) -> [String] {
        var found = terminal.complaints
        for row in 0..<frame.height {
            for column in 0..<frame.width {
                let cell = frame[row: row, column: column]
                let lead = cell.span == .continuation ? frame[row: row, column: column - 1] : cell
                let isContinuation = cell.span == .continuation
                let shown = terminal.cells[row * frame.width + column]
                if terminal.disagreement != 0, !TextWidth.isCertain(lead.grapheme) {
                    // A terminal that counts one column less must still not show old text there.
                    if terminal.disagreement < 0, isContinuation, shown.text != " " {
                        found.append("\(row),\(column): \(shown) left over")
                    }
                    continue
                }
                let expected = TerminalEmulator.Cell(
                    text: isContinuation ? "" : String(cell.grapheme), style: cell.style.reduced(to: depth),
                    offset: isContinuation ? 1 : 0)
                if shown != expected { found.append("\(row),\(column): \(shown) instead of \(expected)") }
            }
        }
        if terminal.pen != .plain { found.append("pen left \(terminal.pen)") }
        if terminal.isUpdating { found.append("update left open") }
        if terminal.isCursorVisible != (frame.cursor != nil) {
            found.append("cursor visible: \(terminal.isCursorVisible)")
        }
        if let cursor = frame.cursor, cursor != Frame.Position(row: terminal.row, column: terminal.column) {
            found.append("cursor at \(terminal.row),\(terminal.column) instead of \(cursor)")
        }
        return found
    }

    /// Runs 60 screens through 25 frames each and returns the first failure.
    private func firstTrouble(_ renderer: FrameRenderer, seed: UInt64, disagreement: Int = 0) -> [String] {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<60 {
            let width = Int.random(in: 1...24, using: &generator)
            let height = Int.random(in: 1...5, using: &generator)
            var terminal = TerminalEmulator(width: width, height: height)
            terminal.disagreement = disagreement
            var shown: Frame?
            for _ in 0..<25 {
                var next =
                    Int.random(in: 0..<4, using: &generator) == 0
                    ? Frame(width: width, height: height) : shown ?? Frame(width: width, height: height)
                scribble(on: &next, &generator)
                let bytes = renderer.bytes(for: next, over: shown)
                terminal.write(bytes)
                var trouble = differences(terminal, next, renderer.colorDepth)
                if !renderer.bytes(for: next, over: next).isEmpty { trouble.append("bytes for nothing") }
                guard trouble.isEmpty else {
                    return trouble + [
                        shown?.styledText ?? "", next.styledText,
                        "\(String(decoding: bytes, as: UTF8.self).debugDescription)",
                    ]
                }
                shown = next
            }
        }
        return []
    }

    @Test(arguments: ColorDepth.allCases, [false, true])
    func differencesMakeTheNextFrame(_ depth: ColorDepth, _ synchronizes: Bool) {
        let renderer = FrameRenderer(colorDepth: depth, synchronizesUpdates: synchronizes)
        #expect(firstTrouble(renderer, seed: synchronizes ? 1 : 2).isEmpty)
    }

    /// Terminals differ in the width of some clusters; the text beside them must still be right.
    @Test(arguments: [-1, 1])
    func aTerminalThatDisagreesOnWidthsShowsTheRestRight(_ disagreement: Int) {
        let renderer = FrameRenderer(colorDepth: .trueColor)
        #expect(firstTrouble(renderer, seed: 3, disagreement: disagreement).isEmpty)
    }
}
