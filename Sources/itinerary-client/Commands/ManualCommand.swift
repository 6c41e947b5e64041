import LocalSystem

/// `man [COMMAND]`
enum ManualCommand {
    static let row = CommandRow(
        name: "man", summary: "print a page of the manual", forms: ["[COMMAND]"],
        words: [WordRow("COMMAND", .command, isRequired: false)],
        examples: [
            .init("man | man -l -", "read the page of the program"),
            .init("man import | man -l -", "that of a command"),
        ], startsDaemon: false, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        guard let name = invocation.words.first else {
            return StandardStream.output.print(ManualPage.general)
        }
        StandardStream.output.print(ManualPage.page(of: try CommandTable.row(named: name)))
    }
}
