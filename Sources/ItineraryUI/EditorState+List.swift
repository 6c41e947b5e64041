import TripModel

/// The list on the screen: its lines, its folds and how far it is scrolled.
extension EditorState {
    /// How many lines of the list are on the screen; 0 while the terminal is too small.
    var listHeight: Int { window.listHeight(in: mode) }

    /// Which line shows what, with the lines of the lifted item and of other people's items.
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
        return ListLayout(rowCount: board.outline.rows.count, liftedRow: liftedRow, insertions: insertions)
    }

    /// The line that has to be on the screen.
    private func focusLine(_ board: Board, _ layout: ListLayout) -> Int {
        layout.landingLine ?? layout.line(ofRow: board.cursor) ?? 0
    }

    /// Scrolls no further than needed to have the focus on the screen, and a little around it.
    mutating func revealFocus() {
        if case .choosing(var chooser) = mode {
            chooser.reveal(height: max(listHeight - 1, 1))
            begin(.choosing(chooser))
        }
        let height = listHeight
        guard let board, height > 0 else { return }
        let layout = layout(of: board)
        let line = focusLine(board, layout)
        // A pointer that holds the item says itself where it is to be.
        let margin = pointer.held == nil ? Window.scrollMargin(height: height) : 0
        self.board?.reveal(line: line, margin: margin, of: layout.count, height: height)
    }

    /// Makes a change after which the first visible row that has not been moved itself is where it was.
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

    private func isUnmoved(_ row: Outline.Row, _ old: Board, _ new: Board) -> Bool {
        guard case .item(let id) = row else { return true }
        return old.outline.trip[id]?.position == new.outline.trip[id]?.position
    }

    /// Folds runs of days without items into a line each, or opens them again.
    mutating func toggleFolding() {
        keepingScroll { $0.board?.toggleFolding() }
        guard let board else { return }
        let count = board.outline.foldedDayCount
        if board.foldsEmptyDays {
            say(
                count == 0
                    ? "No two empty days follow each other." : "\(count) empty days are folded; z opens them."
            )
        } else {
            say("Empty days are open.")
        }
    }
}
