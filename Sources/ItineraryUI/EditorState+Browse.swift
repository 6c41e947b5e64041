import TerminalCore
import TripModel

extension EditorState {
    mutating func browse(_ action: Action) {
        if case .help = action {
            mode = .helping(top: 0)
            return
        }
        guard let board else { return }
        if refusesAsDisplaced(action) { return }
        defer { waitIfUpset(action) }
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
        case .undo: askToTakeBack(.undo) { .undo($0) }
        case .redo: askToTakeBack(.redo) { .redo($0) }
        case .search: beginSearch()
        case .nextMatch: focusMatch(step: 1)
        case .previousMatch: focusMatch(step: -1)
        case .cancel: search = nil
        case .problems: chooseProblem()
        case .trips: askForTrips()
        case .editTrip: editOpenTrip()
        case .insertDay: insertDay()
        case .removeDay: removeDay()
        case .notDone: showNotDone()
        case .startDaemon: startDaemon()
        case .mouse: toggleMouse()
        default: break
        }
    }

    /// Whether a key was meant for an item that others have just taken from under it; then nothing happens to the
    /// one that is in focus now, and the keys that follow wait too.
    private mutating func refusesAsDisplaced(_ action: Action) -> Bool {
        guard let gone = displaced else { return false }
        if [.up, .down, .previousDay, .nextDay, .first, .last, .nextMatch, .previousMatch].contains(action) {
            displaced = nil
        }
        let isForItem = [.lift, .nudgeUp, .nudgeDown, .moveTo, .copy, .edit, .remove].contains(action)
        guard isForItem, now < gone.until, !PlantedSlip.focusTakesKeys.isPlanted else { return false }
        displaced = nil
        if options.isByLines {
            refuse(gone.sentence)
        } else {
            beginAcknowledging(gone.sentence)
        }
        return true
    }

    /// A key that was to open something, or to take something in hand, could not, as something has just changed: the keys
    /// behind it are not for the list.
    private mutating func waitIfUpset(_ action: Action) {
        guard [.lift, .moveTo, .add, .copy, .edit].contains(action), case .browsing = mode,
            let lastUpset, now < lastUpset + Self.displacedTime, let message, message.tone == .refusal
        else { return }
        if !options.isByLines { mode = .acknowledging(message.text) }
    }

    /// Lets keys wait until the user has seen what happened.
    mutating func beginAcknowledging(_ sentence: String) {
        mode = options.isByLines ? .browsing : .acknowledging(sentence)
        refuse(sentence)
    }

    private mutating func startDaemon() {
        guard connection != .connected, connection != .silent else {
            say("The daemon runs.")
            return
        }
        emit(.startDaemon)
        say("Starting the daemon.")
    }

    private mutating func askToTakeBack(_ deed: Deed, _ effect: (Int) -> EditorEffect) {
        motion.toast = nil
        ask(for: deed, effect)
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
