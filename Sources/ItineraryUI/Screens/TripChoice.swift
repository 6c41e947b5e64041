import TripModel

/// The fields of a trip that users edit in a form.
package struct TripPlan: Equatable, Sendable {
    /// The name.
    package var name: String
    /// The date of day 1.
    package var startDate: CalendarDate
    /// The default IANA zone of games.
    package var timeZone: String
    /// The number of days.
    package var dayCount: Int
    /// The exchange rates; empty for a trip without any.
    package private(set) var rates = ""

    package init(name: String, startDate: CalendarDate, timeZone: String, dayCount: Int) {
        self.name = name
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
    }

    /// The fields of a trip.
    package init(_ header: TripHeader) {
        self.init(
            name: header.name, startDate: header.startDate, timeZone: header.timeZone,
            dayCount: header.dayCount)
        rates = header.rates
    }

    /// The change from another plan to this one.
    func change(from old: TripPlan) -> TripChange {
        TripChange(
            name: String.isVerbatim(name, old.name) ? nil : name,
            startDate: startDate == old.startDate ? nil : startDate,
            timeZone: String.isVerbatim(timeZone, old.timeZone) ? nil : timeZone,
            dayCount: dayCount == old.dayCount ? nil : dayCount,
            rates: String.isVerbatim(rates, old.rates) ? nil : rates)
    }

    /// Whether a field that a change sets differs from the old plan and from the change's value.
    package func hasOther(than old: TripPlan, where change: TripChange) -> Bool {
        let mine = self.change(from: old)
        return (change.name != nil && mine.name != nil && mine.name != change.name)
            || (change.startDate != nil && mine.startDate != nil && mine.startDate != change.startDate)
            || (change.timeZone != nil && mine.timeZone != nil && mine.timeZone != change.timeZone)
            || (change.dayCount != nil && mine.dayCount != nil && mine.dayCount != change.dayCount)
            || (change.rates != nil && mine.rates != nil && mine.rates != change.rates)
    }

    /// `Thu 1 Apr 2027, 10 days`
    var dates: String {
        "\(DateText.text(of: startDate)), \(counted(dayCount, "day"))"
    }
}

/// A trip in the list.
package struct TripChoice: Equatable, Sendable {
    /// The trip.
    package let id: TripID
    /// Its slug.
    package let slug: String
    /// Its name and days.
    package let plan: TripPlan
    /// The number of items.
    package let itemCount: Int

    package init(id: TripID, slug: String, plan: TripPlan, itemCount: Int) {
        self.id = id
        self.slug = slug
        self.plan = plan
        self.itemCount = itemCount
    }
}

/// A deleted trip that can still be restored.
package struct DeletedTrip: Equatable, Sendable {
    /// The trip.
    package let id: TripID
    /// Its name.
    package let name: String
    /// The number of items.
    package let itemCount: Int
    /// The date of the deletion.
    package let deleted: CalendarDate
    /// The last day on which it can be restored.
    package let keptUntil: CalendarDate

    package init(
        id: TripID, name: String, itemCount: Int, deleted: CalendarDate, keptUntil: CalendarDate
    ) {
        self.id = id
        self.name = name
        self.itemCount = itemCount
        self.deleted = deleted
        self.keptUntil = keptUntil
    }
}

/// The contents of the trip menu.
package struct TripList: Equatable, Sendable {
    /// The trips.
    package var trips: [TripChoice]
    /// Deleted trips, the newest first.
    package var deleted: [DeletedTrip]

    package init(trips: [TripChoice], deleted: [DeletedTrip] = []) {
        self.trips = trips
        self.deleted = deleted
    }

    /// The trip of a menu line; nil for the line that creates one.
    func trip(at index: Int) -> TripID? {
        if index < trips.count { return trips[index].id }
        return index == trips.count ? nil : deleted[index - trips.count - 1].id
    }
}

/// The reason why no trip is open.
package enum Lobby: Equatable, Sendable {
    /// No trip was named, and there is not exactly one.
    case unnamed
    /// The named trip does not exist.
    case missing(String)
    /// It was deleted, by this user or another one.
    case deleted
}

/// The list of trips, and the reason if none is open.
struct KnownTrips: Sendable {
    /// The last received list.
    private(set) var list: TripList?
    /// The reason why no trip is open; nil if one is open or being opened.
    private(set) var lobby: Lobby?
    /// The reason why the open trip is gone, if it was not shown yet.
    private(set) var unsaidEnd: String?

    /// The line of the list to return to: its identity and its index.
    private(set) var line: (trip: TripID?, index: Int)?

    /// Whether no trip is open and none could be opened or restored.
    var areNone: Bool { lobby != nil && (list.map { $0.trips.isEmpty && $0.deleted.isEmpty } ?? false) }

    /// The time at which the list was last received or requested.
    private(set) var newest: Duration?

    mutating func remember(_ list: TripList, at time: Duration) {
        self.list = list
        newest = time
    }

    /// Records the selected line before the list is closed; nil forgets it.
    mutating func leaveLine(_ index: Int?, of list: TripList?) {
        line = index.flatMap { index in list.map { ($0.trip(at: index), index) } }
    }

    mutating func noteAsked(at time: Duration) { newest = time }

    mutating func enter(_ lobby: Lobby) { self.lobby = lobby }

    /// Records that a trip is open.
    mutating func leaveLobby() { lobby = nil }

    /// Forgets the missing trip that was named on the command line.
    mutating func forgetMissing() { if lobby != nil { lobby = .unnamed } }

    /// Stores the reason why the open trip is gone until it can be shown; nil afterwards.
    mutating func keepEnd(_ reason: String?) { unsaidEnd = reason }
}
