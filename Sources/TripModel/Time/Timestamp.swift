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
        let fraction = clock % 1000
        // Eight characters each, the first in the lowest byte.
        func mark(_ mark: Unicode.Scalar, at place: Int) -> UInt64 { UInt64(mark.value) << (8 * place) }
        func pair(_ number: Int, at place: Int) -> UInt64 {
            let (tens, ones) = number.quotientAndRemainder(dividingBy: 10)
            return UInt64(tens | ones << 8 | 0x3030) << (8 * place)
        }
        let month =
            pair(date.year / 100, at: 0) | pair(date.year % 100, at: 2) | mark("-", at: 4)
            | pair(date.month, at: 5) | mark("-", at: 7)
        let minute =
            pair(date.day, at: 0) | mark("T", at: 2) | pair(clock / 3_600_000, at: 3)
            | mark(":", at: 5) | pair(clock / 60_000 % 60, at: 6)
        let second =
            mark(":", at: 0) | pair(clock / 1000 % 60, at: 1) | mark(".", at: 3)
            | pair(fraction / 10, at: 4) | mark("0", at: 6) | UInt64(fraction % 10) << 48 | mark("Z", at: 7)
        let start = bytes.count
        bytes.append(repeating: 0, count: Self.textBytes)
        var span = bytes.mutableSpan
        var text = span.mutableBytes
        text.storeBytes(of: month.littleEndian, toByteOffset: start, as: UInt64.self)
        text.storeBytes(of: minute.littleEndian, toByteOffset: start + 8, as: UInt64.self)
        text.storeBytes(of: second.littleEndian, toByteOffset: start + 16, as: UInt64.self)
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
