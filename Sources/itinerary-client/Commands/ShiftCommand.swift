import CommandLineKit
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `shift TRIP --from-day DAY --days K`: moves every movable item of that day and later by K days.
enum ShiftCommand {
    private static let fromDay = OptionRow.value("--from-day", "DAY", "the first day to move", .day)
    private static let days = OptionRow.value(
        "--days", "K", "the number of days; negative moves to earlier days")

    static let command = Command(
        name: "shift", summary: "move everything from a day on by some days",
        forms: ["TRIP --from-day DAY --days K [--dry-run]"], words: [.trip],
        options: [fromDay, days, MoveQuestion.dryRun],
        examples: [
            .init("shift japan --from-day 3 --days 1", "insert a day before day 3"),
            .init("shift japan --from-day 5 --days -2", "two days earlier"),
        ],
        details: [
            "DAY is \(DayWord.forms).",
            "Events stay on their dates. The trip is lengthened if necessary. Prints the number of",
            "items that were moved.",
        ],
        exits: [.refused: "some travel, listed by name, is not allowed there"], run: run)

    /// The number of attempts if others change the trip in between.
    private static let attempts = 5

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        guard let word = invocation.value(fromDay), let count = try invocation.number(days) else {
            throw .usage("shift needs --from-day DAY and --days K")
        }
        let day = DayWord(text: word)
        guard count.magnitude < TripLimits.days else {
            throw CommandFailure(
                "a trip has at most \(TripLimits.days) days, so nothing can go \(count.magnitude) days on or back",
                exitCode: .refused)
        }
        var attempt = 1
        while true {
            do throws(CommandFailure) {
                return try await shift(invocation, from: day, by: count)
            } catch {
                // Another client changed the trip, so the shift is planned again.
                guard error.refusal?.known == .versionConflict, attempt < attempts else { throw error }
                attempt += 1
            }
        }
    }

    private static func shift(
        _ invocation: Invocation, from word: DayWord, by count: Int
    ) async throws(CommandFailure) {
        let run = try await EditRun(invocation)
        let day = try word.day(in: run.trip)
        guard day >= 1 else { throw .usage("--from-day is a day from 1 on, not \(day)") }
        let edits = try ShiftPlan(run.trip, from: day, by: count).edits
        let moved = edits.count { $0.item != nil }
        guard moved > 0 else {
            if invocation.isJSON {
                return Answer.print { json in
                    json.member("version", run.trip.version)
                    json.member("noop", true)
                }
            }
            return StandardStream.output.print("0")
        }
        if invocation.has(MoveQuestion.dryRun) { return printPlan(edits, run.trip, invocation) }
        let made = try await run.change(edits, ifVersion: run.trip.version)
        if invocation.isJSON { return Answer.print(made.answer) }
        StandardStream.output.print("\(moved)")
    }
}

extension ShiftCommand {
    /// Prints the items that would move, one per line.
    fileprivate static func printPlan(_ edits: [Edit], _ trip: Trip, _ invocation: Invocation) {
        let moves = edits.compactMap { edit in
            if case .move(let id, let place) = edit, let item = trip[id] {
                (item: item, day: place.day)
            } else {
                nil
            }
        }
        if invocation.isJSON {
            return Answer.print { json in
                json.member("dryRun", true)
                json.objects("moved", moves) { move, json in
                    json.member("item", move.item.id)
                    json.member("title", move.item.content.title)
                    json.member("fromDay", move.item.position.day)
                    json.member("toDay", move.day)
                }
            }
        }
        for (item, day) in moves {
            StandardStream.output.print(
                "\(PlainText.visible(item.content.title)): day \(item.position.day) to day \(day)")
        }
    }
}

/// The edits of a shift, tried on the present trip.
struct ShiftPlan {
    let edits: [Edit]

    /// - Throws: `CommandFailure` with every item that cannot be moved, and the reason.
    init(_ trip: Trip, from day: Int, by count: Int) throws(CommandFailure) {
        let moving = trip.items.filter { !$0.isGame && $0.position.day >= day }
        guard count != 0, let last = moving.map(\.position.day).max() else {
            edits = []
            return
        }
        if let early = moving.first(where: { $0.position.day + count < 1 }) {
            throw CommandFailure(
                "\(PlainText.visible(early.content.title)) is on day \(early.position.day) and cannot go "
                    + "\(counted(-count, "day")) back; nothing was moved",
                exitCode: .refused)
        }
        var edits: [Edit] = []
        if last + count > trip.header.dayCount { edits.append(.trip(TripChange(dayCount: last + count))) }
        // The days are processed so that a day's own items have left before others arrive.
        let days = Set(moving.map(\.position.day)).sorted(by: count > 0 ? (>) : (<))
        for own in days {
            for item in moving where item.position.day == own {
                // On a day whose other items stay, items go to the end; otherwise they keep their place among
                // the games.
                let target = own + count
                edits.append(
                    .move(
                        item.id,
                        to: target < day ? .end(day: target) : .order(item.position.sortOrder, day: target)))
            }
        }
        try Self.check(edits, in: trip)
        self.edits = edits
    }

    /// Tries the edits one by one, to report every refused one.
    static func check(_ edits: [Edit], in trip: Trip) throws(CommandFailure) {
        var copy = trip
        let author = Author(name: "", at: Timestamp(milliseconds: 0))
        var refused: [String] = []
        for edit in edits {
            do throws(EditFailure) {
                _ = try copy.apply([edit], by: author)
            } catch {
                let title = edit.item.flatMap { trip[$0]?.content.title }
                let message: String
                switch error.rejection {
                case .place(let refusal):
                    message = "\(title ?? ""): \(copy.explanation(of: refusal))"
                default:
                    let error = WireError(error.rejection, in: copy, prefix: "", holder: { _ in "somebody" })
                    message = (title.map { "\($0): " } ?? "") + error.message
                }
                refused.append(PlainText.visible(message))
                // If the trip cannot be made longer, all other edits are refused too.
                if edit.item == nil { break }
            }
        }
        guard let first = refused.first else { return }
        let text = refused.count == 1 ? " " + first : "\n  " + refused.joined(separator: "\n  ")
        throw CommandFailure("nothing was moved:\(text)", exitCode: .refused)
    }
}
