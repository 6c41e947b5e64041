import TripClient

/// `ping`: whether the daemon answers.
enum PingCommand {
    static let row = CommandRow(
        name: "ping", summary: "ask the daemon for an answer", forms: [""],
        examples: [.init("ping --no-start --timeout 1", "whether one runs and answers within a second")],
        run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        Answer.print(
            try await asking { () async throws(ClientError) in
                try await invocation.caller.connect(role: .viewer).client.perform(.ping)
            })
    }
}
