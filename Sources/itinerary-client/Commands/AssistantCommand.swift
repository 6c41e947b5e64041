import LocalSystem

/// `mcp`: lets an assistant read and change trips.
enum AssistantCommand {
    static let command = Command(
        name: "mcp", summary: "serve the Model Context Protocol for an assistant", forms: [""],
        examples: [
            .init("mcp", "for the settings of an assistant"),
            .init("mcp --user Claude --host ssh://box", "under a name, on another machine"),
        ],
        details: [
            "The assistant edits like a person: the history shows its name (--user, or the name that",
            "the program gives), the same rules refuse its changes, and its undo affects only its",
            "own changes. itinerary-client help assistants explains the set-up.",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        try await AssistantServer(invocation.caller).serve()
    }
}
