import Foundation

/// Text forms of dates and durations.
package enum DateText {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sat`
    package static func weekday(of date: CalendarDate) -> String { weekdays[date.weekday] }

    /// `Sat 13 Jun 2026`
    package static func text(of date: CalendarDate) -> String {
        "\(weekdays[date.weekday]) \(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `13 Jun 2026`
    package static func short(_ date: CalendarDate) -> String {
        "\(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `13 Jun`
    package static func dayAndMonth(_ date: CalendarDate) -> String {
        "\(date.day) \(months[date.month - 1])"
    }

    /// `Day 3`; outside the trip a date such as `Mon 8 Jun 2026`.
    package static func name(ofDay day: Int, in header: TripHeader) -> String {
        if header.days.contains(day) { return "Day \(day)" }
        return header.date(ofDay: day).map(text(of:)) ?? "Day \(day)"
    }

    /// The date of `2027-04-01`, `1 Apr 2027`, `Apr 1`, `1.4.27`, `Donnerstag, 1. April 2027`, `2027/4/1`, `today`,
    /// `tomorrow`; nil for other text.
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
        let words = plain.split { !($0.isASCII && $0.isNumber) && !$0.isLetter || "年月日".contains($0) }
        var numbers: [Int] = []
        var named: [(month: Int, isWeekday: Bool)] = []
        for word in words {
            if let value = ordinal(word) {
                numbers.append(value)
            } else if let month = month(word) {
                named.append((month, isWeekday(word)))
            } else if !isWeekday(word), !["de", "of", "the", "den", "le", "del"].contains(word) {
                return nil
            }
        }
        // `mar` is both in Spanish; the name of a weekday is redundant.
        if named.count > 1 { named.removeAll(where: \.isWeekday) }
        guard named.count <= 1, (1...3).contains(numbers.count) else { return nil }
        var month = named.first?.month
        if month == nil {
            // A numeric day and month are unambiguous only with points, or behind the year.
            guard numbers.count == 3 && numbers[0] > 31 || text.contains("."), numbers.count >= 2 else {
                return nil
            }
            month = numbers.remove(at: 1)
        }
        guard let month, let day = numbers.first, numbers.count <= 2 else { return nil }
        if numbers.count == 2 {
            // Also `2027 Apr 1`.
            let (year, day) = numbers[0] > 31 ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
            return CalendarDate(year: year < 100 ? 2000 + year : year, month: month, day: day)
        }
        guard let today else { return nil }
        let thisYear = CalendarDate(year: today.year, month: month, day: day)
        if let thisYear, thisYear >= today { return thisYear }
        return CalendarDate(year: today.year + 1, month: month, day: day)
    }

    /// The date of `today`, `tomorrow`, `+2` (days from today) or the next `fri` (or today); nil for other text.
    package static func date(ofWord text: String, today: CalendarDate) -> CalendarDate? {
        if text.hasPrefix("+") {
            return TimeText.number(text.dropFirst()).flatMap { today.adding(days: $0) }
        }
        let word = text.lowercased()
        if word == "today" { return today }
        if word == "tomorrow" { return today.adding(days: 1) }
        guard word.count >= 2, let weekday = wholeWeekdays.firstIndex(where: { $0.hasPrefix(word) }) else {
            return nil
        }
        return today.adding(days: (weekday - today.weekday + 7) % 7)
    }

    // MARK: Words

    private static let wholeWeekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// The number of `1`, `1st` or `2nd`; nil for other words.
    private static func ordinal(_ word: Substring) -> Int? {
        TimeText.number(word)
            ?? (word.count > 2 && ["st", "nd", "rd", "th"].contains(word.suffix(2))
                ? TimeText.number(word.dropLast(2)) : nil)
    }

    private static func month(_ word: Substring) -> Int? {
        guard word.count >= 3 else { return nil }
        let english = months.firstIndex { word.hasPrefix($0.lowercased()) }.map { $0 + 1 }
        return names.months[String(word)] ?? english
    }

    private static func isWeekday(_ word: Substring) -> Bool {
        weekdays.contains { word.hasPrefix($0.lowercased()) } || names.weekdays.contains(String(word))
    }

    /// The names of months and weekdays in lower case, whole and abbreviated, in frequent languages. Where languages
    /// disagree, the first one counts.
    private static let names: (months: [String: Int], weekdays: Set<String>) = {
        var (months, weekdays): ([String: Int], Set<String>) = ([:], [])
        for language in ["en", "de", "fr", "es", "it", "pt", "nl", "da", "sv", "nb", "pl", "cs"] {
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = Locale(identifier: language)
            for names in [
                calendar.monthSymbols, calendar.standaloneMonthSymbols, calendar.shortMonthSymbols,
                calendar.shortStandaloneMonthSymbols,
            ] {
                for (index, name) in names.enumerated() {
                    let name = name.lowercased().filter { $0 != "." }
                    if months[name] == nil { months[name] = index + 1 }
                }
            }
            for name in calendar.weekdaySymbols + calendar.shortWeekdaySymbols {
                weekdays.formUnion(name.lowercased().split { !$0.isLetter }.map(String.init))
            }
        }
        return (months, weekdays)
    }()

    /// `3 h 40 min`
    package static func text(ofMinutes minutes: Int) -> String {
        switch (minutes / 60, minutes % 60) {
        case (0, let rest): "\(rest) min"
        case (let hours, 0): "\(hours) h"
        case (let hours, let rest): "\(hours) h \(rest) min"
        }
    }
}
