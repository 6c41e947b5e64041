import TerminalCore

/// Panels over or beside the list: form fields, lists, details.
extension Screen {
    /// Draws the details beside the list, or below it if requested.
    func putPane(_ painter: inout ScreenPainter) {
        if !window.hasPane {
            let height = detailHeight
            guard height > 1 else { return }
            let top = Window.listRow + listHeight
            painter.rule("─", row: top, columns: 2..<window.columns - 1, style: theme.dayRule)
            let lines = detailLines(columns: window.columns - 3).filter { $0 != .blank }
            put(lines.prefix(height - 1), from: top + 1, column: 2, end: window.columns - 1, &painter)
            return
        }
        let pane = window.pane(isOpen: false)
        let (start, end) = (pane.lowerBound, pane.upperBound)
        putBorder(column: start, &painter)
        let lines = detailLines(columns: end - start - 2)
        put(lines.prefix(listHeight), from: Window.listRow, column: start + 2, end: end, &painter)
    }

    private func putBorder(column: Int, _ painter: inout ScreenPainter) {
        for row in Window.listRow..<Window.listRow + window.room {
            painter.put("│", row: row, column: column, end: column + 1, style: theme.dayRule)
        }
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
                    sign, row: row, column: column, end: end, style: theme.style(ofPerson: person.name))
                painter.put(text, row: row, column: next + 1, end: end, style: theme.status)
            case .blank: break
            }
        }
    }

    /// The column of a field's value, from that of its name.
    static let fieldColumn = 12

    // MARK: Lists

    /// The list on the screen: an open one, or the list of trips behind a question about one of them.
    var shownChooser: Chooser? {
        guard case .confirming(let question) = mode, case .deleteTrip(let id, _, _) = question.purpose,
            let list = state.known.list
        else { return mode.shownChooser }
        var chooser = state.tripMenu(list)
        if let index = list.trips.firstIndex(where: { $0.id == id }) { chooser.select(index) }
        chooser.reveal(height: area(of: chooser).lines.count)
        return chooser
    }

    func area(of chooser: Chooser) -> Area { sheetArea(lines: chooser.choices.count) }

    /// Whether a line fits.
    func showsWhole(_ choice: Chooser.Choice, of chooser: Chooser) -> Bool {
        let text = choice.detail.isEmpty ? choice.text : "\(choice.text)  \(choice.detail)"
        let key = choice.key == nil ? 0 : 3
        return ruler.columns(of: text) <= area(of: chooser).columns.count - 3 - key
    }

    /// Draws the heading of a list or a form, with a note at the right, and the border beside the trip.
    private func putHeading(_ heading: String, note: String, in area: Area, _ painter: inout ScreenPainter) {
        painter.frame.fill(rows: area.rows, columns: area.columns)
        let row = area.rows.lowerBound
        let (start, end) = (area.columns.lowerBound, area.columns.upperBound)
        if start > 0 {
            putBorder(column: start - 1, &painter)
        } else if board != nil {
            painter.rule("─", row: row, columns: 2..<end - 1, style: theme.dayRule)
        }
        let isRule = start == 0 && board != nil
        painter.put(
            isRule ? " \(heading) " : heading, row: row, column: start + (isRule ? 4 : 2), end: end - 4,
            style: theme.heading)
        if !note.isEmpty {
            painter.putRight(" \(note) ", row: row, start: start + 4, end: end - 3, style: theme.detail)
        }
    }

    func putChooser(_ chooser: Chooser, _ painter: inout ScreenPainter) {
        let area = area(of: chooser)
        let (start, width) = (area.columns.lowerBound, area.columns.count)
        let shown = chooser.top..<min(chooser.shown.count, chooser.top + area.lines.count)
        let isWhole = shown.count == chooser.choices.count
        putHeading(
            chooser.heading,
            note: isWhole || shown.isEmpty
                ? "" : "\(shown.lowerBound + 1) to \(shown.upperBound) of \(chooser.shown.count)",
            in: area, &painter)
        painter.frame.cursor = Frame.Position(row: area.rows.lowerBound, column: start + 2)
        for (row, index) in zip(area.lines, shown) {
            var choice = chooser.choices[chooser.shown[index]]
            var column = start + 2
            if index > shown.lowerBound,
                let name = chooser.repeatedName(of: chooser.shown[index], below: chooser.shown[index - 1])
            {
                column += painter.columns(of: name)
                choice = Chooser.Choice(text: String(choice.text.dropFirst(name.count)), detail: "")
            }
            let isSelected = index == chooser.selected
            let end = start + width
            defer {
                if isSelected {
                    painter.highlight(row: row, columns: start + 1..<end)
                    painter.put("▌", row: row, column: start, end: end, style: theme.focusMark)
                    painter.frame.cursor = Frame.Position(row: row, column: start + 2)
                }
            }
            var style = choice.isAllowed ? theme.title : theme.closed
            if isSelected { style.attributes.formUnion(theme.focused) }
            let detail = painter.columns(of: choice.detail)
            // The left part is usually more important, but a reason must be readable.
            let kept =
                chooser.keepsDetail && detail + 2 <= (width - 4) * 2 / 3
                ? detail + 2 : choice.isAllowed ? 0 : min(detail + 2, (width - 4) / 2)
            if let key = choice.key {
                column = painter.put("\(key)", row: row, column: column, end: end, style: theme.key) + 2
            }
            let next = painter.put(choice.text, row: row, column: column, end: end - 1 - kept, style: style)
            guard end - 1 - (next + 2) >= (choice.isAllowed ? detail : min(4, detail)) else { continue }
            painter.putRight(
                choice.detail, row: row, start: next + 2, end: end - 1,
                style: choice.isAllowed ? theme.detail : theme.refusedTitle)
        }
    }

    // MARK: The help

    func putHelp(_ painter: inout ScreenPainter, _ page: HelpPage) {
        let top = page.top
        let lines = keys.helpLines(with: page.filter.text)
        if lines.isEmpty {
            painter.put(
                "No key matches these words.", row: Window.listRow, column: 2, end: window.columns,
                style: theme.keyMeaning)
        }
        let last = max(0, lines.count - listHeight)
        let names = lines.map { line in
            if case .key(let names, _) = line { painter.columns(of: names) } else { 0 }
        }
        let column = 2 + (names.max() ?? 0) + 2
        for (offset, line) in lines.dropFirst(min(top, last)).prefix(listHeight).enumerated() {
            let row = Window.listRow + offset
            switch line {
            case .heading(let text):
                painter.put(text, row: row, column: 2, end: window.columns, style: theme.heading)
            case .key(let names, let meaning):
                painter.put(names, row: row, column: 2, end: column, style: theme.key)
                painter.put(meaning, row: row, column: column, end: window.columns, style: theme.keyMeaning)
            case .blank: break
            }
        }
    }

    // MARK: Fields

    func area(of sheet: FormSheet) -> Area { sheetArea(lines: sheet.lines.count) }

    /// The visible fields of a form, by the row. A form that is longer than its area shows the end up to the current field.
    func fieldRows(_ sheet: FormSheet) -> [(row: Int, index: Int)] {
        let rows = area(of: sheet).lines
        let gaps = sheet.lines.count(where: \.beginsGroup)
        guard sheet.lines.count + gaps > rows.count else {
            var row = rows.lowerBound
            return sheet.lines.enumerated().map { index, line in
                defer { row += 1 }
                if line.beginsGroup { row += 1 }
                return (row, index)
            }
        }
        let first = min(max(0, sheet.index - rows.count + 1), max(0, sheet.lines.count - rows.count))
        return zip(rows, first..<sheet.lines.count).map { ($0, $1) }
    }

    func putForm(_ sheet: FormSheet, _ painter: inout ScreenPainter) {
        let area = area(of: sheet)
        let (left, end) = (area.columns.lowerBound, area.columns.upperBound)
        let rows = fieldRows(sheet)
        let first = rows.first?.index ?? 0
        putHeading(
            sheet.heading + (state.drafts.isOffered ? ", as you left it" : ""),
            note: rows.count == sheet.lines.count
                ? "" : "\(first + 1) to \(first + rows.count) of \(sheet.lines.count)",
            in: area, &painter)
        for (row, index) in rows {
            let line = sheet.lines[index]
            let isCurrent = index == sheet.index
            if isCurrent {
                painter.put("▌", row: row, column: left, end: end, style: theme.focusMark)
                painter.frame.cursor = Frame.Position(row: row, column: left + 2)
            }
            let next = painter.put(line.label, row: row, column: left + 2, end: end, style: theme.detail)
            let start = max(left + 2 + Self.fieldColumn, next + 1)
            var style = theme.title
            if isCurrent || line.isChanged { style.attributes.formUnion(theme.focused) }
            let kept =
                line.aside.isEmpty
                ? 0
                : min(painter.columns(of: line.aside) + 2, (area.columns.count - 2 - Self.fieldColumn) / 2)
            painter.put(line.text, row: row, column: start, end: end - 1 - kept, style: style)
            painter.putRight(
                line.aside, row: row, start: end - 1 - max(kept - 2, 0), end: end - 1,
                style: theme.waiting)
        }
    }

    // MARK: Text lines

    /// Draws a text line, scrolled to its end if it is too long, with the terminal's cursor.
    ///
    /// - Parameter hint: shown while the line is empty.
    func putLine(
        _ line: LineEditor, label: String, hint: String, _ painter: inout ScreenPainter, row: Int, end: Int
    ) {
        let start =
            painter.put(label, row: row, column: 2, end: max(end - 12, end / 2), style: theme.promptLabel) + 1
        var before = line.before[...]
        while painter.columns(of: String(before)) > end - start - 1, !before.isEmpty { before.removeFirst() }
        let style = theme.status.flashing(line.isSuggestion)
        let column = painter.put(String(before), row: row, column: start, end: end, style: style)
        painter.put(line.after, row: row, column: column, end: end, style: theme.status)
        if line.text.isEmpty {
            painter.put(hint, row: row, column: column + 1, end: end, style: theme.detail)
        }
        painter.frame.cursor = Frame.Position(row: row, column: column)
    }
}
