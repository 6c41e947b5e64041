import TerminalCore

/// Makes a sentence fit to be heard: harmless, and in words where the drawn editor uses signs of its own.
enum PlainSpelling {
    /// One line, for one sentence.
    static func spelled(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = DisplayText.sanitized(text)
        for (sign, words) in phrases { result = result.replacing(sign, with: words) }
        return result
    }

    /// The beginning of what somebody typed, to be told back.
    static func short(_ text: String) -> String {
        DisplayText.truncated(text, toColumns: 60, ellipsis: "...")
    }

    /// A name without the quotation marks that somebody put around it.
    static func unquoted(_ text: String) -> String {
        text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? String(text.dropFirst().dropLast()) : text
    }

    /// Signs as they stand in sentences, with the spaces around them.
    private static let phrases = [
        (" → ", " to "), (" · ", ", "), ("↑", "Up"), ("↓", "Down"), ("←", "Left"), ("→", "Right"),
        ("…", "..."),
    ]
}
