import TerminalCore
import TripModel

/// The keys of the list, and the conditions under which they are refused.
extension EditorState {
    /// Performs the action of a binding in the list.
    ///
    /// - Parameter number: the count before the key.
    mutating func browse(_ binding: KeyMap.Binding, number: Int? = nil) {
        // Without a trip there is only the help.
        guard board != nil || binding.action == .help else { return }
        if refusesAsDisplaced(binding) || binding.reach.isChange && refusesChange() { return }
        if binding.reach != .other { companions.followNobody() }
        binding.run(on: &self, number: number)
        waitIfUpset(binding.action)
    }

    /// Whether a key was meant for an item that others have just removed. It then has no effect, and later
    /// keys are held too.
    private mutating func refusesAsDisplaced(_ binding: KeyMap.Binding) -> Bool {
        let isForItem = binding.reach == .item
        if isForItem || binding.action == .markRange, let sentence = marks.takeLoss() {
            beginAcknowledging(sentence)
            return true
        }
        if binding.reach == .cursor { unexpectedChanges.endDisplacement() }
        guard isForItem, let sentence = unexpectedChanges.displacedSentence(at: now) else { return false }
        unexpectedChanges.endDisplacement()
        beginAcknowledging(sentence)
        return true
    }

    /// If a key could not open anything or start a drag because of a recent change, later keys are held: they
    /// are not meant for the list.
    private mutating func waitIfUpset(_ action: Action) {
        guard [.lift, .moveTo, .add, .copy, .edit].contains(action), mode.isBrowsing,
            unexpectedChanges.isChange(at: now), status.isRefusal,
            let message = status.message
        else { return }
        beginAcknowledging(message.text)
    }

    mutating func startDaemon() {
        guard connection != .connected, connection != .silent else { return say("The daemon is running.") }
        emit(.startDaemon)
        say("Starting the daemon.")
    }

    /// The maximum number of changes that one key undoes.
    private static let maximumUndos = 100

    mutating func undo(_ times: Int) {
        repeatUndo(.undo, times, "Undoing your last %.", "change") { .undo($0) }
    }

    mutating func redo(_ times: Int) {
        repeatUndo(.redo, times, "Redoing your last %.", "undone change") { .redo($0) }
    }

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
        if options.style.announces {
            say(sentence.replacing("%", with: times == 1 ? noun : counted(times, noun)))
        }
    }

    mutating func toggleMouse() {
        pointer.toggle()
        emit(.captureMouse(pointer.isTaken))
        say(
            pointer.isTaken
                ? "The mouse drags items now." : "The terminal has the mouse now, to select text.")
    }

    // MARK: Viewers

    static let viewerSentence = "You can only view this trip; nothing was changed."

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

    /// Refuses a change by a viewer with a message.
    mutating func refusesChange() -> Bool {
        guard isViewer else { return false }
        refuse(Self.viewerSentence)
        return true
    }
}
