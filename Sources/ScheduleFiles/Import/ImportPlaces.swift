import TripModel

/// Tells where an entry belongs in a trip, and with which values.
struct ImportPlaces {
    /// Where a custom item or travel goes.
    enum Spot: Equatable {
        case exact(Placement)
        /// Before everything of the day that has a time.
        case beforeTimed(day: Int)
    }

    /// Where an entry belongs.
    struct Place {
        /// The number of its day.
        let day: Int
        /// The minute of the day, counted from midnight, if it has one.
        let minute: Int?
        /// When a game starts.
        var start: OffsetDateTime?
        /// The zone of a game.
        var zone: String?
        /// Where anything else goes.
        let placement: Spot
    }

    /// Why an entry has no place.
    struct Fault: Error, Hashable {
        let field: String?
        let reason: String
    }

    private let trip: Trip
    private let options: ImportOptions
    private let clock: WallClock
    private var clocks: [String: WallClock] = [:]
    /// The steps of whole days that are waiting for their places, by day.
    private var waiting: [Int: [Int]] = [:]

    init(_ trip: Trip, _ options: ImportOptions) {
        // A zone that was taken before may be one that this build does not know.
        guard let clock = WallClock(zone: trip.header.timeZone) ?? WallClock(zone: "UTC") else {
            preconditionFailure("UTC is always known")
        }
        self.trip = trip
        self.options = options
        self.clock = clock
    }

    /// What a source calls an entry, as long as that may be.
    static func sourceID(of entry: FileEntry) -> String {
        EntryText.id(entry.id, most: TripLimits.sourceIDBytes).text ?? entry.id
    }

    /// Whose entry it is, and what that calls it.
    static func source(of entry: FileEntry, _ options: ImportOptions) -> FieldValue {
        .source(ItemSource(name: options.source, id: sourceID(of: entry)))
    }

    // MARK: Places

    mutating func place(of entry: FileEntry, as kind: ItemKind) throws(Fault) -> Place {
        if kind == .game { return try gamePlace(of: entry) }
        let (day, minute) = try dayAndMinute(of: entry)
        let time: Int? = if case .time(let time)? = entry[.time] { time.minute } else { minute }
        try checkDay(day)
        let placement: Spot
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
            let local = Int64(date.daysSince1970) * 86_400 + Int64(minute) * 60
            let seconds = clock.seconds(ofWallClock: local)
            guard
                let moment = OffsetDateTime(
                    secondsSince1970: seconds, offset: clock.offset(atSecondsSince1970: seconds), isUTC: false
                )
            else { throw Fault(field: nil, reason: "its start is outside the years that can be written") }
            start = moment
        case .date, .day:
            throw Fault(field: nil, reason: "it is a game in the trip, and the file says no time for it")
        }
        zone = zone ?? entry.text(.venue).flatMap { options.cities.entry(ofVenue: $0)?.timeZone }
        let zoneClock = try zone.map { (name) throws(Fault) in try self.clock(named: name) } ?? clock
        guard let local = zoneClock.time(atSecondsSince1970: start.secondsSince1970) else {
            throw Fault(
                field: nil, reason: "a game is played in the years 1583 to 9999, by the clocks of its zone")
        }
        let day = trip.header.dayNumber(of: local.date)
        // What a trip of ours wrote may lie outside its days; there it was too.
        if entry.own == nil { try checkDay(day) }
        return Place(
            day: day, minute: local.minute, start: start, zone: zone, placement: .beforeTimed(day: day))
    }

    private func dayAndMinute(of entry: FileEntry) throws(Fault) -> (day: Int, minute: Int?) {
        switch entry.when {
        case .day(let day): return (day, nil)
        case .date(let date): return (trip.header.dayNumber(of: date), nil)
        case .clock(let date, let minute): return (trip.header.dayNumber(of: date), minute)
        case .moment(let start, _):
            guard let local = clock.time(atSecondsSince1970: start.secondsSince1970) else {
                throw Fault(field: nil, reason: "its start is outside the years that can be written")
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

    /// The places of all that was added by `addWholeDay`: in their order, above everything else of their days and below
    /// zero, so that they stay before what gets a time later.
    func wholeDays() -> [(step: Int, placement: Placement)] {
        waiting.sorted { $0.key < $1.key }.flatMap { day, steps in
            let lowest = min(trip.items(onDay: day).first?.position.sortOrder ?? 0, 0)
            return steps.enumerated().map { index, step in
                let order = max(lowest - Double(steps.count - index), -Position.maximumOrder)
                return (step, Placement.order(order, day: day))
            }
        }
    }

    /// Where a known custom item goes; nil where it stays.
    ///
    /// Its day follows the file. Within the day its order does too, unless a person has moved it or changed its time:
    /// an item that a file brought and nobody touched stands at the order of its time, or below zero without one.
    func move(of item: Item, to place: Place) -> (placement: Spot, time: FieldValue?)? {
        let time: Int? = if case .time(let time)? = item.content[.time] { time.minute } else { nil }
        let order = item.position.sortOrder
        let isAsBrought =
            item.content.kind == .custom && (time.map { order == Self.order(ofMinute: $0) } ?? (order < 0))
        let isElsewhere = item.position.day != place.day
        var newTime: FieldValue?
        if let minute = place.minute, minute != time, isAsBrought || isElsewhere && time == nil {
            newTime = ClockTime(minute: minute).map(FieldValue.time)
        }
        return isElsewhere || newTime != nil ? (place.placement, newTime) : nil
    }

    // MARK: Values

    /// The values that an entry gives the fields of an item of a kind.
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
        case .travel: break
        }
        if entry.own == nil {
            values[.source] = Self.source(of: entry, options)
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
    /// Content of a kind with these values, which has all that the kind requires.
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
