import JSONLine
import TripModel
import TripProtocol

/// Writes a trip as iCalendar (RFC 5545), with a VEVENT per item. Our importer restores the same items, and
/// other programs show them at their times.
struct CalendarWriter {
    private var lines = FoldedLines()
    private let trip: Trip
    private let clocks: TripClocks
    private let alarmMinutes: Int?
    private var zones: [String: WallClock] = [:]

    /// The trip as iCalendar.
    ///
    /// - Parameter alarmMinutes: the time of an alarm before each item with a time; nil for no alarms.
    static func text(of trip: Trip, alarmMinutes: Int? = nil) -> [UInt8] {
        var writer = CalendarWriter(trip, alarmMinutes)
        writer.write()
        return writer.lines.bytes
    }

    private init(_ trip: Trip, _ alarmMinutes: Int?) {
        self.trip = trip
        self.alarmMinutes = alarmMinutes
        clocks = TripClocks(trip)
    }

    private mutating func write() {
        let header = trip.header
        lines.write("BEGIN", "VCALENDAR")
        lines.write("VERSION", "2.0")
        lines.write("PRODID", "-//itineraryd//itineraryd//EN")
        lines.write("CALSCALE", "GREGORIAN")
        lines.writeText("X-WR-CALNAME", header.name)
        lines.writeText("X-WR-TIMEZONE", header.timeZone)
        lines.write("X-ITINERARYD-STARTDATE", header.startDate.description)
        lines.write("X-ITINERARYD-DAYCOUNT", String(header.dayCount))
        lines.writeText("X-ITINERARYD-TIMEZONE", header.timeZone)
        if !header.rates.isEmpty { lines.writeText("X-ITINERARYD-RATES", header.rates) }
        if !header.acceptedProblems.isEmpty {
            lines.writeText("X-ITINERARYD-ACCEPTED", header.acceptedProblems.sorted().joined(separator: " "))
        }
        let items = trip.items
        writeZones(of: items)
        for item in items { write(item) }
        for entry in header.todo { write(entry) }
        lines.write("END", "VCALENDAR")
    }

    // MARK: Zones

    private mutating func writeZones(of items: [Item]) {
        var names: Set<String> = []
        var first = Int64(header.startDate.daysSince1970) * 86_400
        var last = first + Int64(header.dayCount) * 86_400
        for item in items {
            if case .game(let game) = item.content {
                names.insert(game.timeZone ?? header.timeZone)
                first = min(first, game.startsAt.secondsSince1970)
                last = max(last, game.startsAt.secondsSince1970)
            } else if item.content[.time] != nil {
                names.insert(clocks.zone(of: item))
                if let zone = clocks.arrivalZone(of: item) { names.insert(zone) }
            }
        }
        for name in names.sorted() {
            guard let clock = WallClock(zone: name) else { continue }
            zones[name] = clock
            writeZone(name, clock, from: first - 2 * 86_400, to: last + 2 * 86_400)
        }
    }

    private var header: TripHeader { trip.header }

    /// Writes a VTIMEZONE with a part for each offset change in a span, and one for the offset before.
    private mutating func writeZone(_ name: String, _ clock: WallClock, from first: Int64, to last: Int64) {
        lines.write("BEGIN", "VTIMEZONE")
        lines.writeText("TZID", name)
        let offset = clock.offset(atSecondsSince1970: first)
        writeChange(
            from: offset, to: offset, isSummerTime: clock.isSummerTime(atSecondsSince1970: first),
            wallClock: min(0, first))
        for change in clock.changes(from: first, to: last) {
            let before = clock.offset(atSecondsSince1970: change - 1)
            writeChange(
                from: before, to: clock.offset(atSecondsSince1970: change),
                isSummerTime: clock.isSummerTime(atSecondsSince1970: change),
                wallClock: change + Int64(before))
        }
        lines.write("END", "VTIMEZONE")
    }

    private mutating func writeChange(from: Int, to: Int, isSummerTime: Bool, wallClock: Int64) {
        guard let start = CalendarText.time(wallClock: wallClock) else { return }
        let name = isSummerTime ? "DAYLIGHT" : "STANDARD"
        lines.write("BEGIN", name)
        lines.write("DTSTART", start)
        lines.write("TZOFFSETFROM", CalendarText.offset(from))
        lines.write("TZOFFSETTO", CalendarText.offset(to))
        lines.write("END", name)
    }

    // MARK: Items

    private mutating func write(_ item: Item) {
        lines.write("BEGIN", "VEVENT")
        lines.writeText("UID", uid(of: item))
        if let stamp = CalendarText.utc(item.modifiedAt.milliseconds.flooredSeconds) {
            lines.write("DTSTAMP", stamp)
            lines.write("LAST-MODIFIED", stamp)
        }
        lines.write("SEQUENCE", String(item.version))
        writeTime(of: item)
        let isMissed = item.content[.attending] == .flag(false)
        lines.writeText("SUMMARY", (isMissed ? CalendarEvent.missedMark : "") + item.content.title)
        if let location = location(of: item.content) { lines.writeText("LOCATION", location) }
        if case .coordinate(let coordinate)? = item.content[.coordinate] {
            let latitude = DecimalText.text(of: coordinate.latitude)
            lines.write("GEO", "\(latitude);\(DecimalText.text(of: coordinate.longitude))")
        }
        if let url = ItemWords(item, clocks).url { lines.write("URL", url) }
        let details = details(of: item.content)
        let note: String? = if case .text(let note)? = item.content[.note] { note } else { nil }
        if note != nil || details != nil {
            lines.writeText("DESCRIPTION", [details, note].compactMap(\.self).joined(separator: "\n\n"))
        }
        if let details { lines.writeText("\(CalendarEvent.ownPrefix)DETAILS", details) }
        if item.content.isCancelled { lines.write("STATUS", "CANCELLED") }
        if isFreeTime(item.content) { lines.write("TRANSP", "TRANSPARENT") }
        writeOwn(item)
        if let alarmMinutes, item.content.isGame ? item.content.isBindingGame : item.content[.time] != nil {
            lines.write("BEGIN", "VALARM")
            lines.write("ACTION", "DISPLAY")
            lines.writeText("DESCRIPTION", item.content.title)
            lines.write("TRIGGER", "-PT\(alarmMinutes)M")
            lines.write("END", "VALARM")
        }
        lines.write("END", "VEVENT")
    }

    /// The place and the city; of travel the city in which it begins.
    private func location(of content: ItemContent) -> String? {
        func text(_ field: ItemField) -> String? {
            if case .text(let text)? = content[field] { text } else { nil }
        }
        switch content {
        case .game: return ItemWords.location(of: content)
        case .travel: return text(.fromCity)
        case .custom:
            let (place, city) = (text(.place), text(.city))
            // An imported place may be a whole address.
            if let place, let city, place.lowercased().contains(city.lowercased()) { return place }
            return [place, city].compactMap(\.self).isEmpty
                ? nil : [place, city].compactMap(\.self).joined(separator: ", ")
        }
    }

    private mutating func write(_ entry: TodoEntry) {
        lines.write("BEGIN", "VTODO")
        lines.writeText("UID", "\(entry.id)@\(header.id).itineraryd")
        // RFC 5545 asks for a time, and an entry has none: that of the trip's first day is the same at each export.
        if let stamp = CalendarText.utc(Int64(header.startDate.daysSince1970) * 86_400) {
            lines.write("DTSTAMP", stamp)
        }
        lines.writeText("SUMMARY", entry.text)
        if let due = entry.parts.due { lines.write("DUE;VALUE=DATE", CalendarText.date(due)) }
        if let group = entry.parts.group { lines.writeText("CATEGORIES", group) }
        lines.write("STATUS", entry.doneBy == nil ? "NEEDS-ACTION" : "COMPLETED")
        lines.write("\(CalendarEvent.ownPrefix)ID", entry.id.description)
        if let user = entry.doneBy { lines.writeText("\(CalendarEvent.ownPrefix)DONEBY", user) }
        if let item = entry.item {
            var json = JSONWriter()
            json.encode(item)
            lines.writeText("\(CalendarEvent.ownPrefix)ITEM", String(decoding: json.bytes, as: UTF8.self))
            if case .text(let note)? = item[.note] { lines.writeText("DESCRIPTION", note) }
        }
        lines.write("END", "VTODO")
    }

    /// The description for users of other programs: the values without a standard property; nil if there are none.
    private func details(of content: ItemContent) -> String? {
        var details: [String] = []
        if case .text(let mode)? = content[.mode] { details.append(mode) }
        if case .text(let reference)? = content[.reference] { details.append("Reference: \(reference)") }
        if case .text(let who)? = content[.who] { details.append("With: \(who)") }
        if case .cost(let cost)? = content[.cost] {
            details.append("Cost: \(CostText.text(of: cost))")
        }
        return details.isEmpty ? nil : details.joined(separator: "\n")
    }

    /// Whether other programs should show the time as free: an event that is not attended or is cancelled, or whole days.
    private func isFreeTime(_ content: ItemContent) -> Bool {
        if content.isGame { return !content.isBindingGame }
        return content[.time] == nil || isWholeDayStay(content)
    }

    private func uid(of item: Item) -> String {
        if case .game(let game) = item.content, game.gameID.utf8.contains(UInt8(ascii: "@")) {
            return game.gameID
        }
        return "\(item.id)@\(header.id).itineraryd"
    }

    private mutating func writeTime(of item: Item) {
        if case .game(let game) = item.content {
            writeStart(of: game)
            writeDuration(game.durationMinutes ?? Trip.assumedGameMinutes)
            return
        }
        guard let date = header.date(ofDay: item.position.day) else { return }
        let midnight = Int64(date.daysSince1970) * 86_400
        let (nights, end) = stay(item.content)
        guard let time = item.content.startTime, nights == 0 || end != nil else {
            lines.write("DTSTART;VALUE=DATE", CalendarText.date(date))
            if nights > 0, let after = date.adding(days: nights + 1) {
                lines.write("DTEND;VALUE=DATE", CalendarText.date(after))
            }
            return
        }
        let zone = clocks.zone(of: item)
        write("DTSTART", midnight + Int64(time.minute) * 60, in: zone)
        if let end {
            let night = time.isLateNight && nights == 0 ? 1 : nights
            let local = midnight + Int64(night) * 86_400 + Int64(end.minute) * 60
            if local >= midnight + Int64(time.minute) * 60 { write("DTEND", local, in: zone) }
        } else if let arrival = clocks.arrival(of: item) {
            let day = midnight + Int64(arrival.dayOffset) * 86_400
            write("DTEND", day + Int64(arrival.time.minute) * 60, in: arrival.zone)
        } else if case .minutes(let minutes)? = item.content[.durationMinutes] {
            writeDuration(minutes)
        }
    }

    private func stay(_ content: ItemContent) -> (nights: Int, end: ClockTime?) {
        guard case .custom(let custom) = content else { return (0, nil) }
        return (custom.nights ?? 0, custom.endTime)
    }

    /// Whether the item is written with whole days, so that its time needs a separate property.
    private func isWholeDayStay(_ content: ItemContent) -> Bool {
        let (nights, end) = stay(content)
        return nights > 0 && end == nil
    }

    /// Writes a local time of a zone, given in seconds as if in UTC.
    private mutating func write(_ property: String, _ local: Int64, in zone: String) {
        // A zone unknown to this system has no VTIMEZONE; the time is then written as floating.
        let parameter = zones[zone] == nil ? "" : ";TZID=\(zone)"
        if let text = CalendarText.time(wallClock: local) { lines.write("\(property)\(parameter)", text) }
    }

    private mutating func writeStart(of game: Game) {
        let zone = game.timeZone ?? header.timeZone
        let seconds = game.startsAt.secondsSince1970
        if let clock = zones[zone] {
            let local = seconds + Int64(clock.offset(atSecondsSince1970: seconds))
            // A local time that occurs twice means the first. The second can only be written in UTC.
            if clock.seconds(ofWallClock: local) == seconds, let start = CalendarText.time(wallClock: local) {
                lines.write("DTSTART;TZID=\(zone)", start)
                return
            }
        }
        if let start = CalendarText.utc(seconds) { lines.write("DTSTART", start) }
    }

    private mutating func writeDuration(_ minutes: Int?) {
        if let minutes { lines.write("DURATION", "PT\(minutes)M") }
    }

    /// Writes the fields that iCalendar has no property for.
    private mutating func writeOwn(_ item: Item) {
        let prefix = CalendarEvent.ownPrefix
        lines.write("\(prefix)KIND", item.content.kind.rawValue)
        lines.write("\(prefix)ID", item.id.description)
        lines.write("\(prefix)SORTORDER", DecimalText.text(of: item.position.sortOrder))
        if item.content[.time] != nil, clocks.zone(of: item) != header.timeZone {
            lines.writeText("\(prefix)CLOCK", clocks.zone(of: item))
        }
        for field in item.content.kind.fields {
            guard let value = item.content[field] else { continue }
            switch (field, value) {
            case (.title, _), (.note, _), (.url, _): break
            case (.time, _) where !isWholeDayStay(item.content): break
            case (_, .source(let source)):
                lines.writeText("\(prefix)SOURCE", source.name)
                lines.writeText("\(prefix)SOURCEID", source.id)
            default:
                lines.writeText("\(prefix)\(field.name.uppercased())", FieldText.text(of: value))
            }
        }
    }
}

extension Int64 {
    /// Milliseconds rounded down to seconds.
    fileprivate var flooredSeconds: Int64 { self >= 0 ? self / 1000 : (self - 999) / 1000 }
}
