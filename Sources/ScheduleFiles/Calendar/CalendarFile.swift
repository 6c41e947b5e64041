import TripModel

/// An iCalendar text, read: its events and zones as they are written, before anything is worked out for a trip.
package struct CalendarFile: Sendable {
    /// The events, in the file's order.
    private(set) var events: [CalendarEvent] = []
    /// The VTIMEZONEs, by TZID; where two calendars mean other zones by one, the later ones have another name.
    private(set) var zones: [String: CalendarZone] = [:]
    /// X-WR-TIMEZONE: the zone that the calendar is meant for.
    private(set) var zone: String?
    /// X-ITINERARYD-… of the calendar itself, by the rest of the name.
    private(set) var own: [String: String] = [:]
    /// How many components of each name there are that are not imported.
    private(set) var others: [String: Int] = [:]
    /// What is odd about the file.
    private(set) var notes: [FileNote] = []
    /// Events whose end is missing while the file goes on: what is known of them, which is not all.
    private(set) var brokenEvents: [CalendarEvent] = []
    /// The line behind which the file's rest is missing.
    private(set) var cutLine: Int?

    /// Components that are counted, not imported (COMMANDS.md).
    private static let counted: Set<String> = ["VTODO", "VJOURNAL", "VFREEBUSY", "VALARM"]
    /// How deep components nest at most; four are enough for all that there are.
    private static let maximumDepth = 32

    private enum Frame {
        case calendar
        case event
        case zone
        case change
        case other
    }

    private var open: [(name: String, frame: Frame)] = []
    /// The event whose end has not come; events do not nest.
    private var openEvent = CalendarEvent(line: 0)
    private var openZone = CalendarZone()
    private var openZoneName: String?
    private var openChange = CalendarZone.Change()
    /// What is only true of the VCALENDAR that is open.
    private var calendar = OpenCalendar()

    /// The part of a file that one VCALENDAR is: its TZIDs are names of its own.
    private struct OpenCalendar {
        /// Where its events begin.
        var firstEvent = 0
        /// The TZIDs that it has said what they are.
        var zones: Set<String> = []
        /// What those are called here that an earlier calendar has used for another zone.
        var renamed: [String: String] = [:]
    }

    /// Reads a text whose encoding has been checked.
    package init(_ text: FileText) throws(FileError) {
        var lines = CalendarLines(text.bytes, from: text.start)
        var isCalendar = false
        while let line = lines.next() {
            let name = lines.name(of: line)
            switch name {
            case "BEGIN":
                guard let component = ContentLine(lines.content(of: line), line: line.number)?.word else {
                    continue
                }
                if !isCalendar {
                    // Some programs hand out an event alone.
                    guard component == "VCALENDAR" || component == "VEVENT" else { throw .noCalendar }
                    isCalendar = true
                }
                guard open.count < Self.maximumDepth else {
                    throw .nestedTooDeep(line: line.number, most: Self.maximumDepth)
                }
                try begin(component, line.number)
            case "END":
                guard let component = ContentLine(lines.content(of: line), line: line.number)?.word else {
                    continue
                }
                end(component, line.number)
            default:
                // Whatever this is, it is no calendar: many bytes are wasted on finding no BEGIN in the rest.
                guard isCalendar else { throw .noCalendar }
                guard isWanted(name) else { continue }
                guard let property = ContentLine(lines.content(of: line), line: line.number) else {
                    note(line.number, "\(name) has no colon behind its name; it is left out")
                    continue
                }
                read(name, property)
            }
        }
        guard isCalendar else { throw .noCalendar }
        if let innermost = open.last {
            cutLine = lines.number
            note(lines.number, "the file ends in the middle of \(innermost.name); what is whole counts")
        }
        open = []
        endCalendar()
    }

    private mutating func note(_ line: Int, _ text: String) { notes.append(FileNote(line: line, text: text)) }

    // MARK: Components

    private mutating func begin(_ name: String, _ line: Int) throws(FileError) {
        let frame: Frame
        switch (name, open.last?.frame) {
        case ("VCALENDAR", nil): frame = .calendar
        case ("VEVENT", .calendar), ("VEVENT", nil):
            openEvent = CalendarEvent(line: line)
            frame = .event
        case ("VEVENT", .event):
            // Its end is missing: what follows is another's.
            brokenEvents.append(openEvent)
            open.removeLast()
            openEvent = CalendarEvent(line: line)
            frame = .event
        case ("VTIMEZONE", .calendar):
            openZone = CalendarZone()
            openZoneName = nil
            frame = .zone
        case ("STANDARD", .zone), ("DAYLIGHT", .zone):
            openChange = CalendarZone.Change()
            frame = .change
        default:
            if Self.counted.contains(name) { others[name, default: 0] += 1 }
            frame = .other
        }
        open.append((name, frame))
    }

    private mutating func end(_ name: String, _ line: Int) {
        guard let index = open.lastIndex(where: { $0.name == name }) else {
            note(line, "END:\(TextRule.visible(String(name.prefix(40)))) ends nothing that has begun")
            return
        }
        if open[(index + 1)...].contains(where: { $0.frame == .event }) {
            brokenEvents.append(openEvent)
        }
        let closed = open[index].frame
        open.removeSubrange(index...)
        switch closed {
        case .event: events.append(openEvent)
        case .zone: if let name = openZoneName { keep(openZone, as: name) }
        case .change: openZone.changes.append(openChange)
        case .calendar: endCalendar()
        case .other: break
        }
    }

    /// Keeps a zone; the first of a name in a calendar counts.
    private mutating func keep(_ zone: CalendarZone, as name: String) {
        guard calendar.zones.insert(name).inserted else { return }
        guard let other = zones[name] else {
            zones[name] = zone
            return
        }
        // A name that is known everywhere needs no explanation.
        guard other != zone, CalendarClocks.zone(named: name) == nil else { return }
        let own = "\(name)/\(zones.count)"
        zones[own] = zone
        calendar.renamed[name] = own
    }

    private mutating func endCalendar() {
        if !calendar.renamed.isEmpty {
            for index in calendar.firstEvent..<events.count {
                events[index].renameZones(calendar.renamed)
            }
        }
        calendar = OpenCalendar(firstEvent: events.count)
    }

    // MARK: Properties

    private func isWanted(_ name: String) -> Bool {
        switch open.last?.frame {
        case .event: CalendarEvent.properties.contains(name) || name.hasPrefix(CalendarEvent.ownPrefix)
        case .zone: name == "TZID"
        case .change: true
        case .calendar: name == "X-WR-TIMEZONE" || name.hasPrefix(CalendarEvent.ownPrefix)
        case .other, nil: false
        }
    }

    private mutating func read(_ name: String, _ property: ContentLine) {
        switch open.last?.frame {
        case .event: openEvent.read(name, property)
        case .zone:
            openZoneName = openZoneName ?? property.text
        case .change: openChange.read(name, property)
        case .calendar:
            if name == "X-WR-TIMEZONE" {
                zone = zone ?? property.text
            } else {
                own[String(name.dropFirst(CalendarEvent.ownPrefix.count))] = property.text
            }
        case .other, nil: break
        }
    }
}
