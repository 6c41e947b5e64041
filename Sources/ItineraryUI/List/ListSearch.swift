import TripModel

/// A search in the list; its matches are highlighted until it ends.
struct ListSearch: Sendable {
    /// Nil if there is no search.
    private(set) var words: TextSearch?

    mutating func look(for text: String) { words = TextSearch(text) }

    mutating func forget() { words = nil }

    /// Whether a row's item matches, by its title or another searched field.
    func matches(row: Int, of outline: Outline) -> Bool {
        guard let words, let content = outline.item(atRow: row)?.content else { return false }
        return words.matches(content.title)
            || ItemField.searched.contains {
                content.text(of: $0, in: outline.trip).map(words.matches) ?? false
            }
    }

    /// The first match from a row on, including it, or a later match; wraps around.
    func match(from row: Int, step: Int = 1, times: Int = 1, in outline: Outline) -> Int? {
        let count = outline.rows.count
        let matches = (0..<count).lazy.map { (row + step * $0 + count) % count }
            .filter { self.matches(row: $0, of: outline) }
        if times == 1 { return matches.first }
        let all = Array(matches)
        return all.isEmpty ? nil : all[(times - 1) % all.count]
    }
}
