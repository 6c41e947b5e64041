/// Text forms of dates and durations.
package enum DateText {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sat 13 Jun 2026`
    package static func text(of date: CalendarDate) -> String {
        "\(weekdays[date.weekday]) \(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `13 Jun 2026`
    package static func short(_ date: CalendarDate) -> String {
        "\(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `Day 3`; outside the trip a date such as `Mon 8 Jun 2026`.
    package static func name(ofDay day: Int, in header: TripHeader) -> String {
        if header.days.contains(day) { return "Day \(day)" }
        return header.date(ofDay: day).map(text(of:)) ?? "Day \(day)"
    }

    /// The date of `2027-04-01`, `1 Apr 2027`, `Apr 1`, `1.4.2027`, `today`, `tomorrow`; nil for other text.
    ///
    /// - Parameter today: the date after which a date without a year is searched.
    package static func date(of text: String, today: CalendarDate?) -> CalendarDate? {
        if let date = CalendarDate(text) { return date }
        let plain = text.lowercased()
        switch plain {
        case "today": return today
        case "tomorrow": return today?.adding(days: 1)
        default: break
        }
        let words = plain.split { !($0.isASCII && $0.isNumber) && !$0.isLetter }
        // The name of a weekday is redundant.
        let parts = words.filter { word in !weekdays.contains { word.hasPrefix($0.lowercased()) } }
        guard (2...3).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        var month: Int?
        for part in parts {
            if let value = TimeText.number(part) {
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
            // A numeric day and month are unambiguous only with points.
            guard text.contains("."), numbers.count >= 2 else { return nil }
            month = numbers.remove(at: 1)
        }
        guard let month, let day = numbers.first, numbers.count <= 2 else { return nil }
        if numbers.count == 2 {
            // Also `2027 Apr 1`.
            let (year, day) = numbers[0] > 31 ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
            return CalendarDate(year: year, month: month, day: day)
        }
        guard let today else { return nil }
        let thisYear = CalendarDate(year: today.year, month: month, day: day)
        if let thisYear, thisYear >= today { return thisYear }
        return CalendarDate(year: today.year + 1, month: month, day: day)
    }

    /// `3 h 40 min`
    package static func text(ofMinutes minutes: Int) -> String {
        switch (minutes / 60, minutes % 60) {
        case (0, let rest): "\(rest) min"
        case (let hours, 0): "\(hours) h"
        case (let hours, let rest): "\(hours) h \(rest) min"
        }
    }
}
