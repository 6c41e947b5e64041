import TripModel

/// The visible part of the list: its folds and its scroll position.
extension EditorState {
    /// The line that must be visible.
    private func focusLine(_ board: Board, _ layout: ListLayout) -> Int {
        layout.landingLine ?? layout.line(ofRow: board.cursor) ?? 0
    }

    /// Scrolls as little as possible so that the focus and its surroundings are visible.
    mutating func revealFocus() {
        if case .choosing(var chooser) = mode {
            followLine(of: &chooser)
            chooser.reveal(height: screen.area(of: chooser).lines.count)
            begin(.choosing(chooser))
        }
        let height = screen.listHeight
        guard let board, height > 0 else { return }
        let layout = screen.layout(of: board)
        let line = focusLine(board, layout)
        // If the pointer holds the item, it decides the place.
        let margin = pointer.held == nil ? Window.scrollMargin(height: height) : 0
        self.board?.reveal(line: line, margin: margin, of: layout.count, height: height)
    }

    /// Moves the focus of the trip to the row that the selected line of a list is about, and back if there is none.
    private mutating func followLine(of chooser: inout Chooser) {
        guard let board, !chooser.targets.isEmpty else { return }
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
        let layout = screen.layout(of: old)
        change(&self)
        guard let new = board else { return }
        let newLayout = screen.layout(of: new)
        for line in old.top..<max(old.top, min(old.top + screen.listHeight, layout.count)) {
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

    /// Shows or hides the details below the list.
    mutating func toggleDetails() {
        guard !window.hasPane else {
            return say("The details are beside the list.")
        }
        keepingScroll { $0.window.toggleDetails() }
        say(window.showsDetails ? "The details are below the list." : "The details are hidden.")
    }

    /// Folds runs of empty days to one line each, or unfolds them.
    mutating func toggleFolding() {
        keepingScroll { $0.board?.toggleFolding() }
        defer { focusOnFollowed() }
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
