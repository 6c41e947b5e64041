/// Parses a command line word by word; a remaining word is an error.
struct Arguments: Sendable {
    /// An invalid command line.
    struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
        /// The mistake and its correction.
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    private var words: [String]
    /// The words after `--`, which are never options.
    private var literal: [String] = []

    /// Parses the words of a command line, without the program's name.
    init(_ words: [String]) {
        if let end = words.firstIndex(of: "--") {
            self.words = Array(words[..<end])
            literal = Array(words[(end + 1)...])
        } else {
            self.words = words
        }
    }

    /// Removes a flag; returns whether it was there.
    mutating func flag(_ names: String...) -> Bool {
        let count = words.count
        words.removeAll(where: names.contains)
        return words.count < count
    }

    /// Removes an option with its value, `--name VALUE` or `--name=VALUE`; nil if it is missing.
    ///
    /// - Throws: `UsageError` if the value is missing or the option is given twice.
    mutating func option(_ name: String) throws(UsageError) -> String? {
        var found: String?
        var index = 0
        while index < words.count {
            let word = words[index]
            let value: String
            if word == name {
                guard index + 1 < words.count else { throw UsageError("\(name) needs a value") }
                value = words[index + 1]
                words.removeSubrange(index...index + 1)
            } else if word.hasPrefix(name + "=") {
                value = String(word.dropFirst(name.count + 1))
                words.remove(at: index)
            } else {
                index += 1
                continue
            }
            guard found == nil else { throw UsageError("\(name) is given twice") }
            guard !value.isEmpty else { throw UsageError("\(name) needs a value") }
            found = value
        }
        return found
    }

    /// Removes the next word that is not an option; nil if there is none.
    mutating func word() -> String? {
        if let index = words.firstIndex(where: { !Self.isOption($0) }) { return words.remove(at: index) }
        return literal.isEmpty ? nil : literal.removeFirst()
    }

    /// Removes the next word that is not an option.
    ///
    /// - Throws: `UsageError` with the name of the missing word.
    mutating func word(named name: String) throws(UsageError) -> String {
        guard let word = word() else { throw UsageError("\(name) is missing") }
        return word
    }

    /// Checks that no word is left.
    ///
    /// - Throws: `UsageError` with the first remaining word.
    func finish() throws(UsageError) {
        guard let word = words.first ?? literal.first else { return }
        throw UsageError(
            Self.isOption(word) ? "there is no option \(word) here" : "\(word) is one word too many")
    }

    /// A single `-` means standard input.
    private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }
}
