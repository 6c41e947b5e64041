import TripModel

/// What a person decides about a trip besides its items.
package struct TripPlan: Equatable, Sendable {
    /// What it is called.
    package var name: String
    /// The date of day 1.
    package var startDate: CalendarDate
    /// The IANA zone of games that name none.
    package var timeZone: String
    /// How many days it has.
    package var dayCount: Int

    /// Makes a plan.
    package init(name: String, startDate: CalendarDate, timeZone: String, dayCount: Int) {
        self.name = name
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
    }

    /// The plan that a trip follows.
    package init(_ header: TripHeader) {
        self.init(
            name: header.name, startDate: header.startDate, timeZone: header.timeZone,
            dayCount: header.dayCount)
    }

    /// What has to change for a trip of another plan to follow this one.
    func change(from old: TripPlan) -> TripChange {
        TripChange(
            name: String.isVerbatim(name, old.name) ? nil : name,
            startDate: startDate == old.startDate ? nil : startDate,
            timeZone: String.isVerbatim(timeZone, old.timeZone) ? nil : timeZone,
            dayCount: dayCount == old.dayCount ? nil : dayCount)
    }

    /// Whether this is another plan than it was where a change sets something, and not what that sets.
    package func hasOther(than old: TripPlan, where change: TripChange) -> Bool {
        let mine = self.change(from: old)
        return (change.name != nil && mine.name != nil && mine.name != change.name)
            || (change.startDate != nil && mine.startDate != nil && mine.startDate != change.startDate)
            || (change.timeZone != nil && mine.timeZone != nil && mine.timeZone != change.timeZone)
            || (change.dayCount != nil && mine.dayCount != nil && mine.dayCount != change.dayCount)
    }

    /// `Thu 1 Apr 2027, 10 days`
    var dates: String {
        "\(DateText.text(of: startDate)), \(dayCount == 1 ? "1 day" : "\(dayCount) days")"
    }
}

/// A trip that could be opened.
package struct TripChoice: Equatable, Sendable {
    /// The trip.
    package let id: TripID
    /// Its short name.
    package let slug: String
    /// Its name and days.
    package let plan: TripPlan
    /// How many items it has.
    package let itemCount: Int

    /// Makes a choice.
    package init(id: TripID, slug: String, plan: TripPlan, itemCount: Int) {
        self.id = id
        self.slug = slug
        self.plan = plan
        self.itemCount = itemCount
    }
}

/// A trip that somebody has deleted here and that can be had back for a while.
package struct DeletedTrip: Equatable, Sendable {
    /// What tells it from others that were deleted.
    package let key: String
    /// What it was called.
    package let name: String
    /// How many items it had.
    package let itemCount: Int
    /// When it was deleted.
    package let deleted: CalendarDate
    /// The last day on which it can be had back.
    package let keptUntil: CalendarDate

    /// Makes an entry.
    package init(
        key: String, name: String, itemCount: Int, deleted: CalendarDate, keptUntil: CalendarDate
    ) {
        self.key = key
        self.name = name
        self.itemCount = itemCount
        self.deleted = deleted
        self.keptUntil = keptUntil
    }
}

/// All that the trips menu offers.
package struct TripList: Equatable, Sendable {
    /// The trips.
    package var trips: [TripChoice]
    /// Those that can be had back, the newest first.
    package var deleted: [DeletedTrip]

    /// Makes a list.
    package init(trips: [TripChoice], deleted: [DeletedTrip] = []) {
        self.trips = trips
        self.deleted = deleted
    }
}

/// Why the editor is open without a trip.
package enum Lobby: Equatable, Sendable {
    /// None was named, and there is not just one.
    case unnamed
    /// The one that was named is not there.
    case missing(String)
    /// It was deleted, here or by somebody else.
    case deleted
}
