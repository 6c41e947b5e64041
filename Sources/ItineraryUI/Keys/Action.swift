/// The meaning of a key; the raw value is its name in the configuration file.
package enum Action: String, Hashable, Sendable, CaseIterable {
    case up, down
    case previousDay = "previous-day"
    case nextDay = "next-day"
    case first, last
    case lift, drop, cancel
    /// Moves to the next valid place.
    case nudgeUp = "nudge-up"
    case nudgeDown = "nudge-down"
    case moveTo = "move-to"
    case add, copy, edit, remove, undo, redo
    case search
    case nextMatch = "next-match"
    case previousMatch = "previous-match"
    case problems, todo, trips
    /// Attends events, or stops attending them.
    case attend
    /// In the list of problems: solutions.
    case openSide = "open-side"
    case acceptProblem = "accept-problem"
    /// In the list of things to do.
    case addTodo = "add-todo"
    case removeTodo = "remove-todo"
    /// In the list of trips: operations on a trip.
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
    /// Folds runs of days without items.
    case fold
    case goTo = "go-to"
    case today
    case halfUp = "half-up"
    case halfDown = "half-down"
    case history, follow
    case putInOrder = "put-in-order"
    case insertDay = "insert-day"
    case removeDay = "remove-day"
    case swapDays = "swap-days"
    case repeatItem = "repeat"
    /// Switches the mouse between the editor and the terminal.
    case mouse
    /// Lists changes that failed.
    case notDone = "not-done"
    /// Starts a stopped daemon.
    case startDaemon = "start-daemon"
    case help, quit, suspend
    case accept, left, right
    case wordLeft = "word-left"
    case wordRight = "word-right"
    /// Adds the text of a new item as its title.
    case acceptTitle = "accept-title"
    /// A line break in a note.
    case lineBreak = "line-break"
    case eraseBackward = "erase-backward"
    case eraseForward = "erase-forward"
    case eraseWord = "erase-word"
    case eraseToStart = "erase-to-start"
    case eraseToEnd = "erase-to-end"
}

extension Action {
    /// The effect of an action in the list.
    enum Reach: Sendable {
        /// Moves the cursor.
        case cursor
        /// Affects the focused item or the selection. Refused if the focus has just changed unexpectedly, and
        /// for viewers.
        case item
        /// Changes the trip in another way, or begins a change. Refused for viewers.
        case trip
        /// Neither.
        case other
    }

    /// Whether viewers may not do it in the list.
    var isChange: Bool { reach == .item || reach == .trip }

    /// Whether it creates, changes or deletes a trip in the list of trips.
    var changesTrips: Bool { [.newTrip, .editTrip, .copyTrip, .deleteTrip].contains(self) }

    /// Whether a count before its key is a number of repetitions, a distance or a target.
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

    /// Its effect in the list.
    var reach: Reach {
        switch self {
        case .up, .down, .previousDay, .nextDay, .first, .last, .nextMatch, .previousMatch, .halfUp,
            .halfDown, .today:
            .cursor
        case .lift, .nudgeUp, .nudgeDown, .moveTo, .copy, .edit, .remove, .dayOn, .dayBack, .mark, .attend,
            .repeatItem:
            .item
        case .add, .addKind, .undo, .redo, .putInOrder, .insertDay, .removeDay, .swapDays, .editTrip,
            .markRange:
            .trip
        case .drop, .cancel, .search, .problems, .todo, .trips, .newTrip, .copyTrip, .deleteTrip, .openSide,
            .acceptProblem, .addTodo, .removeTodo, .details, .open, .fold, .goTo, .history, .follow, .mouse,
            .notDone, .startDaemon, .help, .quit, .suspend, .accept,
            .acceptTitle, .left, .right, .wordLeft, .wordRight, .lineBreak, .eraseBackward, .eraseForward,
            .eraseWord,
            .eraseToStart, .eraseToEnd:
            .other
        }
    }
}
