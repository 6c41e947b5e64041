/// What is said of a trip besides its items.
public struct TripHeader: Equatable, Sendable {
    /// The trip's name for life.
    public let id: TripID
    /// Its short name, `[a-z0-9][a-z0-9-]{0,62}`, unique in a daemon.
    @Verbatim public var slug: String
    /// What people call it.
    @Verbatim public var name: String
    /// The date of day 1.
    public var startDate: CalendarDate
    /// The IANA zone of games that name none.
    @Verbatim public var timeZone: String
    /// How many days it has, 1…366.
    public var dayCount: Int

    /// Makes a header.
    public init(
        id: TripID, slug: String, name: String, startDate: CalendarDate, timeZone: String, dayCount: Int
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
    }

    /// The days of the trip, from 1.
    public var days: ClosedRange<Int> { 1...dayCount }

    /// The number of a date's day: calendar days from the start date, + 1 (R-DAY).
    public func dayNumber(of date: CalendarDate) -> Int {
        date.daysSince1970 - startDate.daysSince1970 + 1
    }

    /// The date of a day number; nil outside the calendar's years.
    public func date(ofDay day: Int) -> CalendarDate? {
        let (daysLater, overflow) = day.subtractingReportingOverflow(1)
        return overflow ? nil : startDate.adding(days: daysLater)
    }
}
