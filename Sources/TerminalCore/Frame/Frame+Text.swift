extension Frame {
    /// The rows as text, one string a row, without trailing blanks: what tests compare.
    package var lines: [String] {
        (0..<height).map { row in
            var line = ""
            for cell in cells[row * width..<(row + 1) * width] where cell.span != .continuation {
                line.append(cell.grapheme)
            }
            return Self.trimmed(line)
        }
    }

    /// All rows as one text, joined by newlines.
    package var text: String { lines.joined(separator: "\n") }

    /// All rows as one text with each run of a style marked: `⟦bold on blue⟧ Lunch ⟦⟧ 12:30`.
    ///
    /// `⟦⟧` ends a run and goes back to the plain style; a row starts plain. Trailing plain blanks are left
    /// out.
    package var styledText: String {
        (0..<height).map { row in
            var line = ""
            var style = Style.plain
            for cell in cells[row * width..<(row + 1) * width] where cell.span != .continuation {
                if cell.style != style {
                    line += cell.style == .plain ? "⟦⟧" : "⟦\(cell.style)⟧"
                    style = cell.style
                }
                line.append(cell.grapheme)
            }
            guard style == .plain else { return line + "⟦⟧" }
            return Self.trimmed(line)
        }.joined(separator: "\n")
    }

    private static func trimmed(_ line: String) -> String {
        guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
        return String(line[...last])
    }
}
