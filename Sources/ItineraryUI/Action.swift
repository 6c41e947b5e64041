/// What a key can mean; the raw value is its name in the configuration file.
package enum Action: String, Hashable, Sendable, CaseIterable {
    case up, down
    case previousDay = "previous-day"
    case nextDay = "next-day"
    case first, last
    case lift, drop, cancel
    /// To the next place that is allowed.
    case nudgeUp = "nudge-up"
    case nudgeDown = "nudge-down"
    case moveTo = "move-to"
    case add, copy, edit, remove, undo, redo
    case search
    case nextMatch = "next-match"
    case previousMatch = "previous-match"
    case problems, trips
    /// With the trips: what can be done to them.
    case newTrip = "new-trip"
    case editTrip = "edit-trip"
    case copyTrip = "copy-trip"
    case deleteTrip = "delete-trip"
    case addKind = "add-kind"
    /// Shows or hides the details below the list.
    case details
    /// Opens the item's link or place in another program.
    case open
    case mark
    case markRange = "mark-range"
    case dayOn = "day-on"
    case dayBack = "day-back"
    /// Folds days without items.
    case fold
    case goTo = "go-to"
    case halfUp = "half-up"
    case halfDown = "half-down"
    case history, follow
    case putInOrder = "put-in-order"
    case insertDay = "insert-day"
    case removeDay = "remove-day"
    /// Gives the mouse to the terminal, or takes it back.
    case mouse
    /// Lists what was not done.
    case notDone = "not-done"
    /// Starts the daemon that somebody has stopped.
    case startDaemon = "start-daemon"
    case help, quit, suspend
    case accept, left, right
    /// In a note.
    case lineBreak = "line-break"
    case eraseBackward = "erase-backward"
    case eraseForward = "erase-forward"
    case eraseWord = "erase-word"
    case eraseToStart = "erase-to-start"
}

extension Action {
    /// What an action of the list does to what the user sees.
    enum Reach: Sendable {
        /// It moves the cursor.
        case cursor
        /// It does something to the item in focus, or to those that are marked: not where another one is in focus than the
        /// user thinks, and not for who only looks.
        case item
        /// It changes the trip otherwise, or is the beginning of that: not for who only looks.
        case trip
        /// Neither of them.
        case elsewhere
    }

    /// Whether somebody who only looks is refused it in the list.
    var isChange: Bool { reach == .item || reach == .trip }

    /// Whether a number before its key says how often, how far or where to.
    func takesNumber(in context: KeyMap.Context) -> Bool {
        switch (context, self) {
        case (.list, .up), (.list, .down), (.list, .previousDay), (.list, .nextDay), (.list, .last),
            (.list, .halfUp), (.list, .halfDown), (.list, .nextMatch), (.list, .previousMatch),
            (.list, .dayOn), (.list, .dayBack), (.list, .nudgeUp), (.list, .nudgeDown), (.list, .mark),
            (.list, .undo), (.list, .redo), (.drag, .up), (.drag, .down), (.drag, .previousDay),
            (.drag, .nextDay), (.drag, .nudgeUp), (.drag, .nudgeDown):
            true
        default: false
        }
    }

    /// What it does in the list.
    var reach: Reach {
        switch self {
        case .up, .down, .previousDay, .nextDay, .first, .last, .nextMatch, .previousMatch, .halfUp,
            .halfDown:
            .cursor
        case .lift, .nudgeUp, .nudgeDown, .moveTo, .copy, .edit, .remove, .dayOn, .dayBack, .mark: .item
        case .add, .addKind, .undo, .redo, .putInOrder, .insertDay, .removeDay, .editTrip, .markRange: .trip
        case .drop, .cancel, .search, .problems, .trips, .newTrip, .copyTrip, .deleteTrip, .details, .open,
            .fold, .goTo, .history, .follow, .mouse, .notDone, .startDaemon, .help, .quit, .suspend, .accept,
            .left, .right, .lineBreak, .eraseBackward, .eraseForward, .eraseWord, .eraseToStart:
            .elsewhere
        }
    }
}
