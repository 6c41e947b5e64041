/// The content of the screen: a grid of cells and, if visible, the cursor.
///
/// Rows and columns count from 0. Drawing outside the grid is clipped, so that a layout may be larger than
/// the screen. A wide cluster is always complete: drawing over one half replaces the other by a blank.
package struct Frame: Hashable, Sendable {
    /// A position on the screen, from 0.
    package struct Position: Hashable, Sendable {
        /// From 0, at the top.
        package var row: Int
        /// From 0, at the left.
        package var column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// The number of columns.
    package let width: Int
    /// The number of rows.
    package let height: Int
    /// The position of the cursor; nil if it is hidden. A position outside the grid is moved to its edge.
    package var cursor: Position? {
        didSet {
            guard let place = cursor else { return }
            guard width > 0, height > 0 else {
                cursor = nil
                return
            }
            cursor = Position(
                row: min(max(place.row, 0), height - 1), column: min(max(place.column, 0), width - 1))
        }
    }
    private(set) var cells: [Cell]

    /// An empty frame; negative sizes count as 0.
    package init(width: Int, height: Int) {
        self.width = max(width, 0)
        self.height = max(height, 0)
        cells = Array(repeating: .blank, count: self.width * self.height)
    }

    /// The cell at a position inside the grid; traps outside.
    package subscript(row row: Int, column column: Int) -> Cell {
        precondition(row >= 0 && row < height && column >= 0 && column < width, "cell outside the frame")
        return cells[row * width + column]
    }

    /// Draws `text` on one row, and returns the number of columns it covers from `column` on, including those
    /// clipped at the left.
    ///
    /// The text is sanitized first (`DisplayText.sanitized`); clusters of zero width are omitted. It ends
    /// before the right edge and after `maximumColumns`; a wide cluster that would cross either is omitted
    /// with everything after it.
    @discardableResult
    package mutating func put(
        _ text: String, row: Int, column: Int, style: Style = .plain, maximumColumns: Int = .max
    ) -> Int {
        guard row >= 0, row < height, column < width, maximumColumns > 0 else { return 0 }
        let room = min(width - column, maximumColumns)
        if DisplayText.isPrintableASCII(text) {
            let count = min(room, text.utf8.count)
            for (offset, byte) in text.utf8.prefix(count).enumerated() where column + offset >= 0 {
                let cell = Cell(Character(Unicode.Scalar(byte)), style, .narrow)
                set(cell, at: row * width + column + offset)
            }
            return count
        }
        var used = 0
        for character in DisplayText.sanitized(text) {
            let columns = TextWidth.columns(of: character)
            guard columns > 0 else { continue }
            guard used + columns <= room else { break }
            place(character, columns: columns, row: row, column: column + used, style: style)
            used += columns
        }
        return used
    }

    /// Fills a rectangle, clipped to the grid, with one cluster of one column; any other cluster fills with blanks.
    package mutating func fill(
        rows: Range<Int>, columns: Range<Int>, with character: Character = " ", style: Style = .plain
    ) {
        let isDrawable = TextWidth.columns(of: character) == 1 && TextWidth.isCertain(character)
        let cell = Cell(isDrawable ? character : " ", style, .narrow)
        let columns = columns.clamped(to: 0..<width)
        guard !columns.isEmpty else { return }
        for row in rows.clamped(to: 0..<height) {
            freeHalves(at: row * width + columns.lowerBound)
            freeHalves(at: row * width + columns.upperBound - 1)
            for column in columns { cells[row * width + column] = cell }
        }
    }

    /// Changes the style of a rectangle, clipped to the grid; a wide cluster at its edge is changed completely.
    package mutating func restyle(
        rows: Range<Int>, columns: Range<Int>, _ change: (inout Style) -> Void
    ) {
        var columns = columns.clamped(to: 0..<width)
        guard !columns.isEmpty else { return }
        let asked = columns
        for row in rows.clamped(to: 0..<height) {
            let start = row * width
            columns = asked
            if cells[start + columns.lowerBound].span == .continuation {
                columns = columns.lowerBound - 1..<columns.upperBound
            }
            if cells[start + columns.upperBound - 1].span == .wide {
                columns = columns.lowerBound..<columns.upperBound + 1
            }
            for column in columns { change(&cells[start + column].style) }
        }
    }

    /// Places one cluster; it is blank if the left edge cuts it.
    private mutating func place(_ character: Character, columns: Int, row: Int, column: Int, style: Style) {
        let start = row * width
        guard column >= 0 else {
            if columns == 2, column == -1 { set(Cell(" ", style, .narrow), at: start) }
            return
        }
        guard columns == 2 else {
            set(Cell(character, style, .narrow), at: start + column)
            return
        }
        freeHalves(at: start + column)
        freeHalves(at: start + column + 1)
        cells[start + column] = Cell(character, style, .wide)
        cells[start + column + 1] = Cell(" ", style, .continuation)
    }

    private mutating func set(_ cell: Cell, at index: Int) {
        freeHalves(at: index)
        cells[index] = cell
    }

    /// Replaces the other half of a wide cluster by a blank before one half is drawn over.
    private mutating func freeHalves(at index: Int) {
        switch cells[index].span {
        case .narrow: break
        case .wide: cells[index + 1] = Cell(" ", cells[index + 1].style, .narrow)
        case .continuation: cells[index - 1] = Cell(" ", cells[index - 1].style, .narrow)
        }
    }
}

extension Frame {
    /// The rows as text without trailing blanks, for tests.
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
    /// `⟦⟧` ends a run and returns to the plain style; a row starts plain. Trailing plain blanks are omitted.
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

/// One column of one row: a cluster and its style, or the right half of a wide one.
package struct Cell: Hashable, Sendable {
    /// The part of a cluster that a cell holds.
    package enum Span: Hashable, Sendable {
        /// A whole cluster of one column.
        case narrow
        /// The left half of a cluster of two columns; the next cell is its continuation.
        case wide
        /// The right half of the cluster in the cell before.
        case continuation
    }

    /// The cluster; a space in a continuation.
    package let grapheme: Character
    /// Its style.
    package internal(set) var style: Style
    /// The part of a character that the cell holds.
    package let span: Span

    /// An empty cell of the terminal's own background.
    package static let blank = Cell(" ", .plain, .narrow)

    init(_ grapheme: Character, _ style: Style, _ span: Span) {
        self.grapheme = grapheme
        self.style = style
        self.span = span
    }
}
