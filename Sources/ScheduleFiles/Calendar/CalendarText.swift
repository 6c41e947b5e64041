import TripModel

/// Dates and times as iCalendar writes them.
enum CalendarText {
    /// `20260611`.
    static func date(_ date: CalendarDate) -> String {
        let number = date.year * 10_000 + date.month * 100 + date.day
        return String(number)
    }

    /// `20260611T130000`, of seconds since 1970 that the wall clock's time would be in UTC; nil outside the years that
    /// can be written.
    static func time(wallClock: Int64) -> String? {
        var days = wallClock / 86_400
        var rest = wallClock % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        guard let day = CalendarDate(daysSince1970: Int(days)) else { return nil }
        let clock = rest / 3600 * 10_000 + rest / 60 % 60 * 100 + rest % 60
        // A seventh digit in front keeps the zeros.
        return "\(date(day))T\(String(clock + 1_000_000).dropFirst())"
    }

    /// `-0600`, or `+001234` where there are seconds.
    static func offset(_ seconds: Int) -> String {
        let rest = Int(seconds.magnitude)
        let minutes = String(rest / 3600 * 100 + rest / 60 % 60 + 10_000).dropFirst()
        let tail = rest % 60 == 0 ? "" : String(String(rest % 60 + 100).dropFirst())
        return (seconds < 0 ? "-" : "+") + minutes + tail
    }

    /// `20260611T190000Z`; nil outside the years that can be written.
    static func utc(_ seconds: Int64) -> String? { time(wallClock: seconds).map { $0 + "Z" } }
}

extension OffsetDateTime {
    /// A moment as the clock of a place writes it, `2026-06-11T13:00:00-06:00`; nil outside the years that can be written.
    ///
    /// - Parameters:
    ///   - seconds: the moment, since 1970-01-01T00:00:00Z.
    ///   - offset: by how many seconds that clock is ahead of UTC; one that is no whole minute cannot be written, and
    ///     UTC is.
    init?(secondsSince1970 seconds: Int64, offset: Int, isUTC: Bool) {
        let isUTC = isUTC || offset % 60 != 0
        let offset = isUTC ? 0 : offset
        guard let text = CalendarText.time(wallClock: seconds + Int64(offset)) else { return nil }
        let digits = Array(text.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        let clock = "\(part(9..<11)):\(part(11..<13)):\(part(13..<15))"
        var zone = "Z"
        if !isUTC {
            let minutes = offset.magnitude / 60
            let sign = offset < 0 ? "-" : "+"
            zone =
                "\(sign)\(String(minutes / 60 + 100).dropFirst()):\(String(minutes % 60 + 100).dropFirst())"
        }
        self.init("\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(clock)\(zone)")
    }
}
