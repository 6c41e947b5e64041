import TripModel

/// Dates and durations as people read them.
enum DateText {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sat 13 Jun 2026`
    static func text(of date: CalendarDate) -> String {
        "\(weekdays[date.weekday]) \(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `3 h 40 min`
    static func text(ofMinutes minutes: Int) -> String {
        switch (minutes / 60, minutes % 60) {
        case (0, let rest): "\(rest) min"
        case (let hours, 0): "\(hours) h"
        case (let hours, let rest): "\(hours) h \(rest) min"
        }
    }
}
