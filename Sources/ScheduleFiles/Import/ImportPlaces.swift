import TripModel

/// Finds the place and the values of an entry in a trip.
struct ImportPlaces {
    /// The place of a custom item or travel.
    enum TargetPlace: Equatable {
        case exact(Placement)
        /// Before all items of the day that have a time.
        case beforeTimed(day: Int)

        var day: Int {
            switch self {
            case .exact(let placement): placement.day
            case .beforeTimed(let day): day
            }
        }
    }

    /// The day and the time of an entry.
    struct Place {
        /// The day number.
        let day: Int
        /// The minute since midnight, if it has a time.
        let minute: Int?
        /// The start of a game.
        var start: OffsetDateTime?
        /// The zone of a game.
        var zone: String?
        /// The place of anything else.
        let placement: TargetPlace
        /// Why the times of a game are not shown as the file has them; nil if they are.
        var note: String?
    }

    /// The reason why an entry has no place.
    struct Fault: Error, Hashable {
        let field: String?
        let reason: String
    }

    let trip: Trip
    private let options: ImportOptions
    private let clock: WallClock
    private let tripClocks: TripClocks
    private var clocks: [String: WallClock] = [:]
    /// Steps of whole days without a place yet, by day.
    private var waiting: [Int: [Int]] = [:]

    init(_ trip: Trip, _ options: ImportOptions) {
        // A stored zone may be unknown to this build.
        guard let clock = WallClock(zone: trip.header.timeZone) ?? WallClock(zone: "UTC") else {
            preconditionFailure("UTC is always known")
        }
        self.trip = trip
        self.options = options
        self.clock = clock
        tripClocks = TripClocks(trip)
    }

    // MARK: Places

    mutating func place(of entry: FileEntry, as kind: ItemKind) throws(Fault) -> Place {
        if kind == .game { return try gamePlace(of: entry) }
        let (day, minute) = try dayAndMinute(of: entry)
        let time = entry.startTime?.minute ?? minute
        try checkDay(day)
        let placement: TargetPlace
        if let order = entry.own?.sortOrder {
            placement = .exact(.order(order, day: day))
        } else if kind == .custom, let time {
            placement = .exact(.order(Self.order(ofMinute: time), day: day))
        } else {
            placement = .beforeTimed(day: day)
        }
        return Place(day: day, minute: entry.own == nil ? time : minute, placement: placement)
    }

    private mutating func gamePlace(of entry: FileEntry) throws(Fault) -> Place {
        let start: OffsetDateTime
        var zone: String?
        switch entry.when {
        case .moment(let moment, let named): (start, zone) = (moment, named)
        case .clock(let date, let minute):
            guard let moment = moment(date, minute, nil) else {
                throw Fault(field: nil, reason: "its start is outside the supported years")
            }
            start = moment
        case .written(let text, let named):
            let read: EventStart
            do throws(MomentText.Fault) {
                read = try tripClocks.start(written: text, city: cityName(of: entry), zone: named)
            } catch {
                throw Fault(field: ItemField.startsAt.name, reason: error.reason)
            }
            (start, zone) = (read.moment, read.zone)
        case .date, .day:
            throw Fault(field: nil, reason: "it is an event in the trip, but the file has no time for it")
        }
        zone = zone ?? entry.text(.venue).flatMap { options.cities.entry(ofVenue: $0)?.timeZone }
        if entry.own?.isOnTripClock == true, zone == trip.header.timeZone { zone = nil }
        var note: String?
        if entry.offsetZones.contains(.timeZone) {
            let read = tripClocks.start(at: start, city: cityName(of: entry), zone: nil)
            (zone, note) =
                read.zone == nil && read.note != nil && zone != nil ? (zone, nil) : (read.zone, read.note)
        }
        let zoneClock = try zone.map { (name) throws(Fault) in try self.clock(named: name) } ?? clock
        guard let local = zoneClock.time(atSecondsSince1970: start.secondsSince1970) else {
            throw Fault(
                field: nil, reason: "an event must be in the years 1583 to 9999, in the time of its zone")
        }
        let day = trip.header.dayNumber(of: local.date)
        return Place(
            day: day, minute: local.minute, start: start, zone: zone, placement: .beforeTimed(day: day),
            note: note)
    }

    /// The city of an event.
    private func cityName(of entry: FileEntry) -> String? {
        guard case .text(let name)? = entry[.city] ?? city(of: entry, entry.text(.venue)) else { return nil }
        return name
    }

    /// Whether the trip's clock shows the time of a zone at a moment.
    private func isTripOffset(of zone: String, at moment: Int64) -> Bool {
        WallClock(zone: zone)?.offset(atSecondsSince1970: moment) == clock.offset(atSecondsSince1970: moment)
    }

    /// The moment of a minute of a date by the clock of a zone; nil is the trip's.
    func moment(_ date: CalendarDate, _ minute: Int, _ zone: String?) -> OffsetDateTime? {
        guard let clock = zone.map({ clocks[$0] ?? WallClock(zone: $0) }) ?? clock else { return nil }
        let seconds = clock.seconds(ofWallClock: Int64(date.daysSince1970) * 86_400 + Int64(minute) * 60)
        return OffsetDateTime(
            secondsSince1970: seconds, offset: clock.offset(atSecondsSince1970: seconds), isUTC: false)
    }

    private mutating func dayAndMinute(of entry: FileEntry) throws(Fault) -> (day: Int, minute: Int?) {
        switch entry.when {
        case .day(let day): return (day, nil)
        case .date(let date): return (trip.header.dayNumber(of: date), nil)
        case .clock(let date, let minute): return (trip.header.dayNumber(of: date), minute)
        case .written:
            let place = try gamePlace(of: entry)
            return (place.day, place.minute)
        case .moment(let start, _):
            guard let local = clock.time(atSecondsSince1970: start.secondsSince1970) else {
                throw Fault(field: nil, reason: "its start is outside the supported years")
            }
            return (trip.header.dayNumber(of: local.date), local.minute)
        }
    }

    private func checkDay(_ day: Int) throws(Fault) {
        guard !trip.header.days.contains(day) else { return }
        let date = trip.header.date(ofDay: day)?.description ?? "day \(day)"
        let last = trip.header.date(ofDay: trip.header.dayCount)?.description ?? ""
        throw Fault(
            field: nil,
            reason: "\(date), day \(day), is outside the trip's days, \(trip.header.startDate) to \(last)")
    }

    private mutating func clock(named zone: String) throws(Fault) -> WallClock {
        if let known = clocks[zone] { return known }
        guard let clock = WallClock(zone: zone) else {
            throw Fault(field: "timeZone", reason: "no IANA zone is called \(shown(zone))")
        }
        clocks[zone] = clock
        return clock
    }

    /// The order of a game that starts at that minute.
    static func order(ofMinute minute: Int) -> Double { Double(100 + minute) }

    // MARK: Whole days

    mutating func addWholeDay(_ day: Int, step: Int) { waiting[day, default: []].append(step) }

    /// Places for all steps given to `addWholeDay`: in their order, at the top of their days and with orders
    /// below zero, so that they stay before items that get a time later.
    func wholeDays() -> [(step: Int, placement: Placement)] {
        waiting.sorted { $0.key < $1.key }.flatMap { day, steps in
            let lowest = min(trip.items(onDay: day).first?.position.sortOrder ?? 0, 0)
            return steps.enumerated().map { index, step in
                let order = max(lowest - Double(steps.count - index), -Position.maximumOrder)
                return (step, Placement.order(order, day: day))
            }
        }
    }

    /// The new place of our item according to the file; nil if it stays.
    func move(of item: Item, to place: Place) -> (placement: TargetPlace, time: FieldValue?)? {
        let time = item.content.startTime?.minute
        let isOnOtherDay = item.position.day != place.day
        var newTime: FieldValue?
        if let minute = place.minute, minute != time, isAsBrought(item) || isOnOtherDay && time == nil {
            newTime = ClockTime(minute: minute).map(FieldValue.time)
        }
        return isOnOtherDay || newTime != nil ? (place.placement, newTime) : nil
    }

    /// The place of an item after these changes, possibly on another day; nil if it stays.
    ///
    /// Within its day an item moves to the order of its new time, unless a user has moved it.
    func placement(of item: Item, onDay day: Int, _ changes: [FieldChange]) -> TargetPlace? {
        let changesTime = changes.contains { [.time, .lateNight].contains($0.field) }
        let isOnOtherDay = day != item.position.day
        guard isOnOtherDay || changesTime && isAsBrought(item) else { return nil }
        guard item.content.kind == .custom, let time = item.content.with(changes).startTime else {
            return .beforeTimed(day: day)
        }
        return .exact(.order(Self.order(ofMinute: time.minute), day: day))
    }

    /// Whether an item is where an import puts it: at the order of its time, or below zero without one.
    private func isAsBrought(_ item: Item) -> Bool {
        guard item.content.kind == .custom else { return false }
        let order = item.position.sortOrder
        if let time = item.content.startTime { return order == Self.order(ofMinute: time.minute) }
        return order < 0
    }

    /// A day of the trip as a source's day.
    func sourceDay(_ day: Int) -> SourceValues.Day {
        trip.header.date(ofDay: day).map(SourceValues.Day.date) ?? .number(day)
    }

    // MARK: Values

    /// The values that an entry gives to fields of a kind.
    func values(of entry: FileEntry, as kind: ItemKind, at place: Place) -> [ItemField: FieldValue] {
        var values: [ItemField: FieldValue] = [:]
        for field in kind.fields { values[field] = entry[field] }
        switch kind {
        case .game:
            values[.gameID] =
                values[.gameID] ?? .text(EntryText.id(entry.id, most: TripLimits.textBytes).text ?? entry.id)
            values[.startsAt] = place.start.map(FieldValue.moment)
            values[.timeZone] = place.zone.map(FieldValue.text)
            values[.city] = values[.city] ?? city(of: entry, entry.text(.venue))
        case .custom:
            values[.place] = values[.place] ?? entry[.venue]
            values[.city] = values[.city] ?? city(of: entry, entry.text(.place))
            values[.time] =
                values[.time] ?? place.minute.flatMap(ClockTime.init(minute:)).map(FieldValue.time)
        case .travel:
            guard !entry.offsetZones.isEmpty, case .date(let date) = entry.when,
                let time = entry.startTime,
                let start = moment(date, time.minute, entry.text(.timeZone))
            else { break }
            // A zone of the trip is more readable than an offset.
            for field in entry.offsetZones {
                guard let named = entry.text(field), isTripOffset(of: named, at: start.secondsSince1970)
                else {
                    continue
                }
                values[field] = .text(trip.header.timeZone)
            }
        }
        return values
    }

    private func city(of entry: FileEntry, _ venue: String?) -> FieldValue? {
        if entry.own != nil { return nil }
        let first = venue.map { String($0.prefix { $0 != "," }) }
        let known = [venue, first].compactMap(\.self).lazy.compactMap {
            options.cities.entry(ofVenue: $0)?.city
        }
        return (known.first ?? options.city).map(FieldValue.text)
    }
}

extension ItemContent {
    /// Content of a kind with these values, which must include all required ones.
    init(_ kind: ItemKind, _ values: [ItemField: FieldValue]) {
        func filled<Content: FieldKeeper>(_ blank: Content) -> Content {
            var content = blank
            for field in kind.fields {
                if let value = values[field] { content[field] = value }
            }
            return content
        }
        switch kind {
        case .game: self = .game(filled(Game.blank))
        case .travel: self = .travel(filled(Travel.blank))
        case .custom: self = .custom(filled(CustomItem.blank))
        }
    }
}
