import TripModel

/// A part of the screen for a list or a form.
struct Area: Sendable {
    let rows: Range<Int>
    let columns: Range<Int>

    /// The rows below the heading.
    var lines: Range<Int> { min(rows.lowerBound + 1, rows.upperBound)..<rows.upperBound }
}

/// The visible list: its lines, its folds and its scroll position.
extension EditorState {
    /// The number of visible list lines; 0 while the terminal is too small.
    var listHeight: Int { window.room - (sheetLines.map(window.sheetHeight) ?? detailHeight) }

    /// The number of rows of details below the list.
    var detailHeight: Int {
        if case .helping = mode { return 0 }
        return sheetLines == nil ? window.detailHeight : 0
    }

    /// The number of columns of the list.
    var listWidth: Int { window.listWidth(besideOpen: sheetLines != nil) }

    /// The number of lines of the open list or form; nil if none is shown.
    private var sheetLines: Int? { shownChooser?.choices.count ?? mode.shownSheet?.lines.count }

    /// The place of the open list or form: beside the trip or below it, or without a trip instead of it. Its first row is
    /// for the heading.
    func sheetArea(lines: Int) -> Area {
        let end = Window.listRow + window.room
        guard board != nil else {
            return Area(rows: Window.listRow..<end, columns: 0..<window.listWidth(besideOpen: false))
        }
        if window.hasPane {
            let pane = window.pane(isOpen: true)
            return Area(rows: Window.listRow..<end, columns: pane.lowerBound + 1..<pane.upperBound + 1)
        }
        return Area(rows: end - window.sheetHeight(lines: lines)..<end, columns: 0..<window.columns)
    }

    /// The lines of the list, including those of the dragged item and of stays.
    func layout(of board: Board) -> ListLayout {
        var liftedRow: Int?
        var insertions: [ListLayout.Insertion] = []
        if let drag = mode.drag {
            liftedRow = drag.liftedRow
            insertions.append(ListLayout.Insertion(boundary: drag.boundary, line: .landing))
        } else if let back = motion.snapBack, let step = back.steps.step(at: now),
            let row = board.outline.row(of: back.item)
        {
            liftedRow = row
            let boundary = min(back.boundary(at: step, home: row), board.outline.rows.count - 1)
            insertions.append(ListLayout.Insertion(boundary: boundary, line: .landing))
        }
        var stays: [ListLayout.Insertion] = []
        for (index, stay) in board.outline.stays.enumerated() {
            // A heading is never lifted, so the line directly below it is in the same gap with and without
            // the row.
            let boundary = stay.header + 1 - (liftedRow.map { stay.header > $0 ? 1 : 0 } ?? 0)
            stays += stay.days.indices.map {
                ListLayout.Insertion(boundary: boundary, line: .stay(index, $0))
            }
        }
        return ListLayout(
            rowCount: board.outline.rows.count, liftedRow: liftedRow, insertions: stays + insertions)
    }

    /// The line that must be visible.
    private func focusLine(_ board: Board, _ layout: ListLayout) -> Int {
        layout.landingLine ?? layout.line(ofRow: board.cursor) ?? 0
    }

    /// Scrolls as little as possible so that the focus and its surroundings are visible.
    mutating func revealFocus() {
        if case .choosing(var chooser) = mode {
            followLine(of: &chooser)
            chooser.reveal(height: sheetArea(of: chooser).lines.count)
            begin(.choosing(chooser))
        }
        let height = listHeight
        guard let board, height > 0 else { return }
        let layout = layout(of: board)
        let line = focusLine(board, layout)
        // If the pointer holds the item, it decides the place.
        let margin = pointer.held == nil ? Window.scrollMargin(height: height) : 0
        self.board?.reveal(line: line, margin: margin, of: layout.count, height: height)
    }

    /// Moves the focus of the trip to the row that the selected line of a list is about, and back if there is none.
    private mutating func followLine(of chooser: inout Chooser) {
        guard !options.isByLines, let board, !chooser.targets.isEmpty else { return }
        let origin = chooser.origin ?? board.outline.rows[board.cursor]
        chooser.origin = origin
        let target = chooser.current.flatMap { chooser.targets[$0.index] }
        let row = target.flatMap(board.outline.row(of:)) ?? board.outline.row(of: origin)
        if let row, row != board.cursor { self.board?.focus(row: row) }
    }

    /// Makes a change with the first visible unmoved row kept in place.
    mutating func keepingScroll(_ change: (inout Self) -> Void) {
        guard let old = board else {
            change(&self)
            return
        }
        let layout = layout(of: old)
        change(&self)
        guard let new = board else { return }
        let newLayout = self.layout(of: new)
        for line in old.top..<max(old.top, min(old.top + listHeight, layout.count)) {
            guard case .row(let row) = layout[line] else { continue }
            let key = old.outline.rows[row]
            guard let newRow = new.outline.row(of: key), isUnmoved(key, old, new),
                let newLine = newLayout.line(ofRow: newRow)
            else { continue }
            board?.scroll(by: newLine - line + old.top - new.top)
            return
        }
    }

    private func isUnmoved(_ row: ListRow, _ old: Board, _ new: Board) -> Bool {
        guard case .item(let id) = row else { return true }
        return old.outline.trip[id]?.position == new.outline.trip[id]?.position
    }

    /// Folds runs of empty days to one line each, or unfolds them.
    mutating func toggleFolding() {
        keepingScroll { $0.board?.toggleFolding() }
        guard let board else { return }
        let count = board.outline.foldedDayCount
        if board.foldsEmptyDays {
            say(
                count == 0
                    ? "There are no consecutive empty days." : "\(count) empty days are folded; z opens them."
            )
        } else {
            say("Empty days are shown.")
        }
    }
}
