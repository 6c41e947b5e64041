import TripModel

/// Going to a day by its number or its date, and further by counts.
extension EditorState {
    /// Takes a digit in front of a key; false where it is none.
    mutating func takeCount(_ stroke: KeyStroke) -> Bool {
        guard case .character(let scalar) = stroke.key, stroke.modifiers.isEmpty, count.take(scalar)
        else { return false }
        if let value = count.value { say("\(value)…") }
        return true
    }

    mutating func beginGoTo() {
        guard board != nil else { return }
        begin(.prompting(Prompt(purpose: .goTo, line: LineEditor())))
    }

    /// Goes to the day that is written.
    mutating func goTo(_ prompt: Prompt) {
        guard let outline = board?.outline else { return }
        guard let text = prompt.line.trimmed else {
            returnToList()
            return
        }
        let header = outline.trip.header
        guard let day = day(of: text, header) else {
            return refuse("A day is like 3, day 3, 2027-04-01, 1 Apr or today.")
        }
        guard let row = outline.headerRow(ofDay: day) else {
            let last = header.date(ofDay: header.dayCount).map(DateText.text(of:)) ?? ""
            return refuse(
                "That day is outside the trip: \(DateText.text(of: header.startDate)) to \(last), days 1 to \(header.dayCount)."
            )
        }
        returnToList()
        surprises.endDisplacement()
        focus(row: row)
    }

    private func day(of text: String, _ header: TripHeader) -> Int? {
        let words = text.lowercased().split(separator: " ")
        if let number = words.last.flatMap({ Int($0) }), words.count == 1 || words.dropLast() == ["day"] {
            return number
        }
        // A day without a year is one of the trip where it can be.
        let first = DateText.date(of: text, today: header.startDate)
        let isNamed = ["today", "tomorrow"].contains(text.lowercased())
        let date = isNamed ? DateText.date(of: text, today: options.today()) : first
        return date.map(header.dayNumber(of:))
    }

    /// Says that what somebody wanted to go to is not there. The next key may have been meant for that: it waits as one
    /// for an item does that has just gone.
    mutating func failJump(_ sentence: String) {
        refuse(sentence)
        surprises.displace(sentence, at: now)
    }

    /// Half a screen up or down.
    mutating func scrollHalf(_ direction: Int, times: Int) {
        guard let board else { return }
        focus(row: board.cursor + direction * max(listHeight / 2, 1) * times)
    }

    /// Folds runs of days without items into a line each, or opens them again.
    mutating func toggleFolding() {
        keepingScroll { $0.board?.toggleFolding() }
        guard let board else { return }
        let count = board.outline.foldedDayCount
        if board.foldsEmptyDays {
            say(
                count == 0
                    ? "No two empty days follow each other." : "\(count) empty days are folded; z opens them."
            )
        } else {
            say("Empty days are open.")
        }
    }
}
