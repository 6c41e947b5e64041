/// ASCII replacements of the editor's own symbols.
enum AsciiSpelling {
    /// The text with these symbols replaced; other characters are unchanged.
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

    /// Symbols in fixed columns have replacements of the same width.
    private static let spellings: [Character: String] = [
        "→": "->", "←": "<-", "↑": "Up", "↓": "Down", "·": "-", "…": "...", "×": "x", "⋮": ":", "▌": ">",
        "╎": "|", "╱": "/", "░": ":", "─": "-", "━": "=", "┄": ".", "●": "*", "○": "x", "◆": "#", "⌂": "^",
    ]
}
