import Foundation

/// The calendar day and the minute that the clocks of a place show.
struct LocalTime: Hashable, Sendable {
    let date: CalendarDate
    /// Minutes on the wall clock since midnight, 0…1439.
    let minute: Int
}

/// The clock on the wall of a place, by its IANA time zone.
struct WallClock {
    private let calendar: Calendar

    /// Nil if the system knows no zone of that name.
    init?(zone identifier: String) {
        guard let zone = Self.zone(named: identifier) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// Nil if the local date falls outside the calendar's years.
    func time(atSecondsSince1970 seconds: Int64) -> LocalTime? {
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute],
            from: Date(timeIntervalSince1970: TimeInterval(seconds)))
        guard let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
            let minute = parts.minute, let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }
        return LocalTime(date: date, minute: hour * 60 + minute)
    }

    static func isKnown(zone identifier: String) -> Bool {
        zone(named: identifier) != nil
    }

    private static func zone(named identifier: String) -> TimeZone? {
        identifier.isEmpty ? nil : TimeZone(identifier: identifier)
    }
}
