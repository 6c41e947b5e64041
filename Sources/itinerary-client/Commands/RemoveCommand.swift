import TripModel

/// `remove TRIP ITEM…`
enum RemoveCommand {
    static let row = CommandRow(
        name: "remove", summary: "remove items, all or none", forms: ["TRIP ITEM…"],
        words: [.trip, WordRow("ITEM", .item, repeats: true)],
        examples: [
            .init("remove japan Dinner", "one item"),
            .init("remove japan Tea Cake && itinerary-client undo japan", "two, and back again"),
        ],
        details: ["Prints an id a line; undo brings them back."], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let run = try await EditRun(invocation)
        try await run.make(try invocation.items(in: run.trip).map { .remove($0.id) })
    }
}
