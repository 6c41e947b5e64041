import TerminalCore
import TripModel

/// The keys of the list, and the conditions under which they are refused.
extension EditorState {
    /// Performs an action in the list.
    ///
    /// - Parameter number: the count before the key.
    mutating func browse(_ action: Action, number: Int? = nil) {
        if case .help = action {
            begin(.helping(HelpPage()))
            return
        }
        guard let board else { return }
        if refusesAsDisplaced(action) || refusesChange(action) { return }
        if action.reach != .other { companions.followNobody() }
        defer { waitIfUpset(action) }
        let rows = board.outline.rows.indices
        let times = number ?? 1
        switch action {
        case .up: focus(row: board.cursor - times)
        case .down: focus(row: board.cursor + times)
        case .previousDay: for _ in 0..<min(times, TripLimits.days) { focusPreviousDay() }
        case .nextDay: for _ in 0..<min(times, TripLimits.days) { focusNextDay() }
        case .first: focus(row: rows.lowerBound)
        case .last: if let number { focus(day: number) } else { focus(row: rows.upperBound) }
        case .halfUp: scrollHalf(-1, times: times)
        case .halfDown: scrollHalf(1, times: times)
        case .goTo: beginGoTo()
        case .today: focusToday()
        case .fold:
            toggleFolding()
            focusOnFollowed()
        case .mark: toggleMarks(times)
        case .markRange: markRange()
        case .dayOn: shift(byDays: times)
        case .dayBack: shift(byDays: -times)
        case .attend: toggleAttendance()
        case .putInOrder: putInOrder()
        case .addKind: chooseKind()
        case .details: toggleDetails()
        case .open: openLink()
        case .history: askForHistory()
        case .follow: followNext()
        case .lift: lift()
        case .nudgeUp: nudge(step: -1, times: times)
        case .nudgeDown: nudge(step: 1, times: times)
        case .add: promptForAdd()
        case .moveTo: chooseMove()
        case .copy: liftCopy()
        case .edit: beginForm()
        case .remove: removeFocused()
        case .undo: repeatUndo(.undo, times, "Undoing your last %.", "change") { .undo($0) }
        case .redo: repeatUndo(.redo, times, "Redoing your last %.", "undone change") { .redo($0) }
        case .search: beginSearch()
        case .nextMatch: focusMatch(step: 1, times: times)
        case .previousMatch: focusMatch(step: -1, times: times)
        case .cancel: if marks.isEmpty { search.forget() } else { marks.clear() }
        case .problems: chooseProblem()
        case .todo: showTodo()
        case .trips: askForTrips()
        case .editTrip: editOpenTrip()
        case .insertDay: insertDay()
        case .swapDays: beginSwap()
        case .repeatItem: beginRepeat()
        case .removeDay: removeDay()
        case .notDone: showNotDone()
        case .startDaemon: startDaemon()
        case .mouse: toggleMouse()
        default: break
        }
    }

    /// Whether a key was meant for an item that others have just removed. It then has no effect, and later
    /// keys are held too.
    private mutating func refusesAsDisplaced(_ action: Action) -> Bool {
        let isForItem = action.reach == .item
        if isForItem || action == .markRange, let sentence = marks.takeLoss() {
            beginAcknowledging(sentence)
            return true
        }
        if action.reach == .cursor { unexpectedChanges.endDisplacement() }
        guard isForItem, let sentence = unexpectedChanges.displacedSentence(at: now) else { return false }
        unexpectedChanges.endDisplacement()
        if options.isByLines {
            refuse(sentence)
        } else {
            beginAcknowledging(sentence)
        }
        return true
    }

    /// If a key could not open anything or start a drag because of a recent change, later keys are held: they
    /// are not meant for the list.
    private mutating func waitIfUpset(_ action: Action) {
        guard [.lift, .moveTo, .add, .copy, .edit].contains(action), mode.isBrowsing,
            unexpectedChanges.isChange(at: now), status.isRefusal,
            let message = status.message
        else { return }
        if !options.isByLines { begin(.acknowledging(Notice(sentence: message.text))) }
    }

    private mutating func startDaemon() {
        guard connection != .connected, connection != .silent else { return say("The daemon is running.") }
        emit(.startDaemon)
        say("Starting the daemon.")
    }

    /// The maximum number of changes that one key undoes.
    private static let maximumUndos = 100

    private mutating func repeatUndo(
        _ description: ChangeDescription, _ times: Int, _ sentence: String, _ noun: String,
        _ effect: (Int) -> EditorEffect
    ) {
        guard times <= Self.maximumUndos else {
            return refuse("At most \(Self.maximumUndos) changes can be undone at once, not \(times).")
        }
        motion.hideToast()
        unexpectedChanges.noteUndo(at: now)
        asked.beginRun(input: inputCount, requested: times)
        for _ in 0..<times { ask(for: description, effect) }
        // On a slow connection nothing else would show that the key was pressed, and the user would press it
        // again.
        if !options.isByLines { say(sentence.replacing("%", with: times == 1 ? noun : counted(times, noun))) }
    }

    private mutating func toggleMouse() {
        pointer.toggle()
        emit(.captureMouse(pointer.isTaken))
        say(
            pointer.isTaken
                ? "The mouse drags items now." : "The terminal has the mouse now, to select text.")
    }

    // MARK: Viewers

    static let viewerSentence = "You can only view this trip; nothing was changed."

    /// Whether the user is a viewer.
    var isViewer: Bool { options.isViewer || board?.view.mayChange == false }

    /// Reports a change of the user's access.
    mutating func reportAccess(_ old: TripView, _ new: TripView) {
        guard !options.isViewer, old.mayChange != new.mayChange else { return }
        if new.mayChange {
            mention("You can edit this trip now.")
        } else {
            refuse("You can only view this trip now.")
        }
    }

    /// Refuses a key of a viewer that would submit an open form or question. It stays open, with its text.
    mutating func refusesAsViewer(_ action: Action) -> Bool {
        guard isViewer, action == .accept || action == .drop,
            mode.wouldChange(board?.outline.trip.header.id)
        else { return false }
        refuse(Self.viewerSentence)
        return true
    }

    /// Refuses a viewer's change with a message.
    mutating func refusesChange(_ action: Action) -> Bool {
        guard isViewer, action.isChange else { return false }
        refuse(Self.viewerSentence)
        return true
    }
}
