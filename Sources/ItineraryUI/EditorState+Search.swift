import TripModel

/// Finding rows by words of theirs.
extension EditorState {
    mutating func beginSearch() {
        guard let board else { return }
        let origin = board.outline.rows[board.cursor]
        mode = .prompting(
            Prompt(purpose: .search(origin: origin, row: board.cursor), line: LineEditor()))
    }

    /// Looks from where the search began for what is written by now.
    mutating func searchAgain(_ prompt: Prompt) {
        guard let start = origin(of: prompt), let board else { return }
        surprises.endDisplacement()
        search = TextSearch(prompt.line.text)
        guard let search else {
            focus(row: start)
            return
        }
        let rows = board.outline.rows.indices
        if let row = (Array(rows[start...]) + rows[..<start]).first(where: { matches(search, row: $0, board) }
        ) {
            focus(row: row)
        } else {
            focus(row: start)
            say("Nothing is called \(prompt.line.text).")
        }
    }

    /// Keeps the matches marked, or forgets them and goes back.
    mutating func endSearch(_ prompt: Prompt, keeps: Bool) {
        if keeps, !options.isByLines, let search, let board, !matches(search, row: board.cursor, board) {
            // Who presses the next key thinks of what was searched for.
            return refuse("Nothing is called \(prompt.line.text); Esc goes back.")
        }
        mode = .browsing
        guard prompt.isSearch, !keeps || search == nil else { return }
        search = nil
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
        guard let search else {
            refuse("Nothing is searched for.")
            return
        }
        let count = board.outline.rows.count
        let next = (1...count).lazy.map { (board.cursor + step * $0 + count * 2) % count }
            .first { matches(search, row: $0, board) }
        guard let next else { return failJump("Nothing in the list matches any more.") }
        surprises.endDisplacement()
        focus(row: next)
    }

    func matches(_ search: TextSearch, row: Int, _ board: Board) -> Bool {
        switch board.outline.rows[row] {
        case .day: return false
        case .item(let id):
            let trip = board.outline.trip
            guard let content = trip[id]?.content else { return false }
            return search.matches(content.title)
                || ItemField.searched.contains { content.text(of: $0, in: trip).map(search.matches) ?? false }
        }
    }
}
