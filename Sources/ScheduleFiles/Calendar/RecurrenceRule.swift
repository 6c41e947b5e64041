import TripModel

/// A recurrence rule, with the supported parts of RFC 5545 (3.3.10).
struct RecurrenceRule: Hashable, Sendable {
    enum Frequency: String, Sendable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// A day of the week, or only its nth in a month or a year.
    struct WeekdayNumber: Hashable, Sendable {
        /// Counted from the start, or if negative from the end; 0 for every one.
        let ordinal: Int
        /// 0 Monday … 6 Sunday.
        let weekday: Int
    }

    var frequency: Frequency
    /// At least 1.
    var interval = 1
    /// The number of instances, including the first.
    var count: Int?
    /// The last possible time.
    var until: CalendarTime?
    var weekdays: [WeekdayNumber] = []
    /// Days of the month; negative ones count from its end.
    var monthDays: [Int] = []
    var months: Set<Int> = []
    /// Days of the year; negative ones count from its end.
    var yearDays: [Int] = []
    /// Which days of each period count, from 1, or if negative from the end; empty for all.
    var positions: [Int] = []
    /// The first day of a week, 0 Monday … 6 Sunday.
    var weekStart = 0

    /// The reason why a rule is not supported.
    struct Unsupported: Error, Hashable, Sendable {
        let reason: String
    }

    /// Reads the value of an RRULE of an event that begins at `start`.
    init(_ value: ArraySlice<UInt8>, of start: CalendarTime) throws(Unsupported) {
        var parts: [(name: String, value: ArraySlice<UInt8>)] = []
        for part in value.split(separator: UInt8(ascii: ";")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            parts.append((upperCased(trimmedSpace(name)), trimmedSpace(part[name.endIndex...].dropFirst())))
        }
        guard let frequency = parts.first(where: { $0.name == "FREQ" }) else {
            throw Unsupported(reason: "it has no FREQ")
        }
        guard let known = Frequency(rawValue: upperCased(frequency.value)) else {
            throw Unsupported(reason: "FREQ=\(shownBare(frequency.value)) is not supported")
        }
        self.frequency = known
        for part in parts where part.name != "FREQ" { try read(part.name, part.value, start) }
        if known == .daily || known == .weekly, weekdays.contains(where: { $0.ordinal != 0 }) {
            throw Unsupported(reason: "a numbered day of the week needs FREQ=MONTHLY or YEARLY")
        }
    }

    private mutating func read(
        _ name: String, _ value: ArraySlice<UInt8>, _ start: CalendarTime
    ) throws(Unsupported) {
        func wrong() -> Unsupported { Unsupported(reason: "\(name)=\(shownBare(value)) is not understood") }
        let values = value.split(separator: UInt8(ascii: ",")).map { trimmedSpace($0) }
        switch name {
        case "INTERVAL":
            guard let number = Self.number(value), number > 0 else { throw wrong() }
            interval = number
        case "COUNT":
            guard let number = Self.number(value), number > 0 else { throw wrong() }
            count = number
        case "UNTIL":
            guard let time = CalendarTime(value, zone: nil) else { throw wrong() }
            until = time
        case "BYDAY":
            for value in values {
                guard let weekday = Self.weekdayNumber(value) else { throw wrong() }
                weekdays.append(weekday)
            }
        case "BYMONTHDAY":
            guard let days = Self.numbers(values, most: 31) else { throw wrong() }
            monthDays += days
        case "BYYEARDAY" where frequency == .yearly:
            guard let days = Self.numbers(values, most: 366) else { throw wrong() }
            yearDays += days
        case "BYSETPOS":
            guard let numbers = Self.numbers(values, most: 366) else { throw wrong() }
            positions += numbers
        // Some programs repeat the time of the start.
        case "BYHOUR" where values.map(Self.number) == [start.second / 3600]: break
        case "BYMINUTE" where values.map(Self.number) == [start.second / 60 % 60]: break
        case "BYSECOND" where values.map(Self.number) == [start.second % 60]: break
        case "BYMONTH":
            for value in values {
                guard let month = Self.number(value), (1...12).contains(month) else { throw wrong() }
                months.insert(month)
            }
        case "WKST":
            guard let day = Self.weekdayNumber(value), day.ordinal == 0 else { throw wrong() }
            weekStart = day.weekday
        default:
            throw Unsupported(reason: "\(shownBare(Array(name.utf8)[...])) is not supported")
        }
    }

    /// Numbers from 1, or if negative from -1; nil if a value is none.
    private static func numbers(_ values: [ArraySlice<UInt8>], most: Int) -> [Int]? {
        let numbers = values.compactMap(number).filter { $0 != 0 && $0.magnitude <= most }
        return numbers.count == values.count ? numbers : nil
    }

    private static func number(_ value: ArraySlice<UInt8>) -> Int? {
        var digits = CalendarDigits(value)
        let isNegative = digits.skip("-")
        if !isNegative { _ = digits.skip("+") }
        guard let number = digits.number(), digits.isAtEnd else { return nil }
        return isNegative ? -number : number
    }

    private static let weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private static func weekdayNumber(_ value: ArraySlice<UInt8>) -> WeekdayNumber? {
        guard let weekday = weekdayNames.firstIndex(of: upperCased(value.suffix(2))) else { return nil }
        let ordinal = value.dropLast(2)
        if ordinal.isEmpty { return WeekdayNumber(ordinal: 0, weekday: weekday) }
        guard let number = number(ordinal), number != 0, number.magnitude <= 53 else { return nil }
        return WeekdayNumber(ordinal: number, weekday: weekday)
    }
}

/// A short excerpt of a file for a message, without quotes.
private func shownBare(_ bytes: ArraySlice<UInt8>) -> String {
    TextRule.visible(String(decoding: bytes.prefix(40), as: UTF8.self))
}
