/// A moment in milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// The range that RFC 3339 can write within the supported years.
    public static let writable: ClosedRange<Int64> = -12_212_553_600_000...253_402_300_799_999

    /// Makes a moment, clamped to `writable`: a wrong clock must not make a trip unusable.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.writable.lowerBound), Self.writable.upperBound)
    }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp: LosslessStringConvertible {
    /// Characters of the text form.
    package static var textBytes: Int { 24 }

    /// RFC 3339 in UTC with milliseconds: `2026-06-11T19:00:00.000Z`.
    public var description: String {
        let bytes = [UInt8](capacity: Self.textBytes) { append(to: &$0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the bytes of `description`. The span must have room for them.
    package func append(to bytes: inout OutputSpan<UInt8>) {
        // UTC has no clock changes, so here a day is always 86 400 seconds.
        let perDay: Int64 = 86_400_000
        var days = milliseconds / perDay
        var rest = milliseconds % perDay
        if rest < 0 {
            rest += perDay
            days -= 1
        }
        guard let date = CalendarDate(daysSince1970: Int(days)) else {
            preconditionFailure("the initialiser holds moments within the calendar's years")
        }
        let clock = Int(rest)
        func digit(_ number: Int) { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)) }
        func put(_ number: Int, then mark: Unicode.Scalar) {
            digit(number / 10)
            digit(number)
            bytes.append(UInt8(ascii: mark))
        }
        digit(date.year / 1000)
        digit(date.year / 100)
        put(date.year, then: "-")
        put(date.month, then: "-")
        put(date.day, then: "T")
        put(clock / 3_600_000, then: ":")
        put(clock / 60_000 % 60, then: ":")
        put(clock / 1000 % 60, then: ".")
        digit(clock / 100)
        put(clock, then: "Z")
    }

    /// Reads the form of `description`; nil for other text.
    public init?(_ description: String) {
        var text = description
        let parsed: Self? = text.withUTF8 { Self(utf8: $0) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads the 24 bytes of the form of `description`; nil for anything else.
    package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard text.count == Self.textBytes else { return nil }
        var isWellFormed = true
        func number(at start: Int, digits: Int, then mark: Unicode.Scalar) -> Int {
            var value = 0
            for byte in text[start..<start + digits] {
                let digit = byte &- UInt8(ascii: "0")
                if digit > 9 { isWellFormed = false }
                value = value * 10 + Int(digit)
            }
            if text[start + digits] != UInt8(ascii: mark) { isWellFormed = false }
            return value
        }
        let (year, month) = (number(at: 0, digits: 4, then: "-"), number(at: 5, digits: 2, then: "-"))
        let (day, hour) = (number(at: 8, digits: 2, then: "T"), number(at: 11, digits: 2, then: ":"))
        let (minute, second) = (number(at: 14, digits: 2, then: ":"), number(at: 17, digits: 2, then: "."))
        let fraction = number(at: 20, digits: 3, then: "Z")
        guard isWellFormed, let date = CalendarDate(year: year, month: month, day: day), hour < 24,
            minute < 60, second < 60
        else { return nil }
        let seconds = Int64(date.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        self.init(milliseconds: seconds * 1000 + Int64(fraction))
    }
}
