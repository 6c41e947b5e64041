import TripModel

/// The instants at which the items of a trip begin, by the clock of the place.
struct TripTimes {
    /// A clock: the zone of the nearest event, or the offset that the event gives, or the trip's zone.
    private enum Clock {
        case zone(WallClock)
        case offset(Int64)

        /// The instant of a wall-clock time, both in seconds since 1970.
        func instant(ofWallClock local: Int64) -> Int64 {
            switch self {
            case .zone(let clock): clock.seconds(ofWallClock: local)
            case .offset(let seconds): local - seconds
            }
        }
    }

    /// An item that has not begun, with the instant until which it counts as next.
    struct Coming {
        let item: Item
        let until: Int64
    }

    private let trip: Trip
    private let items: [Item]
    /// The clock of each item, in the order of the items.
    private let clocks: [Clock]

    init(_ trip: Trip) {
        let items = trip.items
        let own = WallClock(zone: trip.header.timeZone).map(Clock.zone) ?? .offset(0)
        let ofGames = items.map { Self.clock(of: $0, in: trip.header) }
        // The nearest event of the day, above before below; else the last event before, else the first after.
        var above: (day: Int, clock: Clock)?
        var belowOf = [(day: Int, clock: Clock)?](repeating: nil, count: items.count)
        var below: (day: Int, clock: Clock)?
        for index in items.indices.reversed() {
            if let clock = ofGames[index] { below = (items[index].position.day, clock) }
            belowOf[index] = below
        }
        var clocks: [Clock] = []
        for index in items.indices {
            let day = items[index].position.day
            if let clock = ofGames[index] {
                above = (day, clock)
                clocks.append(clock)
                continue
            }
            let next = belowOf[index]
            let nearest = above?.day != day && next?.day == day ? next : above ?? next
            clocks.append(nearest?.clock ?? own)
        }
        self.trip = trip
        self.items = items
        self.clocks = clocks
    }

    /// The items that have not begun at an instant, in their order.
    ///
    /// An item without a time counts until the next item of its day that has one, else until the day ends.
    func coming(after now: Int64) -> [Coming] {
        var coming: [Coming] = []
        var nextStart: (day: Int, instant: Int64)?
        for (item, clock) in zip(items, clocks).reversed() {
            let day = item.position.day
            let until: Int64
            if let start = start(of: item, clock) {
                until = start
                nextStart = (day, start)
            } else if let nextStart, nextStart.day == day {
                until = nextStart.instant
            } else {
                until = clock.instant(ofWallClock: wallClock(onDay: day, minute: 24 * 60)) - 1
            }
            if until >= now { coming.append(Coming(item: item, until: until)) }
        }
        return coming.reversed()
    }

    private func start(of item: Item, _ clock: Clock) -> Int64? {
        if case .game(let game) = item.content { return game.startsAt.secondsSince1970 }
        return item.content.time.map {
            clock.instant(ofWallClock: wallClock(onDay: item.position.day, minute: $0.minute))
        }
    }

    private func wallClock(onDay day: Int, minute: Int) -> Int64 {
        Int64(trip.header.startDate.daysSince1970 + day - 1) * 86_400 + Int64(minute) * 60
    }

    /// The clock of an event; nil for any other item.
    private static func clock(of item: Item, in header: TripHeader) -> Clock? {
        guard case .game(let game) = item.content else { return nil }
        if let zone = game.timeZone.flatMap(WallClock.init(zone:)) { return .zone(zone) }
        guard let minute = item.minuteOfDay else { return nil }
        let local =
            Int64(header.startDate.daysSince1970 + item.position.day - 1) * 86_400 + Int64(minute) * 60
        let start = game.startsAt.secondsSince1970
        return .offset(local - (start - ((start % 60) + 60) % 60))
    }
}
