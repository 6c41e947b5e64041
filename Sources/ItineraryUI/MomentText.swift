import TripModel

/// Text forms of a game's start: a local date and time.
enum MomentText {
    /// `2026-06-13 18:00`, in the game's zone.
    static func text(of item: Item, in trip: Trip) -> String? {
        guard case .game(let game) = item.content else { return nil }
        guard let date = trip.header.date(ofDay: item.position.day) else { return game.startsAt.text }
        return "\(date) \(item.position.clockTime)"
    }

    /// The reason why a text is not a valid start.
    enum Fault: Error {
        case unreadable
        /// The zone's clock skips that time on that day.
        case skipped(ClockTime, CalendarDate)
    }

    /// The moment of a local date and time, of a time alone, or of RFC 3339 text.
    ///
    /// - Parameters:
    ///   - day: the date for a time alone.
    ///   - today: the date after which a date without a year is searched.
    static func moment(
        of text: String, zone: String, onDay day: CalendarDate?, today: CalendarDate?
    ) throws(Fault) -> OffsetDateTime {
        if let moment = OffsetDateTime(text) { return moment }
        guard let (date, time) = parts(of: text, onDay: day, today: today),
            let clock = WallClock(zone: zone)
        else { throw .unreadable }
        let local = Int64(date.daysSince1970) * 86_400 + Int64(time.minute) * 60
        let seconds = clock.seconds(ofWallClock: local)
        guard seconds + Int64(clock.offset(atSecondsSince1970: seconds)) == local else {
            throw .skipped(time, date)
        }
        let offset = Int(local - seconds) / 60
        let sign = offset < 0 ? "-" : "+"
        let (hours, minutes) = (abs(offset) / 60, abs(offset) % 60)
        guard let moment = OffsetDateTime("\(date)T\(time):00\(sign)\(two(hours)):\(two(minutes))") else {
            throw .unreadable
        }
        return moment
    }

    private static func parts(
        of text: String, onDay day: CalendarDate?, today: CalendarDate?
    ) -> (CalendarDate, ClockTime)? {
        if let day, let time = TimeText.time(of: text) { return (day, time) }
        // A number near the present year is a year, not a time.
        if let date = DateText.date(of: text, today: today), abs(date.year - (today?.year ?? date.year)) <= 20
        {
            return nil
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        // `7 pm` has two words.
        for count in 1...2 where count < words.count {
            let (start, end) = (words.dropLast(count), words.suffix(count))
            if let time = TimeText.time(of: end.joined(separator: " ")),
                let date = DateText.date(of: start.joined(separator: " "), today: today)
            {
                return (date, time)
            }
        }
        return nil
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
