import TerminalCore

/// The text on a terminal's screen, without its colours. Bytes may arrive in any pieces.
struct Screen {
    /// The columns of a row; the later ones of a wide character are empty.
    private var rows: [[String]]
    private var row = 0
    private var column = 0
    private var last: (row: Int, column: Int)?
    /// The bytes of an incomplete sequence.
    private var rest: [UInt8] = []
    /// The private modes that are set, such as 1049 for the alternate screen.
    private(set) var modes: Set<Int> = [7, 25]
    /// The terminal's answers to the program's queries.
    private(set) var questions: [String] = []

    init(columns: Int, rows: Int) {
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// An empty screen of a terminal that was resized.
    func resized(columns: Int, rows: Int) -> Screen {
        var screen = Screen(columns: columns, rows: rows)
        screen.modes = modes
        return screen
    }

    /// The rows as text, without blanks at their ends.
    var lines: [String] {
        rows.map { cells in
            var line = cells.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    var text: String { lines.joined(separator: "\n") }

    /// Whether the program is in the middle of a frame.
    var isUpdating: Bool { modes.contains(2026) }

    var isAlternate: Bool { modes.contains(1049) }

    mutating func takeQuestions() -> [String] {
        defer { questions = [] }
        return questions
    }

    mutating func write(_ bytes: some Sequence<UInt8>) {
        rest += bytes
        var used = 0
        while let length = lengthOfNext(from: used) {
            take(rest[used..<used + length])
            used += length
        }
        rest.removeFirst(used)
    }

    /// The number of bytes of the next sequence or scalar; nil if it is incomplete.
    private func lengthOfNext(from start: Int) -> Int? {
        guard start < rest.count else { return nil }
        let first = rest[start]
        switch first {
        case 0x1B:
            guard start + 1 < rest.count else { return nil }
            if rest[start + 1] == UInt8(ascii: "]") {
                // An operating system command ends with `ESC \`.
                let end = rest[(start + 2)...].firstIndex(of: UInt8(ascii: "\\"))
                return end.map { $0 + 1 - start }
            }
            guard rest[start + 1] == UInt8(ascii: "[") else { return 2 }
            let final = rest[(start + 2)...].firstIndex { (0x40...0x7E).contains($0) }
            return final.map { $0 + 1 - start }
        default:
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            return start + length <= rest.count ? length : nil
        }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        let first = bytes.first ?? 0
        switch first {
        case 0x1B where text.hasPrefix("\u{1B}]"): questions.append(text)
        case 0x1B: control(String(text.dropFirst(2).dropLast()), final: text.last ?? "[")
        case UInt8(ascii: "\r"): column = 0
        case UInt8(ascii: "\n"): row = min(row + 1, rows.count - 1)
        case 0x00..<0x20: break
        default: put(text)
        }
        if first < 0x20 { last = nil }
    }

    private mutating func put(_ scalar: String) {
        if let last, (rows[last.row][last.column] + scalar).count == 1 {
            // It belongs to the character before, which it may make wider.
            (row, column) = last
            return place(rows[last.row][last.column] + scalar)
        }
        place(scalar)
    }

    private mutating func place(_ text: String) {
        let width = text.first.map { max(1, TextWidth.columns(of: $0)) } ?? 1
        guard column + width <= rows[row].count else { return }
        last = (row, column)
        rows[row][column] = text
        for later in column + 1..<max(column + width, column + 1) { rows[row][later] = "" }
        column += width
    }

    private mutating func control(_ body: String, final: Character) {
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = max(numbers.first ?? 1, 1)
        switch final {
        case "h", "l":
            for number in body.dropFirst().split(separator: ";").compactMap({ Int($0) }) {
                if final == "h" { modes.insert(number) } else { modes.remove(number) }
            }
        case "H":
            row = min(first, rows.count) - 1
            column = numbers.count > 1 ? max(numbers[1], 1) - 1 : 0
        case "C": column += first
        case "D": column = max(0, column - first)
        case "K": for later in min(column, rows[row].count)..<rows[row].count { rows[row][later] = " " }
        case "J": rows = rows.map { $0.map { _ in " " } }
        case "p" where body.hasSuffix("$"): questions.append(body)
        default: break
        }
    }
}
