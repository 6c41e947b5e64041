import TripModel

/// Turns the times of a calendar into moments, zone by zone.
struct CalendarClocks {
    /// A moment, and the clock that it is on.
    struct Moment {
        /// Seconds since 1970-01-01T00:00:00Z.
        let seconds: Int64
        /// Seconds by which that clock is ahead of UTC then.
        let offset: Int
        /// The IANA zone of the clock; nil is the trip's.
        let zone: String?
    }

    private enum Clock {
        case known(WallClock, zone: String)
        case changes([CalendarZone.Onset])
        case unknown
    }

    private let zones: [String: CalendarZone]
    private let tripClock: WallClock
    private var clocks: [String: Clock] = [:]

    /// Nil where the trip's zone is not known.
    init?(zones: [String: CalendarZone], tripZone: String) {
        guard let tripClock = WallClock(zone: tripZone) else { return nil }
        self.zones = zones
        self.tripClock = tripClock
    }

    /// The moment of a time that is no whole day; nil where nobody knows its zone.
    mutating func moment(of time: CalendarTime, _ work: inout RecurrenceWork) -> Moment? {
        let local = time.wallClock
        switch time.clock {
        case .utc: return Moment(seconds: local, offset: 0, zone: nil)
        case .wholeDay, .floating:
            let seconds = tripClock.seconds(ofWallClock: local)
            return Moment(
                seconds: seconds, offset: tripClock.offset(atSecondsSince1970: seconds), zone: nil)
        case .zone(let name):
            switch clock(named: name, &work) {
            case .known(let clock, let zone):
                let seconds = clock.seconds(ofWallClock: local)
                return Moment(
                    seconds: seconds, offset: clock.offset(atSecondsSince1970: seconds), zone: zone)
            case .changes(let onsets):
                guard let offset = onsets.offset(atWallClock: local) else { return nil }
                return Moment(seconds: local - Int64(offset), offset: offset, zone: nil)
            case .unknown: return nil
            }
        }
    }

    /// The time that the clock of a moment shows; nil outside the years that can be written.
    func localTime(of moment: Moment) -> LocalTime? {
        guard let zone = moment.zone, case .known(let clock, _) = clocks[zone] else {
            return tripClock.time(atSecondsSince1970: moment.seconds)
        }
        return clock.time(atSecondsSince1970: moment.seconds)
    }

    /// The time that the trip's clock shows at a moment; nil outside the years that can be written.
    func tripTime(ofSeconds seconds: Int64) -> LocalTime? { tripClock.time(atSecondsSince1970: seconds) }

    private mutating func clock(named name: String, _ work: inout RecurrenceWork) -> Clock {
        if let known = clocks[name] { return known }
        var clock = Clock.unknown
        if let zone = Self.zone(named: name), let wallClock = WallClock(zone: zone) {
            clock = .known(wallClock, zone: zone)
            clocks[zone] = clock
        } else if let zone = zones[name] {
            clock = .changes(zone.onsets(&work))
        }
        clocks[name] = clock
        return clock
    }

    /// The IANA zone that a TZID means: itself, by Windows' name, or the end of a path; nil for names of one's own.
    static func zone(named name: String) -> String? {
        if TimeZoneName.isKnown(name) { return name }
        if let zone = WindowsZones.zone(named: name) { return zone }
        let parts = name.split(separator: "/")
        // The longest end first: America/Argentina/Buenos_Aires has three parts.
        for count in [3, 2, 1] where count <= parts.count {
            let end = parts.suffix(count).joined(separator: "/")
            if TimeZoneName.isKnown(end) { return end }
        }
        return TimeZoneName.known(ignoringCase: name)
    }
}
