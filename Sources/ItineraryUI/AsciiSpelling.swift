/// What the editor's own signs are drawn as where only ASCII is wanted.
enum AsciiSpelling {
    /// The text with each of those signs replaced; what people wrote stays as it is otherwise.
    static func spelled(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = ""
        for character in text {
            if let spelling = spellings[character] {
                result += spelling
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// Signs of fixed columns have a spelling as wide as themselves.
    private static let spellings: [Character: String] = [
        "→": "->", "←": "<-", "↑": "Up", "↓": "Down", "·": "-", "…": "...", "×": "x", "⋮": ":", "▌": ">",
        "╎": "|", "╱": "/", "░": ":", "─": "-", "━": "=", "┄": ".", "●": "*", "○": "x", "◆": "#",
    ]
}
