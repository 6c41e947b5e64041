import LocalSystem

/// `help [COMMAND]`
enum HelpCommand {
    static let row = CommandRow(
        name: "help", summary: "tell more of a command", forms: ["[COMMAND]"],
        words: [WordRow("COMMAND", .command, isRequired: false)],
        examples: [.init("help add", "what add takes")], startsDaemon: false, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        guard let name = invocation.words.first else {
            return StandardStream.output.print(HelpText.general)
        }
        StandardStream.output.print(HelpText.text(of: try CommandTable.row(named: name)))
    }
}
