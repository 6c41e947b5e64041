/// One line of a session's file, parsed word by word. Words with spaces are in quotes, within which `\e`,
/// `\n`, `\r`, `\"`, `\\` and `\xNN` (a byte) mean the same as in C.
struct ScriptLine {
    let number: Int
    private var words: [[UInt8]]
    private var isQuoted: [Bool]

    /// Nil for a blank line and a comment.
    init?(_ text: Substring, number: Int) throws(ScriptError) {
        self.number = number
        words = []
        isQuoted = []
        var rest = Array(text.utf8)[...]
        while true {
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
            guard let first = rest.first else { break }
            if first == UInt8(ascii: "#"), words.isEmpty { return nil }
            if first == UInt8(ascii: "\"") {
                words.append(try Self.quoted(&rest, number))
                isQuoted.append(true)
            } else {
                let word = rest.prefix { $0 != 0x20 && $0 != 0x09 }
                rest = rest[word.endIndex...]
                words.append(Array(word))
                isQuoted.append(false)
            }
        }
        if words.isEmpty { return nil }
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>, _ number: Int) throws(ScriptError) -> [UInt8]
    {
        rest.removeFirst()
        var word: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return word
            case UInt8(ascii: "\\"):
                switch rest.popFirst() {
                case UInt8(ascii: "e")?: word.append(0x1B)
                case UInt8(ascii: "n")?: word.append(0x0A)
                case UInt8(ascii: "r")?: word.append(0x0D)
                case UInt8(ascii: "x")?:
                    let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                    guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else {
                        throw ScriptError(line: number, reason: "\\x has two hexadecimal digits")
                    }
                    rest = rest.dropFirst(2)
                    word.append(value)
                case let other?: word.append(other)
                case nil: break
                }
            default: word.append(byte)
            }
        }
        throw ScriptError(line: number, reason: "a quote is not closed")
    }

    var isEmpty: Bool { words.isEmpty }

    func error(_ reason: String) -> ScriptError { ScriptError(line: number, reason: reason) }

    mutating func bytes(_ name: String) throws(ScriptError) -> [UInt8] {
        guard !words.isEmpty else { throw error("\(name) is missing") }
        isQuoted.removeFirst()
        return words.removeFirst()
    }

    mutating func word(_ name: String) throws(ScriptError) -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    mutating func number(_ name: String) throws(ScriptError) -> Int {
        let text = try word(name)
        guard let value = Int(text) else { throw error("\(name) is a number, not \(text)") }
        return value
    }

    /// Removes a word if it is the next one and not in quotes.
    mutating func takes(_ word: String) -> Bool {
        guard let first = words.first, isQuoted.first == false, first == Array(word.utf8) else {
            return false
        }
        words.removeFirst()
        isQuoted.removeFirst()
        return true
    }

    /// The remaining words as one text.
    mutating func rest() -> String {
        defer { (words, isQuoted) = ([], []) }
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
}
