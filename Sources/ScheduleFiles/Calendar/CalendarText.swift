import TripModel

/// iCalendar's text forms of dates and times.
enum CalendarText {
    /// `20260611`.
    static func date(_ date: CalendarDate) -> String {
        let number = date.year * 10_000 + date.month * 100 + date.day
        return String(number)
    }

    /// `20260611T130000` for a local time, given as seconds since 1970 as if in UTC; nil outside the
    /// supported years.
    static func time(wallClock: Int64) -> String? {
        var days = wallClock / 86_400
        var rest = wallClock % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        guard let day = CalendarDate(daysSince1970: Int(days)) else { return nil }
        let clock = rest / 3600 * 10_000 + rest / 60 % 60 * 100 + rest % 60
        // A leading seventh digit keeps the zeros.
        return "\(date(day))T\(String(clock + 1_000_000).dropFirst())"
    }

    /// `-0600`, or `+001234` with seconds.
    static func offset(_ seconds: Int) -> String {
        let rest = Int(seconds.magnitude)
        let minutes = String(rest / 3600 * 100 + rest / 60 % 60 + 10_000).dropFirst()
        let tail = rest % 60 == 0 ? "" : String(String(rest % 60 + 100).dropFirst())
        return (seconds < 0 ? "-" : "+") + minutes + tail
    }

    /// `20260611T190000Z`; nil outside the supported years.
    static func utc(_ seconds: Int64) -> String? { time(wallClock: seconds).map { $0 + "Z" } }
}

extension OffsetDateTime {
    /// A moment with a local offset, `2026-06-11T13:00:00-06:00`; nil outside the supported years.
    ///
    /// - Parameters:
    ///   - seconds: the moment, since 1970-01-01T00:00:00Z.
    ///   - offset: the offset from UTC in seconds. If it is not a whole number of minutes, the text is in
    ///     UTC.
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
