import TerminalCore
import TripModel

/// The layout and the drawing of an editor state. It reads the state and cannot change it.
struct Screen {
    let state: EditorState

    var board: Board? { state.board }
    var mode: Mode { state.mode }
    var window: Window { state.window }
    var motion: Motion { state.motion }
    var keys: KeyMap { state.keys }
    var theme: Theme { state.theme }

    /// A painter without room, to measure texts.
    var ruler: ScreenPainter {
        ScreenPainter(width: 0, height: 0, isASCII: state.options.ascii, theme: theme)
    }

    /// The frame for a terminal of any size.
    func frame() -> Frame {
        var painter = ScreenPainter(
            width: window.columns, height: window.rows, isASCII: state.options.ascii, theme: theme)
        guard window.isLargeEnough else {
            putTooSmall(&painter)
            return painter.frame
        }
        putTopLine(&painter)
        if case .helping(let page) = mode {
            putHelp(&painter, page)
        } else {
            if let board { putList(&painter, board) }
            if let chooser = shownChooser {
                putChooser(chooser, &painter)
            } else if let sheet = mode.shownSheet {
                putForm(sheet, &painter)
            } else if board != nil {
                putPane(&painter)
            } else {
                putCentered(state.known.lobby == nil ? "Waiting for the trip." : operationLabel, &painter)
            }
        }
        let status = statusPlace(keeping: keptRow(painter.frame))
        putStatus(status, &painter)
        putBar(behind: status.inBar, &painter)
        return painter.frame
    }

    // MARK: Around the list

    private func putTooSmall(_ painter: inout ScreenPainter) {
        let least = Window.least
        let parts = [
            "The window is \(window.columns)×\(window.rows);", "\(least.columns)×\(least.rows) is needed",
        ]
        let whole = parts.joined(separator: " ")
        let lines = painter.columns(of: whole) <= window.columns || window.rows < 2 ? [whole] : parts
        for (row, line) in lines.enumerated() {
            painter.put(line, row: row, column: 0, end: window.columns, style: theme.status)
        }
    }

    /// A part of the top line.
    struct TopPart {
        /// The effect of a click.
        enum Target: Equatable {
            case problems
            case person(String)
        }

        let text: String
        let columns: Range<Int>
        let style: Style
        var target: Target?
    }

    /// The parts of the top line: the trip's name, the number of problems, and the users or the state of the connection.
    func topLine() -> [TopPart] {
        let end = window.columns - 1
        let name = board?.outline.trip.header.name ?? ""
        let me = withWindows(
            of: state.userName, state.isViewer ? "\(state.userName) (viewing)" : state.userName)
        let others = namesOfOthers.map { (name: $0, text: withWindows(of: $0, $0)) }
        let names = ([me] + others.map(\.text)).joined(separator: ", ")
        let ruler = ruler
        let (right, style) = connectionText.map { ($0, theme.connection) } ?? (names, theme.people)
        let problems = problemText
        let leastName = state.connection == .connected ? window.columns / 2 : window.columns / 3
        let nameEnd = max(end - ruler.columns(of: right) - 2, leastName)
        let kept = problems.isEmpty ? 0 : ruler.columns(of: problems) + 2
        func columns(of text: String, from start: Int, to end: Int) -> Range<Int> {
            start..<max(start, min(start + ruler.columns(of: text), end))
        }
        var parts = [
            TopPart(
                text: name, columns: columns(of: name, from: 2, to: max(nameEnd - kept, 3)),
                style: theme.tripName)
        ]
        if !problems.isEmpty {
            let start = parts[0].columns.upperBound + 2
            parts.append(
                TopPart(
                    text: problems, columns: columns(of: problems, from: start, to: end),
                    style: theme.problem, target: .problems))
        }
        let next = (parts.last?.columns.upperBound ?? 0) + 2
        let column = max(next, end - ruler.columns(of: right))
        parts.append(TopPart(text: right, columns: columns(of: right, from: column, to: end), style: style))
        guard connectionText == nil else { return parts }
        // Each name in the colour of the user's marks.
        var start = column + ruler.columns(of: me) + 2
        for (name, text) in others where start < end {
            let part = TopPart(
                text: text, columns: columns(of: text, from: start, to: end),
                style: theme.style(ofPerson: name),
                target: .person(name))
            parts.append(part)
            start = part.columns.upperBound + 2
        }
        return parts
    }

    private func putTopLine(_ painter: inout ScreenPainter) {
        for part in topLine() {
            painter.put(
                part.text, row: 0, column: part.columns.lowerBound, end: part.columns.upperBound,
                style: part.style)
        }
    }

    /// The names of the other users, each once.
    private var namesOfOthers: [String] {
        var seen: Set<String> = [state.userName]
        return state.people.map(\.name).filter { seen.insert($0).inserted }
    }

    /// The text for a name in the top line, with the number of windows if there are several.
    private func withWindows(of name: String, _ text: String) -> String {
        let count = state.people.count { $0.name == name } + (name == state.userName ? 1 : 0)
        return count > 1 ? "\(text) (\(count))" : text
    }

    /// The number of problems, and the key that lists them; empty if there are none.
    private var problemText: String {
        guard let count = board?.view.problems.count(where: \.isCounted), count > 0 else { return "" }
        let key = keys.advertisedKey(of: .problems, in: .list).map { "\($0) " } ?? ""
        return !window.isRoomy ? "\(key)\(count)" : "\(key)\(counted(count, "problem"))"
    }

    /// The most important problem with the connection; nil if there is none.
    var connectionText: String? {
        let count = board?.view.unanswered ?? 0
        let waiting = count == 0 ? "" : "; \(counted(count, "change")) not saved yet"
        switch state.connection {
        case .connected:
            let doubtful = board?.view.doubtful ?? 0
            if doubtful == 0 {
                let isLate = state.asked.lateness.map { $0 <= state.now } ?? false
                return isLate ? "\(counted(state.asked.count, "change")) not saved yet" : nil
            }
            return "\(counted(doubtful, "change")) not confirmed: the daemon's disk failed, restart it"
        case .silent: return "the daemon does not answer\(waiting)"
        case .lost(let reason): return "not connected\(waiting)\(reason.isEmpty ? "" : "; \(reason)")"
        case .stopped:
            let key = keys.advertisedKey(of: .startDaemon, in: .list).map { "; \($0) starts it" } ?? ""
            return "the daemon was stopped\(key)\(waiting)"
        }
    }

    private func putStatus(_ place: StatusPlace, _ painter: inout ScreenPainter) {
        let row = place.rows.lowerBound
        let end = window.columns - 1
        var textEnd = end
        let words = waitingText.isEmpty && !state.status.isRefusal ? searchText : waitingText
        if !words.isEmpty {
            textEnd = painter.putRight(words, row: row, start: 2, end: end, style: theme.waiting) - 2
        }
        if !state.status.isRefusal, let (label, line) = mode.line {
            putLine(line, label: label, hint: mode.hint, &painter, row: row, end: textEnd)
            return
        }
        let style =
            state.status.isRefusal ? theme.refusal.flashing(motion.refusalFlash != nil) : theme.status
        for (row, line) in zip(place.rows, place.lines) {
            // A line of the list may be below it.
            if row < window.rows - 2 {
                painter.put(
                    String(repeating: " ", count: window.columns), row: row, column: 0, end: window.columns,
                    style: theme.status)
            }
            painter.put(
                line, row: row, column: 2, end: row == place.rows.lowerBound ? textEnd : end, style: style)
        }
        if let rest = place.inBar {
            painter.put(rest, row: window.rows - 1, column: 2, end: end, style: style)
        }
    }

    /// The place of the status line.
    private struct StatusPlace {
        let lines: [String]
        /// Its rows. All except the last cover the list, which does not move.
        let rows: Range<Int>
        /// A short message in the bar instead, so that the cursor's row is not covered.
        var inBar: String?
    }

    /// The row of the screen that the status line must not cover: that of the cursor, or of the selected choice.
    private func keptRow(_ frame: Frame) -> Int? {
        guard let chooser = shownChooser else { return frame.cursor?.row }
        return area(of: chooser).lines.lowerBound + chooser.selected - chooser.top
    }

    /// The place of the status line if it must not cover a row.
    private func statusPlace(keeping cursorRow: Int?) -> StatusPlace {
        let lines = statusLines
        let end = window.rows - 1
        // Rows below the cursor may be covered.
        let room = cursorRow.map { max(end - 1 - $0, 1) } ?? lines.count
        guard lines.count > room else { return StatusPlace(lines: lines, rows: end - lines.count..<end) }
        return StatusPlace(
            lines: Array(lines.prefix(room)), rows: end - room..<end,
            inBar: lines.dropFirst(room).joined(separator: " "))
    }

    /// The rows of the status line on the screen; all except the last cover the list.
    var statusRows: Range<Int> {
        statusLines.count > 1
            ? statusPlace(keeping: keptRow(frame())).rows : window.rows - 2..<window.rows - 1
    }

    /// The lines of the status line. Messages, questions, problems, lines of a list and reasons of refusals take up to
    /// three lines; other descriptions of the focused row take one.
    private var statusLines: [String] {
        let text = state.status.message?.text ?? focusSentence
        guard state.status.message != nil && (state.status.isRefusal || mode.line == nil) || isSaidByMode
        else {
            return [text]
        }
        let painter = ruler
        let kept = waitingText.isEmpty ? 0 : painter.columns(of: waitingText) + 2
        let columns = window.columns - 3 - kept
        guard painter.columns(of: text) > columns else { return [text] }
        return Wrapping.lines(of: painter.spelled(text), columns: columns, limit: 3)
    }

    /// Whether the mode has its own status line instead of a description of the focus.
    private var isSaidByMode: Bool {
        switch mode {
        case .confirming, .acknowledging, .awaiting, .ended, .choosing: true
        case .filling(let form): form.remover != nil
        case .dragging(let drag): !drag.current.isValid
        case .browsing: board.map { !$0.outline.problems(atRow: $0.cursor).isEmpty } ?? false
        case .prompting, .planning, .helping: false
        }
    }

    /// The message that nothing matches the search.
    private var searchText: String {
        switch mode {
        case .prompting(let prompt):
            guard prompt.isSearch, state.search.words != nil, let board,
                state.search.match(from: board.cursor, in: board.outline) == nil
            else { return "" }
            return "no matches"
        case .choosing(let chooser):
            guard let line = chooser.line, !line.isEntry, chooser.current == nil else { return "" }
            switch chooser.purpose {
            case .todo where !state.isViewer && chooser.typedText != nil:
                return "no match; \(keys.name(of: .accept, in: .filter)) adds it"
            case .trips where !state.isViewer && chooser.typedText != nil:
                return "no match; \(keys.name(of: .accept, in: .filter)) makes it"
            default: return "no matches"
            }
        default: return ""
        }
    }

    /// The keys in the bar. The list of failed changes is only for reading.
    private var barWords: [(key: KeyStroke, word: String)] {
        let words: [(Action, String)]
        if case .awaiting(let operation) = mode {
            words = operation.canBeLeft ? [(.cancel, "cancel"), (.quit, "quit")] : [(.quit, "quit")]
        } else if isReadingNotDone {
            words = [(.accept, "read, clear the list"), (.cancel, "keep it"), (.down, "scroll")]
        } else {
            let focus = mode.isBrowsing ? self.focus : nil
            return keys.bar(for: state.context, on: focus, without: isLeftOutOfBar).map { hint in
                switch keys.action(for: hint.key, in: state.context) {
                case .acceptProblem where state.selectedProblem?.isAccepted == true: (hint.key, "count again")
                case .accept:
                    (
                        hint.key,
                        mode.quickEntry.map { "add \(summary(of: $0, columns: window.columns - 33))" }
                            ?? mode.acceptWord ?? hint.word
                    )
                // Without a trip nothing is behind the list of trips.
                case .cancel where state.context == .trips && board == nil: (hint.key, "quit")
                default: hint
                }
            }
        }
        return words.compactMap { action, word in
            keys.advertisedKey(of: action, in: state.context).map { ($0, word) }
        }
    }

    /// The fields of a new item, with its title cut to a width of all.
    private func summary(of entry: QuickEntry, columns: Int) -> String {
        let room = columns - TextWidth.columns(of: entry.summary(titled: ""))
        return entry.summary(titled: DisplayText.truncated(entry.title, toColumns: max(room, 4)))
    }

    /// Whether the bar omits a key, because it would be refused.
    private func isLeftOutOfBar(_ binding: KeyMap.Binding) -> Bool {
        let action = binding.action
        if state.isViewer, state.context == .trips { return action.changesTrips }
        if state.context == .problems {
            return state.isViewer && action == .acceptProblem
                || action == .openSide
                    && (state.isViewer || state.selectedProblem.flatMap(state.remedy) == nil)
        }
        if action == .acceptTitle { return mode.quickEntry == nil }
        if state.context == .todo {
            if action == .planIdea, state.selectedIdea == nil { return true }
            return state.isViewer && [.accept, .addTodo, .removeTodo, .planIdea].contains(action)
        }
        guard mode.isBrowsing else { return false }
        if action == .open, board?.item.map({ Link.all(of: $0).isEmpty }) ?? true { return true }
        if action == .problems, board?.view.problems.isEmpty ?? true { return true }
        return state.isViewer && binding.reach.isChange
    }

    /// The kind of the focused row.
    private var focus: KeyMap.Focus {
        if !state.marks.isEmpty { return .marks }
        return board?.item.map { $0.isGame ? .event : .item } ?? .day
    }

    private func putBar(behind text: String?, _ painter: inout ScreenPainter) {
        let row = window.rows - 1
        let end = window.columns - 1
        for hint in hints(behind: text) {
            let next = painter.put(
                hint.key.description, row: row, column: hint.columns.lowerBound, end: end, style: theme.key)
            painter.put(hint.word, row: row, column: next + 1, end: end, style: theme.keyMeaning)
            if case .undo(hint.key)? = motion.toast?.kind, mode.isBrowsing {
                let style = theme.toast
                painter.frame.restyle(rows: row..<row + 1, columns: hint.columns) { $0 = style }
            }
        }
        if let columns = toastColumns(behind: text), let toast = motion.toast {
            painter.putRight(
                " \(toast.text) ", row: row, start: columns.lowerBound, end: end, style: theme.toast)
        }
    }

    /// The columns of the toast in the bar; nil if there is none.
    private func toastColumns(behind text: String?) -> Range<Int>? {
        // A message that continues here contains the undo hint itself.
        guard mode.isBrowsing, text == nil, let toast = motion.toast else { return nil }
        let end = window.columns - 1
        // The hint in the bar is highlighted instead, if the bar has room for it.
        if case .undo(let key) = toast.kind,
            hints(upTo: end, behind: text).contains(where: { $0.key == key })
        {
            return nil
        }
        // The most important keys stay visible.
        let kept = barWords.prefix(3).reduce(2) { $0 + ruler.columns(of: "\($1.key) \($1.word)") + 2 }
        return min(max(kept, end - ruler.columns(of: toast.text) - 2), end)..<end
    }

    /// A key in the bar, and its columns.
    struct Hint {
        let key: KeyStroke
        let word: String
        let columns: Range<Int>
    }

    /// The visible keys in the bar, with that of the toast.
    var hints: [Hint] {
        let text = statusPlace(keeping: keptRow(frame())).inBar
        var hints = hints(behind: text)
        if let columns = toastColumns(behind: text), case .undo(let key)? = motion.toast?.kind {
            hints.append(Hint(key: key, word: "undo", columns: columns))
        }
        return hints
    }

    private func hints(behind text: String?) -> [Hint] {
        let end = toastColumns(behind: text).map { $0.lowerBound - 2 } ?? window.columns - 1
        return hints(upTo: end, behind: text)
    }

    private func hints(upTo end: Int, behind text: String?) -> [Hint] {
        let ruler = ruler
        var hints: [Hint] = []
        var column = 2 + (text.map { ruler.columns(of: $0) + 3 } ?? 0)
        for (key, word) in barWords {
            let width = ruler.columns(of: key.description) + 1 + ruler.columns(of: word)
            // The first one is cut.
            guard column + width <= end || hints.isEmpty else { break }
            hints.append(Hint(key: key, word: word, columns: column..<max(column, min(column + width, end))))
            column += width + 2
        }
        return hints
    }

    private func putCentered(_ text: String, _ painter: inout ScreenPainter) {
        let column = max(2, (window.columns - painter.columns(of: text)) / 2)
        let row = Window.listRow + (listHeight - 1) / 2
        painter.put(text, row: row, column: column, end: window.columns, style: theme.status)
    }

    private var operationLabel: String {
        if case .awaiting(let operation) = mode { operation.label } else { "" }
    }

    // MARK: The list

    private func putList(_ painter: inout ScreenPainter, _ board: Board) {
        let layout = layout(of: board)
        let ghosts = ghosts(board)
        let width = listWidth
        for line in board.top..<max(board.top, min(board.top + listHeight, layout.count)) {
            let row = Window.listRow + line - board.top
            switch layout[line] {
            case .row(let outlineRow):
                put(outlineRow, of: board, on: row, width: width, ghosts, &painter)
            case .stay(let header, let index):
                painter.putStay(board.outline.stays[header].days[index], row: row, width: width)
            case .landing:
                putLanding(board, on: row, width: width, &painter)
                painter.frame.cursor = Frame.Position(row: row, column: 0)
            }
        }
    }

    /// Items dragged by others, by the row above their current place. They take no rows, so that the list
    /// does not move.
    private func ghosts(_ board: Board) -> [Int: String] {
        var ghosts: [Int: String] = [:]
        for person in state.people {
            guard let id = person.dragging, let item = board.outline.trip[id], let over = person.over,
                let above = board.outline.rowAbove(over)
            else { continue }
            let words = "┄ \(person.name): \(item.content.title)"
            ghosts[above] = ghosts[above].map { "\($0) \(words)" } ?? words
        }
        return ghosts
    }

    private func putLanding(_ board: Board, on row: Int, width: Int, _ painter: inout ScreenPainter) {
        var look = ScreenPainter.LandingLook()
        let title: String
        let text: String
        if let drag = mode.drag {
            (title, text) = (drag.title, drag.landingText(in: board.outline.trip))
            look.isAllowed = drag.current.isValid
            look.isHome = drag.gap == drag.home
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

    /// The current indentation of a row during an animation.
    private func indent(ofRow row: Int) -> Int {
        guard motion.shuffle != nil, let drag = mode.drag else { return 0 }
        return motion.indent(ofRemainingRow: drag.remaining(row: row), at: state.now)
    }

    private func put(
        _ outlineRow: Int, of board: Board, on row: Int, width: Int, _ ghosts: [Int: String],
        _ painter: inout ScreenPainter
    ) {
        var look = ScreenPainter.Look()
        look.indent = indent(ofRow: outlineRow)
        look.hasProblem = !board.outline.problems(atRow: outlineRow).isEmpty
        if let drag = mode.drag {
            look.isClosed = drag.isClosed(aroundRow: outlineRow)
            look.isBesideHome = drag.gap != drag.home && drag.isBesideHome(row: outlineRow)
            if case .item(let id) = board.outline.rows[outlineRow] {
                look.isBarrier = drag.barriers.contains(id)
            }
        } else if outlineRow == board.cursor {
            look.isFocused = true
            look.isBehind = shownChooser != nil || mode.shownSheet != nil
            painter.frame.cursor = Frame.Position(row: row, column: 0)
        }
        look.ghost = ghosts[outlineRow]
        switch board.outline.rows[outlineRow] {
        case .day(let day):
            let days = board.outline.days(ofHeader: outlineRow)
            look.persons = people(on: days).map { (sign(of: $0), theme.style(ofPerson: $0.name)) }
            look.totals = board.outline.totalsText(ofDay: day)
            if days.count > 1 {
                painter.putFolded(days, of: board.outline.trip.header, row: row, width: width, look: look)
            } else {
                look.isToday = day == board.today
                painter.putDay(day, of: board.outline.trip.header, row: row, width: width, look: look)
            }
        case .item(let id):
            guard let item = board.outline.trip[id] else { break }
            look.holder = state.holder(of: id)
            look.isMarked = state.marks.contains(id)
            look.isNews = motion.news.contains(id)
            look.persons = people(at: id).map { (sign(of: $0), theme.style(ofPerson: $0.name)) }
            look.match = state.search.words?.range(in: item.content.title)
            if let fade = motion.fade, fade.item == id, let step = fade.steps.step(at: state.now) {
                look.fade = theme.fade[min(step, theme.fade.count - 1)]
            }
            if case .game(let game) = item.content { look.isQuiet = !game.isBinding }
            look.arrival = board.outline.clocks.arrivalText(of: item)
            look.zone = board.outline.clocks.zoneText(of: item)
            look.cells = board.outline.cellWidths
            painter.putItem(item, row: row, width: width, look: look)
        }
    }

    // MARK: Other users

    /// The users whose cursor is on an item, in the order of their list.
    func people(at id: ItemID) -> [Person] { state.people.filter { $0.focus == .item(id) } }

    /// The users whose cursor is on one of the days of a heading, or on an item of them, in the order of their list.
    func people(on days: ClosedRange<Int>) -> [Person] {
        state.people.filter { person in
            switch person.focus {
            case .item(let id): (board?.outline.trip[id]).map { days.contains($0.position.day) } ?? false
            case .day(let day): days.contains(day)
            case nil: false
            }
        }
    }

    /// The letter for a user: the first of the name that no earlier name uses.
    func sign(of person: Person) -> String {
        var taken: Set<Character> = []
        for name in Set(state.people.map(\.name)).sorted() {
            let letter = name.first { !$0.isWhitespace && !taken.contains($0) } ?? name.first
            if name == person.name { return letter.map { String($0) } ?? "" }
            if let letter { taken.insert(letter) }
        }
        return String(person.name.prefix(1))
    }
}
