import CommandLineKit
import TripModel

/// `swap TRIP DAY DAY`: exchanges the movable items of two days.
enum SwapCommand {
    static let command = Command(
        name: "swap", summary: "exchange the items of two days", forms: ["TRIP DAY DAY"],
        words: [.trip, WordRow("DAY", .day), WordRow("DAY", .day)],
        examples: [
            .init("swap japan 3 5", "day 3 becomes day 5, and day 5 day 3"),
            .init("swap japan fri sat", "the next Friday and Saturday"),
        ],
        details: [
            "DAY is \(DayWord.forms).",
            "Items keep their order; those with a time go below the events that begin before them.",
            "Events stay on their dates. Prints the ids of the moved items, one per line.",
        ],
        exits: [.refused: "some items, listed by name, are not allowed there"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let run = try await EditRun(invocation)
        let day = try DayWord(text: invocation.words[1]).day(in: run.trip)
        let other = try DayWord(text: invocation.words[2]).day(in: run.trip)
        try await run.make(try edits(day, other, of: run.trip))
    }

    /// - Throws: `CommandFailure` with every item that cannot be moved, and the reason.
    static func edits(_ day: Int, _ other: Int, of trip: Trip) throws(CommandFailure) -> [Edit] {
        for day in [day, other] { _ = try DayWord(text: "\(day)").ownDay(in: trip) }
        guard day != other else { throw .usage("two different days are needed") }
        let edits = trip.moves(exchanging: day, with: other)
        guard !edits.isEmpty else {
            throw CommandFailure(
                "neither day \(day) nor day \(other) has an item that can be moved",
                exitCode: .refused)
        }
        try ShiftPlan.check(edits, in: trip)
        return edits
    }
}
