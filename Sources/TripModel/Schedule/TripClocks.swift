/// The time zones of the times in a trip, and the instants at which its items begin.
///
/// A game uses its own zone or, by default, the trip's. Travel departs in `timeZone` and arrives in
/// `arrivalTimeZone`, by default in the city's own clock. That is the zone of the nearest game there, counted in
/// rows, of two equally near the upper one; else the zone given for the nearest end of travel there, likewise; else
/// the zone that is named after the city. Without it the departure has the zone of the nearest arrival or attended
/// game above, else the trip's; the arrival has that of the next attended game below if no travel stands between,
/// else the departure's.
///
/// A custom item uses the zone of the nearest attended game or end of travel: the last above it on its day, else the
/// first below it on its day, else the last before its day, else the first after.
///
/// Built in one pass over the trip.
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

    /// The zone of an end of travel.
    package struct End: Equatable, Sendable {
        /// Where the zone is from.
        package enum Origin: Sendable {
            /// Given for this end, or the city's own clock.
            case city
            /// Another item of the trip: the end may be in another zone in fact.
            case neighbour
            /// The trip's header.
            case trip
        }

        /// Its name.
        package let zone: String
        /// Where it is from.
        package let origin: Origin
    }

    private let trip: Trip
    var header: TripHeader { trip.header }
    private let stops: [Stop]
    private let travel: [ItemID: (departure: String, arrival: String)]
    /// The zones given for ends of travel, by city, in shown order.
    private let given: [CityName: [(row: Row, zone: String)]]
    private let clocks: [String: WallClock]

    /// Finds the zones of a trip's items.
    package init(_ trip: Trip) {
        let given = trip.givenZones
        var stops: [Stop] = []
        var travel: [ItemID: (departure: String, arrival: String)] = [:]
        // The last stop is travel whose arrival has the zone of the next game, if one follows.
        var takesNext = false
        for row in trip.plannedRows {
            let item = trip.item(at: row)
            switch item.content {
            case .game(let game):
                guard game.isBinding, trip.header.days.contains(row.day) else { continue }
                let zone = game.timeZone ?? trip.header.timeZone
                if takesNext { stops[stops.count - 1].below = zone }
                takesNext = false
                stops.append(Stop(row: row, above: zone, below: zone))
            case .travel(let leg):
                guard let ends = item.ends else { continue }
                let departure =
                    leg.timeZone ?? trip.ownZone(of: ends.from, near: row, given) ?? stops.last?.below
                    ?? trip.header.timeZone
                let arrival = leg.arrivalTimeZone ?? trip.ownZone(of: ends.to, near: row, given)
                takesNext = arrival == nil
                stops.append(Stop(row: row, above: departure, below: arrival ?? departure))
            case .custom: continue
            }
        }
        var clocks = [trip.header.timeZone: trip.knownClock(of: trip.header.timeZone)]
        for stop in stops {
            for zone in [stop.above, stop.below] where clocks[zone] == nil {
                clocks[zone] = trip.knownClock(of: zone)
            }
            if !stop.row.isGame { travel[stop.row.id] = (stop.above, stop.below) }
        }
        self.trip = trip
        self.given = given
        self.stops = stops
        self.travel = travel
        self.clocks = clocks.compactMapValues(\.self)
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
    /// - Parameter item: the travel in the trip; nil if it is new and goes to the place of its time on the day.
    package func zone(ofNew leg: Travel, onDay day: Int, at item: Item? = nil) -> String {
        departure(of: leg, onDay: day, at: item).zone
    }

    /// The zone of the arrival, likewise.
    package func arrivalZone(ofNew leg: Travel, onDay day: Int, at item: Item? = nil) -> String {
        arrival(of: leg, onDay: day, at: item).zone
    }

    /// The zone of the departure, likewise, and where it is from.
    package func departure(of leg: Travel, onDay day: Int, at item: Item? = nil) -> End {
        let row = item.map(Row.init) ?? row(ofNew: leg, onDay: day)
        if let own = leg.timeZone ?? trip.ownZone(of: CityName(leg.fromCity), near: row, given, by: leg) {
            return End(zone: own, origin: .city)
        }
        let above = stops[..<stops.partitioningIndex { $0.row >= row }].last
        return End(zone: above?.below ?? trip.header.timeZone, origin: above == nil ? .trip : .neighbour)
    }

    /// The zone of the arrival, likewise, and where it is from.
    package func arrival(of leg: Travel, onDay day: Int, at item: Item? = nil) -> End {
        let row = item.map(Row.init) ?? row(ofNew: leg, onDay: day)
        if let own = leg.arrivalTimeZone ?? trip.ownZone(of: CityName(leg.toCity), near: row, given, by: leg)
        {
            return End(zone: own, origin: .city)
        }
        let next = stops[stops.partitioningIndex { $0.row > row }...].first
        if let next, next.row.isGame { return End(zone: next.above, origin: .neighbour) }
        let departure = departure(of: leg, onDay: day, at: item)
        return End(zone: departure.zone, origin: departure.origin == .trip ? .trip : .neighbour)
    }

    /// The place of new travel on a day: above the first stop with a later time, else at the end.
    private func row(ofNew leg: Travel, onDay day: Int) -> Row {
        let time = ItemContent.travel(leg).startTime
        func minuteOfDay(_ item: Item) -> Int? {
            item.isGame ? ClockTime(item.position.clockTime)?.minute : item.content.startTime?.minute
        }
        let ofDay = stops[stops.partitioningIndex { $0.row.day >= day }...].prefix { $0.row.day == day }
        let later = ofDay.first { stop in
            guard let time, let other = minuteOfDay(trip.item(at: stop.row)) else { return false }
            return time.minute < other
        }
        guard let later else { return Row.end(ofDay: day) }
        return Row(
            day: day, sortOrder: later.row.sortOrder.nextDown, isGame: false,
            id: ItemID(high: .max, low: .max))
    }

    /// The zone of a city's own clock for an event on a day; nil if it has none.
    package func ownZone(ofCity city: String?, onDay day: Int) -> String? {
        trip.ownZone(of: city.flatMap(CityName.init), near: Row.end(ofDay: day), given)
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
        return item.content.startTime.map { minute($0, onDay: item.position.day, in: zone(of: item)) }
    }

    /// The minute, counted likewise, at which content would begin directly below an item, or at the top of
    /// the day; nil without a time of its own.
    package func start(ofNew content: ItemContent, below item: Item?, onDay day: Int) -> Int? {
        guard let time = content.startTime else { return nil }
        if case .travel(let leg) = content {
            return minute(time, onDay: day, in: zone(ofNew: leg, onDay: day))
        }
        return minute(time, onDay: day, in: zone(below: item, onDay: day))
    }

    /// The minute, counted likewise, at which a local time occurs on a day of the trip.
    package func minute(_ time: StartTime, onDay day: Int, in zone: String) -> Int {
        minute(time.minute, onDay: day, in: zone)
    }

    /// The first day of the trip on which a local time is not before a minute; nil if the trip ends before.
    func firstDay(of time: StartTime, in zone: String, notBefore minute: Int) -> Int? {
        let date = local(minute, in: zone).map { header.dayNumber(of: $0.date) }
        return date.flatMap { date in
            (date - 1...date + 1).first {
                header.days.contains($0) && self.minute(time, onDay: $0, in: zone) >= minute
            }
        }
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

    /// The zone of where the travellers are at an instant: that of the last arrival or attended game before it, else
    /// the trip's. Travel without a time counts as arrived at the end of its day.
    ///
    /// - Parameter now: seconds since 1970.
    package func zone(at now: Int64) -> String {
        var last: (minute: Int, zone: String)?
        for stop in stops {
            let item = trip.item(at: stop.row)
            let minute = item.isGame ? start(of: item) : end(ofTravel: item)
            let arrival = minute ?? endOfDay(stop.row.day, in: stop.below)
            if Int64(arrival) * 60 <= now, arrival >= last?.minute ?? .min { last = (arrival, stop.below) }
        }
        return last?.zone ?? header.timeZone
    }

    /// The day of the trip at an instant, by the clock of where the travellers are; it may be outside the trip.
    ///
    /// - Parameter now: seconds since 1970.
    package func day(at now: Int64) -> Int? {
        clock(of: zone(at: now))?.time(atSecondsSince1970: now).map { header.dayNumber(of: $0.date) }
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

    /// The first end of travel whose given zone shows another time than the clock of its city, which is that of the nearest
    /// game there, else that of the zone named after it.
    ///
    /// - Parameter named: the zones named after cities, found as needed.
    func otherClock(
        of item: Item, _ named: inout [CityName: String?]
    ) -> (city: String, field: ItemField, own: String)? {
        guard case .travel(let leg) = item.content, let ends = item.ends, let start = start(of: item) else {
            return nil
        }
        let row = Row(item)
        for (name, city, zone, field, minute) in [
            (leg.fromCity, ends.from, leg.timeZone, ItemField.timeZone, start),
            (leg.toCity, ends.to, leg.arrivalTimeZone, .arrivalTimeZone, end(ofTravel: item) ?? start),
        ] {
            guard let city, let zone else { continue }
            let own: String?
            if let event = trip.eventZone(of: city, near: row) {
                own = event
            } else {
                if named[city] == nil { named[city] = .some(city.timeZone) }
                own = named[city] ?? nil
            }
            guard let own, own != zone, let here = clock(of: zone), let there = clock(of: own) else {
                continue
            }
            let seconds = Int64(minute) * 60
            if here.offset(atSecondsSince1970: seconds) != there.offset(atSecondsSince1970: seconds) {
                return (name, field, own)
            }
        }
        return nil
    }

    /// The clock of a zone, or of the trip's zone if this system does not know the zone.
    func clock(of zone: String) -> WallClock? {
        clocks[zone] ?? trip.knownClock(of: zone) ?? clocks[trip.header.timeZone]
    }
}

extension Trip {
    /// The zones given for ends of travel, by city, in shown order.
    fileprivate var givenZones: [CityName: [(row: Row, zone: String)]] {
        var given: [CityName: [(row: Row, zone: String)]] = [:]
        for row in plannedRows where !row.isGame {
            let item = item(at: row)
            guard case .travel(let leg) = item.content, let ends = item.ends else { continue }
            if let zone = leg.timeZone, let city = ends.from { given[city, default: []].append((row, zone)) }
            if let zone = leg.arrivalTimeZone, let city = ends.to, leg.timeZone == nil || city != ends.from {
                given[city, default: []].append((row, zone))
            }
        }
        return given
    }

    /// The zone of a city's own clock; nil if it has none.
    ///
    /// - Parameters:
    ///   - row: the place of the travel.
    ///   - given: the zones given for ends of travel.
    ///   - leg: the travel in another form than in the trip, which `given` contains; nil if it is the same.
    fileprivate func ownZone(
        of city: CityName?, near row: Row, _ given: [CityName: [(row: Row, zone: String)]],
        by leg: Travel? = nil
    ) -> String? {
        guard let city else { return nil }
        if let zone = eventZone(of: city, near: row) { return zone }
        let ends = given[city] ?? []
        let below = ends.partitioningIndex { $0.row >= row }
        // The travel itself, which may have a zone for its other end.
        let itself = ends[below...].prefix { $0.row == row }
        if let leg {
            for (end, zone) in [(leg.fromCity, leg.timeZone), (leg.toCity, leg.arrivalTimeZone)] {
                if let zone, CityName(end) == city { return zone }
            }
        } else if let zone = itself.first?.zone {
            return zone
        }
        let candidates = [ends[..<below].last, ends[itself.endIndex...].first].compactMap(\.self)
        return candidates.min { (distance($0.row, row), $0.row) < (distance($1.row, row), $1.row) }?.zone
            ?? city.timeZone
    }

    /// The zone of the game in a city that is nearest to a row, counted in rows; of two equally near the
    /// upper one. Nil if the city has no game.
    fileprivate func eventZone(of city: CityName, near row: Row) -> String? {
        let candidates = [true, false].flatMap { isBinding in
            let games = gamesByCity[CityGames(city: city, isBinding: isBinding)] ?? RowList()
            let next = games.partitioningIndex { $0 > row }
            return [games[..<next].last, games[next...].first].compactMap(\.self)
        }
        let nearest = candidates.min { (distance($0, row), $0) < (distance($1, row), $1) }
        guard let nearest, case .game(let game) = item(at: nearest).content else { return nil }
        return game.timeZone ?? header.timeZone
    }

    private func distance(_ left: Row, _ right: Row) -> Int {
        abs(rows.offset(of: rows.lowerBound(of: left)) - rows.offset(of: rows.lowerBound(of: right)))
    }
}

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
        return isForeign(zone, at: minute(StartTime(time), onDay: day, in: zone))
            ? "\(Self.label(zone)) time" : nil
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
