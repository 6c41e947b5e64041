import Foundation

/// A local calendar day and minute.
package struct LocalTime: Hashable, Sendable {
    /// The day.
    package let date: CalendarDate
    /// Minutes since local midnight, 0…1439.
    package let minute: Int
}

/// The local clock of an IANA time zone.
package struct WallClock: Sendable {
    private let zone: TimeZone

    /// Nil if the time zone database does not have the zone.
    package init?(zone name: String) {
        guard let zone = TimeZoneName.zone(named: name) else { return nil }
        self.zone = zone
    }

    /// Nil if the local date is outside the supported years.
    package func time(atSecondsSince1970 seconds: Int64) -> LocalTime? {
        // Local time is UTC shifted by the offset, which needs no calendar.
        let (local, overflow) = seconds.addingReportingOverflow(Int64(offset(atSecondsSince1970: seconds)))
        let (days, rest) = local.quotientAndRemainder(dividingBy: 86_400)
        let secondOfDay = Int(rest < 0 ? rest + 86_400 : rest)
        guard !overflow, let date = CalendarDate(daysSince1970: Int(rest < 0 ? days - 1 : days)) else {
            return nil
        }
        return LocalTime(date: date, minute: secondOfDay / 60)
    }

    /// The offset from UTC in seconds at a moment.
    package func offset(atSecondsSince1970 seconds: Int64) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    /// Whether daylight saving time applies at a moment.
    package func isSummerTime(atSecondsSince1970 seconds: Int64) -> Bool {
        zone.isDaylightSavingTime(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    /// The moments in a span at which the offset changes, in order.
    package func changes(from first: Int64, to last: Int64) -> [Int64] {
        var changes: [Int64] = []
        // Changes of one zone are never so close together.
        let step: Int64 = 12 * 3600
        var start = first
        while start < last {
            let end = min(start + step, last)
            let (before, after) = (
                offset(atSecondsSince1970: start), offset(atSecondsSince1970: end)
            )
            if before != after {
                var (low, high) = (start, end)
                while high - low > 1 {
                    let middle = low + (high - low) / 2
                    if offset(atSecondsSince1970: middle) == before { low = middle } else { high = middle }
                }
                changes.append(high)
            }
            start = end
        }
        return changes
    }

    /// The moment of a local date and time, both given as seconds since 1970 as if in UTC.
    ///
    /// For a local time that occurs twice the first counts. A skipped one is read with the offset before the
    /// gap (RFC 5545, 3.3.5).
    package func seconds(ofWallClock local: Int64) -> Int64 {
        // No offset is larger, so the local time is between these two moments.
        let farthest: Int64 = 16 * 3600
        let before = Int64(offset(atSecondsSince1970: local - farthest))
        let after = Int64(offset(atSecondsSince1970: local + farthest))
        let first = local - before
        if before == after || Int64(offset(atSecondsSince1970: first)) == before { return first }
        let second = local - after
        return Int64(offset(atSecondsSince1970: second)) == after ? second : first
    }

    /// The second moment of a local date and time that occurs twice; nil for others.
    package func secondSeconds(ofWallClock local: Int64) -> Int64? {
        let first = seconds(ofWallClock: local)
        let farthest: Int64 = 16 * 3600
        let second = local - Int64(offset(atSecondsSince1970: local + farthest))
        return second > first && second + Int64(offset(atSecondsSince1970: second)) == local ? second : nil
    }
}

/// A local time of day, to the minute: `19:30`.
public struct ClockTime: Hashable, Comparable, Sendable {
    /// Minutes since midnight, 0 to 1439.
    public let minute: Int

    /// Makes a time; nil unless the minute is in 0…1439.
    public init?(minute: Int) {
        guard (0..<24 * 60).contains(minute) else { return nil }
        self.minute = minute
    }

    /// Orders by the clock.
    public static func < (left: Self, right: Self) -> Bool { left.minute < right.minute }
}

extension ClockTime: LosslessStringConvertible {
    /// Reads `HH:MM` with two digits each, 00:00 to 23:59; nil for anything else.
    public init?(_ description: String) {
        var scanner = DigitScanner(description)
        guard let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2),
            scanner.isAtEnd, hour < 24, minute < 60
        else { return nil }
        self.init(minute: hour * 60 + minute)
    }

    /// `HH:MM`
    public var description: String {
        let parts = [minute / 60, minute % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
