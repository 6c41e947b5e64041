import TripModel

/// Finds the items of a trip that have not begun at an instant.
struct TripTimes {
    /// An item that has not begun, and the instant until which it counts as next.
    struct Coming {
        let item: Item
        /// Seconds since 1970.
        let until: Int64
    }

    private let trip: Trip
    private let clocks: TripClocks

    init(_ trip: Trip) {
        self.trip = trip
        clocks = TripClocks(trip)
    }

    /// The travel that is under way at an instant, and the local time of its arrival.
    ///
    /// - Parameter now: seconds since 1970.
    func underWay(at now: Int64) -> [(item: Item, until: ClockTime)] {
        trip.items.compactMap { item in
            guard item.content.startTime != nil, let start = clocks.start(of: item),
                let end = clocks.end(ofTravel: item), Int64(start) * 60 <= now, now < Int64(end) * 60
            else { return nil }
            return clocks.arrival(of: item).map { (item, $0.time) }
        }
    }

    /// The items that have not begun at an instant, in shown order.
    ///
    /// An item without a time counts until the next timed item of its day, or until the end of the day.
    ///
    /// - Parameter now: seconds since 1970.
    func coming(after now: Int64) -> [Coming] {
        var coming: [Coming] = []
        var nextStart: (day: Int, instant: Int64)?
        for item in trip.items.reversed() {
            let day = item.position.day
            let until: Int64
            if let start = clocks.start(of: item) {
                until = Int64(start) * 60
                nextStart = (day, until)
            } else if let nextStart, nextStart.day == day {
                until = nextStart.instant
            } else {
                until = Int64(clocks.endOfDay(day, in: clocks.zone(of: item))) * 60 - 1
            }
            if until >= now { coming.append(Coming(item: item, until: until)) }
        }
        return coming.reversed()
    }
}
