/// The trip's own fields, besides its items.
public struct TripHeader: Equatable, Sendable {
    /// The trip's permanent id.
    public let id: TripID
    /// Its short name in commands, `[a-z0-9][a-z0-9-]{0,62}`, unique in a daemon.
    @Verbatim public var slug: String
    /// The display name.
    @Verbatim public var name: String
    /// The date of day 1.
    public var startDate: CalendarDate
    /// The default IANA zone of games.
    @Verbatim public var timeZone: String
    /// The number of days, 1…366.
    public var dayCount: Int
    /// The keys of accepted problems (`Problem.key`).
    public var acceptedProblems: Set<String>
    /// The things to do, in the order in which they were added.
    public var todo: [TodoEntry]

    /// Makes a header.
    public init(
        id: TripID, slug: String, name: String, startDate: CalendarDate, timeZone: String, dayCount: Int,
        acceptedProblems: Set<String> = [], todo: [TodoEntry] = []
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
        self.acceptedProblems = acceptedProblems
        self.todo = todo
    }

    /// The days of the trip, from 1.
    public var days: ClosedRange<Int> { 1...dayCount }

    /// The day number of a date: calendar days since the start date, + 1 (R-DAY).
    public func dayNumber(of date: CalendarDate) -> Int {
        date.daysSince1970 - startDate.daysSince1970 + 1
    }

    /// The date of a day number; nil outside the supported years.
    public func date(ofDay day: Int) -> CalendarDate? {
        let (daysLater, overflow) = day.subtractingReportingOverflow(1)
        return overflow ? nil : startDate.adding(days: daysLater)
    }
}
