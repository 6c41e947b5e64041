/// One run of `FrameRenderer`: the output so far, and the known state of the terminal's pen and cursor.
struct FramePainter {
    private let next: Frame
    private let base: Frame
    private let isFullRepaint: Bool
    private let cursorBefore: Frame.Position?
    private let synchronizesUpdates: Bool

    private var pen: Pen
    private var output: [UInt8] = []
    /// The terminal's cursor position; nil if it is uncertain.
    private var position: Frame.Position?
    private var hasBegun = false

    init(next: Frame, previous: Frame?, colorDepth: ColorDepth, synchronizesUpdates: Bool) {
        self.next = next
        self.synchronizesUpdates = synchronizesUpdates
        base = previous ?? Frame(width: next.width, height: next.height)
        isFullRepaint = previous == nil
        cursorBefore = previous?.cursor
        position = previous?.cursor
        pen = Pen(depth: colorDepth)
    }

    mutating func paint() -> [UInt8] {
        if isFullRepaint {
            begin()
            output += TerminalSequences.resetStyle
            output += TerminalSequences.clearScreen
        }
        for row in 0..<next.height { paintRow(row) }
        pen.change(to: .plain, &output)
        placeCursor()
        if hasBegun, synchronizesUpdates { output += TerminalSequences.endSynchronizedUpdate }
        return output
    }

    /// Called before the first change. Prevents the terminal from showing a half-drawn frame, or at least a
    /// moving cursor.
    private mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        if synchronizesUpdates {
            output += TerminalSequences.beginSynchronizedUpdate
        } else if isFullRepaint || cursorBefore != nil {
            output += TerminalSequences.hideCursor
        }
    }

    private mutating func placeCursor() {
        let isHidden =
            isFullRepaint ? !synchronizesUpdates : cursorBefore == nil || (hasBegun && !synchronizesUpdates)
        guard let cursor = next.cursor else {
            if !isHidden { output += TerminalSequences.hideCursor }
            return
        }
        move(to: cursor)
        if isHidden || isFullRepaint { output += TerminalSequences.showCursor }
    }

    private mutating func paintRow(_ row: Int) {
        let start = row * next.width
        var column = 0
        // Columns before this one are drawn even if they have not changed.
        var suspect = 0
        var blankTail: Int?
        while column < next.width {
            guard column < suspect || differs(start + column) else {
                column += 1
                continue
            }
            let cell = next.cells[start + column]
            begin()
            if cell == .blank {
                let tail = blankTail ?? startOfBlankTail(row)
                blankTail = tail
                let clearing = TerminalSequences.clearToEndOfLine
                if column >= tail, changedColumns(from: column, row: row) > clearing.count {
                    move(to: Frame.Position(row: row, column: column))
                    pen.change(to: .plain, &output)
                    output += clearing
                    return
                }
            }
            let columns = cell.span == .wide ? 2 : 1
            if draw(cell, columns: columns, row: row, column: column) == .uncertain {
                // A terminal that draws the cluster one column wider has overwritten the next cell.
                suspect = column + columns + 1
            }
            column += columns
        }
    }

    /// True if a cell looks different from before at this colour depth.
    ///
    /// Called once per cell and frame. It compares fields in place, because copying whole cells is more expensive.
    private mutating func differs(_ index: Int) -> Bool {
        guard next.cells[index].grapheme == base.cells[index].grapheme,
            next.cells[index].span == base.cells[index].span
        else { return true }
        let (new, old) = (next.cells[index].style, base.cells[index].style)
        return new != old && pen.reduced(new) != pen.reduced(old)
    }

    /// The distance from `column` to the last changed cell of a row, inclusive; 0 if there is none.
    private mutating func changedColumns(from column: Int, row: Int) -> Int {
        let start = row * next.width
        var end = next.width
        while end > column, !differs(start + end - 1) { end -= 1 }
        return end - column
    }

    private func startOfBlankTail(_ row: Int) -> Int {
        var column = next.width
        while column > 0, next.cells[row * next.width + column - 1] == .blank { column -= 1 }
        return column
    }

    private enum Outcome { case certain, uncertain }

    private mutating func draw(_ cell: Cell, columns: Int, row: Int, column: Int) -> Outcome {
        let place = Frame.Position(row: row, column: column)
        move(to: place)
        pen.change(to: cell.style, &output)
        if let ascii = cell.grapheme.asciiValue {
            output.append(ascii)
            advance(to: column + 1, row: row)
            return .certain
        }
        guard TextWidth.isCertain(cell.grapheme) else {
            // Blanks are written first, in case the terminal draws the cluster one column narrower.
            for _ in 0..<columns { output.append(0x20) }
            position = nil
            move(to: place)
            output.append(contentsOf: cell.grapheme.utf8)
            position = nil
            return .uncertain
        }
        output.append(contentsOf: cell.grapheme.utf8)
        advance(to: column + columns, row: row)
        return .certain
    }

    /// After the last column, terminals differ in the cursor's position.
    private mutating func advance(to column: Int, row: Int) {
        position = column < next.width ? Frame.Position(row: row, column: column) : nil
    }

    /// Moves the cursor by the shortest relative sequence from a known position, otherwise by an absolute one.
    private mutating func move(to target: Frame.Position) {
        guard position != target else { return }
        defer { position = target }
        guard let from = position else { return moveAbsolutely(to: target) }
        if target.row == from.row + 1, target.column == 0 {
            output += [0x0D, 0x0A]
        } else if target.row != from.row {
            moveAbsolutely(to: target)
        } else if target.column == 0 {
            output.append(0x0D)
        } else if target.column > from.column {
            if !redraw(row: from.row, columns: from.column..<target.column) {
                control(target.column - from.column, final: "C")
            }
        } else if from.column - target.column <= 3 {
            for _ in target.column..<from.column { output.append(0x08) }
        } else {
            control(from.column - target.column, final: "D")
        }
    }

    /// Moves over a few cells by writing them again, if that is not longer.
    private mutating func redraw(row: Int, columns: Range<Int>) -> Bool {
        guard columns.count <= 3 else { return false }
        let cells = next.cells[row * next.width + columns.lowerBound..<row * next.width + columns.upperBound]
        let mark = output.count
        for cell in cells {
            guard let ascii = cell.grapheme.asciiValue, cell.span == .narrow, pen.matches(cell.style) else {
                output.removeSubrange(mark...)
                return false
            }
            output.append(ascii)
        }
        return true
    }

    private mutating func moveAbsolutely(to target: Frame.Position) {
        output += [0x1B, 0x5B]
        if target.row > 0 || target.column > 0 { output.append(decimal: target.row + 1) }
        if target.column > 0 {
            output.append(0x3B)
            output.append(decimal: target.column + 1)
        }
        output.append(0x48)
    }

    private mutating func control(_ count: Int, final: Unicode.Scalar) {
        output += [0x1B, 0x5B]
        if count > 1 { output.append(decimal: count) }
        output.append(UInt8(ascii: final))
    }
}

extension [UInt8] {
    /// Appends a nonnegative number in decimal digits.
    mutating func append(decimal value: Int) {
        if value >= 10 { append(decimal: value / 10) }
        append(0x30 + UInt8(value % 10))
    }
}
