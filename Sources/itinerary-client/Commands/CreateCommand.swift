import CommandLineKit
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `create NAME`: a new, empty trip.
enum CreateCommand {
    private static let start = OptionRow.value(
        "--start", "DATE", "the date of day 1, or tomorrow, +2 or fri (today)", .day)
    private static let days = OptionRow.value("--days", "N", "the number of days (7)")
    private static let zone = OptionRow.value(
        "--zone", "ZONE", "the IANA time zone, such as Asia/Tokyo (this machine's)", .zone)
    private static let slug = OptionRow.value(
        "--slug", "SLUG", "the short name for commands (made from NAME)")

    static let command = Command(
        name: "create", summary: "create an empty trip",
        forms: ["NAME [--start DATE] [--days N] [--zone ZONE] [--slug SLUG]"],
        words: [WordRow("NAME", .text)], options: [start, days, zone, slug],
        examples: [
            .init("create Japan --start 2027-04-01 --days 10 --zone Asia/Tokyo", "ten days from 1 April"),
            .init("create \"A long weekend\" --days 3", "three days from today"),
        ],
        details: ["Prints the slug of the new trip."],
        exits: [.refused: "a trip with that slug exists"], run: run)

    /// The new trip according to the options.
    static func draft(
        named name: String, start: String?, days: String?, zone: String?, slug: String?
    ) throws(CommandFailure) -> TripDraft {
        if let zone, !TimeZoneName.isKnown(zone) {
            let meant = TimeZoneName.suggestion(for: zone).map { "; did you mean \($0)?" } ?? ""
            throw .usage("no IANA time zone is called \(PlainText.visible(zone))\(meant)")
        }
        let zone = if let zone { zone } else { try Today.zone }
        guard let today = Today.date(in: zone) else {
            throw CommandFailure("the clock of this machine is wrong", exitCode: .defect)
        }
        let date = try start.map { text throws(CommandFailure) in try Self.date(text, today: today) } ?? today
        var dayCount = 7
        if let days {
            guard let number = Int(days), number > 0 else {
                throw .usage("--days is a number from 1 on, not \(PlainText.visible(days))")
            }
            dayCount = number
        }
        return TripDraft(name: name, startDate: date, timeZone: zone, dayCount: dayCount, slug: slug)
    }

    /// The first day according to a word.
    static func date(_ text: String, today: CalendarDate) throws(CommandFailure) -> CalendarDate {
        guard let date = DayWord.date(text, today: today) else {
            throw .usage(
                "\(PlainText.visible(text)) is not a date; a date is 2027-04-01, today, tomorrow, +2 or fri")
        }
        return date
    }

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let draft = try draft(
            named: invocation.words[0], start: invocation.value(start), days: invocation.value(days),
            zone: invocation.value(zone), slug: invocation.value(slug))
        let answer = try await asking(await invocation.caller.connect().client.perform(.createTrip(draft)))
        if invocation.isJSON { return Answer.print(answer) }
        StandardStream.output.print(answer["trip"]?["slug"]?.string ?? draft.name)
    }
}
