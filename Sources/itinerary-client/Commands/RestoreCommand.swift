import CommandLineKit
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `restore` lists trips and items that can be restored; `restore TRIP` and `restore TRIP ITEM` restore them.
enum RestoreCommand {
    static let command = Command(
        name: "restore", summary: "list what was deleted within 30 days, or restore it",
        forms: ["", "TRIP", "TRIP ITEM…"],
        words: [
            WordRow("TRIP", .trip, isRequired: false),
            WordRow("ITEM", .item, isRequired: false, repeats: true),
        ],
        examples: [
            .init("restore", "the deleted trips, and the removed items of the others"),
            .init("restore japan", "a deleted trip"),
            .init("restore japan Dinner Tea", "two items that were removed or pruned from a trip"),
        ],
        details: [
            "The daemon keeps deletions by all users and programs. A trip is restored with its history; if",
            "another trip has its slug, it gets a new one. Items are restored as one change, which undo",
            "reverts, as far back as the trip's history goes (itinerary-client log TRIP).",
            "If TRIP is not deleted, restore TRIP lists its removed items.",
            "Prints the slug of the trip, or the ids of the items.",
        ],
        exits: [.noInput: "no deleted trip or removed item has this name"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        guard let name = invocation.words.first else {
            let client = try await SteadyClient(invocation.caller)
            let trash = try await Trash(client.client)
            if invocation.isJSON { return Answer.print { trash.encode(to: &$0) } }
            for trip in trash.trips { StandardStream.output.print(line(of: trip)) }
            for (header, items) in trash.removed { print(items, of: header, withSlug: true) }
            if trash.trips.isEmpty, trash.removed.isEmpty {
                invocation.note("nothing was deleted or removed within 30 days")
            }
            return
        }
        let items = Array(invocation.words.dropFirst())
        guard items.isEmpty else {
            let run = try await EditRun(invocation)
            return try await run.make(
                try await Trash.edits(restoring: items, in: run.trip, run.client.client))
        }
        let client = try await SteadyClient(invocation.caller)
        let deleted: TripID
        do throws(CommandFailure) { deleted = try await Trash.trip(named: name, client.client) } catch {
            guard let there = try? await invocation.trip.summary(client.client).header else { throw error }
            return try await list(there, client, invocation)
        }
        let restored = try await client.restore(deleted)
        if invocation.isJSON { return Answer.print(restored) }
        StandardStream.output.print(restored["trip"]?["slug"]?.string ?? "")
    }

    /// Lists the removed items of a trip.
    private static func list(
        _ trip: TripHeader, _ client: SteadyClient, _ invocation: Invocation
    ) async throws(CommandFailure) {
        let items = try await Trash.items(of: trip.id, client.client)
        if invocation.isJSON {
            return Answer.print { json in
                json.member("trip", trip.slug)
                json.encodeMembers(of: items)
            }
        }
        print(items, of: trip, withSlug: false)
        let name = PlainText.visible(trip.name)
        invocation.note(
            items.items.isEmpty
                ? "\(name) is not deleted, and since \(items.since.date) nothing was removed from it"
                : "\(name) is not deleted; itinerary-client restore \(trip.slug) ITEM restores an item")
    }

    private static func line(of trip: TrashedTrip) -> String {
        "\(trip.header.slug)  \(PlainText.visible(trip.header.name))  \(counted(trip.itemCount, "item")), "
            + "deleted \(trip.deletedAt.date), kept until \(trip.keptUntil.date)"
    }

    private static func print(_ items: ItemTrash, of trip: TripHeader, withSlug: Bool) {
        for removed in items.items {
            let item = removed.item
            StandardStream.output.print(
                (withSlug ? "\(trip.slug)  " : "") + "day \(item.position.day)  "
                    + "\(PlainText.visible(item.content.title)), removed \(removed.removedAt.date) by "
                    + PlainText.visible(removed.removedBy))
        }
    }
}
