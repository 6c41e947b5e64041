import TripModel

extension ScheduleFile {
    /// The days and the zone of a new trip for a file: those of the exported trip, else from the first
    /// entry's day to the last one's, in the calendar's zone or the most frequent one.
    ///
    /// - Throws: `FileError.tooManyEntries`.
    /// - Returns: nil if no entry has a day.
    package func newTripFrame(_ options: ImportOptions) throws(FileError) -> TripFrame? {
        if case .trip(let file) = self { return TripFrame(file.header) }
        if case .calendar(let file) = self, let frame = file.ownFrame { return frame }
        if case .table(let file) = self, let frame = file.frame { return frame }
        guard let first = firstDate ?? options.today else { return nil }
        var frame = TripFrame(timeZone: options.zone, firstDay: first, dayCount: TripLimits.days)
        frame.countsByTripClock = options.timed == .custom
        var entries = try datedEntries(for: frame)
        var zones: [String: Int] = [:]
        for entry in entries {
            if case .moment(_, let zone?) = entry.when, !entry.offsetZones.contains(.timeZone) {
                zones[zone, default: 0] += 1
            }
            if let zone = entry.text(.arrivalTimeZone), !entry.offsetZones.contains(.arrivalTimeZone) {
                zones[zone, default: 0] += 1
            }
        }
        let most = zones.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        if let zone = calendarZone ?? most ?? (hasMoments ? "UTC" : nil) { frame.timeZone = zone }
        // Only floating times depend on the zone.
        if frame.timeZone != options.zone, hasFloatingTimes { entries = try datedEntries(for: frame) }
        guard let clock = WallClock(zone: frame.timeZone) else { return nil }
        var clocks: [String: WallClock] = [:]
        var dates: [CalendarDate] = []
        var dayNumbers: [Int] = []
        for entry in entries {
            if case .day(let day) = entry.when { dayNumbers.append(day + entry.nights) }
            if let date = entry.date(clock, countsByTripClock: frame.countsByTripClock, &clocks) {
                dates += [date, date.adding(days: entry.nights)].compactMap(\.self)
            }
        }
        var start = dates.min() ?? (dayNumbers.isEmpty ? nil : options.today)
        if case .table(let file) = self, !dayNumbers.isEmpty, let first = file.firstDay { start = first }
        guard let first = start else { return nil }
        let last = max(dates.max() ?? first, first)
        let days = max(last.daysSince1970 - first.daysSince1970 + 1, dayNumbers.max() ?? 1)
        frame.firstDay = first
        frame.dayCount = min(days, TripLimits.days, 2_932_896 - first.daysSince1970 + 1)
        return frame
    }

    /// The entries with their days; other fields may be missing.
    private func datedEntries(for frame: TripFrame) throws(FileError) -> [FileEntry] {
        guard case .calendar(let file) = self else { return try entries(for: frame).entries }
        return try file.entries(for: frame, withFields: false).entries
    }

    /// Whether a time does not depend on the trip's zone.
    private var hasMoments: Bool {
        switch self {
        case .calendar(let file): file.events.contains { $0.start?.clock == .utc }
        case .table(let file):
            file.entries.entries.contains { if case .moment = $0.when { true } else { false } }
        case .trip, .bookings: false
        }
    }

    private var calendarZone: String? {
        guard case .calendar(let file) = self else { return nil }
        return file.zone.flatMap(CalendarClocks.zone(named:))
    }

    private var hasFloatingTimes: Bool {
        guard case .calendar(let file) = self else { return false }
        return file.events.contains { event in
            event.start?.clock == .floating || event.moreStarts.contains { $0.start.clock == .floating }
        }
    }

    /// The date of the first entry in its own zone, which is exact enough here.
    private static func firstDate(of entries: FileEntries) -> CalendarDate? {
        var clocks: [String: WallClock] = [:]
        return entries.entries.compactMap { $0.date(nil, countsByTripClock: true, &clocks) }.min()
    }

    private var firstDate: CalendarDate? {
        switch self {
        case .calendar(let file): file.firstDate
        case .table(let file): Self.firstDate(of: file.entries)
        case .bookings(let file): Self.firstDate(of: file.entries)
        case .trip(let file): file.header.startDate
        }
    }
}

extension CalendarFile {
    /// The days and the zone of the exported trip; nil for files from other programs.
    var ownFrame: TripFrame? {
        guard let start = own["STARTDATE"].flatMap(CalendarDate.init),
            let days = own["DAYCOUNT"].flatMap({ Int($0) }), (1...TripLimits.days).contains(days),
            let zone = own["TIMEZONE"], TimeZoneName.isKnown(zone), start.adding(days: days - 1) != nil
        else { return nil }
        return TripFrame(timeZone: zone, firstDay: start, dayCount: days)
    }
}

extension FileEntry {
    /// The local date; nil for a day number and outside the supported years.
    ///
    /// - Parameters:
    ///   - clock: the trip's clock; nil for UTC.
    ///   - clocks: a cache of other zones' clocks.
    func date(
        _ clock: WallClock?, countsByTripClock: Bool, _ clocks: inout [String: WallClock]
    ) -> CalendarDate? {
        switch when {
        case .date(let date), .clock(let date, _): return date
        case .written(let text, _): return MomentText.local(text, today: nil)?.date
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
    /// An empty trip with these days, to plan an import.
    ///
    /// - Parameters:
    ///   - name: the name; forbidden characters are removed.
    ///   - id: the id from which those of items are derived; any for a preview.
    package func emptyTrip(named name: String, id: TripID = TripID(high: 0, low: 0)) -> Trip {
        let slug = TripHeader.slug(of: name)
        let header = TripHeader(
            id: id, slug: slug.isEmpty ? "new" : slug, name: EntryText.line(name).text ?? "Trip",
            startDate: firstDay, timeZone: timeZone, dayCount: dayCount)
        do throws(EditFailure) {
            return try Trip.create(header, by: Author(name: "", at: Timestamp(milliseconds: 0)))
        } catch {
            preconditionFailure("a frame has days and a zone that a trip can have: \(error)")
        }
    }
}
