import TripModel

/// One change of the trip's history, in words.
package struct HistoryLine: Equatable, Sendable {
    /// Who made it.
    package let user: String
    /// When, in seconds since 1970.
    package let seconds: Int64
    /// What was done, without a subject: `moved “Lunch” from day 1 to day 2`.
    package let summary: String
    /// The items that it is about.
    package let items: [ItemID]

    /// Makes a line.
    package init(user: String, seconds: Int64, summary: String, items: [ItemID]) {
        self.user = user
        self.seconds = seconds
        self.summary = summary
        self.items = items
    }
}

/// What happened to the trip.
extension EditorState {
    /// Asks for the history.
    mutating func askForHistory() {
        emit(.listHistory)
        begin(.awaiting(Errand(.history, "Asking what happened…")))
        if options.isByLines { say("Asking what happened.") }
    }

    /// Shows the history, the newest first, where it is waited for.
    mutating func offer(_ history: [HistoryLine]) {
        guard case .awaiting(let errand) = mode, errand.answer == .history else { return }
        status.clear()
        guard !history.isEmpty else {
            returnToList()
            return say("Nothing has happened yet.")
        }
        let clock = WallClock(zone: options.timeZone)
        let today = options.today()
        let choices = history.map { line in
            Chooser.Choice(
                text: "\(line.user) \(line.summary)",
                detail: clock?.time(atSecondsSince1970: line.seconds).map { Self.text(of: $0, today) } ?? "")
        }
        begin(.choosing(Chooser("What happened:", .history(history), choices)))
    }

    /// `14:05`, `yesterday 14:05`, `Sat 13 Jun 2026 14:05`
    private static func text(of time: LocalTime, _ today: CalendarDate) -> String {
        let clock = ClockTime(minute: time.minute)?.description ?? ""
        if time.date == today { return clock }
        if time.date.adding(days: 1) == today { return "yesterday \(clock)" }
        return "\(DateText.text(of: time.date)) \(clock)"
    }

    /// Goes to what a change was about, if it is still there.
    mutating func focus(on line: HistoryLine) {
        guard let outline = board?.outline else { return }
        guard let row = line.items.lazy.compactMap(outline.row(of:)).first else {
            return failJump(line.items.isEmpty ? "It was about the trip itself." : "It has gone since.")
        }
        focus(row: row)
    }
}
