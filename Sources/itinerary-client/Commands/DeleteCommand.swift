import CommandLineKit
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `delete TRIP`: deletes a trip, which can be restored for some time.
enum DeleteCommand {
    private static let yes = OptionRow.flag("--yes", "do not ask for confirmation")

    static let command = Command(
        name: "delete", summary: "delete a trip", forms: ["TRIP [--yes]"], words: [.trip],
        options: [yes],
        examples: [
            .init("delete japan", "asks first"),
            .init("delete japan --yes", "in a script"),
        ],
        details: [
            "The daemon keeps the trip for 30 days; itinerary-client restore TRIP restores it."
        ],
        exits: [
            .refused: "not confirmed", .usage: "no terminal to ask on, and no --yes",
        ],
        run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        if !invocation.has(yes), !invocation.mayAsk {
            throw .usage("cannot ask for confirmation (no terminal); use --yes")
        }
        let client = try await SteadyClient(invocation.caller)
        let trip = try await invocation.trip.summary(client.client)
        if !invocation.has(yes) {
            let items = counted(trip.itemCount, "item")
            guard Confirmation.ask("Delete \(PlainText.visible(trip.header.name)) (\(items))?") else {
                throw CommandFailure("nothing was deleted", exitCode: .refused)
            }
        }
        let kept = try await client.delete(trip.header.id)
        if invocation.isJSON {
            Answer.print { json in
                json.key("trip")
                json.encode(trip.header)
                json.member("keptUntil", kept?.description)
            }
        } else {
            let advice = kept.map { date in
                "; until \(date), itinerary-client restore \(trip.header.slug) restores it"
            }
            invocation.note("\(PlainText.visible(trip.header.name)) was deleted" + (advice ?? ""))
        }
    }
}
