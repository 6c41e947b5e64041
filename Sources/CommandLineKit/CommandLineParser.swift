import TripModel

/// An invalid command line.
package struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The mistake and the correction, in one sentence.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// A word of the command line, safe to print on a terminal.
    package static func shown(_ word: String) -> String { TextRule.visible(word) }
}

/// The result of parsing a command line.
package enum CommandLineRequest: Sendable {
    /// The help of one command, or of the program.
    case help(CommandRow?)
    case version
    case run(ParsedCommand)
}

/// One command with its words and options.
package struct ParsedCommand: Sendable {
    /// The command.
    package let row: CommandRow
    /// The words after the command's name.
    package let words: [String]
    /// The number of words, counted from the last, that followed `--`.
    package let literalCount: Int
    fileprivate let values: [String: String]
    fileprivate let flags: Set<String>

    /// Whether a flag was given.
    package func has(_ option: OptionRow) -> Bool { flags.contains(option.name) }

    /// The value of an option; nil if it was not given.
    package func value(_ option: OptionRow) -> String? { values[option.name] }
}

/// Parses command lines by the description of a program.
package struct CommandLineParser {
    /// `--help` and `--version`, which every program takes.
    package static let help = OptionRow.flag("--help", "show the help of the program, or of a command")
    /// See `help`.
    package static let version = OptionRow.flag("--version", "show the version")

    private let program: ProgramDescription
    /// All options; an option of one name has a value for every command, or for none.
    private let known: [String: OptionRow]
    private var values: [String: String] = [:]
    private var flags: Set<String> = []
    /// The options in the order of the command line.
    private var given: [String] = []
    private var words: [String] = []
    private var literalCount = 0

    /// Parses the words after the program's name.
    package static func request(
        _ words: [String], for program: ProgramDescription
    ) throws(UsageError) -> CommandLineRequest {
        var parser = CommandLineParser(program)
        let unknown = try parser.sort(words)
        return try parser.request(unknown)
    }

    private init(_ program: ProgramDescription) {
        self.program = program
        known = Dictionary(
            (program.options + program.commands.flatMap(\.options)).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Separates options from words; returns the first option that no command has.
    private mutating func sort(_ all: [String]) throws(UsageError) -> String? {
        var unknown: String?
        var rest = all[...]
        while let word = rest.popFirst() {
            if word == "--" {
                literalCount = rest.count
                words += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                words.append(word)
                continue
            }
            var name = word == "-h" ? Self.help.name : word
            var value: String?
            if let sign = word.firstIndex(of: "=") {
                name = String(word[..<sign])
                value = String(word[word.index(after: sign)...])
            }
            guard let option = known[name] else {
                unknown = unknown ?? name
                continue
            }
            given.append(name)
            guard option.value != nil else {
                if let value {
                    guard value == option.word else {
                        let right = option.word.map { "no value except \($0)" } ?? "no value"
                        throw UsageError("\(name) takes \(right)")
                    }
                    values[name] = value
                }
                flags.insert(name)
                continue
            }
            // An option is not the value of the option before it; `--name=--other` makes it one.
            if value == nil, let next = rest.first, known[next] == nil, next != "--" {
                value = next
                rest.removeFirst()
            }
            guard let value, !value.isEmpty else {
                throw UsageError("\(option.spelling): the value is missing")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw UsageError("\(name) is given twice")
            }
        }
        return unknown
    }

    private consuming func request(_ unknown: String?) throws(UsageError) -> CommandLineRequest {
        let wantsHelp = flags.contains(Self.help.name)
        guard let name = words.first, words.count > literalCount else {
            if let unknown { throw noOption(unknown, in: nil) }
            if wantsHelp { return .help(nil) }
            if flags.contains(Self.version.name) { return .version }
            throw UsageError("a command is missing; \(program.name) --help lists them")
        }
        let row = try program.command(named: name)
        if wantsHelp { return .help(row) }
        let own = Set((row.options + program.options).map(\.name))
        if let other = unknown ?? given.first(where: { !own.contains($0) }) {
            throw noOption(other, in: row)
        }
        if flags.contains(Self.version.name) { return .version }
        words.removeFirst()
        try checkCount(row)
        return .run(
            ParsedCommand(
                row: row, words: words, literalCount: min(literalCount, words.count), values: values,
                flags: flags))
    }

    private func checkCount(_ row: CommandRow) throws(UsageError) {
        let required = row.words.filter(\.isRequired)
        if words.count < required.count {
            throw UsageError(
                "\(required[words.count].name) is missing: \(program.name) \(row.name) \(row.forms[0])")
        }
        if words.count > row.words.count, !row.words.contains(where: \.repeats) {
            throw UsageError("unexpected word \(UsageError.shown(words[row.words.count])) after \(row.name)")
        }
    }

    private func noOption(_ name: String, in row: CommandRow?) -> UsageError {
        let options = (row?.options ?? []) + program.options
        let question = NearestSpelling.question(for: name, among: options.map(\.name))
        let place = row.map { "\($0.name) has" } ?? "there is"
        let help = "; \(program.name) help\(row.map { " \($0.name)" } ?? "") lists the options"
        let dash = name.hasPrefix("--") ? help : "; put words that begin with a dash after --"
        return UsageError("\(place) no option \(UsageError.shown(name))\(question.isEmpty ? dash : question)")
    }
}
