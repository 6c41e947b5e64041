import TripModel

/// The properties of a VEVENT that an entry needs, as written.
struct CalendarEvent: Sendable {
    /// The 1-based line on which it begins.
    let line: Int
    var uid: String?
    var summary: String?
    var location: String?
    var description: String?
    var url: String?
    var coordinate: String?
    /// The text of DTSTART, even if it is not a valid time.
    var startText: String?
    var start: CalendarTime?
    var end: CalendarTime?
    /// DURATION in seconds.
    var duration: Int?
    /// The values of RRULE.
    var rules: [[UInt8]] = []
    /// RDATE: additional times.
    var moreStarts: [Period] = []
    /// EXDATE: excluded times.
    var exceptions: [CalendarTime] = []
    /// RECURRENCE-ID: the time of the series that this event replaces.
    var replaces: CalendarTime?
    /// The text of RECURRENCE-ID, even if it is not a valid time.
    var replacesText: String?
    /// Whether RECURRENCE-ID also applies to all later times.
    var replacesFollowing = false
    /// Whether Outlook calls it an event of whole days.
    private var isOnWholeDays = false
    var isCancelled = false
    /// Whether it is a thing to do that is done.
    var isDone = false
    /// DUE: when a thing to do should be done.
    var due: CalendarTime?
    /// CATEGORIES.
    var category: String?
    var sequence = 0
    var stamp: CalendarTime?
    /// The values of `X-ITINERARYD-…` properties, by the rest of their name.
    var own: [String: String] = [:]
    /// Invalid values.
    var faults: [(line: Int, property: String, value: String)] = []

    /// An additional time, which may have a length of its own.
    struct Period: Sendable {
        var start: CalendarTime
        var end: CalendarTime?
        /// In seconds.
        var duration: Int?

        var hasLength: Bool { end != nil || duration != nil }
    }

    init(line: Int) { self.line = line }

    /// The event after its last property.
    func finished() -> CalendarEvent {
        guard let start else { return self }
        var event = self
        for index in moreStarts.indices where !start.isWholeDay && moreStarts[index].start.isWholeDay {
            event.moreStarts[index].start = start.on(moreStarts[index].start.date)
        }
        guard isOnWholeDays, start.second == 0, end == nil || end?.second == 0 else { return event }
        event.start = CalendarTime(date: start.date)
        event.end = end.map { CalendarTime(date: $0.date) }
        return event
    }

    /// Whether some of its additional times are invalid.
    var moreStartsAreUnclear: Bool { faults.contains { $0.property == "RDATE" } }

    /// Whether it has several instances.
    var isSeries: Bool { !rules.isEmpty || !moreStarts.isEmpty }

    static let ownPrefix = "X-ITINERARYD-"
    /// The beginning of an exported title of an event that is not attended.
    static let missedMark = "(not attending) "

    /// The properties that are read; others are skipped without parsing.
    static let properties: Set<String> = [
        "UID", "SUMMARY", "LOCATION", "DESCRIPTION", "URL", "GEO", "DTSTART", "DTEND", "DURATION", "RRULE",
        "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID", "STATUS", "SEQUENCE", "DTSTAMP", "DUE", "CATEGORIES",
        "X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT",
    ]

    /// The properties with dates and times.
    static let times: Set<String> = [
        "DTSTART", "DTEND", "RDATE", "EXDATE", "RECURRENCE-ID", "DTSTAMP", "DUE",
    ]

    /// Reads a property. Of a property that may occur once, the first one counts.
    mutating func read(_ name: String, _ property: ContentLine) {
        switch name {
        case "UID": uid = uid ?? property.text
        case "SUMMARY": summary = summary ?? property.text
        case "LOCATION": location = location ?? property.text
        case "DESCRIPTION": description = description ?? property.text
        // A URI has no escapes.
        case "URL": url = url ?? String(decoding: property.trimmed, as: UTF8.self)
        case "GEO": coordinate = coordinate ?? String(decoding: property.trimmed, as: UTF8.self)
        case "DTSTART":
            guard startText == nil else { return }
            startText = String(decoding: property.trimmed, as: UTF8.self)
            start = CalendarTime(property)
        case "DTEND": end = end ?? time(name, property)
        case "DURATION":
            guard duration == nil else { return }
            duration = calendarDuration(property.trimmed)
            if duration == nil { fault(name, property) }
        case "RRULE": rules.append(Array(property.trimmed))
        case "RDATE": moreStarts += periods(name, property)
        case "EXDATE": exceptions += periods(name, property).map(\.start)
        case "EXRULE": fault(name, property)
        case "RECURRENCE-ID":
            guard replacesText == nil else { return }
            replacesText = String(decoding: property.trimmed, as: UTF8.self)
            replaces = CalendarTime(property)
            replacesFollowing = property.parameter("RANGE").map { upperCased($0.utf8) } == "THISANDFUTURE"
        case "STATUS":
            isCancelled = property.word == "CANCELLED"
            isDone = property.word == "COMPLETED"
        case "DUE": due = due ?? time(name, property)
        case "CATEGORIES": category = category ?? property.text
        case "SEQUENCE": sequence = Int(property.word) ?? 0
        case "DTSTAMP": stamp = stamp ?? CalendarTime(property)
        case "X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT":
            isOnWholeDays = property.word == "TRUE"
        default:
            guard name.hasPrefix(Self.ownPrefix) else { return }
            let key = String(name.dropFirst(Self.ownPrefix.count))
            if own[key] == nil { own[key] = property.text }
        }
    }

    /// Renames the zones of all its times.
    mutating func renameZones(_ names: [String: String]) {
        start = start?.renamingZone(names)
        end = end?.renamingZone(names)
        replaces = replaces?.renamingZone(names)
        due = due?.renamingZone(names)
        for index in moreStarts.indices {
            moreStarts[index].start = moreStarts[index].start.renamingZone(names)
            moreStarts[index].end = moreStarts[index].end?.renamingZone(names)
        }
        exceptions = exceptions.map { $0.renamingZone(names) }
    }

    private mutating func time(_ name: String, _ property: ContentLine) -> CalendarTime? {
        let time = CalendarTime(property)
        if time == nil { fault(name, property) }
        return time
    }

    private mutating func periods(_ name: String, _ property: ContentLine) -> [Period] {
        let zone = property.parameter("TZID")
        return property.list.compactMap { value in
            let text = value.prefix { $0 != UInt8(ascii: "/") }
            guard let start = CalendarTime(text, zone: zone) else {
                fault(name, property)
                return nil
            }
            let length = value[text.endIndex...].dropFirst()
            return Period(
                start: start, end: CalendarTime(length, zone: zone), duration: calendarDuration(length))
        }
    }

    private mutating func fault(_ name: String, _ property: ContentLine) {
        // A wholly invalid list is reported once.
        guard faults.last.map({ $0.line != property.line }) ?? true else { return }
        let value = String(decoding: property.value.prefix(200), as: UTF8.self)
        faults.append((property.line, name, value))
    }
}
