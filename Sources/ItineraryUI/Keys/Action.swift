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
    case problems, todo, costs, trips
    /// Attends events, or stops attending them.
    case attend
    /// In the list of problems: solutions.
    case openSide = "open-side"
    case acceptProblem = "accept-problem"
    /// In the list of things to do.
    case addTodo = "add-todo"
    case removeTodo = "remove-todo"
    case planIdea = "plan-idea"
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
    /// Keeps the item as an idea, without a day.
    case putAside = "put-aside"
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
    /// Whether it creates, changes or deletes a trip in the list of trips.
    var changesTrips: Bool { [.newTrip, .editTrip, .copyTrip, .deleteTrip].contains(self) }
}
