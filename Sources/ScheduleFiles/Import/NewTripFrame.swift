import TripModel

extension ScheduleFile {
    /// The days and the zone of a new trip for a file: those of the trip that wrote it, else from the first entry's day
    /// to the last one's, in the calendar's zone, else the most frequent one.
    ///
    /// - Throws: `FileError.tooManyEntries`.
    /// - Returns: nil where the file has nothing that is on some day.
    package func newTripFrame(_ options: ImportOptions) throws(FileError) -> TripFrame? {
        if case .trip(let file) = self { return TripFrame(file.header) }
        if case .calendar(let file) = self, let frame = file.ownFrame { return frame }
        guard let first = firstDate ?? options.today else { return nil }
        var frame = TripFrame(timeZone: options.zone, firstDay: first, dayCount: TripLimits.days)
        frame.countsByTripClock = options.timed == .custom
        var entries = try datedEntries(for: frame)
        var zones: [String: Int] = [:]
        for case .moment(_, let zone?) in entries.lazy.map(\.when) { zones[zone, default: 0] += 1 }
        let most = zones.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        if let zone = calendarZone ?? most ?? (hasMoments ? "UTC" : nil) { frame.timeZone = zone }
        // Only times on the trip's own clock are other ones by another zone.
        if frame.timeZone != options.zone, hasFloatingTimes { entries = try datedEntries(for: frame) }
        guard let clock = WallClock(zone: frame.timeZone) else { return nil }
        var clocks: [String: WallClock] = [:]
        var dates: [CalendarDate] = []
        var dayNumbers: [Int] = []
        for entry in entries {
            if case .day(let day) = entry.when { dayNumbers.append(day) }
            if let date = entry.date(clock, countsByTripClock: frame.countsByTripClock, &clocks) {
                dates.append(date)
            }
        }
        guard let first = dates.min() ?? (dayNumbers.isEmpty ? nil : options.today) else { return nil }
        let last = dates.max() ?? first
        let days = max(last.daysSince1970 - first.daysSince1970 + 1, dayNumbers.max() ?? 1)
        frame.firstDay = first
        frame.dayCount = min(days, TripLimits.days, 2_932_896 - first.daysSince1970 + 1)
        return frame
    }

    /// The entries for what they say of their days, and perhaps nothing else.
    private func datedEntries(for frame: TripFrame) throws(FileError) -> [FileEntry] {
        guard case .calendar(let file) = self else { return try entries(for: frame).entries }
        return try file.entries(for: frame, withFields: false).entries
    }

    /// Whether a time is a moment whatever the trip's clock is.
    private var hasMoments: Bool {
        switch self {
        case .calendar(let file): file.events.contains { $0.start?.clock == .utc }
        case .table(let file):
            file.entries.entries.contains { if case .moment = $0.when { true } else { false } }
        case .trip: false
        }
    }

    private var calendarZone: String? {
        guard case .calendar(let file) = self else { return nil }
        return file.zone.flatMap(CalendarClocks.zone(named:))
    }

    private var hasFloatingTimes: Bool {
        guard case .calendar(let file) = self else { return false }
        return file.events.contains { event in
            event.start?.clock == .floating || event.moreStarts.contains { $0.clock == .floating }
        }
    }

    private var firstDate: CalendarDate? {
        switch self {
        case .calendar(let file): file.firstDate
        case .table(let file):
            // A date by the clock that the row itself writes is near enough: what counts are those behind it.
            file.entries.entries.compactMap { entry in
                var clocks: [String: WallClock] = [:]
                return entry.date(nil, countsByTripClock: true, &clocks)
            }.min()
        case .trip(let file): file.header.startDate
        }
    }
}

extension CalendarFile {
    /// The days and the zone of the trip that wrote the calendar; nil where none of ours did.
    fileprivate var ownFrame: TripFrame? {
        guard let start = own["STARTDATE"].flatMap(CalendarDate.init),
            let days = own["DAYCOUNT"].flatMap({ Int($0) }), (1...TripLimits.days).contains(days),
            let zone = own["TIMEZONE"], TimeZoneName.isKnown(zone), start.adding(days: days - 1) != nil
        else { return nil }
        return TripFrame(timeZone: zone, firstDay: start, dayCount: days)
    }
}

extension FileEntry {
    /// The date that it is on by the clocks of its place; nil where it names a day by number, or is outside the years
    /// that can be written.
    ///
    /// - Parameters:
    ///   - clock: the trip's; without it UTC's is taken.
    ///   - clocks: those of other zones, as far as they were needed already.
    func date(
        _ clock: WallClock?, countsByTripClock: Bool, _ clocks: inout [String: WallClock]
    ) -> CalendarDate? {
        switch when {
        case .date(let date), .clock(let date, _): return date
        case .day: return nil
        case .moment(let start, let zone):
            var ownClock: WallClock?
            if !countsByTripClock, let zone {
                ownClock = clocks[zone] ?? WallClock(zone: zone)
                clocks[zone] = ownClock
            }
            guard let clock = ownClock ?? clock ?? WallClock(zone: "UTC") else { return nil }
            return clock.time(atSecondsSince1970: start.secondsSince1970)?.date
        }
    }
}

extension TripFrame {
    /// An empty trip of these days, for a plan to be made against.
    ///
    /// - Parameters:
    ///   - name: what the trip is to be called; characters that a name may not have are left out.
    ///   - id: the id that it will have, from which those of its items follow; any, where it is only looked at.
    package func emptyTrip(named name: String, id: TripID = TripID(high: 0, low: 0)) -> Trip {
        let header = TripHeader(
            id: id, slug: "new", name: EntryText.line(name).text ?? "Trip",
            startDate: firstDay, timeZone: timeZone, dayCount: dayCount)
        do throws(EditFailure) {
            return try Trip.create(header, by: Author(name: "", at: Timestamp(milliseconds: 0)))
        } catch {
            preconditionFailure("a frame has days and a zone that a trip can have: \(error)")
        }
    }
}
