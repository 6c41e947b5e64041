import Foundation

/// The calendar day and the minute that the clocks of a place show.
package struct LocalTime: Hashable, Sendable {
    /// The day.
    package let date: CalendarDate
    /// Minutes on the wall clock since midnight, 0…1439.
    package let minute: Int
}

/// The clock on the wall of a place, by its IANA time zone.
package struct WallClock: Sendable {
    private let zone: TimeZone

    /// Nil if the time zone database has no zone of that name.
    package init?(zone name: String) {
        guard let zone = TimeZoneName.zone(named: name) else { return nil }
        self.zone = zone
    }

    /// Nil if the local date falls outside the calendar's years.
    package func time(atSecondsSince1970 seconds: Int64) -> LocalTime? {
        // What the clock shows is what a clock in UTC shows that much later; that needs no calendar.
        let (local, overflow) = seconds.addingReportingOverflow(Int64(offset(atSecondsSince1970: seconds)))
        let (days, rest) = local.quotientAndRemainder(dividingBy: 86_400)
        let secondOfDay = Int(rest < 0 ? rest + 86_400 : rest)
        guard !overflow, let date = CalendarDate(daysSince1970: Int(rest < 0 ? days - 1 : days)) else {
            return nil
        }
        return LocalTime(date: date, minute: secondOfDay / 60)
    }

    /// Seconds by which the clock is ahead of UTC at a moment.
    package func offset(atSecondsSince1970 seconds: Int64) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    /// Whether the clock shows summer time at a moment.
    package func isSummerTime(atSecondsSince1970 seconds: Int64) -> Bool {
        zone.isDaylightSavingTime(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    /// The moments of a span at which the clock begins to be ahead of UTC by another offset, in order.
    package func changes(from first: Int64, to last: Int64) -> [Int64] {
        var changes: [Int64] = []
        // No two changes of one zone are that near to each other.
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

    /// The moment at which the clock shows a date and a time, both given as the seconds since 1970 that they would be
    /// in UTC.
    ///
    /// Of a time that comes twice the first counts, and one that is skipped is read by the offset before the gap
    /// (RFC 5545, 3.3.5): both are the time by the clock as it went before the change.
    package func seconds(ofWallClock local: Int64) -> Int64 {
        // No clock is further from UTC than this, so the one moment lies before local time and the other behind it.
        let farthest: Int64 = 16 * 3600
        let before = Int64(offset(atSecondsSince1970: local - farthest))
        let after = Int64(offset(atSecondsSince1970: local + farthest))
        let first = local - before
        if before == after || Int64(offset(atSecondsSince1970: first)) == before { return first }
        let second = local - after
        return Int64(offset(atSecondsSince1970: second)) == after ? second : first
    }
}
