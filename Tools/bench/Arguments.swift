/// A command line that is taken apart word by word; what is left over at the end is an error.
struct Arguments: Sendable {
    /// A command line that makes no sense.
    struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
        /// What is wrong, and what would be right.
        package let description: String

        /// An error with its sentence.
        package init(_ description: String) { self.description = description }
    }

    private var words: [String]
    /// Words behind `--`, which are never options.
    private var literal: [String] = []

    /// Takes the words of a command line, without the program's name.
    init(_ words: [String]) {
        if let end = words.firstIndex(of: "--") {
            self.words = Array(words[..<end])
            literal = Array(words[(end + 1)...])
        } else {
            self.words = words
        }
    }

    /// Takes a flag; whether it was there.
    mutating func flag(_ names: String...) -> Bool {
        let count = words.count
        words.removeAll(where: names.contains)
        return words.count < count
    }

    /// Takes an option with its value, `--name VALUE` or `--name=VALUE`; nil if it is not there.
    ///
    /// - Throws: `UsageError` where the value is missing or the option is given twice.
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

    /// Takes the next word that is no option; nil if there is none.
    mutating func word() -> String? {
        if let index = words.firstIndex(where: { !Self.isOption($0) }) { return words.remove(at: index) }
        return literal.isEmpty ? nil : literal.removeFirst()
    }

    /// Takes the next word that is no option.
    ///
    /// - Throws: `UsageError` naming what is missing.
    mutating func word(named name: String) throws(UsageError) -> String {
        guard let word = word() else { throw UsageError("\(name) is missing") }
        return word
    }

    /// Makes sure that nothing is left.
    ///
    /// - Throws: `UsageError` naming the first word that nobody took.
    func finish() throws(UsageError) {
        guard let word = words.first ?? literal.first else { return }
        throw UsageError(
            Self.isOption(word) ? "there is no option \(word) here" : "\(word) is one word too many")
    }

    /// A lone `-` stands for standard input.
    private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }
}
