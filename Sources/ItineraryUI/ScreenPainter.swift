import TerminalCore

/// Draws text on a frame, in the spelling that the terminal is to get.
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

    /// The columns that a text will take.
    func columns(of text: String) -> Int {
        TextWidth.columns(of: spelled(text))
    }

    /// Draws a text, cut with an ellipsis at a column, and gives the column after it.
    @discardableResult
    mutating func put(_ text: String, row: Int, column: Int, end: Int, style: Style) -> Int {
        let shown = DisplayText.truncated(
            spelled(text), toColumns: end - column, ellipsis: isASCII ? "..." : "…")
        return column + frame.put(shown, row: row, column: column, style: style, maximumColumns: end - column)
    }

    /// Draws a text so that it ends before a column, if it fits after `start`, else cut; gives the column where
    /// it begins.
    @discardableResult
    mutating func putRight(_ text: String, row: Int, start: Int, end: Int, style: Style) -> Int {
        let column = max(start, end - columns(of: text))
        put(text, row: row, column: column, end: end, style: style)
        return column
    }

    /// Fills columns of a row with one sign.
    mutating func rule(_ sign: String, row: Int, columns: Range<Int>, style: Style) {
        guard let character = spelled(sign).first else { return }
        frame.fill(rows: row..<row + 1, columns: columns, with: character, style: style)
    }
}
