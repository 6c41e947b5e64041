import TerminalCore
import TripModel

extension EditorState {
    mutating func browse(_ action: Action) {
        if case .help = action {
            begin(.helping(HelpPage()))
            return
        }
        guard let board else { return }
        if refusesAsDisplaced(action) || refusesChange(action) { return }
        if Self.movements.contains(action) || Self.changes.contains(action) { companions.followNobody() }
        defer { waitIfUpset(action) }
        let rows = board.outline.rows.indices
        let counted = count.use()
        let times = counted ?? 1
        switch action {
        case .up: focus(row: board.cursor - times)
        case .down: focus(row: board.cursor + times)
        case .previousDay: for _ in 0..<min(times, TripLimits.days) { focusPreviousDay() }
        case .nextDay: for _ in 0..<min(times, TripLimits.days) { focusNextDay() }
        case .first: focus(row: rows.lowerBound)
        case .last: if let counted { focus(day: counted) } else { focus(row: rows.upperBound) }
        case .halfUp: scrollHalf(-1, times: times)
        case .halfDown: scrollHalf(1, times: times)
        case .goTo: beginGoTo()
        case .fold: toggleFolding()
        case .mark: toggleMark()
        case .markRange: markRange()
        case .dayOn: shift(byDays: times)
        case .dayBack: shift(byDays: -times)
        case .putInOrder: putInOrder()
        case .addKind: chooseKind()
        case .details: toggleDetails()
        case .open: openLink()
        case .history: askForHistory()
        case .follow: followNext()
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
        case .cancel: if marks.isEmpty { search.forget() } else { marks.clear() }
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

    /// What moves the cursor.
    private static let movements: Set<Action> = [
        .up, .down, .previousDay, .nextDay, .first, .last, .nextMatch, .previousMatch, .halfUp, .halfDown,
    ]
    /// What changes something.
    private static let changes: Set<Action> = [
        .lift, .nudgeUp, .nudgeDown, .moveTo, .add, .addKind, .copy, .edit, .remove, .undo, .redo, .dayOn,
        .dayBack, .putInOrder, .insertDay, .removeDay, .editTrip,
    ]

    /// Whether a key would change something for somebody who only looks; then it says so.
    private mutating func refusesChange(_ action: Action) -> Bool {
        guard isViewer, Self.changes.contains(action) else { return false }
        refuse(Self.viewerSentence)
        return true
    }

    /// Whether a key was meant for an item that others have just taken from under it; then nothing happens to the
    /// one that is in focus now, and the keys that follow wait too.
    private mutating func refusesAsDisplaced(_ action: Action) -> Bool {
        let isForItem = [
            .lift, .nudgeUp, .nudgeDown, .moveTo, .copy, .edit, .remove, .dayOn, .dayBack, .mark,
        ].contains(action)
        if isForItem || action == .markRange, let sentence = marks.takeLoss() {
            beginAcknowledging(sentence)
            return true
        }
        if Self.movements.contains(action) { surprises.endDisplacement() }
        guard isForItem, let sentence = surprises.displacedSentence(at: now),
            !PlantedSlip.focusTakesKeys.isPlanted
        else { return false }
        surprises.endDisplacement()
        if options.isByLines {
            refuse(sentence)
        } else {
            beginAcknowledging(sentence)
        }
        return true
    }

    /// A key that was to open something, or to take something in hand, could not, as something has just changed: the keys
    /// behind it are not for the list.
    private mutating func waitIfUpset(_ action: Action) {
        guard [.lift, .moveTo, .add, .copy, .edit].contains(action), mode.isBrowsing,
            surprises.isChange(at: now), status.isRefusal,
            let message = status.message
        else { return }
        if !options.isByLines { begin(.acknowledging(Notice(sentence: message.text))) }
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
        motion.hideToast()
        ask(for: deed, effect)
    }

    /// Puts the focus on a row, or the nearest there is.
    mutating func focus(row: Int) {
        board?.focus(row: row)
        // An item on its way home is the one in focus: where another is, it is there already.
        if let back = motion.snapBack, board?.outline.row(of: back.item) != board?.cursor {
            motion.endSnapBack()
        }
    }

    private mutating func focusPreviousDay() {
        guard let board else { return }
        let header = board.outline.dayRows(around: board.cursor).lowerBound
        guard header == board.cursor, header > 0 else { return focus(row: header) }
        focus(row: board.outline.dayRows(around: header - 1).lowerBound)
    }

    private mutating func focusNextDay() {
        guard let board else { return }
        focus(row: board.outline.dayRows(around: board.cursor).upperBound)
    }

    private mutating func focus(day: Int) {
        guard let outline = board?.outline else { return }
        let days = outline.trip.header.days
        guard let row = outline.headerRow(ofDay: day) else {
            return refuse("There is no day \(day); the trip has days 1 to \(days.upperBound).")
        }
        focus(row: row)
    }

    private mutating func toggleMouse() {
        pointer.toggle()
        emit(.captureMouse(pointer.isTaken))
        say(
            pointer.isTaken
                ? "The mouse drags items now." : "The mouse is the terminal's now, to select text with.")
    }

    mutating func help(_ old: HelpPage, _ action: Action) {
        var page = old
        switch action {
        case .up: page.top -= 1
        case .down: page.top += 1
        case .previousDay: page.top -= listHeight
        case .nextDay: page.top += listHeight
        case .cancel, .accept:
            returnToList()
            return
        default: page.filter.perform(action)
        }
        if page.filter.text != old.filter.text { page.top = 0 }
        page.top = min(max(page.top, 0), max(0, helpLines(with: page.filter.text).count - listHeight))
        begin(.helping(page))
    }
}
