import CommandLineKit
import TripModel

/// `remove TRIP ITEM…`
enum RemoveCommand {
    static let command = Command(
        name: "remove", summary: "remove items; if one is refused, none is removed", forms: ["TRIP ITEM…"],
        words: [.trip, WordRow("ITEM", .item, repeats: true)],
        examples: [
            .init("remove japan Dinner", "one item"),
            .init("remove japan Tea Cake && itinerary-client undo japan", "two items, and undo that"),
        ],
        details: ["Prints the ids, one per line; undo restores the items."], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let run = try await EditRun(invocation)
        try await run.make(try invocation.items(in: run.trip).map { .remove($0.id) })
    }
}
