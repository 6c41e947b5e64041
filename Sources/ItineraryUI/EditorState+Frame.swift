import TerminalCore
import TripModel

extension EditorState {
    /// What is to be on the screen: as large as the terminal, whatever its size.
    package func frame() -> Frame {
        var painter = ScreenPainter(
            width: size.columns, height: size.rows, isASCII: options.ascii, theme: theme)
        guard isLargeEnough else {
            putTooSmall(&painter)
            return painter.frame
        }
        putTopLine(&painter)
        if case .helping(let top) = mode {
            putHelp(&painter, from: top)
        } else if case .choosing(let chooser) = mode {
            putChooser(chooser, &painter)
        } else if let board {
            putList(&painter, board)
            putPane(&painter)
        } else if formSheet == nil {
            putCentered(lobby == nil ? "Waiting for the trip." : "", &painter)
        }
        if let formSheet { putForm(formSheet, &painter) }
        putStatus(&painter)
        putBar(&painter)
        return painter.frame
    }

    // MARK: Around the list

    private func putTooSmall(_ painter: inout ScreenPainter) {
        let least = Self.leastSize
        let parts = [
            "The window is \(size.columns)×\(size.rows);", "\(least.columns)×\(least.rows) is needed",
        ]
        let whole = parts.joined(separator: " ")
        let lines = painter.columns(of: whole) <= size.columns || size.rows < 2 ? [whole] : parts
        for (row, line) in lines.enumerated() {
            painter.put(line, row: row, column: 0, end: size.columns, style: theme.status)
        }
    }

    private func putTopLine(_ painter: inout ScreenPainter) {
        let end = size.columns - 1
        let name = board?.outline.trip.header.name ?? ""
        let names = ([userName] + people.map(\.name)).joined(separator: ", ")
        let (right, style) = connectionText.map { ($0, theme.connection) } ?? (names, theme.people)
        let leastName = connection == .connected ? size.columns / 2 : size.columns / 3
        let nameEnd = max(end - painter.columns(of: right) - 2, leastName)
        let next = painter.put(name, row: 0, column: 2, end: nameEnd, style: theme.tripName)
        painter.putRight(right, row: 0, start: next + 2, end: end, style: style)
    }

    /// What is the matter with the connection, the most important first; nil where all is well.
    var connectionText: String? {
        let count = board?.view.unanswered ?? 0
        let waiting = count == 0 ? "" : "; \(counted(count, "change")) not there yet"
        switch connection {
        case .connected:
            let doubtful = board?.view.doubtful ?? 0
            if doubtful == 0 { return nil }
            return "\(counted(doubtful, "change")) not confirmed: the daemon's disk failed, start it again"
        case .silent: return "the daemon does not answer\(waiting)"
        case .lost(let reason): return "not connected\(waiting)\(reason.isEmpty ? "" : "; \(reason)")"
        case .stopped:
            let key = keys.advertisedKey(of: .startDaemon, in: .list).map { "; \($0) starts it" } ?? ""
            return "the daemon was stopped\(key)\(waiting)"
        }
    }

    private func putStatus(_ painter: inout ScreenPainter) {
        let row = size.rows - 2
        let end = size.columns - 1
        var textEnd = end
        if !waitingText.isEmpty {
            textEnd = painter.putRight(waitingText, row: row, start: 2, end: end, style: theme.waiting) - 2
        }
        if message?.tone != .refusal, let (label, line) = lineBeingWritten {
            putLine(line, label: label, &painter, row: row, end: textEnd)
            return
        }
        let lines = statusLines(painter)
        let style =
            switch message?.tone {
            case .refusal: theme.refusal.flashing(motion.refusalFlash != nil)
            case .plain, nil: theme.status
            }
        painter.put(lines.first, row: row, column: 2, end: textEnd, style: style)
        if let more = lines.second { painter.put(more, row: row + 1, column: 2, end: end, style: style) }
    }

    /// What the status line says. A message that is too long goes on in place of the bar: its end matters too.
    private func statusLines(_ painter: ScreenPainter) -> (first: String, second: String?) {
        let kept = waitingText.isEmpty ? 0 : painter.columns(of: waitingText) + 2
        let columns = size.columns - 3 - kept
        let text = message?.text ?? focusSentence
        guard message != nil || isReadingNotDone || context == .confirmation,
            painter.columns(of: text) > columns,
            let first = Wrapping.lines(of: text, columns: columns, limit: 1).first, text.hasPrefix(first)
        else { return (text, nil) }
        return (first, String(text.dropFirst(first.count)).trimmed)
    }

    /// The line at the bottom that the user writes.
    private var lineBeingWritten: (label: String, line: LineEditor)? {
        switch mode {
        case .prompting(let prompt): (prompt.label, prompt.line)
        case .filling(let form):
            form.remover == nil ? ("\(form.current.field.look.label):", form.current.line) : nil
        case .planning(let form): ("\(form.current.field.label):", form.current.line)
        case .browsing, .dragging, .choosing, .confirming, .acknowledging, .helping: nil
        }
    }

    /// What the bar says of the keys. What was not done is there to be read, not to be chosen from.
    private var barWords: [(key: KeyStroke, word: String)] {
        guard isReadingNotDone else { return keys.bar(for: context) }
        let words: [(Action, String)] = [
            (.accept, "read, clear the list"), (.cancel, "keep it"), (.down, "scroll"),
        ]
        return words.compactMap { action, word in
            keys.advertisedKey(of: action, in: context).map { ($0, word) }
        }
    }

    private func putBar(_ painter: inout ScreenPainter) {
        let row = size.rows - 1
        var end = size.columns - 1
        var column = 2
        if statusLines(painter).second != nil { return }
        if case .browsing = mode, let toast = motion.toast {
            end = painter.putRight(
                " \(toast.text(at: now)) ", row: row, start: column, end: end, style: theme.toast)
            end -= 2
        }
        for (key, word) in barWords {
            let name = key.description
            guard column + painter.columns(of: name) + 1 + painter.columns(of: word) <= end else { break }
            column = painter.put(name, row: row, column: column, end: end, style: theme.key)
            column = painter.put(word, row: row, column: column + 1, end: end, style: theme.keyMeaning) + 2
        }
    }

    private func putCentered(_ text: String, _ painter: inout ScreenPainter) {
        let column = max(2, (size.columns - painter.columns(of: text)) / 2)
        let row = Self.listRow + (listHeight - 1) / 2
        painter.put(text, row: row, column: column, end: size.columns, style: theme.status)
    }

    // MARK: The list

    private func putList(_ painter: inout ScreenPainter, _ board: Board) {
        let layout = layout(of: board)
        let width = listWidth
        for line in board.top..<max(board.top, min(board.top + listHeight, layout.count)) {
            let row = Self.listRow + line - board.top
            switch layout[line] {
            case .row(let outlineRow):
                put(outlineRow, of: board, on: row, width: width, &painter)
            case .landing:
                putLanding(board, on: row, width: width, &painter)
                painter.frame.cursor = Frame.Position(row: row, column: 0)
            case .ghost(let index):
                let person = people[index]
                let title = person.dragging.flatMap { board.outline.trip[$0] }?.content.title ?? ""
                painter.putGhost(name: person.name, title: title, row: row, width: width)
            }
        }
    }

    private func putLanding(_ board: Board, on row: Int, width: Int, _ painter: inout ScreenPainter) {
        var look = ScreenPainter.LandingLook()
        look.isTilted = !options.reduceMotion
        let title: String
        let text: String
        if case .dragging(let drag) = mode {
            (title, text) = (drag.title, landingText(drag, board.outline))
            look.isAllowed = drag.current.isValid
            look.isHome = drag.gap == drag.home
            look.isWide = motion.lift == nil
            look.isTilted = look.isTilted && look.isWide
            look.handleFlashes = motion.grabFlash != nil
        } else if let back = motion.snapBack {
            title = board.outline.trip[back.item]?.content.title ?? ""
            text = back.reason
            look.isAllowed = false
            look.flashes = motion.refusalFlash != nil
        } else {
            return
        }
        painter.putLanding(title: title, text: text, row: row, width: width, look: look)
    }

    /// How far a row steps aside for the lifted item just now.
    private func indent(ofRow row: Int) -> Int {
        guard motion.shuffle != nil, case .dragging(let drag) = mode else { return 0 }
        return motion.indent(ofRemainingRow: drag.remaining(row: row), at: now)
    }

    private func put(
        _ outlineRow: Int, of board: Board, on row: Int, width: Int, _ painter: inout ScreenPainter
    ) {
        var look = ScreenPainter.Look()
        look.indent = indent(ofRow: outlineRow)
        look.hasProblem = !board.outline.problems(atRow: outlineRow).isEmpty
        if case .dragging(let drag) = mode {
            look.isClosed = drag.isClosed(aroundRow: outlineRow)
            look.isBesideHome = drag.gap != drag.home && drag.isBesideHome(row: outlineRow)
            if case .item(let id) = board.outline.rows[outlineRow] {
                look.isBarrier = drag.barriers.contains(id)
            }
        } else if outlineRow == board.cursor {
            look.isFocused = true
            painter.frame.cursor = Frame.Position(row: row, column: 0)
        }
        switch board.outline.rows[outlineRow] {
        case .day(let day):
            look.totals = totals(ofDay: day, board.outline).joined(separator: " · ")
            painter.putDay(day, of: board.outline.trip.header, row: row, width: width, look: look)
        case .item(let id):
            guard let item = board.outline.trip[id] else { break }
            look.holder = holder(of: id)
            look.match = search?.range(in: item.content.title)
            if let fade = motion.fade, fade.item == id, let step = fade.steps.step(at: now) {
                look.fade = theme.fade[min(step, theme.fade.count - 1)]
            }
            painter.putItem(item, row: row, width: width, look: look)
        }
    }
}
