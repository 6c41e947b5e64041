import LocalSystem
import TripClient
import TripProtocol

/// `show TRIP`: a trip with all that is known of it.
enum ShowCommand {
    static let command = Command(
        name: "show", summary: "show a trip's days, items and problems", forms: ["TRIP"], words: [.trip],
        examples: [
            .init("show japan", "all days with their items"),
            .init("show japan --json | jq '.items[].title'", "the titles of all items"),
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let client = try await asking { () async throws(ClientError) in
            try await invocation.caller.connect(role: .viewer).client
        }
        let snapshot = try await invocation.trip.snapshot(client)
        guard invocation.isJSON else {
            return StandardStream.output.print(PlainText.listing(of: snapshot))
        }
        Answer.print(
            try await asking { () async throws(ClientError) in
                try await client.perform(.getTrip(.id(snapshot.trip.header.id)))
            })
    }
}
