import TripModel

/// Dates and durations as people read them.
package enum DateText {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sat 13 Jun 2026`
    static func text(of date: CalendarDate) -> String {
        "\(weekdays[date.weekday]) \(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `Day 3`; outside the trip, where days are not counted, `Mon 8 Jun 2026`.
    static func name(ofDay day: Int, in header: TripHeader) -> String {
        if header.days.contains(day) { return "Day \(day)" }
        return header.date(ofDay: day).map(text(of:)) ?? "Day \(day)"
    }

    /// The date of `2027-04-01`, `1 Apr 2027`, `Apr 1`, `1.4.2027`, `today`, `tomorrow`; nil for anything else.
    ///
    /// - Parameter today: without a year, the next such day from here on is meant.
    package static func date(of text: String, today: CalendarDate?) -> CalendarDate? {
        if let date = CalendarDate(text) { return date }
        let plain = text.lowercased()
        switch plain {
        case "today": return today
        case "tomorrow": return today?.adding(days: 1)
        default: break
        }
        let words = plain.split { !($0.isASCII && $0.isNumber) && !$0.isLetter }
        // A name of a day says nothing that the rest does not.
        let parts = words.filter { word in !weekdays.contains { word.hasPrefix($0.lowercased()) } }
        guard (2...3).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        var month: Int?
        for part in parts {
            if let value = number(part) {
                numbers.append(value)
            } else if part.count >= 3,
                let index = months.firstIndex(where: { part.hasPrefix($0.lowercased()) })
            {
                month = index + 1
            } else {
                return nil
            }
        }
        if month == nil {
            // A day and a month in figures are told apart only where points are between them.
            guard text.contains("."), numbers.count >= 2 else { return nil }
            month = numbers.remove(at: 1)
        }
        guard let month, let day = numbers.first, numbers.count <= 2 else { return nil }
        if numbers.count == 2 {
            // `2027 Apr 1` too.
            let (year, day) = numbers[0] > 31 ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
            return CalendarDate(year: year, month: month, day: day)
        }
        guard let today else { return nil }
        let thisYear = CalendarDate(year: today.year, month: month, day: day)
        if let thisYear, thisYear >= today { return thisYear }
        return CalendarDate(year: today.year + 1, month: month, day: day)
    }

    /// `3 h 40 min`
    static func text(ofMinutes minutes: Int) -> String {
        switch (minutes / 60, minutes % 60) {
        case (0, let rest): "\(rest) min"
        case (let hours, 0): "\(hours) h"
        case (let hours, let rest): "\(hours) h \(rest) min"
        }
    }

    /// The minutes of `90`, `1:30`, `1 h 30 min` or `2h`; nil for anything else.
    static func minutes(of text: String) -> Int? {
        let compact = text.lowercased().filter { !$0.isWhitespace }
        let clock = compact.split(separator: ":", omittingEmptySubsequences: false)
        if clock.count == 2, let hours = number(clock[0]), let rest = number(clock[1]), rest < 60 {
            return hours * 60 + rest
        }
        if let minutes = number(compact[...]) { return minutes }
        guard let hourSign = compact.firstIndex(of: "h") else {
            return compact.hasSuffix("min") ? number(compact.dropLast(3)) : nil
        }
        guard let hours = number(compact[..<hourSign]) else { return nil }
        var rest = compact[compact.index(after: hourSign)...]
        if rest.isEmpty { return hours * 60 }
        if rest.hasSuffix("min") { rest = rest.dropLast(3) }
        return number(rest).map { hours * 60 + $0 }
    }

    /// The time of `19:30`, `9:30` or `19.30`; nil for anything else.
    static func time(of text: String) -> ClockTime? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
        guard parts.count == 2, parts[1].count == 2, let hour = number(parts[0]),
            let minute = number(parts[1]),
            hour < 24, minute < 60
        else { return nil }
        return ClockTime(minute: hour * 60 + minute)
    }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.count <= 7, digits.allSatisfy(\.isASCII) else { return nil }
        return digits.first?.isNumber == true ? Int(digits) : nil
    }
}
