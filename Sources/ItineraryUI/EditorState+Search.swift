import TripModel

/// Finding rows by words of theirs.
extension EditorState {
    mutating func beginSearch() {
        guard let board else { return }
        let origin = board.outline.rows[board.cursor]
        let purpose = Prompt.Purpose.search(origin: origin, row: board.cursor)
        begin(.prompting(Prompt(purpose: purpose, line: LineEditor())))
    }

    /// Looks from where the search began for what is written by now.
    mutating func searchAgain(_ prompt: Prompt) {
        guard let start = origin(of: prompt), let board else { return }
        surprises.endDisplacement()
        search.look(for: prompt.line.text)
        let match = search.match(from: start, in: board.outline)
        focus(row: match ?? start)
        if match == nil, search.words != nil { say("Nothing is called \(prompt.line.text).") }
    }

    /// Keeps the matches marked, or forgets them and goes back.
    mutating func endSearch(_ prompt: Prompt, keeps: Bool) {
        if keeps, !options.isByLines, search.words != nil, let board,
            !search.matches(row: board.cursor, of: board.outline)
        {
            // Who presses the next key thinks of what was searched for.
            return refuse("Nothing is called \(prompt.line.text); Esc goes back.")
        }
        returnToList()
        guard prompt.isSearch, !keeps || search.words == nil else { return }
        search.forget()
        if let row = origin(of: prompt) { focus(row: row) }
    }

    /// The row that a search began at; where that has gone, the one in its place.
    private func origin(of prompt: Prompt) -> Int? {
        guard case .search(let origin, let row) = prompt.purpose, let outline = board?.outline else {
            return nil
        }
        return outline.row(of: origin) ?? min(row, outline.rows.count - 1)
    }

    /// Goes to the next match in a direction, beyond the end from the other end.
    mutating func focusMatch(step: Int) {
        guard let board else { return }
        guard search.words != nil else { return refuse("Nothing is searched for.") }
        let count = board.outline.rows.count
        let start = (board.cursor + step + count) % count
        guard let next = search.match(from: start, step: step, in: board.outline) else {
            return failJump("Nothing in the list matches any more.")
        }
        surprises.endDisplacement()
        focus(row: next)
    }
}
