import LocalSystem

/// `mcp`: lets an assistant look at trips and change them.
enum AssistantCommand {
    static let row = CommandRow(
        name: "mcp", summary: "let an assistant edit trips, by the Model Context Protocol", forms: [""],
        examples: [
            .init("mcp", "on standard input and output, for an assistant's settings"),
            .init("mcp --user Claude --host ssh://box", "with a name of its own, at another machine"),
        ],
        details: [
            "The assistant is one more editor: its name, --user or else what the program calls itself, stands in",
            "the history, it is refused what anybody is refused, and undo takes back its own changes only. Its",
            "tools are called like the commands and take the wire's field names; trips are resources.",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        try await AssistantServer(invocation.caller).serve()
    }
}
