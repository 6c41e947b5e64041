import TripClient

/// `ping`: whether the daemon answers.
enum PingCommand {
    static let command = Command(
        name: "ping", summary: "check that the daemon answers", forms: [""],
        examples: [.init("ping --no-start --timeout 1", "succeeds if a daemon answers within a second")],
        run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        Answer.print(
            try await asking(await invocation.caller.connect(role: .viewer).client.perform(.ping)))
    }
}
