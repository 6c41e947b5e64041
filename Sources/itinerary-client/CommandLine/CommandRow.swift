/// One command: all that parsing, help, suggestions, completions and the manual know of it.
struct CommandRow: Sendable {
    /// What somebody types and what comes of it.
    struct Example: Sendable {
        /// The words after the program's name.
        let line: String
        /// What it does, in a few words.
        let meaning: String

        init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    let name: String
    /// What it does, in a few words.
    let summary: String
    /// How its words may follow each other, without the command's name.
    let forms: [String]
    var words: [WordRow] = []
    /// Its own options; the global ones go with every command.
    var options: [OptionRow] = []
    let examples: [Example]
    /// What else is to be known, in sentences.
    var details: [String] = []
    /// The exit codes that mean something of its own here.
    var exits: [ExitCode: String] = [:]
    /// Whether a daemon is started where none runs.
    var startsDaemon = true
    /// Whether it ends by itself when it is interrupted, as an editor does that has a screen to give back.
    var endsItself = false
    let run: @Sendable (Invocation) async throws(CommandFailure) -> Void
}

/// A word of a command that is no option.
struct WordRow: Sendable {
    /// What can stand for it, for completions.
    enum Kind: Sendable {
        case trip, item, file, command, field, text
        case oneOf([String])
    }

    /// As help calls it, `TRIP`.
    let name: String
    let kind: Kind
    var isRequired = true
    /// Whether any number of them may follow each other.
    var repeats = false

    init(_ name: String, _ kind: Kind, isRequired: Bool = true, repeats: Bool = false) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.repeats = repeats
    }

    static let trip = WordRow("TRIP", .trip)
    static let item = WordRow("ITEM", .item)
}

/// An option; where it has no value, it is there or not.
struct OptionRow: Sendable {
    /// `--day`
    let name: String
    /// What its value is called, `N`; nil for one without a value.
    let value: String?
    /// What can stand for the value, for completions.
    let kind: WordRow.Kind
    /// What it does, in a few words.
    let summary: String

    static func flag(_ name: String, _ summary: String) -> OptionRow {
        OptionRow(name: name, value: nil, kind: .text, summary: summary)
    }

    static func value(
        _ name: String, _ value: String, _ summary: String, _ kind: WordRow.Kind = .text
    ) -> OptionRow {
        OptionRow(name: name, value: value, kind: kind, summary: summary)
    }

    /// `--day N`
    var spelling: String { value.map { "\(name) \($0)" } ?? name }
}
