import TerminalCore
import TripModel

/// Moving the focus: by days, by counts, to a day by number or date, and to search matches.
extension EditorState {
    /// Moves the focus to a row, or the nearest valid one.
    mutating func focus(row: Int) {
        board?.focus(row: row)
        // A returning item has the focus; if the focus moves away, the animation ends.
        if let back = motion.snapBack, board?.outline.row(of: back.item) != board?.cursor {
            motion.endSnapBack()
        }
    }

    mutating func step(_ rows: Int) { if let board { focus(row: board.cursor + rows) } }

    /// Goes to the heading of the day, then to that of the day before; or down to the next one.
    mutating func stepDays(_ direction: Int, times: Int) {
        for _ in 0..<min(times, TripLimits.days) {
            guard let board else { return }
            let day = board.outline.dayRows(around: board.cursor)
            if direction > 0 {
                focus(row: day.upperBound)
            } else if day.lowerBound == board.cursor, board.cursor > 0 {
                focus(row: board.outline.dayRows(around: board.cursor - 1).lowerBound)
            } else {
                focus(row: day.lowerBound)
            }
        }
    }

    /// Goes to the last row, or to a day.
    mutating func focusLast(orDay day: Int?) {
        if let day { focus(day: day) } else { focus(row: .max) }
    }

    private mutating func focus(day: Int) {
        guard let outline = board?.outline else { return }
        let days = outline.trip.header.days
        guard let row = outline.headerRow(ofDay: day) else {
            return refuse("There is no day \(day); the trip has days 1 to \(days.upperBound).")
        }
        focus(row: row)
    }

    /// Moves the focus to the awaited item, if it is there.
    mutating func followFocus() {
        let now = now
        guard let row = board?.takeAwaited(at: now), mode.isBrowsing else { return }
        focus(row: row)
        unexpectedChanges.endDisplacement()
    }

    // MARK: Going to a day

    /// Appends a digit to the count; false if the key is not a digit.
    mutating func appendToCount(_ stroke: KeyStroke) -> Bool {
        guard case .character(let scalar) = stroke.key, stroke.modifiers.isEmpty, count.append(scalar)
        else { return false }
        if let value = count.value { say("\(value)…") }
        return true
    }

    mutating func beginGoTo() {
        guard board != nil else { return }
        begin(.prompting(Prompt(purpose: .goTo, line: LineEditor())))
    }

    /// Goes to the written day.
    mutating func goTo(_ prompt: Prompt) {
        guard let outline = board?.outline else { return }
        guard let text = prompt.line.trimmed else {
            returnToList()
            return
        }
        let header = outline.trip.header
        guard let day = day(of: text, header) else { return refuse(Self.noDaySentence) }
        guard let row = outline.headerRow(ofDay: day) else { return refuse(outsideSentence(header)) }
        returnToList()
        unexpectedChanges.endDisplacement()
        focus(row: row)
    }

    /// Goes to the heading of today.
    mutating func focusToday() {
        let now = options.seconds()
        board?.findToday(at: now)
        guard let board else { return }
        guard let row = board.today.flatMap(board.outline.headerRow) else {
            return refuse("Today is not a day of the trip.")
        }
        focus(row: row)
    }

    static let noDaySentence = "Type a day, such as 3, day 3, 2027-04-01, 1 Apr or today."

    func outsideSentence(_ header: TripHeader) -> String {
        let last = header.date(ofDay: header.dayCount).map(DateText.text(of:)) ?? ""
        return "That day is outside the trip: \(DateText.text(of: header.startDate)) to \(last), "
            + "days 1 to \(header.dayCount)."
    }

    /// The day of a written number, date or weekday; nil if it is none.
    func day(of text: String, _ header: TripHeader) -> Int? {
        let text = text.lowercased()
        let words = text.split(separator: " ")
        if !text.hasPrefix("+"), let number = words.last.flatMap({ Int($0) }),
            words.count == 1 || words.dropLast() == ["day"]
        {
            return number
        }
        // A weekday is in the trip if possible, and so is a date without a year.
        let today = options.today()
        let isUnderWay = header.days.contains(header.dayNumber(of: today))
        let isWeekday = text.first?.isLetter == true && !["today", "tomorrow"].contains(text)
        if let date = DateText.date(ofWord: text, today: isWeekday && !isUnderWay ? header.startDate : today)
        {
            return header.dayNumber(of: date)
        }
        // `4/5` is read in the order that is in the trip; if both are, it is no day.
        let numbers = text.split(separator: "/")
        let dates =
            numbers.count == 2
            ? ["\(numbers[0]).\(numbers[1]).", "\(numbers[1]).\(numbers[0])."] : [text]
        let days = Set(dates.compactMap { DateText.date(of: $0, today: header.startDate) })
            .map(header.dayNumber(of:))
        let inside = days.count == 1 ? days : days.filter(header.days.contains)
        return inside.count == 1 ? inside[0] : nil
    }

    /// Reports that a target does not exist. The next key may have been meant for it, so keys are held as
    /// they are after the removal of the focused item.
    mutating func failJump(_ sentence: String) {
        refuse(sentence)
        unexpectedChanges.displace(sentence, at: now)
    }

    /// Scrolls half a screen up or down.
    mutating func scrollHalf(_ direction: Int, times: Int) {
        guard let board else { return }
        focus(row: board.cursor + direction * max(screen.listHeight / 2, 1) * times)
    }

    // MARK: Searching

    mutating func clearMarksOrSearch() { if marks.isEmpty { search.forget() } else { marks.clear() } }

    mutating func beginSearch() {
        guard let board else { return }
        let origin = board.outline.rows[board.cursor]
        let purpose = Prompt.Purpose.search(origin: origin, row: board.cursor)
        begin(.prompting(Prompt(purpose: purpose, line: LineEditor())))
    }

    /// Searches the written text from the row at which the search began.
    mutating func searchAgain(_ prompt: Prompt) {
        guard let start = origin(of: prompt), let board else { return }
        unexpectedChanges.endDisplacement()
        search.look(for: prompt.line.text)
        let match = search.match(from: start, in: board.outline)
        focus(row: match ?? start)
        if match == nil, search.words != nil { say("Nothing matches \(prompt.line.text).") }
    }

    /// Ends the search: keeps the matches highlighted, or returns to the start.
    mutating func endSearch(_ prompt: Prompt, keeps: Bool) {
        if keeps, options.style.guardsKeys, search.words != nil, let board,
            !search.matches(row: board.cursor, of: board.outline)
        {
            // The next key may be meant for the searched item.
            return refuse("Nothing matches \(prompt.line.text); Esc goes back.")
        }
        returnToList()
        guard prompt.isSearch, !keeps || search.words == nil else { return }
        search.forget()
        if let row = origin(of: prompt) { focus(row: row) }
    }

    /// The row at which a search began; if it is gone, the row in its place.
    private func origin(of prompt: Prompt) -> Int? {
        guard case .search(let origin, let row) = prompt.purpose, let outline = board?.outline else {
            return nil
        }
        return outline.row(of: origin) ?? min(row, outline.rows.count - 1)
    }

    /// Goes to the next match in a direction, and wraps around.
    mutating func focusMatch(step: Int, times: Int = 1) {
        guard let board else { return }
        guard search.words != nil else { return refuse("There is no search yet.") }
        let count = board.outline.rows.count
        let start = (board.cursor + step + count) % count
        guard let next = search.match(from: start, step: step, times: times, in: board.outline) else {
            return failJump("Nothing in the list matches any more.")
        }
        unexpectedChanges.endDisplacement()
        focus(row: next)
    }
}
