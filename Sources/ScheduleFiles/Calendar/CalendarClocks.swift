import TripModel

/// Converts times of a calendar to moments, by zone.
struct CalendarClocks {
    /// A moment with its zone.
    struct Moment {
        /// Seconds since 1970-01-01T00:00:00Z.
        let seconds: Int64
        /// The zone's offset from UTC at that moment, in seconds.
        let offset: Int
        /// The IANA zone; nil is the trip's.
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

    /// Nil if the trip's zone is unknown.
    init?(zones: [String: CalendarZone], tripZone: String) {
        guard let tripClock = WallClock(zone: tripZone) else { return nil }
        self.zones = zones
        self.tripClock = tripClock
    }

    /// The moment of a time with a clock; nil if its zone is unknown.
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

    /// The local time of a moment in its zone; nil outside the supported years.
    func localTime(of moment: Moment) -> LocalTime? {
        guard let zone = moment.zone, case .known(let clock, _) = clocks[zone] else {
            return tripClock.time(atSecondsSince1970: moment.seconds)
        }
        return clock.time(atSecondsSince1970: moment.seconds)
    }

    /// The time of a moment in the trip's zone; nil outside the supported years.
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

    /// The IANA zone for a TZID, which may be an IANA name, a Windows name, or a path that ends in one; nil
    /// for other names.
    static func zone(named name: String) -> String? {
        if TimeZoneName.isKnown(name) { return name }
        if let zone = WindowsZones.zone(named: name) { return zone }
        let parts = name.split(separator: "/")
        // The longest suffix first: America/Argentina/Buenos_Aires has three parts.
        for count in [3, 2, 1] where count <= parts.count {
            let end = parts.suffix(count).joined(separator: "/")
            if TimeZoneName.isKnown(end) { return end }
        }
        return TimeZoneName.known(ignoringCase: name)
    }
}
