import TripModel

/// A date, or a date and a time, in a calendar (RFC 5545, 3.3.4 and 3.3.5).
struct CalendarTime: Hashable, Sendable {
    /// The kind of clock of a time.
    enum Clock: Hashable, Sendable {
        /// A date without a time.
        case wholeDay
        /// The local clock, in whatever zone.
        case floating
        case utc
        /// The clock of a zone, given by its TZID.
        case zone(String)
    }

    let date: CalendarDate
    /// Seconds since midnight, 0…86399; 0 for a whole day.
    let second: Int
    let clock: Clock

    init(date: CalendarDate, second: Int = 0, clock: Clock = .wholeDay) {
        self.date = date
        self.second = second
        self.clock = clock
    }

    /// Reads `20260611`, `20260611T130000` and `20260611T190000Z`, also with the hyphens and colons of ISO 8601, an offset,
    /// or 24:00 for midnight; nil for other text, nonexistent days and unsupported years.
    init?(_ value: ArraySlice<UInt8>, zone: String?) {
        var digits = CalendarDigits(value)
        guard let year = digits.number(4), let month = digits.number(2, after: "-"),
            let day = digits.number(2, after: "-"),
            let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }
        guard digits.skip("T") || digits.skip(" ") else {
            guard digits.isAtEnd else { return nil }
            self.init(date: date)
            return
        }
        // Some programs leave out zero seconds.
        guard let hour = digits.number(2), let minute = digits.number(2, after: ":"), minute < 60 else {
            return nil
        }
        let second = digits.number(2, after: ":") ?? 0
        let passed = hour * 3600 + minute * 60 + min(second, 59)
        guard second <= 60, passed <= 86_400 else { return nil }
        var clock = zone.map(Clock.zone) ?? .floating
        var shift = 0
        if digits.skip("Z") {
            clock = .utc
        } else if !digits.isAtEnd {
            guard let offset = digits.offset() else { return nil }
            (clock, shift) = (.utc, -offset)
        }
        guard digits.isAtEnd else { return nil }
        // In UTC it may be on another date.
        let total = passed + shift + 86_400
        guard let date = date.adding(days: total / 86_400 - 1) else { return nil }
        self.init(date: date, second: total % 86_400, clock: clock)
    }

    var isWholeDay: Bool { clock == .wholeDay }

    /// The local date and time as seconds since 1970, as if in UTC.
    var wallClock: Int64 { Int64(date.daysSince1970) * 86_400 + Int64(second) }

    /// The same time with its zone renamed.
    func renamingZone(_ names: [String: String]) -> CalendarTime {
        guard case .zone(let name) = clock, let other = names[name] else { return self }
        return CalendarTime(date: date, second: second, clock: .zone(other))
    }

    /// The same time on another day.
    func on(_ date: CalendarDate) -> CalendarTime { CalendarTime(date: date, second: second, clock: clock) }
}

extension CalendarTime {
    /// The date and time of a property, which may have a zone.
    init?(_ line: ContentLine) {
        self.init(line.trimmed, zone: line.parameter("TZID"))
    }
}

/// A duration in a calendar (RFC 5545, 3.3.6), in seconds, with days of 24 hours; nil for other text.
func calendarDuration(_ value: ArraySlice<UInt8>) -> Int? {
    var digits = CalendarDigits(value)
    let isNegative = digits.skip("-")
    if !isNegative { _ = digits.skip("+") }
    guard digits.skip("P") else { return nil }
    var seconds = 0
    var hasParts = false
    func add(_ unit: Int, _ letter: Unicode.Scalar) -> Bool {
        let start = digits
        guard let count = digits.number(), digits.skip(letter) else {
            digits = start
            return false
        }
        let (product, isTooLong) = count.multipliedReportingOverflow(by: unit)
        let (sum, isLonger) = seconds.addingReportingOverflow(product)
        seconds = isTooLong || isLonger ? Int(Int32.max) : min(sum, Int(Int32.max))
        hasParts = true
        return true
    }
    _ = add(7 * 86_400, "W")
    _ = add(86_400, "D")
    if digits.skip("T") {
        _ = add(3600, "H")
        _ = add(60, "M")
        _ = add(1, "S")
    }
    guard hasParts, digits.isAtEnd else { return nil }
    return isNegative ? -seconds : seconds
}

/// An offset from UTC in a calendar, `-0600`, `+05:30` or `+053020`, in seconds; nil for other text.
func calendarOffset(_ value: ArraySlice<UInt8>) -> Int? {
    var digits = CalendarDigits(value)
    let offset = digits.offset()
    return digits.isAtEnd ? offset : nil
}

/// Reads numbers and letters (in either case) from a value.
struct CalendarDigits {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
        guard let first = rest.first, Self.upperCase(first) == UInt8(ascii: letter) else { return false }
        rest.removeFirst()
        return true
    }

    private static func upperCase(_ byte: UInt8) -> UInt8 {
        (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
    }

    /// A number of exactly `count` digits; nil, without reading, if there are fewer.
    mutating func number(_ count: Int) -> Int? {
        guard rest.count >= count else { return nil }
        var value = 0
        for byte in rest.prefix(count) {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        rest = rest.dropFirst(count)
        return value
    }

    /// A number of exactly `count` digits, which may stand behind a mark; nil, without reading, if there is none.
    mutating func number(_ count: Int, after mark: Unicode.Scalar) -> Int? {
        let start = self
        _ = skip(mark)
        guard let number = number(count) else {
            self = start
            return nil
        }
        return number
    }

    /// An offset from UTC in seconds: a sign, hours, and perhaps minutes and seconds.
    mutating func offset() -> Int? {
        let isNegative = skip("-")
        guard isNegative || skip("+"), let hours = number(2) ?? number(1), hours < 24 else { return nil }
        let minutes = number(2, after: ":") ?? 0
        let seconds = number(2, after: ":") ?? 0
        guard minutes < 60, seconds < 60 else { return nil }
        let offset = hours * 3600 + minutes * 60 + seconds
        return isNegative ? -offset : offset
    }

    /// A number of 1 to 9 digits; nil, without reading, if there is none.
    mutating func number() -> Int? {
        let length = rest.prefix { (0x30...0x39).contains($0) }.count
        return (1...9).contains(length) ? number(length) : nil
    }
}
