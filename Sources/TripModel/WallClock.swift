import Foundation

/// The calendar day and the minute that the clocks of a place show.
struct LocalTime: Hashable, Sendable {
    let date: CalendarDate
    /// Minutes on the wall clock since midnight, 0…1439.
    let minute: Int
}

/// The clock on the wall of a place, by its IANA time zone.
struct WallClock: Sendable {
    private let calendar: Calendar

    /// Nil if the time zone database has no zone of that name.
    init?(zone name: String) {
        guard let zone = TimeZoneName.zone(named: name) else { return nil }
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
}
