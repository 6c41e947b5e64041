import TerminalCore

/// Draws text on a frame, with ASCII replacements if needed.
struct ScreenPainter {
    var frame: Frame
    let isASCII: Bool
    let theme: Theme

    init(width: Int, height: Int, isASCII: Bool, theme: Theme) {
        frame = Frame(width: width, height: height)
        self.isASCII = isASCII
        self.theme = theme
    }

    /// The text as it will be drawn.
    func spelled(_ text: String) -> String {
        isASCII ? AsciiSpelling.spelled(text) : text
    }

    /// The number of columns of a text.
    func columns(of text: String) -> Int {
        TextWidth.columns(of: spelled(text))
    }

    /// Draws a text, truncated with an ellipsis at a column; returns the column after it.
    @discardableResult
    mutating func put(_ text: String, row: Int, column: Int, end: Int, style: Style) -> Int {
        let shown = DisplayText.truncated(
            spelled(text), toColumns: end - column, ellipsis: isASCII ? "..." : "…")
        return column + frame.put(shown, row: row, column: column, style: style, maximumColumns: end - column)
    }

    /// Draws a text right-aligned before a column, truncated if it does not fit after `start`; returns its
    /// first column.
    @discardableResult
    mutating func putRight(_ text: String, row: Int, start: Int, end: Int, style: Style) -> Int {
        let column = max(start, end - columns(of: text))
        put(text, row: row, column: column, end: end, style: style)
        return column
    }

    /// Highlights the selected row.
    mutating func highlight(row: Int, columns: Range<Int>) {
        let theme = theme
        frame.restyle(rows: row..<row + 1, columns: columns) { style in
            style.attributes.formUnion(theme.focused)
            style.attributes.remove(.dim)
            if let background = theme.focusBackground {
                style.background = background
            } else {
                style.attributes.insert(.reverse)
            }
        }
    }

    /// Fills columns of a row with a symbol.
    mutating func rule(_ sign: String, row: Int, columns: Range<Int>, style: Style) {
        guard let character = spelled(sign).first else { return }
        frame.fill(rows: row..<row + 1, columns: columns, with: character, style: style)
    }
}

/// ASCII replacements of the editor's own symbols.
enum AsciiSpelling {
    /// The text with these symbols replaced; other characters are unchanged.
    static func spelled(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = ""
        for character in text {
            if let spelling = spellings[character] {
                result += spelling
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// Symbols in fixed columns have replacements of the same width.
    private static let spellings: [Character: String] = [
        "→": "->", "←": "<-", "↑": "Up", "↓": "Down", "·": "-", "…": "...", "×": "x", "⋮": ":", "▌": ">",
        "╎": "|", "╱": "/", "░": ":", "─": "-", "━": "=", "┄": ".", "●": "*", "○": "x", "◆": "#", "⌂": "^",
    ]
}

/// Wraps text at spaces.
enum Wrapping {
    /// At most `limit` lines of at most `columns` columns; longer words are split.
    static func lines(of text: String, columns: Int, limit: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                if line.isEmpty {
                    line = String(word)
                } else if TextWidth.columns(of: "\(line) \(word)") <= columns {
                    line += " \(word)"
                } else {
                    lines.append(line)
                    line = String(word)
                }
                while TextWidth.columns(of: line) > columns, lines.count < limit {
                    var head = ""
                    while let next = line.first, TextWidth.columns(of: head + String(next)) <= columns {
                        head.append(line.removeFirst())
                    }
                    // A cluster wider than the line is left out.
                    if head.isEmpty { line.removeFirst() } else { lines.append(head) }
                }
                if lines.count >= limit { return Array(lines.prefix(limit)) }
            }
            lines.append(line)
            if lines.count >= limit { return Array(lines.prefix(limit)) }
        }
        return lines
    }
}
