import TripModel

extension EditorState {
    mutating func browse(_ action: Action) {
        if case .help = action {
            mode = .helping(top: 0)
            return
        }
        guard let board else { return }
        let rows = board.outline.rows.indices
        switch action {
        case .up: focus(row: board.cursor - 1)
        case .down: focus(row: board.cursor + 1)
        case .previousDay: focus(row: headerAbove(board))
        case .nextDay:
            let end = board.outline.dayRows(around: board.cursor).upperBound
            focus(row: end)
        case .first: focus(row: rows.lowerBound)
        case .last: focus(row: rows.upperBound)
        case .lift: lift()
        case .nudgeUp: nudge(step: -1)
        case .nudgeDown: nudge(step: 1)
        case .add: promptForAdd()
        case .moveTo: chooseMove()
        case .copy: liftCopy()
        case .edit: beginForm()
        case .remove: removeFocused()
        case .undo: ask(for: .undo, "Your last change is taken back.")
        case .redo: ask(for: .redo, "Your last change is made again.")
        case .search: beginSearch()
        case .nextMatch: focusMatch(step: 1)
        case .previousMatch: focusMatch(step: -1)
        case .cancel: search = nil
        case .problems: chooseProblem()
        case .trips: askForTrips()
        case .mouse: toggleMouse()
        default: break
        }
    }

    /// Puts the focus on a row, or the nearest there is.
    mutating func focus(row: Int) {
        guard let rows = board?.outline.rows.indices else { return }
        board?.cursor = min(max(row, rows.lowerBound), rows.upperBound - 1)
    }

    private func headerAbove(_ board: Board) -> Int {
        let header = board.outline.dayRows(around: board.cursor).lowerBound
        guard header == board.cursor, header > 0 else { return header }
        return board.outline.dayRows(around: header - 1).lowerBound
    }

    private mutating func toggleMouse() {
        takesMouse.toggle()
        emit(.captureMouse(takesMouse))
        say(
            takesMouse
                ? "The mouse drags items now." : "The mouse is the terminal's now, to select text with.")
    }

    mutating func scrollHelp(from top: Int, _ action: Action) {
        let last = max(0, helpLines.count - listHeight)
        let target: Int
        switch action {
        case .up: target = top - 1
        case .down: target = top + 1
        case .previousDay: target = top - listHeight
        case .nextDay: target = top + listHeight
        default:
            mode = .browsing
            return
        }
        mode = .helping(top: min(max(target, 0), last))
    }
}
