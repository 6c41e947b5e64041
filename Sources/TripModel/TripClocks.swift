/// The time zones of the times in a trip, and the instants at which its items begin.
///
/// A game uses its own zone or, by default, the trip's. Travel departs in `timeZone` and arrives in
/// `arrivalTimeZone`. The default is the zone of the nearest game in that city, counted in rows; of two
/// equally near the upper one counts. Without such a game it is the zone of the nearest game above for the
/// departure, and below for the arrival; else the trip's.
///
/// A custom item uses the zone of the nearest game or end of travel: the last above it on its day, else the
/// first below it on its day, else the last before its day, else the first after.
///
/// Built in one pass over the trip. An unattended game gives a zone only to its own city.
package struct TripClocks: Sendable {
    /// A game or travel, with the zones that apply above and below it.
    private struct Stop {
        let row: Row
        let above: String
        var below: String
    }

    /// The arrival of travel, by the clock there.
    package struct Arrival: Equatable, Sendable {
        /// The local time.
        package let time: ClockTime
        /// The days from the local date of the departure to that of the arrival; −1 eastward across the date
        /// line.
        package let dayOffset: Int
        /// The zone of the time.
        package let zone: String
    }

    private let trip: Trip
    private let stops: [Stop]
    private let travel: [ItemID: (departure: String, arrival: String)]
    private let clocks: [String: WallClock]

    /// Finds the zones of a trip's items.
    package init(_ trip: Trip) {
        var stops: [Stop] = []
        var travel: [ItemID: (departure: String, arrival: String)] = [:]
        var clocks: [String: WallClock] = [:]
        // Stops that take their arrival's zone from the next game.
        var waiting: [Int] = []
        var gameZone: String?
        for row in trip.rows {
            switch trip.item(at: row).content {
            case .game(let game):
                guard game.isAttended, trip.header.days.contains(row.day) else { continue }
                let zone = game.timeZone ?? trip.header.timeZone
                for index in waiting { stops[index].below = zone }
                waiting = []
                gameZone = zone
                stops.append(Stop(row: row, above: zone, below: zone))
            case .travel(let leg):
                let ends = trip.endsByTravel[row.id] ?? TravelEnds(of: leg)
                let departure = leg.timeZone ?? trip.zone(of: ends.from, near: row)
                let arrival = leg.arrivalTimeZone ?? trip.zone(of: ends.to, near: row)
                if arrival == nil { waiting.append(stops.count) }
                stops.append(
                    Stop(
                        row: row, above: departure ?? gameZone ?? trip.header.timeZone,
                        below: arrival ?? trip.header.timeZone))
            case .custom: continue
            }
        }
        for stop in stops {
            for zone in [stop.above, stop.below] where clocks[zone] == nil {
                clocks[zone] = trip.knownClock(of: zone)
            }
            if !stop.row.isGame { travel[stop.row.id] = (stop.above, stop.below) }
        }
        clocks[trip.header.timeZone] =
            clocks[trip.header.timeZone] ?? trip.knownClock(of: trip.header.timeZone)
        self.trip = trip
        self.stops = stops
        self.travel = travel
        self.clocks = clocks
    }

    /// The zone of an item's time; for travel that of its departure.
    package func zone(of item: Item) -> String {
        switch item.content {
        case .game(let game): game.timeZone ?? trip.header.timeZone
        case .travel(let leg): travel[item.id]?.departure ?? zone(ofNew: leg, onDay: item.position.day)
        case .custom: zone(at: Row(item))
        }
    }

    /// The zone of a travel's arrival; nil for other items.
    package func arrivalZone(of item: Item) -> String? {
        guard case .travel(let leg) = item.content else { return nil }
        return travel[item.id]?.arrival ?? arrivalZone(ofNew: leg, onDay: item.position.day)
    }

    /// The zone of the departure of travel whose fields differ from the trip's.
    ///
    /// - Parameter item: the travel in the trip; nil if it is new and goes to the end of the day.
    package func zone(ofNew leg: Travel, onDay day: Int, at item: Item? = nil) -> String {
        let row = item.map(Row.init) ?? Row.end(ofDay: day)
        return leg.timeZone ?? trip.zone(of: CityName(leg.fromCity), near: row)
            ?? stops.last { $0.row.isGame && $0.row < row }?.below ?? trip.header.timeZone
    }

    /// The zone of the arrival, likewise.
    package func arrivalZone(ofNew leg: Travel, onDay day: Int, at item: Item? = nil) -> String {
        let row = item.map(Row.init) ?? Row.end(ofDay: day)
        return leg.arrivalTimeZone ?? trip.zone(of: CityName(leg.toCity), near: row)
            ?? stops.first { $0.row.isGame && $0.row > row }?.above ?? trip.header.timeZone
    }

    /// The zone of a custom item directly below another item, or at the top of a day.
    package func zone(below item: Item?, onDay day: Int) -> String {
        zone(at: item.map(Row.init) ?? Row.start(ofDay: day))
    }

    private func zone(at row: Row) -> String {
        let index = stops.partitioningIndex { $0.row > row }
        let (above, below) = (stops[..<index].last, stops[index...].first)
        if let above, above.row.day == row.day { return above.below }
        if let below, below.row.day == row.day { return below.above }
        return above?.below ?? below?.above ?? trip.header.timeZone
    }

    /// The minute at which an item begins, since 1970 in UTC; nil without a time.
    package func start(of item: Item) -> Int? {
        if case .game(let game) = item.content {
            return Int((Double(game.startsAt.secondsSince1970) / 60).rounded(.down))
        }
        return item.content.time.map { minute($0, onDay: item.position.day, in: zone(of: item)) }
    }

    /// The minute, counted likewise, at which content would begin directly below an item, or at the top of
    /// the day; nil without a time of its own.
    package func start(ofNew content: ItemContent, below item: Item?, onDay day: Int) -> Int? {
        guard let time = content.time else { return nil }
        if case .travel(let leg) = content {
            return minute(time, onDay: day, in: zone(ofNew: leg, onDay: day))
        }
        return minute(time, onDay: day, in: zone(below: item, onDay: day))
    }

    /// The minute, counted likewise, at which a local time occurs on a day of the trip.
    package func minute(_ time: ClockTime, onDay day: Int, in zone: String) -> Int {
        minute(time.minute, onDay: day, in: zone)
    }

    /// The minute, counted likewise, at which a day of the trip ends in a zone.
    package func endOfDay(_ day: Int, in zone: String) -> Int { minute(0, onDay: day + 1, in: zone) }

    private func minute(_ minute: Int, onDay day: Int, in zone: String) -> Int {
        // A command or a file may name any day; the trip rejects it later.
        let (days, range) = (trip.header.startDate.daysSince1970, CalendarDate.dayNumbers)
        let day = min(max(day, range.lowerBound), range.upperBound)
        let local = Int64(days + day - 1) * 86_400 + Int64(minute) * 60
        let seconds = clock(of: zone)?.seconds(ofWallClock: local) ?? local
        return Int((Double(seconds) / 60).rounded(.down))
    }

    /// The minute at which travel ends; nil for other items and without a time.
    package func end(ofTravel item: Item) -> Int? {
        guard case .travel(let leg) = item.content else { return nil }
        return start(of: item).map { $0 + min(leg.durationMinutes ?? 0, TripLimits.durationMinutes) }
    }

    /// The arrival of travel; nil without a departure time or a duration.
    package func arrival(of item: Item) -> Arrival? {
        guard case .travel(let leg) = item.content, let minutes = leg.durationMinutes,
            let start = start(of: item), let zone = arrivalZone(of: item),
            let there = local(start + min(minutes, TripLimits.durationMinutes), in: zone),
            let time = ClockTime(minute: there.minute)
        else { return nil }
        let offset = trip.header.dayNumber(of: there.date) - item.position.day
        return Arrival(time: time, dayOffset: offset, zone: zone)
    }

    /// The local date and time in a zone at a minute.
    package func local(_ minute: Int, in zone: String) -> LocalTime? {
        clock(of: zone)?.time(atSecondsSince1970: Int64(minute) * 60)
    }

    /// Whether a zone's clock differs from that of the trip's zone at a minute.
    package func isForeign(_ zone: String, at minute: Int) -> Bool {
        guard zone != trip.header.timeZone, let there = clock(of: zone),
            let here = clock(of: trip.header.timeZone)
        else { return false }
        let seconds = Int64(minute) * 60
        return there.offset(atSecondsSince1970: seconds) != here.offset(atSecondsSince1970: seconds)
    }

    /// The clock of a zone, or of the trip's zone if this system does not know the zone.
    private func clock(of zone: String) -> WallClock? {
        clocks[zone] ?? trip.knownClock(of: zone) ?? clocks[trip.header.timeZone]
    }
}

extension Trip {
    /// The zone of the game in a city that is nearest to a row, counted in rows; of two equally near the
    /// upper one. Nil if the city has no game.
    fileprivate func zone(of city: CityName?, near row: Row) -> String? {
        guard let city else { return nil }
        let place = rows.offset(of: rows.lowerBound(of: row))
        var best: (distance: Int, row: Row)?
        for isAttended in [true, false] {
            guard let games = gamesByCity[CityGames(city: city, isAttended: isAttended)] else { continue }
            let next = games.partitioningIndex { $0 > row }
            for game in [games[..<next].last, games[next...].first].compactMap(\.self) {
                let distance = abs(rows.offset(of: rows.lowerBound(of: game)) - place)
                guard best.map({ (distance, game) < ($0.distance, $0.row) }) ?? true else { continue }
                best = (distance, game)
            }
        }
        guard let best, case .game(let game) = item(at: best.row).content else { return nil }
        return game.timeZone ?? header.timeZone
    }
}

// MARK: - Text

extension TripClocks {
    /// The arrival of travel, such as `→ 06:20 +1`; nil if unknown.
    package func arrivalText(of item: Item) -> String? {
        arrival(of: item).map { arrival in
            let offset =
                arrival.dayOffset == 0
                ? "" : arrival.dayOffset < 0 ? " −\(-arrival.dayOffset)" : " +\(arrival.dayOffset)"
            return "→ \(arrival.time)\(offset)"
        }
    }

    /// The zones of an item's times that are not the trip's, such as `Tokyo time` or `Tokyo → Los Angeles
    /// time`; nil if there are none.
    package func zoneText(of item: Item) -> String? {
        guard let start = start(of: item) else { return nil }
        let departure = zone(of: item)
        guard let arrival = arrival(of: item), arrival.zone != departure else {
            return isForeign(departure, at: start) ? "\(Self.label(departure)) time" : nil
        }
        guard isForeign(departure, at: start) || isForeign(arrival.zone, at: start) else { return nil }
        return "\(Self.label(departure)) → \(Self.label(arrival.zone)) time"
    }

    /// The zone of a later time of an item, such as its check-out; nil if it is the trip's.
    func zoneText(of time: ClockTime, onDay day: Int, as item: Item) -> String? {
        let zone = zone(of: item)
        return isForeign(zone, at: minute(time, onDay: day, in: zone)) ? "\(Self.label(zone)) time" : nil
    }

    /// Notes on an item's times, shown beside its start: `17:00 → 11:00`, `Tokyo time`.
    package func timeNotes(of item: Item) -> [String] {
        [arrivalText(of: item).map { "\(item.clockTime ?? "") \($0)" }, zoneText(of: item)].compactMap(\.self)
    }

    /// A zone's label beside a time: its city, such as `Los Angeles`, or `UTC−5` for `Etc/GMT+5`.
    package static func label(_ zone: String) -> String {
        let posix = "Etc/GMT"
        if zone.hasPrefix(posix), let hours = Int(zone.dropFirst(posix.count)), hours != 0 {
            return hours > 0 ? "UTC−\(hours)" : "UTC+\(-hours)"
        }
        return String(zone.split(separator: "/").last ?? "").replacing("_", with: " ")
    }
}
