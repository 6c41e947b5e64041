import CommandLineKit
import TripModel
import TripProtocol

/// A day on the command line: `3`, `2027-04-03`, `today`, `tomorrow`, `+2` or `fri`.
struct DayWord: Sendable {
    /// The accepted forms, for help and errors.
    static let forms = "3, 2027-04-03, today, tomorrow, +2 (from today) or fri (the next one)"
    /// The words that completions offer.
    static let words = ["today", "tomorrow", "+1", "mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    let text: String

    /// The day number, which may be outside the trip.
    ///
    /// - Parameter today: the present date where the travellers are.
    func day(in header: TripHeader, today: CalendarDate) throws(CommandFailure) -> Int {
        if !text.hasPrefix("+"), let number = Int(text) { return number }
        guard let date = Self.date(text, today: today) else {
            throw .usage("\(PlainText.visible(text)) is not a day; a day is \(Self.forms)")
        }
        return header.dayNumber(of: date)
    }

    /// The day number, by this machine's clock.
    func day(in trip: Trip) throws(CommandFailure) -> Int {
        try day(in: trip.header, today: Today.date(in: trip))
    }

    /// The day number for a place. A number is not checked, the daemon does; a date outside the trip is an error.
    func day(of trip: Trip) throws(CommandFailure) -> Int {
        Int(text) == nil || text.hasPrefix("+") ? try ownDay(in: trip) : try day(in: trip)
    }

    /// The day number; throws if it is outside the trip.
    func ownDay(in trip: Trip) throws(CommandFailure) -> Int {
        let header = trip.header
        let day = try day(in: trip)
        guard header.days.contains(day) else {
            let date = Int(text) == nil ? header.date(ofDay: day).map(\.description) ?? text : text
            let shown = date == text ? "" : " (\(date))"
            let last = header.date(ofDay: header.dayCount).map { ", from \(header.startDate) to \($0)" } ?? ""
            throw CommandFailure(
                "\(PlainText.visible(text))\(shown) is not a day of \(PlainText.visible(header.name)), which has "
                    + "\(counted(header.dayCount, "day"))\(last)",
                exitCode: .refused, reason: ErrorReason.dayOutOfRange.rawValue)
        }
        return day
    }

    /// The days of a list such as `2-4,7` or `all`; they may be outside the trip.
    static func days(_ list: String, in trip: Trip) throws(CommandFailure) -> [Int] {
        do throws(DayList.NoDay) {
            return try DayList.days(of: list, in: trip.header.days) {
                try? DayWord(text: $0).day(in: trip)
            }
        } catch {
            throw .usage("\(PlainText.visible(error.text)) is not a day; a day is \(forms), 2-6 or all")
        }
    }

    /// The date of a word that is not a day number.
    static func date(_ text: String, today: CalendarDate) -> CalendarDate? {
        DateText.date(ofWord: text, today: today) ?? DateText.date(of: text, today: today)
    }
}
