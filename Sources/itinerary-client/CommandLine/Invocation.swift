import CommandLineKit
import LocalSystem
import TripClient

/// A parsed command line and the connection that it asks for.
struct Invocation: Sendable {
    private let parsed: ParsedCommand
    let caller: Caller

    init(_ parsed: ParsedCommand, startsDaemon: Bool) throws(CommandFailure) {
        self.parsed = parsed
        caller = try Caller(
            CallerOptions(
                socket: parsed.value(GlobalOptions.socket), host: parsed.value(GlobalOptions.host),
                owner: parsed.value(GlobalOptions.owner), user: parsed.value(GlobalOptions.user),
                timeout: parsed.value(GlobalOptions.timeout),
                startsDaemon: startsDaemon && !parsed.has(GlobalOptions.noStart)))
    }

    var row: CommandRow { parsed.row }
    /// The words after the command's name.
    var words: [String] { parsed.words }
    /// The number of words, counted from the last, that followed `--`.
    var literalCount: Int { parsed.literalCount }

    /// Whether a flag was given.
    func has(_ option: OptionRow) -> Bool { parsed.has(option) }

    /// The value of an option; nil if it was not given.
    func value(_ option: OptionRow) -> String? { parsed.value(option) }

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

    /// Whether the user can be asked a question.
    var mayAsk: Bool {
        !has(GlobalOptions.noInput) && TerminalDevice.isTerminal(0) && TerminalDevice.isTerminal(2)
    }

    /// A client that changes nothing.
    func reader() async throws(CommandFailure) -> TripClient {
        try await asking(await caller.connect(role: .viewer).client)
    }

    /// Prints a message for people beside the data.
    func note(_ text: String) {
        if !isQuiet { StandardStream.error.print(text) }
    }

    /// Confirms a change on a terminal; scripts use the exit code.
    func confirm(_ text: String) {
        if !isJSON, TerminalDevice.isTerminal(2) { note(text) }
    }
}
