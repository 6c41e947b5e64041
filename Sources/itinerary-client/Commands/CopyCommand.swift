import CommandLineKit
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `copy TRIP --start DATE`: a new trip with the same items.
enum CopyCommand {
    private static let start = OptionRow.value(
        "--start", "DATE", "the date of the copy's day 1, or tomorrow, +2 or fri", .day)
    private static let name = OptionRow.value("--name", "NAME", "the copy's name (that of TRIP)")
    private static let withoutGames = OptionRow.flag("--without-games", "leave the events out")

    static let command = Command(
        name: "copy", summary: "make a new trip with the items of another",
        forms: ["TRIP --start DATE [--name NAME] [--without-games]"], words: [.trip],
        options: [start, name, withoutGames],
        examples: [
            .init("copy japan --start 2028-04-01 --name \"Japan again\"", "the same plan a year later"),
            .init("copy cup --start 2030-06-10 --without-games", "without the events of the old one"),
        ],
        details: [
            "Items keep their day numbers. Events keep their dates, which are usually outside the copy;",
            "--without-games leaves events out. Prints the slug of the copy.",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        guard let word = invocation.value(start) else {
            throw .usage("copy needs --start DATE, the first day of the copy")
        }
        let client = try await SteadyClient(invocation.caller)
        let original = try await invocation.trip.snapshot(client.client, includingSourceValues: true).trip
        let date = try CreateCommand.date(
            word, today: Today.date(in: original.header.timeZone) ?? Today.date)
        let made = try await make(
            of: original, from: date, named: invocation.value(name),
            withoutGames: invocation.has(withoutGames),
            client)
        if let left = made.left { invocation.note("the copy was made without \(left)") }
        if made.outside > 0 {
            invocation.note(
                "\(counted(made.outside, "event")) outside of the copy's days; "
                    + "--without-games leaves events out")
        }
        if invocation.isJSON {
            let answer = try await asking(await client.client.perform(.getTrip(.id(made.trip.header.id))))
            return Answer.print(answer)
        }
        StandardStream.output.print(made.trip.header.slug)
    }

    /// Makes a copy that begins on a date.
    ///
    /// - Parameter original: the trip, including the last imported values of its items.
    static func make(
        of original: Trip, from date: CalendarDate, named name: String?, withoutGames: Bool,
        _ client: SteadyClient
    ) async throws(CommandFailure) -> (trip: Trip, left: String?, outside: Int) {
        var source = original
        if withoutGames {
            let removals = original.items.filter(\.isGame).map { Edit.remove($0.id) }
            do throws(EditFailure) {
                _ = try source.apply(removals, by: Author(name: "", at: Timestamp(milliseconds: 0)))
            } catch {
                throw CommandFailure("the events cannot be left out", exitCode: .refused)
            }
        }
        source.moveSaidDays(by: date.daysSince1970 - original.header.startDate.daysSince1970)
        let copy = try TripCopy(of: source, named: name)
        var trip = try await copy.make(client)
        if date != trip.header.startDate {
            let id = TripReference.id(trip.header.id)
            try await client.change(id, [.trip(TripChange(startDate: date))])
            trip = try await client.snapshot(of: id).trip
        }
        let outside = trip.items.count { $0.isGame && !trip.header.days.contains($0.position.day) }
        return (trip, copy.left, outside)
    }
}
