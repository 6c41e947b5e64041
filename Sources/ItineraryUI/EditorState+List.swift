import TripModel

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
}
