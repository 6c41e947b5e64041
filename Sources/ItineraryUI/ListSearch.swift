import TripModel

/// What is searched for in the list: its matches are marked until it is forgotten.
struct ListSearch: Sendable {
    /// Nil where nothing is searched for.
    private(set) var words: TextSearch?

    mutating func look(for text: String) { words = TextSearch(text) }

    mutating func forget() { words = nil }

    /// Whether an item of the list matches, by its title or by another field that is searched.
    func matches(row: Int, of outline: Outline) -> Bool {
        guard let words, let content = outline.item(atRow: row)?.content else { return false }
        return words.matches(content.title)
            || ItemField.searched.contains {
                content.text(of: $0, in: outline.trip).map(words.matches) ?? false
            }
    }

    /// The first match from a row on, that row included, or a later one; beyond the end from the other end.
    func match(from row: Int, step: Int = 1, times: Int = 1, in outline: Outline) -> Int? {
        let count = outline.rows.count
        let matches = (0..<count).lazy.map { (row + step * $0 + count) % count }
            .filter { self.matches(row: $0, of: outline) }
        if times == 1 { return matches.first }
        let all = Array(matches)
        return all.isEmpty ? nil : all[(times - 1) % all.count]
    }
}
