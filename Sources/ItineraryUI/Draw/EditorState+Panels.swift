import TerminalCore

/// Panels over or beside the list: form fields, lists, details.
extension EditorState {
    /// Draws the details beside the list, or below it if requested.
    func putPane(_ painter: inout ScreenPainter) {
        if !window.hasPane {
            let height = window.detailHeight(in: mode)
            guard height > 1 else { return }
            let top = Window.listRow + listHeight
            painter.rule("─", row: top, columns: 2..<window.columns - 1, style: theme.dayRule)
            let lines = detailLines(columns: window.columns - 3).filter { $0 != .blank }
            put(lines.prefix(height - 1), from: top + 1, column: 2, end: window.columns - 1, &painter)
            return
        }
        let (start, end) = (window.pane.lowerBound, window.pane.upperBound)
        for row in Window.listRow..<Window.listRow + listHeight {
            painter.put("│", row: row, column: start, end: end, style: theme.dayRule)
        }
        let lines = detailLines(columns: end - start - 2)
        put(lines.prefix(listHeight), from: Window.listRow, column: start + 2, end: end, &painter)
    }

    private func put(
        _ lines: ArraySlice<DetailLine>, from top: Int, column: Int, end: Int,
        _ painter: inout ScreenPainter
    ) {
        for (offset, line) in lines.enumerated() {
            let row = top + offset
            switch line {
            case .heading(let text):
                painter.put(text, row: row, column: column, end: end, style: theme.heading)
            case .text(let text):
                painter.put(text, row: row, column: column, end: end, style: theme.status)
            case .field(let name, let value):
                let next = painter.put(name, row: row, column: column, end: end, style: theme.detail)
                let start = max(column + Self.fieldColumn, next + 1)
                painter.put(value, row: row, column: start, end: end, style: theme.status)
            case .problem(let text):
                painter.put(text, row: row, column: column, end: end, style: theme.problem)
            case .person(let person, let text):
                let sign = sign(of: person)
                let next = painter.put(
                    sign, row: row, column: column, end: end, style: style(ofPerson: person.name))
                painter.put(text, row: row, column: next + 1, end: end, style: theme.status)
            case .blank: break
            }
        }
    }

    /// Shows or hides the details below the list.
    mutating func toggleDetails() {
        guard !window.hasPane || options.isByLines else {
            return say("The details are beside the list.")
        }
        keepingScroll { $0.window.toggleDetails() }
        say(window.showsDetails ? "The details are below the list." : "The details are hidden.")
    }

    /// The column of a field's value, from that of its name.
    static let fieldColumn = 12

    // MARK: Lists

    /// Whether a line fits without its right part.
    func showsWhole(_ choice: Chooser.Choice) -> Bool {
        ScreenPainter(width: 0, height: 0, isASCII: options.ascii, theme: theme).columns(of: choice.text)
            <= window.listWidth - 3
    }

    func putChooser(_ chooser: Chooser, _ painter: inout ScreenPainter) {
        let width = window.listWidth
        let label = chooser.line.map { $0.isEntry ? "New:" : "Filter:" }
        if let line = chooser.line, let label {
            putLine(line.editor, label: label, &painter, row: Window.listRow, end: width - 1)
        } else {
            painter.put(
                chooser.label, row: Window.listRow, column: 2, end: width - 1, style: theme.promptLabel)
        }
        for offset in 0..<max(0, min(listHeight - 1, chooser.shown.count - chooser.top)) {
            let index = chooser.top + offset
            let choice = chooser.choices[chooser.shown[index]]
            let row = Window.listRow + 1 + offset
            let isSelected = index == chooser.selected
            defer {
                if isSelected {
                    painter.highlight(row: row, columns: 1..<width)
                    painter.put("▌", row: row, column: 0, end: width, style: theme.focusMark)
                    if chooser.line == nil { painter.frame.cursor = Frame.Position(row: row, column: 2) }
                }
            }
            var style = choice.isAllowed ? theme.title : theme.closed
            if isSelected { style.attributes.formUnion(theme.focused) }
            let detail = painter.columns(of: choice.detail)
            // The left part is usually more important, but a reason must be readable.
            let kept =
                chooser.keepsDetail && detail + 2 <= (width - 4) * 2 / 3
                ? detail + 2 : choice.isAllowed ? 0 : min(detail + 2, (width - 4) / 2)
            var column = 2
            if let key = choice.key {
                column = painter.put("\(key)", row: row, column: column, end: width, style: theme.key) + 2
            }
            let next = painter.put(choice.text, row: row, column: column, end: width - 1 - kept, style: style)
            guard width - 1 - (next + 2) >= (choice.isAllowed ? detail : min(4, detail)) else { continue }
            painter.putRight(
                choice.detail, row: row, start: next + 2, end: width - 1,
                style: choice.isAllowed ? theme.detail : theme.refusedTitle)
        }
    }

    // MARK: Fields

    /// The rows of the fields: at the end of the list that is farther from the focus, which stays visible if the
    /// window is large enough.
    func formRows(_ sheet: FormSheet) -> Range<Int> {
        let line = board.map { max((layout(of: $0).line(ofRow: $0.cursor) ?? $0.top) - $0.top, 0) }
        let isFocusBelow = line.map { $0 >= listHeight / 2 } ?? true
        let room = line.map { isFocusBelow ? $0 : listHeight - 1 - $0 } ?? listHeight
        let height = min(sheet.lines.count + 2, max(room, Self.leastFormHeight), listHeight)
        let top = isFocusBelow ? Window.listRow : Window.listRow + listHeight - height
        return top..<top + height
    }

    /// The height in which a form can be used, with its heading and its last line.
    private static let leastFormHeight = 7

    /// The first visible field of a form that is longer than its rows.
    func firstField(_ sheet: FormSheet, in rows: Range<Int>) -> Int {
        let room = max(rows.count - 2, 1)
        return min(max(0, sheet.index - room + 1), max(0, sheet.lines.count - room))
    }

    func putForm(_ sheet: FormSheet, _ painter: inout ScreenPainter) {
        let rows = formRows(sheet)
        let width = window.listWidth
        painter.frame.fill(rows: rows, columns: 0..<width)
        painter.rule("─", row: rows.lowerBound, columns: 2..<width - 1, style: theme.dayRule)
        painter.rule("─", row: rows.upperBound - 1, columns: 2..<width - 1, style: theme.dayRule)
        let heading = sheet.heading + (drafts.isOffered ? ", as you left it" : "")
        painter.put(
            " \(heading) ", row: rows.lowerBound, column: 4, end: width - 4, style: theme.heading)
        let room = max(rows.count - 2, 1)
        let first = firstField(sheet, in: rows)
        if sheet.lines.count > room {
            let shown = " \(first + 1) to \(min(first + room, sheet.lines.count)) of \(sheet.lines.count) "
            painter.putRight(shown, row: rows.upperBound - 1, start: 4, end: width - 3, style: theme.detail)
        }
        for offset in 0..<min(room, sheet.lines.count - first) {
            let line = sheet.lines[first + offset]
            let row = rows.lowerBound + 1 + offset
            let isCurrent = first + offset == sheet.index
            if isCurrent { painter.put("▌", row: row, column: 0, end: width, style: theme.focusMark) }
            let next = painter.put(line.label, row: row, column: 2, end: width, style: theme.detail)
            let start = max(2 + Self.fieldColumn, next + 1)
            var style = theme.title
            if isCurrent || line.isChanged { style.attributes.formUnion(theme.focused) }
            let kept =
                line.aside.isEmpty
                ? 0 : min(painter.columns(of: line.aside) + 2, (width - 2 - Self.fieldColumn) / 2)
            painter.put(line.text, row: row, column: start, end: width - 1 - kept, style: style)
            painter.putRight(
                line.aside, row: row, start: width - 1 - max(kept - 2, 0), end: width - 1,
                style: theme.waiting)
        }
    }

    // MARK: Text lines

    /// Draws a text line, scrolled to its end if it is too long, with the terminal's cursor.
    func putLine(
        _ line: LineEditor, label: String, _ painter: inout ScreenPainter, row: Int, end: Int
    ) {
        let start =
            painter.put(label, row: row, column: 2, end: max(end - 12, end / 2), style: theme.promptLabel) + 1
        var before = line.before[...]
        while painter.columns(of: String(before)) > end - start - 1, !before.isEmpty { before.removeFirst() }
        let style = theme.status.flashing(line.isSuggestion)
        let column = painter.put(String(before), row: row, column: start, end: end, style: style)
        painter.put(line.after, row: row, column: column, end: end, style: theme.status)
        painter.frame.cursor = Frame.Position(row: row, column: column)
    }
}
