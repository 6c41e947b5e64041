/// A moment as a schedule writes it: RFC 3339 with the local offset. The original text is preserved.
public struct OffsetDateTime: Hashable, Sendable {
    /// The original text, such as `2026-06-11T13:00:00-06:00`.
    public let text: String
    /// Whole seconds since 1970-01-01T00:00:00Z; fractions are dropped.
    public let secondsSince1970: Int64

    /// Reads RFC 3339: `T` and `Z` in either case, a fraction of any length, a leap second as the second
    /// before it. Nil for other text, nonexistent days and years before 1583.
    public init?(_ text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T") || scanner.skip("t"),
            let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2),
            scanner.skip(":"), let second = scanner.number(digits: 2),
            let date = CalendarDate(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
        else { return nil }
        if scanner.skip(".") {
            guard scanner.skipDigits() else { return nil }
        }
        var offset = 0
        if !(scanner.skip("Z") || scanner.skip("z")) {
            let sign: Int
            if scanner.skip("+") { sign = 1 } else if scanner.skip("-") { sign = -1 } else { return nil }
            guard let hours = scanner.number(digits: 2), scanner.skip(":"),
                let minutes = scanner.number(digits: 2), hours < 24, minutes < 60
            else { return nil }
            offset = sign * (hours * 3600 + minutes * 60)
        }
        guard scanner.isAtEnd else { return nil }
        self.text = text
        secondsSince1970 =
            Int64(date.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + min(second, 59) - offset)
    }
}

extension OffsetDateTime {
    /// 1970-01-01T00:00:00Z.
    package static let epoch = OffsetDateTime(text: "1970-01-01T00:00:00Z", secondsSince1970: 0)

    /// The offset from UTC in seconds; nil for `Z` and `-00:00`, which tell no local time (RFC 3339, 4.3).
    package var offset: Int? {
        let end = Array(text.utf8.suffix(6)).map(Int.init)
        guard end.count == 6, end[3] == Int(UInt8(ascii: ":")) else { return nil }
        func two(_ index: Int) -> Int { (end[index] - 48) * 10 + end[index + 1] - 48 }
        let seconds = two(1) * 3600 + two(4) * 60
        let isNegative = end[0] == Int(UInt8(ascii: "-"))
        return isNegative ? seconds == 0 ? nil : -seconds : seconds
    }

    private init(text: String, secondsSince1970: Int64) {
        self.text = text
        self.secondsSince1970 = secondsSince1970
    }

    /// Whether the local date may be outside the supported years in some zone.
    var isNearYearBounds: Bool {
        !((-141_346 * 86_400)...(2_932_893 * 86_400)).contains(secondsSince1970)
    }
}

/// Zones for times of which only the offset from UTC is known.
package enum OffsetZone {
    /// Zones with offsets that are no whole hours.
    private static let others = [
        "Asia/Kolkata", "Asia/Kathmandu", "Asia/Yangon", "Asia/Kabul", "Asia/Tehran", "Australia/Darwin",
        "Australia/Adelaide", "Australia/Eucla", "Pacific/Chatham", "Pacific/Marquesas", "America/St_Johns",
    ]

    /// A zone with this offset at a moment; nil if none is known.
    package static func name(ofOffset seconds: Int, at moment: Int64) -> String? {
        fixedName(ofOffset: seconds)
            ?? others.first { WallClock(zone: $0)?.offset(atSecondsSince1970: moment) == seconds }
    }

    /// The zone that always has this offset; nil if there is none.
    package static func fixedName(ofOffset seconds: Int) -> String? {
        if seconds == 0 { return "UTC" }
        guard seconds % 3600 == 0 else { return nil }
        // POSIX counts offsets westward.
        let name = "Etc/GMT\(seconds < 0 ? "+" : "-")\(abs(seconds) / 3600)"
        return TimeZoneName.isKnown(name) ? name : nil
    }
}
