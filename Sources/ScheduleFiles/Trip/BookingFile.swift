import JSONLine
import TripModel

/// Bookings in schema.org's JSON-LD, as programs extract them from mails and tickets, and events, as pages on the web
/// contain them. Flights, trains, buses and boats become travel, lodging becomes a stay, and an event becomes a game.
package struct BookingFile: Equatable, Sendable {
    /// The bookings as entries.
    package private(set) var entries = FileEntries()
    /// The start of the first booking of each key.
    private var starts: [TextKey: BookedTime?] = [:]
    /// The indices of the entries by their keys.
    private var indices: [TextKey: Int] = [:]

    /// Parses bookings; nil if the text contains none.
    init?(_ text: FileText) {
        guard let root = try? JSONDocument(parsing: text.bytes[text.start...]).root else { return nil }
        let nodes =
            root.kind == .array ? root.elements.map { $0 } : (root["@graph"]?.elements.map { $0 } ?? [root])
        guard nodes.contains(where: { !Self.booked(by: $0).isEmpty }) else { return nil }
        for (index, node) in nodes.prefix(FileText.maximumEntries).enumerated() {
            let booked = Self.booked(by: node)
            if booked.isEmpty {
                entries.notes.append(
                    FileNote(
                        line: index + 1, text: "it is neither a reservation nor an event; it is not imported")
                )
            }
            for (booked, kind) in booked { read(node, booked, kind, line: index + 1) }
        }
    }

    /// What a node books, with its kind: of a reservation one or several things, of an event or a trip itself.
    private static func booked(by node: JSONNode) -> [(booked: JSONNode, kind: String)] {
        let types =
            node["@type"].map { $0.kind == .array ? $0.elements.compactMap(\.string) : [$0.string ?? ""] }
            ?? []
        for type in types {
            if type.hasSuffix("Reservation"), let booked = node["reservationFor"] {
                let kind = String(type.dropLast("Reservation".count))
                return (booked.kind == .array ? booked.elements.map { $0 } : [booked]).map { ($0, kind) }
            }
            if type.hasSuffix("Event") || type == "Festival" { return [(node, "Event")] }
            if type == "Flight" { return [(node, type)] }
            if ["TrainTrip", "BusTrip", "BoatTrip"].contains(type) {
                return [(node, String(type.dropLast(4)))]
            }
        }
        return []
    }

    private mutating func read(_ node: JSONNode, _ booked: JSONNode, _ kind: String, line: Int) {
        let (start, end) = Self.times(of: node, booked, kind)
        guard let key = key(of: node, booked, kind, start) else { return }
        let states = [node["reservationStatus"], booked["eventStatus"]].compactMap { $0?.string }
        if states.contains(where: { $0.hasSuffix("Cancelled") }) {
            entries.cancelled.insert(TextKey(key))
            entries.notes.append(FileNote(line: line, id: key, text: "it is cancelled; it is not imported"))
            return
        }
        let seat = node["reservedTicket"]?["ticketedSeat"]?["seatNumber"]?.string.map { "seat \($0)" }
        guard entries.present.insert(TextKey(key)).inserted else { return add(seat, to: key) }
        guard let start else {
            entries.skipped.append(SkippedEntry(line: line, id: key, reason: "it has no day"))
            return
        }
        var builder =
            switch kind {
            case "Flight", "Train", "Bus", "Boat": Self.travel(line, key, booked, kind, start, end)
            case "Event": Self.event(line, key, booked, start, end)
            default: Self.stay(line, key, node, booked, start, end)
            }
        builder.set(
            .reference,
            [node["reservationNumber"]?.string, seat].compactMap(\.self).joined(separator: ", "))
        builder.set(.url, booked["url"]?.string ?? node["url"]?.string)
        entries.notes += builder.notes
        indices[TextKey(key)] = entries.entries.count
        entries.entries.append(builder.entry)
    }

    /// The start and the end of a booking, under the names that its kind uses.
    private static func times(
        of node: JSONNode, _ booked: JSONNode, _ kind: String
    ) -> (start: BookedTime?, end: BookedTime?) {
        switch kind {
        case "Lodging":
            (
                BookedTime(node["checkinTime"]) ?? BookedTime(node["checkinDate"]),
                BookedTime(node["checkoutTime"]) ?? BookedTime(node["checkoutDate"])
            )
        case "RentalCar": (BookedTime(node["pickupTime"]), BookedTime(node["dropoffTime"]))
        case "Flight", "Train", "Bus", "Boat":
            (
                BookedTime(booked["departureTime"]) ?? BookedTime(booked["departureDay"]),
                BookedTime(booked["arrivalTime"])
            )
        case "FoodEstablishment": (BookedTime(node["startTime"]), BookedTime(node["endTime"]))
        default: (BookedTime(booked["startDate"]), BookedTime(booked["endDate"]))
        }
    }

    /// The key that identifies a booking: its number and its subject. The date is added if it has no number, or if an
    /// earlier booking of the file has the same key and another start.
    private mutating func key(
        of node: JSONNode, _ booked: JSONNode, _ kind: String, _ start: BookedTime?
    ) -> String? {
        let number = node["reservationNumber"]?.string ?? booked["@id"]?.string
        let date = start?.date.description ?? ""
        let parts =
            [kind, number ?? "", Self.name(of: booked, kind)]
            + [Self.city(booked.member(named: "departure" + Self.stop(kind))) ?? ""]
        func key(_ more: String) -> String? {
            EntryText.id(
                (parts + [more]).filter { !$0.isEmpty }.joined(separator: "/"), most: TripLimits.sourceIDBytes
            ).text
        }
        guard let short = key(number == nil ? date : "") else { return nil }
        let first = starts[TextKey(short)]
        if first == nil { starts[TextKey(short)] = .some(start) }
        return first.map { $0 == start } ?? true ? short : key(date)
    }

    /// Adds the seat of another traveller to a booking.
    private mutating func add(_ seat: String?, to key: String) {
        guard let seat, let index = indices[TextKey(key)] else { return }
        var builder = EntryBuilder(entries.entries[index])
        let known = builder.entry.text(.reference)?.split(separator: ", ").map(String.init) ?? []
        if known.contains(seat) { return }
        builder.set(.reference, (known + [seat]).joined(separator: ", "))
        entries.entries[index] = builder.entry
    }

    private static func name(of booked: JSONNode, _ kind: String) -> String {
        booked.member(named: "\(kind.lowercased())Number")?.string ?? booked["name"]?.string ?? ""
    }

    private static func travel(
        _ line: Int, _ key: String, _ booked: JSONNode, _ kind: String, _ start: BookedTime,
        _ end: BookedTime?
    ) -> EntryBuilder {
        var builder = EntryBuilder(FileEntry(line: line, id: key, kind: .travel, when: .date(start.date)))
        builder.set(.fromCity, city(booked.member(named: "departure" + stop(kind))))
        builder.set(.toCity, city(booked.member(named: "arrival" + stop(kind))))
        builder.set(.mode, kind == "Flight" ? "plane" : kind.lowercased())
        let minutes = start.minutes(to: end)
        if let time = start.time {
            builder.entry[.time] = .time(time)
            builder.entry[.timeZone] = start.zone.map(FieldValue.text)
            builder.entry[.arrivalTimeZone] = end?.zone.map(FieldValue.text)
            for field in [ItemField.timeZone, .arrivalTimeZone] where builder.entry[field] == nil {
                let time = field == .timeZone ? start : end
                guard let zone = time?.offsetZone else { continue }
                builder.entry[field] = .text(zone)
                builder.entry.offsetZones.insert(field)
            }
            builder.entry[.durationMinutes] = minutes.map(FieldValue.minutes)
            if let first = start.moment, let last = end?.moment,
                last.secondsSince1970 < first.secondsSince1970
            {
                builder.note("it arrives before it departs; its duration is left out")
            }
        }
        // The duration determines the arrival.
        builder.set(.note, words(of: booked, kind, arrival: minutes == nil ? end?.time : nil))
        return builder
    }

    private static func event(
        _ line: Int, _ key: String, _ booked: JSONNode, _ start: BookedTime, _ end: BookedTime?
    ) -> EntryBuilder {
        let when: FileEntry.When =
            if let moment = start.moment {
                .moment(moment, zone: start.zone ?? (start.isUTC ? nil : start.offsetZone))
            } else if let time = start.time {
                .clock(start.date, minute: time.minute)
            } else {
                .date(start.date)
            }
        let isTimed = start.time != nil
        var builder = EntryBuilder(
            FileEntry(line: line, id: key, kind: isTimed ? .game : .custom, when: when))
        if start.zone == nil { builder.entry.offsetZones = [.timeZone] }
        if isTimed { builder.set(.gameID, key) }
        builder.set(.title, HTMLText.plain(name(of: booked, "Event")))
        builder.set(.note, booked["description"]?.string.map(HTMLText.plain))
        // The place may be one of several, with a place on the web.
        let places = booked["location"].map { $0.kind == .array ? $0.elements.map { $0 } : [$0] } ?? []
        let place = places.first { $0["@type"]?.string != "VirtualLocation" }
        builder.set(isTimed ? .venue : .place, place?["name"]?.string ?? place?.string)
        builder.set(.city, town(place))
        if isTimed {
            builder.entry[.durationMinutes] = start.minutes(to: end).map(FieldValue.minutes)
        } else {
            setNights(&builder, start, end)
        }
        return builder
    }

    /// Lodging, a rented car, a table or any other booking with a time.
    private static func stay(
        _ line: Int, _ key: String, _ node: JSONNode, _ booked: JSONNode, _ start: BookedTime,
        _ end: BookedTime?
    ) -> EntryBuilder {
        var builder = EntryBuilder(FileEntry(line: line, id: key, kind: .custom, when: .date(start.date)))
        builder.set(.title, name(of: booked, ""))
        if builder.entry[.title] == nil { builder.set(.title, key) }
        let place = node["pickupLocation"] ?? booked
        builder.set(.place, address(place))
        builder.set(.city, town(place))
        builder.entry[.time] = start.time.map(FieldValue.time)
        setNights(&builder, start, end)
        return builder
    }

    private static func setNights(_ builder: inout EntryBuilder, _ start: BookedTime, _ end: BookedTime?) {
        guard let end else { return }
        let nights = end.date.daysSince1970 - start.date.daysSince1970
        guard (0...TripLimits.nights).contains(nights) else {
            let fault =
                nights < 0 ? "it ends before it begins" : "it takes more than \(TripLimits.nights) nights"
            return builder.note("\(fault); its end, \(end.date), is left out")
        }
        if nights > 0 { builder.entry[.nights] = .nights(nights) }
        builder.entry[.endTime] = end.time.map(FieldValue.time)
    }

    private static let ends = ["departure", "arrival"]

    private static func stop(_ kind: String) -> String {
        switch kind {
        case "Flight": "Airport"
        case "Bus": "BusStop"
        case "Boat": "BoatTerminal"
        default: "Station"
        }
    }

    /// The town of a stop, else its name.
    private static func city(_ place: JSONNode?) -> String? {
        let names = [place?["address"]?["addressLocality"], place?["name"], place?["iataCode"]]
        return names.lazy.compactMap { $0?.string }.first { !$0.isEmpty }
    }

    /// The town in the address of a place; nil if that names none.
    private static func town(_ place: JSONNode?) -> String? {
        guard let address = place?["address"] ?? (place?.string == nil ? nil : place) else { return nil }
        if let text = address.string { return Address("\(place?["name"]?.string ?? ""), \(text)").city }
        return address["addressLocality"]?.string
    }

    private static func address(_ place: JSONNode) -> String? {
        let address = place["address"]
        if let text = address?.string { return text }
        let parts = ["streetAddress", "postalCode", "addressLocality", "addressCountry"]
            .compactMap { address?.member(named: $0)?.string }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// `LH 716`, and below it `Frankfurt, terminal 1 → Tokyo, terminal 2`.
    private static func words(of booked: JSONNode, _ kind: String, arrival: ClockTime?) -> String {
        let line = [booked["airline"]?["iataCode"], booked.member(named: "\(kind.lowercased())Number")]
            .compactMap { $0?.string }.joined(separator: " ")
        let sides = ends.map { side in
            let place = booked.member(named: side + stop(kind))
            let more = [
                booked.member(named: side + "Terminal")?.string.map { "terminal \($0)" },
                booked.member(named: side + "Platform")?.string.map { "platform \($0)" },
            ]
            return ([place?["name"]?.string ?? place?["iataCode"]?.string] + more).compactMap(\.self)
                .joined(separator: ", ")
        }
        let arrival = arrival.map { ", \($0)" } ?? ""
        let way = sides == ["", ""] ? "" : sides.joined(separator: " → ") + arrival
        return [line, way].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

/// A date, or a local date and time, in a booking.
private struct BookedTime: Equatable, Sendable {
    let date: CalendarDate
    var time: ClockTime?
    /// Nil if the offset is unknown.
    var moment: OffsetDateTime?
    var zone: String?

    init?(_ node: JSONNode?) {
        // Some programs write an object with the zone beside the time.
        guard let text = node?.string ?? node?["@value"]?.string,
            let date = CalendarDate(String(text.prefix(10)))
        else { return nil }
        self.date = date
        zone = node?["timezone"]?.string.flatMap { TimeZoneName.isKnown($0) ? $0 : nil }
        guard text.utf8.count >= 16 else { return }
        time = ClockTime(String(text.dropFirst(11).prefix(5)))
        moment = OffsetDateTime(text)
        if moment == nil, let time, let zone, let clock = WallClock(zone: zone) {
            let local = Int64(date.daysSince1970) * 86_400 + Int64(time.minute) * 60
            let seconds = clock.seconds(ofWallClock: local)
            moment = OffsetDateTime(
                secondsSince1970: seconds, offset: clock.offset(atSecondsSince1970: seconds), isUTC: false)
        }
    }

    /// Whether the moment is given in UTC, which does not tell the zone of the place.
    var isUTC: Bool { moment?.text.uppercased().hasSuffix("Z") == true }

    /// A zone with the offset of the moment; nil if the offset is unknown.
    var offsetZone: String? {
        guard let moment, let time else { return nil }
        let local = Int64(date.daysSince1970) * 1440 + Int64(time.minute)
        let offset = local * 60 - (moment.secondsSince1970 - moment.secondsSince1970 % 60)
        return OffsetZone.name(ofOffset: Int(offset), at: moment.secondsSince1970)
    }

    /// Minutes to another moment; nil if either is unknown.
    func minutes(to end: BookedTime?) -> Int? {
        guard let moment, let last = end?.moment else { return nil }
        let minutes = Int(last.secondsSince1970 - moment.secondsSince1970) / 60
        return (0...TripLimits.durationMinutes).contains(minutes) ? minutes : nil
    }
}
