import TripModel

/// A VTIMEZONE: the offsets of a zone from UTC, and when they change.
struct CalendarZone: Equatable, Sendable {
    /// A STANDARD or DAYLIGHT part: a change of the offset, and its recurrence.
    struct Change: Equatable, Sendable {
        var start: CalendarTime?
        var offsetBefore: Int?
        var offsetAfter: Int?
        var rules: [[UInt8]] = []
        var moreStarts: [CalendarTime] = []

        /// Its first time. Without DTSTART it holds from the beginning or, if it recurs, from 1970 and at 2:00, the hour at
        /// which most zones change.
        var firstTime: CalendarTime? {
            start ?? moreStarts.min { $0.wallClock < $1.wallClock }
                ?? CalendarTime(
                    (rules.isEmpty ? "15830101" : "19700101T0200").utf8.map(\.self)[...], zone: nil)
        }

        mutating func read(_ name: String, _ property: ContentLine) {
            switch name {
            case "DTSTART": start = start ?? CalendarTime(property)
            case "TZOFFSETFROM": offsetBefore = offsetBefore ?? calendarOffset(property.trimmed)
            case "TZOFFSETTO": offsetAfter = offsetAfter ?? calendarOffset(property.trimmed)
            case "RRULE": rules.append(Array(property.trimmed))
            case "RDATE":
                moreStarts += property.list.compactMap {
                    CalendarTime($0.prefix { $0 != UInt8(ascii: "/") }, zone: nil)
                }
            default: break
            }
        }
    }

    var changes: [Change] = []

    /// One change of the offset, at a local time by the clock before it.
    struct Onset: Sendable {
        let wallClock: Int64
        let offsetBefore: Int
        let offsetAfter: Int
    }

    /// The maximum number of changes computed per part. Zones of Windows begin in 1601 and have one a year.
    private static let onsetLimit = 2_000
    /// Rules are expanded up to this day, 2200-01-01.
    private static let lastDay = 84_006

    /// All changes, in order.
    func onsets(_ work: inout RecurrenceWork) -> [Onset] {
        var onsets: [Onset] = []
        for change in changes {
            guard let start = change.firstTime, let after = change.offsetAfter else { continue }
            let before = change.offsetBefore ?? after
            var starts: Set<Int64> = [start.wallClock]
            for time in change.moreStarts { starts.insert(time.wallClock) }
            for rule in change.rules {
                guard let rule = try? RecurrenceRule(rule[...], of: start) else { continue }
                var dates = RecurrenceDates(
                    rule, from: start.date, notBefore: start.date.daysSince1970, notAfter: Self.lastDay)
                var left = min(rule.count ?? Self.onsetLimit, Self.onsetLimit) - 1
                while left > 0, let day = dates.next(&work), let date = CalendarDate(daysSince1970: day) {
                    let time = start.on(date).wallClock
                    if let until = rule.until,
                        time - Int64(until.clock == .utc ? before : 0) > until.wallClock
                    {
                        break
                    }
                    starts.insert(time)
                    left -= 1
                }
            }
            onsets += starts.map { Onset(wallClock: $0, offsetBefore: before, offsetAfter: after) }
        }
        // Of two changes at one time the standard one counts, as in the widely copied example of RFC 2445.
        return onsets.sorted { ($0.wallClock, $1.offsetAfter) < ($1.wallClock, $0.offsetAfter) }
    }
}

extension [CalendarZone.Onset] {
    /// The offset from UTC at a local time. Of a time that occurs twice the first counts; a skipped time has
    /// the offset before the gap. Nil if there are no changes.
    func offset(atWallClock local: Int64) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].wallClock <= local { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return first?.offsetBefore }
        let last = self[low - 1]
        let gap = Int64(last.offsetAfter - last.offsetBefore)
        return local - last.wallClock < gap ? last.offsetBefore : last.offsetAfter
    }
}
