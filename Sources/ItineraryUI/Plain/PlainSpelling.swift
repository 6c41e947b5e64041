import TerminalCore

/// Prepares sentences for screen readers: without control characters, and with words instead of the editor's
/// symbols.
enum PlainSpelling {
    /// One line, for one sentence.
    static func spelled(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = DisplayText.sanitized(text)
        for (sign, words) in phrases { result = result.replacing(sign, with: words) }
        return result
    }

    /// The beginning of a typed text, for messages.
    static func short(_ text: String) -> String {
        DisplayText.truncated(text, toColumns: 60, ellipsis: "...")
    }

    /// A name without surrounding quotation marks.
    static func unquoted(_ text: String) -> String {
        text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? String(text.dropFirst().dropLast()) : text
    }

    /// Symbols in sentences, with the spaces around them.
    private static let phrases = [
        (" → ", " to "), (" · ", ", "), ("↑", "Up"), ("↓", "Down"), ("←", "Left"), ("→", "Right"),
        ("…", "..."),
    ]
}
