import LocalSystem

/// What a command line asks for.
enum CommandLineRequest: Sendable {
    /// The help of one command, or of all.
    case help(CommandRow?)
    case version
    case run(Invocation)
}

/// Takes a command line apart by the table of commands.
struct CommandLineParser {
    private var values: [String: String] = [:]
    private var flags: Set<String> = []
    /// The options in the order in which they came, for what is said of those that make no sense.
    private var given: [String] = []
    private var words: [String] = []
    private var literalCount = 0

    /// The options of all commands; one of a name has a value everywhere, or nowhere.
    private static let known = Dictionary(
        (GlobalOptions.all + CommandTable.all.flatMap(\.options)).map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first })

    /// Reads the words after the program's name.
    ///
    /// - Throws: `CommandFailure` in one sentence, with what is probably meant.
    static func request(_ words: [String]) throws(CommandFailure) -> CommandLineRequest {
        var parser = CommandLineParser()
        let unknown = try parser.sort(words)
        return try parser.request(unknown)
    }

    /// Sorts the words into options and others; returns the first option that no command has.
    private mutating func sort(_ all: [String]) throws(CommandFailure) -> String? {
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
            var name = word == "-h" ? GlobalOptions.help.name : word
            var value: String?
            if let sign = word.firstIndex(of: "=") {
                name = String(word[..<sign])
                value = String(word[word.index(after: sign)...])
            }
            guard let option = Self.known[name] else {
                unknown = unknown ?? name
                continue
            }
            given.append(name)
            guard option.value != nil else {
                if value != nil { throw .usage("\(name) takes no value") }
                flags.insert(name)
                continue
            }
            // A word that is an option itself was not meant as a value; --name=--other says that it is.
            if value == nil, let next = rest.first, Self.known[next] == nil, next != "--" {
                value = next
                rest.removeFirst()
            }
            guard let value, !value.isEmpty else { throw .usage("\(option.spelling): the value is missing") }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .usage("\(name) is given twice")
            }
        }
        return unknown
    }

    private consuming func request(_ unknown: String?) throws(CommandFailure) -> CommandLineRequest {
        let isHelp = flags.contains(GlobalOptions.help.name)
        guard let name = words.first, words.count > literalCount else {
            if let unknown { throw Self.noOption(unknown, in: nil) }
            if isHelp { return .help(nil) }
            if flags.contains(GlobalOptions.version.name) { return .version }
            throw .usage("a command is missing; itinerary-client --help lists them")
        }
        let row = try CommandTable.row(named: name)
        if isHelp { return .help(row) }
        let own = Set((row.options + GlobalOptions.all).map(\.name))
        if let other = unknown ?? given.first(where: { !own.contains($0) }) {
            throw Self.noOption(other, in: row)
        }
        if flags.contains(GlobalOptions.version.name) { return .version }
        words.removeFirst()
        try check(row)
        return .run(
            try Invocation(
                row: row, words: words, literalCount: min(literalCount, words.count), values: values,
                flags: flags))
    }

    /// Looks whether there are as many words as the command takes.
    private func check(_ row: CommandRow) throws(CommandFailure) {
        let required = row.words.filter(\.isRequired)
        if words.count < required.count {
            throw .usage(
                "\(required[words.count].name) is missing: itinerary-client \(row.name) \(row.forms[0])")
        }
        if words.count > row.words.count, !row.words.contains(where: \.repeats) {
            throw .usage("\(PlainText.visible(words[row.words.count])) is one word too many for \(row.name)")
        }
    }

    private static func noOption(_ name: String, in row: CommandRow?) -> CommandFailure {
        let options = (row?.options ?? []) + GlobalOptions.all
        let question = NearestSpelling.question(for: name, among: options.map(\.name))
        let place = row.map { "\($0.name) has" } ?? "there is"
        let dash =
            question.isEmpty && !name.hasPrefix("--")
            ? "; words that begin with a dash go behind --" : question
        return .usage("\(place) no option \(PlainText.visible(name))\(dash)")
    }
}
