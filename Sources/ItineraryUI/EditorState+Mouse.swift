import TerminalCore
import TripModel

extension EditorState {
    /// How many lines the wheel scrolls by.
    private static let wheelLines = 3

    mutating func point(_ event: MouseEvent) {
        guard window.isLargeEnough else { return }
        if case .press(.left) = event.action, pressHint(at: event) { return }
        // What is under a message is not pointed at: the click takes the message away.
        if case .press(.left) = event.action, statusRows.dropLast().contains(event.row), context != .notice {
            status.clear()
            return
        }
        if case .press(.left) = event.action, pressField(at: event) { return }
        if case .choosing(let chooser) = mode {
            point(event, chooser)
            return
        }
        guard let board else { return }
        switch mode {
        case .browsing, .dragging: break
        case .acknowledging(let notice):
            if case .press = event.action {
                status.clear()
                acknowledge(notice)
            }
            return
        case .prompting, .filling, .planning, .choosing, .confirming, .helping, .awaiting, .ended: return
        }
        motion.endSnapBack()
        switch event.action {
        case .press(.left): press(at: event, board)
        case .drag(.left): move(to: event, board)
        case .release(.left): release()
        case .wheelUp: scroll(by: -Self.wheelLines, at: event, board)
        case .wheelDown: scroll(by: Self.wheelLines, at: event, board)
        case .press, .drag, .release, .move, .wheelLeft, .wheelRight: break
        }
    }

    /// A click on a hint of the bar is its key.
    private mutating func pressHint(at event: MouseEvent) -> Bool {
        guard event.row == window.rows - 1,
            let hint = hints.first(where: { $0.columns.contains(event.column) })
        else { return false }
        receive(.key(hint.key.key, hint.key.modifiers))
        return true
    }

    /// A click on a field of a form goes to it.
    private mutating func pressField(at event: MouseEvent) -> Bool {
        guard let sheet = mode.formSheet, event.column < window.listWidth else { return false }
        let rows = formRows(sheet)
        guard rows.dropFirst().dropLast().contains(event.row) else { return false }
        let index = firstField(sheet, in: rows) + event.row - rows.lowerBound - 1
        status.clear()
        var there = mode
        guard there.go(toField: index) else { return false }
        begin(there)
        return true
    }

    /// The wheel goes through a list to choose from, a click selects a line, and a click on that one takes it.
    private mutating func point(_ event: MouseEvent, _ old: Chooser) {
        var chooser = old
        switch event.action {
        case .wheelUp: chooser.select(chooser.selected - Self.wheelLines)
        case .wheelDown: chooser.select(chooser.selected + Self.wheelLines)
        case .press(.left):
            let index = chooser.top + event.row - Window.listRow - 1
            guard event.row > Window.listRow, event.row < Window.listRow + listHeight,
                chooser.shown.indices.contains(index)
            else { return }
            if index == chooser.selected {
                choose(chooser, .accept)
                return
            }
            chooser.select(index)
        default: return
        }
        status.clear()
        begin(.choosing(chooser))
    }

    private mutating func press(at event: MouseEvent, _ board: Board) {
        status.clear()
        if mode.drag != nil {
            hover(under: event, board)
            return
        }
        let layout = layout(of: board)
        let line = board.top + event.row - Window.listRow
        guard event.row >= Window.listRow, event.row < Window.listRow + listHeight, line < layout.count,
            case .row(let row) = layout[line]
        else { return }
        focus(row: row)
        pointer.press(board.outline.rows[row])
    }

    /// The first move off the pressed row lifts it.
    private mutating func move(to event: MouseEvent, _ board: Board) {
        if mode.drag != nil {
            hover(under: event, board)
            watchEdge(event)
            return
        }
        guard let start = pointer.pressed, row(under: event, board) != board.outline.row(of: start) else {
            return
        }
        pointer.leaveRow()
        guard board.outline.rows[board.cursor] == start else { return }
        lift()
        if let board = self.board { hover(under: event, board) }
        watchEdge(event)
    }

    /// Puts the item down; where that is not allowed, it goes back, as there is no button down to hold it.
    private mutating func release() {
        pointer.release()
        guard mode.drag != nil else { return }
        drop()
    }

    /// Brings the lifted item to the gap below the row under the pointer: on a day's header the day's first,
    /// below the last row the last.
    mutating func hover(under event: MouseEvent, _ board: Board) {
        guard let drag = mode.drag else { return }
        let height = listHeight
        let layout = layout(of: board)
        let line = board.top + min(max(event.row - Window.listRow, 0), height - 1)
        guard line < layout.count else {
            hover(at: .max)
            return
        }
        switch layout[line] {
        case .row(let row): hover(at: drag.gap(belowRow: row))
        case .landing: break
        }
    }

    /// The row under the pointer, or the nearest above it.
    private func row(under event: MouseEvent, _ board: Board) -> Int? {
        let layout = layout(of: board)
        var line = board.top + min(max(event.row - Window.listRow, 0), listHeight - 1)
        line = min(line, layout.count - 1)
        while line >= 0 {
            if case .row(let row) = layout[line] { return row }
            line -= 1
        }
        return nil
    }

    /// Scrolls the list; what is in focus goes along where it would leave the screen.
    private mutating func scroll(by lines: Int, at event: MouseEvent, _ board: Board) {
        // What is under a long message is to be seen at the end of the list.
        if statusRows.count > 1 { status.clear() }
        let layout = layout(of: board)
        let top = min(max(board.top + lines, 0), max(0, layout.count - listHeight))
        self.board?.scroll(by: top - board.top)
        let margin = Window.scrollMargin(height: listHeight)
        guard let scrolled = self.board else { return }
        if mode.drag != nil {
            hover(under: event, scrolled)
            return
        }
        guard let line = layout.line(ofRow: board.cursor) else { return }
        let first = top == 0 ? 0 : top + margin
        let last = top + listHeight >= layout.count ? layout.count - 1 : top + listHeight - 1 - margin
        let target = min(max(line, first), last)
        guard target != line else { return }
        for candidate in [target, target + 1, target - 1] where candidate >= 0 && candidate < layout.count {
            if case .row(let row) = layout[candidate] {
                focus(row: row)
                return
            }
        }
    }

    // MARK: At the edge of the list

    /// Notes where the pointer holds the lifted item, and starts or stops scrolling by itself.
    private mutating func watchEdge(_ event: MouseEvent) {
        pointer.hold(at: event, edge: mode.drag == nil ? nil : edge(at: event), now: now)
    }

    /// Scrolls by one line if it is time to.
    mutating func scrollAtEdge() {
        guard let (event, direction) = pointer.dueScroll(at: now) else { return }
        guard mode.drag != nil, edge(at: event) == direction else { return pointer.stopScroll() }
        board?.scroll(by: direction)
        if let board { hover(under: event, board) }
        pointer.advanceScroll(now: now)
    }

    /// The way the list goes on beyond the edge that the pointer is at; nil in between, and at the list's ends.
    private func edge(at event: MouseEvent) -> Int? {
        guard let board, listHeight > 0 else { return nil }
        let line = event.row - Window.listRow
        if line < EdgeScroll.lines { return board.top > 0 ? -1 : nil }
        guard line >= listHeight - EdgeScroll.lines else { return nil }
        return board.top + listHeight < layout(of: board).count ? 1 : nil
    }
}
