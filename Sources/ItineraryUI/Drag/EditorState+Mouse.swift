import TerminalCore
import TripModel

extension EditorState {
    /// The number of lines per wheel step.
    private static let wheelLines = 3

    mutating func point(_ event: MouseEvent) {
        guard window.isLargeEnough else { return }
        switch event.action {
        case .press(.left): press(at: event)
        case .drag(.left): move(to: event)
        case .release(.left): release(at: event)
        case .wheelUp: turnWheel(-Self.wheelLines, at: event)
        case .wheelDown: turnWheel(Self.wheelLines, at: event)
        case .press, .drag, .release, .move, .wheelLeft, .wheelRight: break
        }
    }

    /// The hint or message under the pointer. A message covers whatever is below it.
    private func control(at event: MouseEvent) -> Pointer.Button? {
        if event.row == window.rows - 1,
            let hint = screen.hints.first(where: { $0.columns.contains(event.column) })
        {
            return .onHint(hint.key, context)
        }
        if event.row == 0, mode.isBrowsing {
            let part = screen.topLine().last { $0.target != nil && $0.columns.contains(event.column) }
            return part?.target.map(Pointer.Button.onTop)
        }
        return screen.statusRows.contains(event.row) && context != .notice ? .onMessage : nil
    }

    private mutating func press(at event: MouseEvent) {
        pointer.release()
        if let control = control(at: event) { return pointer.press(control) }
        if pressField(at: event) { return }
        switch mode {
        case .choosing(let chooser): press(at: event, chooser)
        case .acknowledging(let notice):
            status.clear()
            acknowledge(notice)
        case .browsing: pressRow(at: event)
        case .dragging:
            guard let board, event.row >= Window.listRow, event.row < Window.listRow + screen.listHeight
            else {
                return
            }
            motion.endSnapBack()
            status.clear()
            pointer.press(.carrying)
            hover(under: event, board)
        case .prompting, .filling, .planning, .confirming, .helping, .awaiting, .ended: break
        }
    }

    /// Finishes only the action that the press began.
    private mutating func release(at event: MouseEvent) {
        let button = pointer.button
        pointer.release()
        switch button {
        case .onHint(let key, _): if control(at: event) == button { receive(.key(key.key, key.modifiers)) }
        case .onTop(let target):
            guard control(at: event) == button else { return }
            status.clear()
            switch target {
            case .problems: chooseProblem()
            case .person(let name): follow(personNamed: name)
            }
        case .onMessage: if control(at: event) == button { status.clear() }
        case .onLine(let index, wasSelected: true):
            guard case .choosing(let chooser) = mode, line(under: event, chooser) == index else { return }
            choose(chooser, .accept)
        case .carrying: letGo(at: event)
        case .onRow, .onLine, .up: break
        }
    }

    /// Ends the drag at a release of the button: a drop in the list, the hint's key on a hint of the bar, and a cancellation
    /// elsewhere on the bar.
    private mutating func letGo(at event: MouseEvent) {
        guard mode.drag != nil else { return }
        if case .onHint(let key, _)? = control(at: event) { return receive(.key(key.key, key.modifiers)) }
        if event.row >= window.rows - 1 { return cancelDrag() }
        drop()
    }

    /// A click on a form field moves to it.
    private mutating func pressField(at event: MouseEvent) -> Bool {
        guard let sheet = mode.form?.sheet else { return false }
        let area = screen.area(of: sheet)
        guard area.columns.contains(event.column),
            let index = screen.fieldRows(sheet).first(where: { $0.row == event.row })?.index
        else { return false }
        status.clear()
        var there = mode
        there.form?.go(to: index)
        begin(there)
        return true
    }

    /// A click selects a line of a panel, and a click on the selected line chooses it.
    private mutating func press(at event: MouseEvent, _ old: Chooser) {
        var chooser = old
        guard let index = line(under: event, chooser) else { return }
        pointer.press(.onLine(index, wasSelected: index == chooser.selected))
        if index == chooser.selected { return }
        chooser.select(index)
        status.clear()
        begin(.choosing(chooser))
    }

    /// The line of a panel under the pointer.
    private func line(under event: MouseEvent, _ chooser: Chooser) -> Int? {
        let area = screen.area(of: chooser)
        let index = chooser.top + event.row - area.lines.lowerBound
        let isInside = area.lines.contains(event.row) && area.columns.contains(event.column)
        return isInside && chooser.shown.indices.contains(index) ? index : nil
    }

    /// Whether the pointer is over the list, beside or above the open panel.
    private func isOverList(_ event: MouseEvent) -> Bool {
        guard case .choosing(let chooser) = mode else { return false }
        let area = screen.area(of: chooser)
        let isOverPanel = area.rows.contains(event.row) && area.columns.contains(event.column)
        return !isOverPanel && (Window.listRow..<Window.listRow + screen.listHeight).contains(event.row)
    }

    private mutating func pressRow(at event: MouseEvent) {
        guard let board else { return }
        motion.endSnapBack()
        status.clear()
        let layout = screen.layout(of: board)
        let line = board.top + event.row - Window.listRow
        guard event.row >= Window.listRow, event.row < Window.listRow + screen.listHeight,
            line < layout.count,
            case .row(let row) = layout[line]
        else { return }
        focus(row: row)
        guard pointer.press(onRow: board.outline.rows[row], at: now) else { return }
        pointer.release()
        if let edit = keys.binding(of: .edit, in: .list) { browse(edit) }
    }

    /// The first move off the pressed row lifts its item, and the first move of an idea to the list lifts that.
    private mutating func move(to event: MouseEvent) {
        guard let board else { return }
        switch pointer.button {
        case .onLine:
            guard let idea = selectedIdea, let content = idea.item, isOverList(event) else { return }
            pointer.release()
            returnToList()
            lift([NewItem(id: ItemID(idea.id), content: content, isIdea: true)])
            guard mode.drag != nil else { return }
            pointer.press(.carrying)
        case .onRow(let start):
            guard mode.isBrowsing, row(under: event, board) != board.outline.row(of: start) else { return }
            motion.endSnapBack()
            pointer.release()
            guard board.outline.rows[board.cursor] == start else { return }
            lift()
            guard mode.drag != nil else { return }
            pointer.press(.carrying)
        case .carrying: break
        case .up, .onHint, .onTop, .onMessage: return
        }
        guard mode.drag != nil, let board = self.board else { return }
        hover(under: event, board)
        watchEdge(event)
    }

    private mutating func turnWheel(_ lines: Int, at event: MouseEvent) {
        switch mode {
        case .choosing(var chooser):
            chooser.select(chooser.selected + lines)
            status.clear()
            begin(.choosing(chooser))
        case .browsing, .dragging:
            guard let board else { return }
            motion.endSnapBack()
            scroll(by: lines, at: event, board)
        case .helping(let page): scroll(page, by: lines)
        case .prompting, .filling, .planning, .confirming, .awaiting, .ended, .acknowledging: break
        }
    }

    /// Moves the dragged item to the gap below the row under the pointer: on a heading the first of the day,
    /// below the last row the last.
    mutating func hover(under event: MouseEvent, _ board: Board) {
        guard let drag = mode.drag else { return }
        let height = screen.listHeight
        let layout = screen.layout(of: board)
        let line = board.top + min(max(event.row - Window.listRow, 0), height - 1)
        guard line < layout.count else {
            hover(at: .max)
            return
        }
        switch layout[line] {
        case .row(let row): hover(at: drag.gap(belowRow: row))
        case .landing, .stay: break
        }
    }

    /// The row under the pointer, or the nearest above it.
    private func row(under event: MouseEvent, _ board: Board) -> Int? {
        let layout = screen.layout(of: board)
        var line = board.top + min(max(event.row - Window.listRow, 0), screen.listHeight - 1)
        line = min(line, layout.count - 1)
        while line >= 0 {
            if case .row(let row) = layout[line] { return row }
            line -= 1
        }
        return nil
    }

    /// Scrolls the list; the focus moves along if it would become invisible.
    private mutating func scroll(by lines: Int, at event: MouseEvent, _ board: Board) {
        // Rows covered by a long message must be visible at the end of the list.
        if screen.statusRows.count > 1 { status.clear() }
        let layout = screen.layout(of: board)
        let top = min(max(board.top + lines, 0), max(0, layout.count - screen.listHeight))
        self.board?.scroll(by: top - board.top)
        let margin = Window.scrollMargin(height: screen.listHeight)
        guard let scrolled = self.board else { return }
        if mode.drag != nil {
            hover(under: event, scrolled)
            return
        }
        guard let line = layout.line(ofRow: board.cursor) else { return }
        let first = top == 0 ? 0 : top + margin
        let last =
            top + screen.listHeight >= layout.count ? layout.count - 1 : top + screen.listHeight - 1 - margin
        let target = min(max(line, first), last)
        guard target != line else { return }
        // The nearest line that can be focused. Above the lines of stays there is always a heading.
        for distance in 0..<layout.count {
            for candidate in [target + distance, target - distance]
            where candidate >= 0 && candidate < layout.count {
                if case .row(let row) = layout[candidate] { return focus(row: row) }
            }
        }
    }

    // MARK: Scrolling at the edge

    /// Records the pointer's position during a drag, and starts or stops automatic scrolling.
    private mutating func watchEdge(_ event: MouseEvent) {
        pointer.hold(at: event, edge: mode.drag == nil ? nil : edge(at: event), now: now)
    }

    /// Scrolls by one line if it is due.
    mutating func scrollAtEdge() {
        guard let (event, direction) = pointer.dueScroll(at: now) else { return }
        guard mode.drag != nil, edge(at: event) == direction else { return pointer.stopScroll() }
        board?.scroll(by: direction)
        if let board { hover(under: event, board) }
        pointer.advanceScroll(now: now)
    }

    /// The direction in which the list continues beyond the edge at the pointer; nil elsewhere and at the
    /// list's ends.
    private func edge(at event: MouseEvent) -> Int? {
        guard let board, screen.listHeight > 0 else { return nil }
        let line = event.row - Window.listRow
        if line < EdgeScroll.lines { return board.top > 0 ? -1 : nil }
        guard line >= screen.listHeight - EdgeScroll.lines else { return nil }
        return board.top + screen.listHeight < screen.layout(of: board).count ? 1 : nil
    }
}
