/// The description of one command: the source of its parsing, help, completions and manual page.
package struct CommandRow: Sendable {
    /// A command line and its effect.
    package struct Example: Sendable {
        /// The words after the program's name.
        package let line: String
        /// The effect, in a few words.
        package let meaning: String

        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// The word that selects the command.
    package let name: String
    /// The effect, as an imperative without a full stop.
    package let summary: String
    /// The accepted orders of words, without the command's name.
    package let forms: [String]
    /// The words after the command's name.
    package let words: [WordRow]
    /// The command's own options.
    package let options: [OptionRow]
    /// Shown first in the help.
    package let examples: [Example]
    /// Further sentences; a new element starts a new line.
    package let details: [String]
    /// Exit codes with a meaning that is specific to this command.
    package let exits: [ExitCode: String]

    package init(
        name: String, summary: String, forms: [String], words: [WordRow] = [], options: [OptionRow] = [],
        examples: [Example], details: [String] = [], exits: [ExitCode: String] = [:]
    ) {
        self.name = name
        self.summary = summary
        self.forms = forms
        self.words = words
        self.options = options
        self.examples = examples
        self.details = details
        self.exits = exits
    }
}

/// A positional word of a command.
package struct WordRow: Sendable {
    /// The possible values, for completions.
    package enum Kind: Sendable {
        case trip, item, file, command, field, day, zone, text
        case oneOf([String])
    }

    /// The placeholder in the help, such as `TRIP`.
    package let name: String
    /// The possible values.
    package let kind: Kind
    /// Whether the command is refused without it.
    package let isRequired: Bool
    /// Whether any number of them may follow.
    package let repeats: Bool

    package init(_ name: String, _ kind: Kind, isRequired: Bool = true, repeats: Bool = false) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.repeats = repeats
    }

    /// A required trip.
    package static let trip = WordRow("TRIP", .trip)
    /// A required item.
    package static let item = WordRow("ITEM", .item)
}

/// An option, with or without a value.
package struct OptionRow: Sendable {
    /// Such as `--day`.
    package let name: String
    /// The placeholder of the value, such as `N`; nil for a flag.
    package let value: String?
    /// The possible values, for completions.
    package let kind: WordRow.Kind
    /// The effect, in a few words.
    package let summary: String
    /// The one value that a flag may have, after `=`.
    let word: String?

    /// An option without a value, or with one word that makes it stronger.
    package static func flag(_ name: String, _ summary: String, or word: String? = nil) -> OptionRow {
        OptionRow(name: name, value: nil, kind: .text, summary: summary, word: word)
    }

    /// An option with a value.
    package static func value(
        _ name: String, _ value: String, _ summary: String, _ kind: WordRow.Kind = .text
    ) -> OptionRow {
        OptionRow(name: name, value: value, kind: kind, summary: summary, word: nil)
    }

    /// Such as `--day N`.
    package var spelling: String {
        value.map { "\(name) \($0)" } ?? word.map { "\(name)[=\($0)]" } ?? name
    }
}
