import TerminalCore
import TripModel

/// The keys of the list: what each does, and when it is not taken.
extension EditorState {
    ///
    /// - Parameter number: what was typed before the key.
    mutating func browse(_ action: Action, number: Int? = nil) {
        if case .help = action {
            begin(.helping(HelpPage()))
            return
        }
        guard let board else { return }
        if refusesAsDisplaced(action) || refusesChange(action) { return }
        if action.reach != .elsewhere { companions.followNobody() }
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
        case .fold: toggleFolding()
        case .mark: toggleMarks(times)
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
        case .nudgeUp: nudge(step: -1, times: times)
        case .nudgeDown: nudge(step: 1, times: times)
        case .add: promptForAdd()
        case .moveTo: chooseMove()
        case .copy: liftCopy()
        case .edit: beginForm()
        case .remove: removeFocused()
        case .undo: takeBack(.undo, times, "Taking back your last %.", "change") { .undo($0) }
        case .redo: takeBack(.redo, times, "Making your last % again.", "undone change") { .redo($0) }
        case .search: beginSearch()
        case .nextMatch: focusMatch(step: 1, times: times)
        case .previousMatch: focusMatch(step: -1, times: times)
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

    /// Whether a key was meant for an item that others have just taken from under it; then nothing happens to the
    /// one that is in focus now, and the keys that follow wait too.
    private mutating func refusesAsDisplaced(_ action: Action) -> Bool {
        let isForItem = action.reach == .item
        if isForItem || action == .markRange, let sentence = marks.takeLoss() {
            beginAcknowledging(sentence)
            return true
        }
        if action.reach == .cursor { surprises.endDisplacement() }
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
        guard connection != .connected, connection != .silent else { return say("The daemon runs.") }
        emit(.startDaemon)
        say("Starting the daemon.")
    }

    /// The most changes that one key takes back.
    private static let mostTakenBack = 100

    private mutating func takeBack(
        _ deed: Deed, _ times: Int, _ sentence: String, _ noun: String, _ effect: (Int) -> EditorEffect
    ) {
        guard times <= Self.mostTakenBack else {
            return refuse("At most \(Self.mostTakenBack) changes are taken back at once, and not \(times).")
        }
        motion.hideToast()
        surprises.noteTakingBack(at: now)
        for _ in 0..<times { ask(for: deed, effect) }
        // Over a slow line nothing else shows for a while that the key was pressed; pressed again, it takes back more.
        if !options.isByLines { say(sentence.replacing("%", with: times == 1 ? noun : counted(times, noun))) }
    }

    private mutating func toggleMouse() {
        pointer.toggle()
        emit(.captureMouse(pointer.isTaken))
        say(
            pointer.isTaken
                ? "The mouse drags items now." : "The mouse is the terminal's now, to select text with.")
    }

    // MARK: Who only looks

    static let viewerSentence = "You only look at this trip; nothing is changed."

    /// Whether the user only looks at the trip.
    var isViewer: Bool { options.isViewer || board?.view.mayChange == false }

    /// Says what the user may do from now on, where somebody has decided so.
    mutating func tellAccess(_ old: TripView, _ new: TripView) {
        guard !options.isViewer, old.mayChange != new.mayChange else { return }
        if new.mayChange {
            mention("You may change this trip from now on.")
        } else {
            refuse("You may only look at this trip from now on.")
        }
    }

    /// Whether the end of what is open would change the trip for somebody who only looks: then it stays open, with what was
    /// written.
    mutating func refusesAsViewer(_ action: Action) -> Bool {
        guard isViewer, action == .accept || action == .drop,
            mode.wouldChange(board?.outline.trip.header.id)
        else { return false }
        refuse(Self.viewerSentence)
        return true
    }

    /// Whether a key would change something for somebody who only looks; then it says so.
    private mutating func refusesChange(_ action: Action) -> Bool {
        guard isViewer, action.isChange else { return false }
        refuse(Self.viewerSentence)
        return true
    }
}
