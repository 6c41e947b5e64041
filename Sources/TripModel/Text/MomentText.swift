/// The start of an event as people, tables and forms write it.
package struct EventStart: Equatable, Sendable {
    /// The instant.
    package let moment: OffsetDateTime
    /// The event's zone; nil is the trip's.
    package let zone: String?
    /// What the user should know about the reading: that the time comes twice, or why the times are not shown in the
    /// zone of the trip or of the city, or not as they were written; nil if there is nothing.
    package let note: String?
}

/// Text forms of a game's start: a local date and time, or a moment with its offset.
package enum MomentText {
    /// Examples of the forms, for messages.
    package static let examples = "2026-06-13 18:00, 13 Jun 18:00 or 2026-06-13T18:00:00-06:00"

    /// `2026-06-13 18:00`, in the game's zone.
    package static func text(of item: Item, in trip: Trip) -> String? {
        guard case .game(let game) = item.content else { return nil }
        guard let date = trip.header.date(ofDay: item.position.day) else { return game.startsAt.text }
        return "\(date) \(item.position.clockTime)"
    }

    /// The reason why a text is not a valid start.
    package enum Fault: Error {
        case unreadable
        /// No zone has the name.
        case unknownZone(String)
        /// The zone's clock skips that time on that day.
        case skipped(ClockTime, CalendarDate, zone: String)

        /// A sentence.
        package var reason: String {
            switch self {
            case .unreadable: "A start is a date and a time, like \(MomentText.examples)."
            case .unknownZone(let name): "No time zone for the start: \(TimeZoneName.refusal(of: name))."
            case .skipped(let time, let date, let zone):
                "There is no \(time) on \(DateText.text(of: date)) in \(zone): its clocks skip it."
            }
        }
    }

    /// The moment of a local time, the first one if it comes twice, with a note of that.
    fileprivate static func moment(
        _ date: CalendarDate, _ time: ClockTime, in zone: String
    ) throws(Fault) -> (OffsetDateTime, note: String?) {
        guard let clock = WallClock(zone: zone) else { throw .unknownZone(zone) }
        let local = Int64(date.daysSince1970) * 86_400 + Int64(time.minute) * 60
        let seconds = clock.seconds(ofWallClock: local)
        guard seconds + Int64(clock.offset(atSecondsSince1970: seconds)) == local else {
            throw .skipped(time, date, zone: zone)
        }
        let offset = offsetText(local - seconds)
        guard let moment = OffsetDateTime("\(date)T\(time):00\(offset)") else { throw .unreadable }
        let note = clock.secondSeconds(ofWallClock: local).map { second in
            "\(time) comes twice on \(DateText.text(of: date)) in \(zone); the first (\(offset)) is taken; "
                + "type \(time)\(offsetText(local - second)) for the second"
        }
        return (moment, note)
    }

    /// `+02:00`
    private static func offsetText(_ seconds: Int64) -> String {
        let minutes = abs(Int(seconds)) / 60
        return "\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }

    /// The moment of a local date and time with an offset behind it, such as `2027-10-31 02:30+01:00`, or `02:30+01:00`
    /// on a day.
    fileprivate static func moment(
        _ text: String, onDay day: CalendarDate?, today: CalendarDate?
    ) -> OffsetDateTime? {
        if let moment = OffsetDateTime(text) { return moment }
        guard text.count > 6, let (date, time) = local(String(text.dropLast(6)), onDay: day, today: today)
        else {
            return nil
        }
        return OffsetDateTime("\(date)T\(time):00\(text.suffix(6))")
    }

    /// The local date and time of a text without an offset: `2027-06-18 22:30`, `2027-06-18T22:30`, `18 Jun 22:30`, or
    /// a time alone.
    ///
    /// - Parameters:
    ///   - day: the date for a time alone.
    ///   - today: the date after which a date without a year is searched.
    package static func local(
        _ text: String, onDay day: CalendarDate? = nil, today: CalendarDate?
    ) -> (date: CalendarDate, time: ClockTime)? {
        if let day, let time = TimeText.time(of: text) { return (day, time) }
        // A number near the present year is a year, not a time.
        if let date = DateText.date(of: text, today: today), abs(date.year - (today?.year ?? date.year)) <= 20
        {
            return nil
        }
        if let sign = text.firstIndex(where: { $0 == "T" || $0 == "t" }),
            let date = CalendarDate(String(text[..<sign])),
            let time = TimeText.time(of: String(text[text.index(after: sign)...]))
        {
            return (date, time)
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        // `7 pm` has two words.
        for count in 1...2 where count < words.count {
            let (start, end) = (words.dropLast(count), words.suffix(count))
            if let time = TimeText.time(of: end.joined(separator: " ")),
                let date = DateText.date(of: start.joined(separator: " "), today: today)
            {
                return (date, time)
            }
        }
        return nil
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension TripClocks {
    /// The start of an event that a text gives: a moment with an offset, or a local date and time in the named zone, else
    /// in the city's own clock, else in the trip's.
    ///
    /// - Parameters:
    ///   - city: the event's city.
    ///   - zone: the named zone.
    ///   - day: the date for a time alone.
    package func start(
        written text: String, city: String?, zone: String?, onDay day: CalendarDate? = nil
    ) throws(MomentText.Fault) -> EventStart {
        if let moment = MomentText.moment(text, onDay: day, today: header.startDate) {
            return start(at: moment, city: city, zone: zone)
        }
        guard let (date, time) = MomentText.local(text, onDay: day, today: header.startDate) else {
            throw .unreadable
        }
        let own = zone ?? ownZone(ofCity: city, onDay: header.dayNumber(of: date))
        let (moment, note) = try MomentText.moment(date, time, in: own ?? header.timeZone)
        return EventStart(moment: moment, zone: zone ?? (own == header.timeZone ? nil : own), note: note)
    }

    /// The zone of an event that is given by a moment: the named one; else the city's own clock or the trip's zone,
    /// whichever has the moment's offset; else the fixed zone of the offset. So the time of day is shown as it was
    /// written. A moment in UTC (`Z`) tells no local time, so its zone is the trip's.
    package func start(at moment: OffsetDateTime, city: String?, zone: String?) -> EventStart {
        func start(_ zone: String?, _ note: String? = nil) -> EventStart {
            EventStart(moment: moment, zone: zone == header.timeZone ? nil : zone, note: note)
        }
        guard zone == nil, let offset = moment.offset else {
            return EventStart(moment: moment, zone: zone, note: nil)
        }
        let seconds = moment.secondsSince1970
        func hasOffset(_ zone: String) -> Bool {
            clock(of: zone)?.offset(atSecondsSince1970: seconds) == offset
        }
        let local = CalendarDate(
            daysSince1970: Int((Double(seconds + Int64(offset)) / 86_400).rounded(.down)))
        let own = local.flatMap { ownZone(ofCity: city, onDay: header.dayNumber(of: $0)) }
        if let own, hasOffset(own) { return start(own) }
        if hasOffset(header.timeZone) { return start(nil) }
        let way = "timeZone=ZONE sets another"
        let written = String(moment.text.suffix(6))
        guard let fixed = OffsetZone.fixedName(ofOffset: offset) else {
            let shown = self.local(Int(seconds / 60), in: header.timeZone).flatMap {
                ClockTime(minute: $0.minute)
            }
            return start(
                nil,
                "no zone always has the offset \(written), so the time is \(shown.map(\.description) ?? "") in "
                    + "\(Self.label(header.timeZone)) time; \(way)")
        }
        return start(
            fixed, "its times are in \(Self.label(fixed)), as \(written) was written; \(way)")
    }
}
