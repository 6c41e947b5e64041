import CommandLineKit

/// A command of this program: its description and its code.
struct Command: Sendable {
    let row: CommandRow
    /// Whether it starts a daemon if none is running.
    let startsDaemon: Bool
    /// Whether it handles SIGINT itself, as an editor does to restore the terminal.
    let handlesInterruption: Bool
    let run: @Sendable (Invocation) async throws(CommandFailure) -> Void

    init(
        name: String, summary: String, forms: [String], words: [WordRow] = [], options: [OptionRow] = [],
        examples: [CommandRow.Example], details: [String] = [], exits: [ExitCode: String] = [:],
        startsDaemon: Bool = true, handlesInterruption: Bool = false,
        run: @escaping @Sendable (Invocation) async throws(CommandFailure) -> Void
    ) {
        row = CommandRow(
            name: name, summary: summary, forms: forms, words: words, options: options, examples: examples,
            details: details, exits: exits)
        self.startsDaemon = startsDaemon
        self.handlesInterruption = handlesInterruption
        self.run = run
    }
}
