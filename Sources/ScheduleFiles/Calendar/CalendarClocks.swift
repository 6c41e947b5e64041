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
        case offset(Int)
        case changes([CalendarZone.Onset])
        case unknown
    }

    private let zones: [String: CalendarZone]
    /// The zone of times without one; nil is the trip's.
    private let ownZone: String?
    private let ownClock: WallClock?
    private let tripClock: WallClock
    private var clocks: [String: Clock] = [:]

    /// - Parameter tripZone: a known zone.
    init(of file: CalendarFile, tripZone: String) {
        guard let tripClock = WallClock(zone: tripZone) ?? WallClock(zone: "UTC") else {
            preconditionFailure("UTC is always known")
        }
        zones = file.zones
        ownZone = file.zone.flatMap(Self.zone(named:))
        ownClock = ownZone.flatMap { WallClock(zone: $0) }
        self.tripClock = tripClock
    }

    /// The moment of a time with a clock; nil if its zone is unknown.
    mutating func moment(of time: CalendarTime, _ work: inout RecurrenceWork) -> Moment? {
        let local = time.wallClock
        let name: String
        switch time.clock {
        case .utc: return Moment(seconds: local, offset: 0, zone: nil)
        case .floating where ownZone != nil: name = ownZone ?? ""
        case .wholeDay, .floating:
            let seconds = tripClock.seconds(ofWallClock: local)
            return Moment(
                seconds: seconds, offset: tripClock.offset(atSecondsSince1970: seconds), zone: nil)
        case .zone(let zone): name = zone
        }
        switch clock(named: name, &work) {
        case .known(let clock, let zone):
            let seconds = clock.seconds(ofWallClock: local)
            return Moment(seconds: seconds, offset: clock.offset(atSecondsSince1970: seconds), zone: zone)
        case .offset(let offset): return Moment(seconds: local - Int64(offset), offset: offset, zone: nil)
        case .changes(let onsets):
            guard let offset = onsets.offset(atWallClock: local) else { return nil }
            return Moment(seconds: local - Int64(offset), offset: offset, zone: nil)
        case .unknown: return nil
        }
    }

    /// The local time of a moment in its zone; nil outside the supported years.
    func localTime(of moment: Moment) -> LocalTime? {
        guard let zone = moment.zone, case .known(let clock, _) = clocks[zone] else {
            return tripClock.time(atSecondsSince1970: moment.seconds)
        }
        return clock.time(atSecondsSince1970: moment.seconds)
    }

    /// The time of a moment in the calendar's zone, else in the trip's; nil outside the supported years.
    func calendarTime(ofSeconds seconds: Int64) -> LocalTime? {
        (ownClock ?? tripClock).time(atSecondsSince1970: seconds)
    }

    /// The time of a moment in the trip's zone; nil outside the supported years.
    func tripTime(ofSeconds seconds: Int64) -> LocalTime? { tripClock.time(atSecondsSince1970: seconds) }

    private mutating func clock(named name: String, _ work: inout RecurrenceWork) -> Clock {
        if let known = clocks[name] { return known }
        var clock = Clock.unknown
        if let zone = Self.zone(named: name), let wallClock = WallClock(zone: zone) {
            clock = .known(wallClock, zone: zone)
            clocks[zone] = clock
        } else if let onsets = zones[name]?.onsets(&work), !onsets.isEmpty {
            clock = .changes(onsets)
        } else if let zone = Self.zone(shownAs: name), let wallClock = WallClock(zone: zone) {
            clock = .known(wallClock, zone: zone)
            clocks[zone] = clock
        } else if let offset = Self.offset(named: name) {
            clock = .offset(offset)
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
            if let zone = TimeZoneName.known(ignoringCase: end) { return zone }
        }
        return nil
    }

    /// The zone that Outlook shows as `(UTC-05:00) Eastern Time (US & Canada)` or `(GMT+10:00) Canberra, Sydney`; nil for
    /// other names, and if the zone does not have the offset.
    private static func zone(shownAs name: String) -> String? {
        guard name.hasPrefix("("), let end = name.firstIndex(of: ")"),
            let offset = offset(named: String(name[..<end]))
        else { return nil }
        let words = name[end...].dropFirst().drop { $0 == " " }
        var candidates = words.split(separator: ",").compactMap {
            TimeZoneName.meant(by: $0.split(separator: " ").joined(separator: " "))
        }
        let standard =
            words.split(separator: " ").prefix { $0 != "Time" }.joined(separator: " ") + " Standard Time"
        if let zone = WindowsZones.zone(named: standard) { candidates.insert(zone, at: 0) }
        // The offset is that of the winter, on either half of the earth.
        return candidates.first { zone in
            let (january, july): (Int64, Int64) = (1_767_225_600, 1_782_864_000)
            return WallClock(zone: zone).map { clock in
                min(clock.offset(atSecondsSince1970: january), clock.offset(atSecondsSince1970: july))
                    == offset
            } ?? false
        }
    }

    /// The offset from UTC in seconds that a name like `UTC+02:00`, `GMT-0500`, `UTC+12` or `Z` states; nil for other
    /// names.
    private static func offset(named name: String) -> Int? {
        var digits = CalendarDigits(Array(name.filter { !" ()".contains($0) }.utf8)[...])
        if digits.skip("Z") { return digits.isAtEnd ? 0 : nil }
        guard
            digits.skip("U") && digits.skip("T") && digits.skip("C")
                || digits.skip("G") && digits.skip("M") && digits.skip("T")
        else { return nil }
        if digits.isAtEnd { return 0 }
        let offset = digits.offset()
        return digits.isAtEnd ? offset : nil
    }
}
