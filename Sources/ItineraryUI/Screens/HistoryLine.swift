import TripModel

/// One change in the trip's history.
package struct HistoryLine: Equatable, Sendable {
    /// The user who made it.
    package let user: String
    /// The time, in seconds since 1970.
    package let seconds: Int64
    /// A description without a subject: `moved “Lunch” from day 1 to day 2`.
    package let summary: String
    /// The affected items.
    package let items: [ItemID]

    package init(user: String, seconds: Int64, summary: String, items: [ItemID]) {
        self.user = user
        self.seconds = seconds
        self.summary = summary
        self.items = items
    }
}

/// The list of the trip's history.
extension EditorState {
    /// Requests the history.
    mutating func askForHistory() {
        run(PendingOperation(.history, "Loading the history…"), .listHistory)
    }

    /// Shows the history, the newest change first, if it is awaited.
    mutating func offer(_ history: [HistoryLine]) {
        let shown: Chooser? =
            if case .choosing(let chooser) = mode, case .history = chooser.purpose { chooser } else { nil }
        if shown == nil {
            guard case .awaiting(let operation) = mode, operation.kind == .history else { return }
            status.clear()
        }
        guard !history.isEmpty else {
            returnToList()
            return say("There are no changes yet.")
        }
        let choices = history.map { line in
            Chooser.Choice(text: "\(line.user) \(line.summary)", detail: options.clockText(line.seconds))
        }
        var chooser = Chooser("History:", .history(history), choices)
        if let shown {
            chooser.follow(shown)
            // The newest change is replaced by the new top.
            if shown.selected == 0 { chooser.select(0) }
        }
        begin(.choosing(chooser))
    }

    /// Goes to the item of a change, if it still exists.
    mutating func focus(on line: HistoryLine) {
        guard let outline = board?.outline else { return }
        guard let row = line.items.lazy.compactMap(outline.row(of:)).first else {
            return failJump(
                line.items.isEmpty
                    ? "This change was to the trip itself."
                    : "It no longer exists.")
        }
        focus(row: row)
    }
}
