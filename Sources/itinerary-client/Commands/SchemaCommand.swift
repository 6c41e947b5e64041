import TripClient

/// `schema`: the protocol as an OpenRPC document.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "print the protocol as an OpenRPC document", forms: [""],
        examples: [.init("schema | jq '.methods[].name'", "the names of all methods")], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        Answer.print(
            try await asking(await invocation.caller.connect(role: .viewer).client.perform(.discover)))
    }
}
