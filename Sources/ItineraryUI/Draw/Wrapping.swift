import TerminalCore

/// Wraps text at spaces.
enum Wrapping {
    /// At most `limit` lines of at most `columns` columns; longer words are split.
    static func lines(of text: String, columns: Int, limit: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                if line.isEmpty {
                    line = String(word)
                } else if TextWidth.columns(of: "\(line) \(word)") <= columns {
                    line += " \(word)"
                } else {
                    lines.append(line)
                    line = String(word)
                }
                while TextWidth.columns(of: line) > columns, lines.count < limit {
                    var head = ""
                    while let next = line.first, TextWidth.columns(of: head + String(next)) <= columns {
                        head.append(line.removeFirst())
                    }
                    // A cluster wider than the line is left out.
                    if head.isEmpty { line.removeFirst() } else { lines.append(head) }
                }
                if lines.count >= limit { return Array(lines.prefix(limit)) }
            }
            lines.append(line)
            if lines.count >= limit { return Array(lines.prefix(limit)) }
        }
        return lines
    }
}
