import CommandLineKit
import TripModel

/// `repeat TRIP ITEM DAY…`: adds copies of an item to days, as one change.
enum RepeatCommand {
    static let command = Command(
        name: "repeat", summary: "add copies of an item on other days", forms: ["TRIP ITEM DAY…"],
        words: [.trip, .item, WordRow("DAY", .day, repeats: true)],
        examples: [
            .init("repeat japan Breakfast 2-6 8", "on six more days"),
            .init("repeat japan Breakfast all", "on every day"),
        ],
        details: [
            "DAY is \(DayWord.forms);",
            "2-6 are several days, and all is every day. A copy goes to the place of its time; the day",
            "that has the item already is left out. Prints the ids of the copies, one per line.",
        ],
        exits: [.refused: "an event, or travel that is not allowed on one of the days"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let run = try await EditRun(invocation)
        let item = try ItemName(invocation.words[1]).item(in: run.trip)
        let days = invocation.words.dropFirst(2).joined(separator: ",")
        try await run.make(try edits(item, on: days, of: run.trip))
    }

    static func edits(_ item: Item, on list: String, of trip: Trip) throws(CommandFailure) -> [Edit] {
        let title = PlainText.visible(item.content.title)
        guard !item.isGame else {
            throw CommandFailure(
                "\(title) is an event; its schedule says when it is", exitCode: .refused)
        }
        var edits: [Edit] = []
        for day in try DayWord.days(list, in: trip) where day != item.position.day {
            _ = try DayWord(text: "\(day)").ownDay(in: trip)
            edits.append(
                .add(.random(), item.content, to: trip.placement(ofNew: item.content, onDay: day)))
        }
        guard !edits.isEmpty else {
            throw CommandFailure("\(title) is on that day already", exitCode: .refused)
        }
        return edits
    }
}
