/// A day of the Gregorian calendar, without a time or a zone; years 1583 to 9999.
public struct CalendarDate: Hashable, Sendable {
    /// The year, 1583…9999. Earlier years used the Julian calendar.
    public let year: Int
    /// The month, 1…12.
    public let month: Int
    /// The day of the month, 1…31.
    public let day: Int

    /// The supported years.
    public static let years = 1583...9999
    /// All possible day numbers, whatever the trip's start date: as many days as the supported years have, in
    /// both directions.
    static let dayNumbers = -3_074_245...3_074_246

    /// 1970-01-01, from which days are counted.
    package static let epoch: CalendarDate = {
        guard let day = CalendarDate(year: 1970, month: 1, day: 1) else {
            preconditionFailure("the calendar has the first day of 1970")
        }
        return day
    }()

    /// Makes a date; nil if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, in: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The number of days since 1970-01-01, negative before it.
    ///
    /// Years are counted from March, so that the leap day is the last of its year (H. Hinnant,
    /// "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
    public var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date a number of days after 1970-01-01; nil outside the supported years.
    public init?(daysSince1970 days: Int) {
        // 1583-01-01 is day −141 349 and 9999-12-31 is day 2 932 896. In this range every term below is
        // positive.
        guard (-141_349...2_932_896).contains(days) else { return nil }
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The date `days` days later (earlier if negative); nil outside the supported years.
    public func adding(days: Int) -> CalendarDate? {
        let (sum, overflow) = daysSince1970.addingReportingOverflow(days)
        return overflow ? nil : CalendarDate(daysSince1970: sum)
    }

    /// The day of the week: 0 Monday … 6 Sunday (1970-01-01 was a Thursday).
    public var weekday: Int {
        let shifted = (daysSince1970 + 3) % 7
        return shifted < 0 ? shifted + 7 : shifted
    }

    static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate: Comparable {
    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CalendarDate: LosslessStringConvertible {
    /// Reads `2026-06-11`; nil for any other form and for days that do not exist.
    public init?(_ description: String) {
        var scanner = DigitScanner(description)
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The form `2026-06-11`.
    public var description: String {
        "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

/// A number as decimal text, padded with zeros to a width.
func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return text.utf8.count >= digits ? text : String(repeating: "0", count: digits - text.utf8.count) + text
}

/// Reads fixed-width decimal fields from ASCII text.
struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func number(digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<position + digits] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += digits
        return value
    }

    /// Skips one or more digits; false if there is none.
    mutating func skipDigits() -> Bool {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return position > start
    }
}
