import LocalSystem

/// One command with its words and options, taken apart.
struct Invocation: Sendable {
    let row: CommandRow
    let caller: Caller
    /// The words after the command.
    let words: [String]
    /// How many of them, from the last on, stood behind `--`.
    let literalCount: Int
    private let values: [String: String]
    private let flags: Set<String>

    init(
        row: CommandRow, words: [String], literalCount: Int, values: [String: String], flags: Set<String>
    ) throws(CommandFailure) {
        self.row = row
        self.words = words
        self.literalCount = literalCount
        self.values = values
        self.flags = flags
        caller = try Caller(
            CallerOptions(
                socket: values[GlobalOptions.socket.name], host: values[GlobalOptions.host.name],
                owner: values[GlobalOptions.owner.name],
                user: values[GlobalOptions.user.name], timeout: values[GlobalOptions.timeout.name],
                startsDaemon: row.startsDaemon && !flags.contains(GlobalOptions.noStart.name)))
    }

    /// Whether an option without a value is there.
    func has(_ option: OptionRow) -> Bool { flags.contains(option.name) }

    /// The value of an option; nil where it is not there.
    func value(_ option: OptionRow) -> String? { values[option.name] }

    /// The value of an option as a number.
    func number(_ option: OptionRow) throws(CommandFailure) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text) else {
            throw .usage("\(option.name) is a number, not \(PlainText.visible(text))")
        }
        return number
    }

    var isJSON: Bool { has(GlobalOptions.json) }
    var isQuiet: Bool { has(GlobalOptions.quiet) }

    /// Whether a person can be asked something.
    var mayAsk: Bool {
        !has(GlobalOptions.noInput) && TerminalDevice.isTerminal(0) && TerminalDevice.isTerminal(2)
    }

    /// Says something beside the data, for people.
    func tell(_ text: String) {
        if !isQuiet { StandardStream.error.print(text) }
    }

    /// Says what was done, where a person looks on; scripts have the exit code.
    func confirm(_ text: String) {
        if !isJSON, TerminalDevice.isTerminal(2) { tell(text) }
    }
}
