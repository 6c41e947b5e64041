import CommandLineKit
import TripModel

/// `move TRIP ITEM… PLACE`
enum MoveCommand {
    static let command = Command(
        name: "move", summary: "move items; if one is refused, none is moved", forms: ["TRIP ITEM… PLACE"],
        words: [.trip, WordRow("ITEM", .item, repeats: true)], options: PlaceWords.options,
        examples: [
            .init("move japan Dinner --day 3", "to the end of day 3"),
            .init("move japan Tea Cake --after Dinner", "two items, in this order"),
        ],
        details: [
            "PLACE is --day DAY, --after ITEM or --before ITEM; --day may have --at start or --at end.",
            "DAY is \(DayWord.forms).", "Prints the ids, one per line.",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let place = try PlaceWords(invocation)
        let run = try await EditRun(invocation)
        guard var placement = try place.placement(in: run.trip) else {
            throw .usage("no place is given; use --day DAY, --after ITEM or --before ITEM")
        }
        var edits: [Edit] = []
        for item in try invocation.items(in: run.trip) {
            guard !placement.anchors.contains(item.id) else {
                throw .usage("\(PlainText.visible(item.content.title)) cannot go beside itself")
            }
            edits.append(.move(item.id, to: placement))
            placement = .after(item.id, day: placement.day)
        }
        try await run.make(edits)
    }
}

extension Invocation {
    /// The items named by the words after the trip, without repetitions.
    func items(in trip: Trip) throws(CommandFailure) -> [Item] {
        var items: [Item] = []
        for word in words.dropFirst() {
            let item = try ItemName(word).item(in: trip)
            if !items.contains(where: { $0.id == item.id }) { items.append(item) }
        }
        return items
    }
}
