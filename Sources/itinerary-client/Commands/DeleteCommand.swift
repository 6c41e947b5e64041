import CommandLineKit
import LocalSystem
import TripClient
import TripProtocol

/// `delete TRIP`: removes a trip for good.
enum DeleteCommand {
    private static let yes = OptionRow.flag("--yes", "do not ask for confirmation")

    static let command = Command(
        name: "delete", summary: "delete a trip permanently", forms: ["TRIP [--yes]"], words: [.trip],
        options: [yes],
        examples: [
            .init("delete japan", "asks first"),
            .init(
                "export japan -o japan.json && itinerary-client delete japan --yes",
                "keep a copy, in a script"),
        ],
        exits: [
            .refused: "not confirmed", .usage: "no terminal to ask on, and no --yes",
        ],
        run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        if !invocation.has(yes), !invocation.mayAsk {
            throw .usage("cannot ask for confirmation (no terminal); use --yes")
        }
        let client = try await asking { () async throws(ClientError) in
            try await invocation.caller.connect().client
        }
        let trip = try await invocation.trip.summary(client)
        if !invocation.has(yes) {
            let items = PlainText.counted(trip.itemCount, "item")
            StandardStream.error.write(
                Array("Delete \(PlainText.visible(trip.header.name)) (\(items)) for good? [y/N] ".utf8))
            let answer = (readLine() ?? "").lowercased()
            guard answer == "y" || answer == "yes" else {
                throw CommandFailure("nothing is deleted", exitCode: CommandFailure.refused)
            }
        }
        try await asking { () async throws(ClientError) in try await client.delete(.id(trip.header.id)) }
        if invocation.isJSON {
            Answer.print { json in
                json.key("trip")
                json.encode(trip.header)
            }
        } else {
            invocation.confirm("\(trip.header.slug) is deleted")
        }
    }
}
