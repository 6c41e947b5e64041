import TripModel

/// A parsed iCalendar text: its events and zones as written, not yet resolved for a trip.
package struct CalendarFile: Sendable {
    /// The events, in the file's order.
    private(set) var events: [CalendarEvent] = []
    /// The VTIMEZONEs, by TZID. If two calendars use one TZID for different zones, the later one is renamed.
    private(set) var zones: [String: CalendarZone] = [:]
    /// X-WR-TIMEZONE: the calendar's zone.
    private(set) var zone: String?
    /// X-WR-CALNAME: the calendar's name.
    private(set) var name: String?
    /// Whether METHOD:CANCEL cancels its events (RFC 5546, 3.2.5).
    private(set) var isCancellation = false
    /// The calendar's own `X-ITINERARYD-…` properties, by the rest of their name.
    private(set) var own: [String: String] = [:]
    /// The number of components that are not imported, by name.
    private(set) var others: [String: Int] = [:]
    /// Notes for the user.
    private(set) var notes: [FileNote] = []
    /// Events and things to do whose end is missing although the file continues; they may be incomplete.
    private(set) var broken: [(event: CalendarEvent, component: String)] = []
    /// The line after which the rest of the file is missing.
    private(set) var cutLine: Int?

    /// The VTODOs. All their relevant properties are also properties of an event.
    private(set) var todos: [CalendarEvent] = []

    /// Components that are counted but not imported.
    private static let counted: Set<String> = ["VJOURNAL", "VFREEBUSY", "VALARM"]
    /// The components that stand directly in a calendar.
    private static let members: Set<String> = ["VEVENT", "VTODO", "VTIMEZONE", "VJOURNAL", "VFREEBUSY"]
    /// The maximum nesting of components; valid calendars need four.
    private static let maximumDepth = 32

    private enum Frame {
        case calendar
        case event
        case todo
        case zone
        case change
        case other
    }

    private var open: [(name: String, frame: Frame)] = []
    /// The event being parsed; events do not nest.
    private var openEvent = CalendarEvent(line: 0)
    private var openZone = CalendarZone()
    private var openZoneName: String?
    private var openChange = CalendarZone.Change()
    /// The state of the VCALENDAR being parsed.
    private var calendar = OpenCalendar()

    /// The state of one VCALENDAR, which has its own TZIDs.
    private struct OpenCalendar {
        /// The index of its first event.
        var firstEvent = 0
        var isCancellation = false
        /// The TZIDs that it has defined.
        var zones: Set<String> = []
        /// New names of TZIDs that an earlier calendar has used for another zone.
        var renamed: [String: String] = [:]
    }

    /// Parses a text whose encoding has been checked.
    package init(_ text: FileText) throws(FileError) {
        notes = text.notes
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
                    // Some programs export a single event without a calendar.
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
                // Stops early: searching the rest of a large file for BEGIN would be slow.
                guard isCalendar else { throw .noCalendar }
                guard isWanted(name) else { continue }
                let isTime = CalendarEvent.times.contains(name)
                guard let property = ContentLine(lines.content(of: line), line: line.number, isTime: isTime)
                else {
                    note(line.number, "\(name) has no colon after its name; it is left out")
                    continue
                }
                read(name, property)
            }
        }
        guard isCalendar else { throw .noCalendar }
        if let innermost = open.last {
            cutLine = lines.number
            note(
                lines.number,
                "the file ends in the middle of \(innermost.name); only complete entries are imported")
        }
        open = []
        endCalendar()
    }

    private mutating func note(_ line: Int, _ text: String) { notes.append(FileNote(line: line, text: text)) }

    // MARK: Components

    private mutating func begin(_ name: String, _ line: Int) throws(FileError) {
        // These do not stand in each other, so the end of the open one is missing.
        if name == "VCALENDAR" {
            close(from: 0)
        } else if Self.members.contains(name),
            let index = open.firstIndex(where: { Self.members.contains($0.name) })
        {
            close(from: index)
        }
        let frame: Frame
        switch (name, open.last?.frame) {
        case ("VCALENDAR", nil): frame = .calendar
        case ("VEVENT", .calendar), ("VEVENT", nil):
            openEvent = CalendarEvent(line: line)
            frame = .event
        case ("VTODO", .calendar):
            openEvent = CalendarEvent(line: line)
            frame = .todo
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
            note(line, "END:\(TextRule.visible(String(name.prefix(40)))) has no matching BEGIN")
            return
        }
        close(from: index + 1)
        switch open.removeLast().frame {
        case .event: events.append(openEvent.finished())
        case .todo:
            if openEvent.isCancelled || openEvent.summary.flatMap(EntryText.trimmed) == nil {
                others["VTODO", default: 0] += 1
            } else {
                todos.append(openEvent)
            }
        case .zone: if let name = openZoneName { keep(openZone, as: name) }
        case .change: openZone.changes.append(openChange)
        case .calendar: endCalendar()
        case .other: break
        }
    }

    /// Closes the open components from an index on whose ends are missing.
    private mutating func close(from index: Int) {
        for (name, frame) in open[index...].reversed() {
            switch frame {
            case .event, .todo: broken.append((openEvent, name))
            case .zone: if let name = openZoneName { keep(openZone, as: name) }
            case .change: openZone.changes.append(openChange)
            case .calendar: endCalendar()
            case .other: break
            }
        }
        open.removeSubrange(index...)
    }

    /// Adds a zone. The first of a name in a calendar counts.
    private mutating func keep(_ zone: CalendarZone, as name: String) {
        guard calendar.zones.insert(name).inserted else { return }
        guard let other = zones[name] else {
            zones[name] = zone
            return
        }
        // A well-known name needs no definition.
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
        if calendar.isCancellation {
            isCancellation = true
            for index in calendar.firstEvent..<events.count { events[index].isCancelled = true }
        }
        calendar = OpenCalendar(firstEvent: events.count)
    }

    // MARK: Properties

    private func isWanted(_ name: String) -> Bool {
        switch open.last?.frame {
        case .event, .todo: CalendarEvent.properties.contains(name) || name.hasPrefix(CalendarEvent.ownPrefix)
        case .zone: name == "TZID"
        case .change: true
        case .calendar:
            name == "X-WR-TIMEZONE" || name == "X-WR-CALNAME" || name == "METHOD"
                || name.hasPrefix(CalendarEvent.ownPrefix)
        case .other, nil: false
        }
    }

    private mutating func read(_ name: String, _ property: ContentLine) {
        switch open.last?.frame {
        case .event, .todo: openEvent.read(name, property)
        case .zone:
            openZoneName = openZoneName ?? property.text
        case .change: openChange.read(name, property)
        case .calendar:
            switch name {
            case "X-WR-TIMEZONE": zone = zone ?? property.text
            case "METHOD": calendar.isCancellation = property.word == "CANCEL"
            case "X-WR-CALNAME": self.name = self.name ?? property.text
            default: own[String(name.dropFirst(CalendarEvent.ownPrefix.count))] = property.text
            }
        case .other, nil: break
        }
    }
}
