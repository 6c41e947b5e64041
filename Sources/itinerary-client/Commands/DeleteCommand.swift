import CommandLineKit
import LocalSystem
import TripClient
import TripProtocol

/// `delete TRIP`: deletes a trip, of which a copy is kept for a while.
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
            "Your account keeps a copy for \(DeletedTrips.days) days; itinerary-client restore TRIP makes the trip",
            "again from it, without its history.",
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
            let items = PlainText.counted(trip.itemCount, "item")
            guard Confirmation.ask("Delete \(PlainText.visible(trip.header.name)) (\(items))?") else {
                throw CommandFailure("nothing is deleted", exitCode: CommandFailure.refused)
            }
        }
        let kept = DeletedTrips(.current, today: Today.date)
        let header = try await kept.delete(trip.header.id, client)
        if invocation.isJSON {
            Answer.print { json in
                json.key("trip")
                json.encode(header)
                json.member("keptUntil", kept.keptUntil.description)
            }
        } else {
            invocation.tell(
                "\(PlainText.visible(header.name)) is deleted; until \(kept.keptUntil), itinerary-client restore "
                    + "\(header.slug) makes it again")
        }
    }
}
