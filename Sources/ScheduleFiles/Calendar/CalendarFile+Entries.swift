import JSONLine
import TripModel
import TripProtocol

extension CalendarFile {
    /// Resolves the events for the days of a trip.
    ///
    /// - Parameters:
    ///   - work: the budget for expanding recurrence rules.
    ///   - withFields: whether the entries need more than their times.
    /// - Throws: `FileError.tooManyEntries`.
    package func entries(
        for frame: TripFrame, work: Int = RecurrenceWork.limit, withFields: Bool = true
    ) throws(FileError) -> FileEntries {
        var maker = CalendarEntryMaker(self, frame)
        maker.wantsFields = withFields
        maker.work = RecurrenceWork(limit: work)
        for event in maker.chosenEvents() { try maker.add(event) }
        for (event, component) in broken { maker.skip(event, withoutEndOf: component) }
        return maker.finished(self)
    }

    /// The earliest date of an event, in its own zone; nil if no event has a date.
    package var firstDate: CalendarDate? { events.lazy.compactMap(\.start?.date).min() }
}

/// Converts the events of one calendar to entries.
struct CalendarEntryMaker {
    let file: CalendarFile
    let frame: TripFrame
    var clocks: CalendarClocks
    var work = RecurrenceWork()
    var result = FileEntries()
    /// Whether the entries need more than their times.
    var wantsFields = true
    /// The ids of instances of a series that have events of their own.
    private var replaced: Set<TextKey> = []
    /// The UIDs that several events have at different times: each is an entry, identified by its UID and its start.
    private var shared: Set<TextKey> = []

    init(_ file: CalendarFile, _ frame: TripFrame) {
        self.file = file
        self.frame = frame
        clocks = CalendarClocks(of: file, tripZone: frame.timeZone)
        result.notes = file.notes
        result.isCut = file.cutLine != nil
        result.isCancellation = file.isCancellation
        result.todo = file.todos.compactMap { todo in
            guard let summary = todo.summary else { return nil }
            let due = todo.due.map { clocks.moment(of: $0, &work).flatMap(clocks.localTime)?.date ?? $0.date }
            let item = todo.own["ITEM"].flatMap {
                try? ItemContent(JSONDocument(parsing: Array($0.utf8)).root)
            }
            let text = TodoEntry.text(summary, group: item == nil ? todo.category : nil, due: due)
            return EntryText.line(text, most: TripLimits.textBytes).text.map { line in
                FileTodo(
                    own: todo.own["ID"].flatMap(TodoID.init), id: todo.uid ?? summary, text: line,
                    isDone: todo.isDone, item: item)
            }
        }
        for todo in file.todos { noteFaults(of: todo, todo.uid) }
        result.rates = file.own["RATES"] ?? ""
        result.acceptedProblems = file.own["ACCEPTED"]?.split(separator: " ").map(String.init) ?? []
    }

    // MARK: Versions of events

    /// The newest events of each id: those with the highest SEQUENCE, then the latest DTSTAMP, and of those with the same
    /// start the first.
    mutating func chosenEvents() -> [CalendarEvent] {
        let wholeDays = Set(
            file.events.lazy.filter { $0.replacesText == nil && $0.start?.isWholeDay == true }.map { [self] in
                TextKey(uid(of: $0))
            })
        // The first one of each id, and all of that version by their starts.
        var chosen: [TextKey: (first: CalendarEvent, byStart: [CalendarTime?: CalendarEvent])] = [:]
        for var event in file.events {
            if wholeDays.contains(TextKey(uid(of: event))) { countByDate(&event) }
            guard let id = id(of: event) else { continue }
            let key = TextKey(id)
            if event.replaces != nil { replaced.insert(key) }
            guard let first = chosen[key]?.first else {
                chosen[key] = (event, [event.start: event])
                continue
            }
            func leave(_ left: CalendarEvent, for kept: CalendarEvent) {
                note(left.line, id, "line \(kept.line) has the same UID and is used")
            }
            if isNewer(event, than: first) {
                for left in chosen[key]?.byStart.values.sorted(by: { $0.line < $1.line }) ?? [] {
                    leave(left, for: event)
                }
                chosen[key] = (event, [event.start: event])
            } else if isNewer(first, than: event) || event.replaces != nil {
                leave(event, for: first)
            } else if let same = chosen[key]?.byStart[event.start] {
                leave(event, for: same)
            } else {
                chosen[key]?.byStart[event.start] = event
                shared.insert(key)
            }
        }
        let events = chosen.values.flatMap(\.byStart.values).sorted { $0.line < $1.line }
        return events.filter { event in
            guard event.replaces != nil, let series = chosen[TextKey(uid(of: event))]?.first,
                isOutdated(event, in: series)
            else { return true }
            note(event.line, id(of: event), "its series of line \(series.line) is newer and no longer has it")
            return false
        }
    }

    private func isNewer(_ event: CalendarEvent, than other: CalendarEvent) -> Bool {
        if event.sequence != other.sequence { return event.sequence > other.sequence }
        guard let stamp = event.stamp else { return false }
        return other.stamp.map { $0.wallClock < stamp.wallClock } ?? true
    }

    /// Drops the times of an event's additional, excluded and replaced dates, because its series has whole days.
    private func countByDate(_ event: inout CalendarEvent) {
        func date(of time: CalendarTime) -> CalendarTime {
            // A date in UTC is midnight by the calendar's clock.
            guard time.clock == .utc, let local = clocks.calendarTime(ofSeconds: time.wallClock),
                local.minute == 0
            else { return CalendarTime(date: time.date) }
            return CalendarTime(date: local.date)
        }
        for index in event.moreStarts.indices {
            event.moreStarts[index].start = date(of: event.moreStarts[index].start)
        }
        event.exceptions = event.exceptions.map(date)
        event.replaces = event.replaces.map(date)
    }

    /// The id of a whole event: its UID and, if it replaces one instance of a series, the time of that.
    private mutating func id(of event: CalendarEvent) -> String? {
        let uid = uid(of: event)
        guard let replaces = event.replaces else {
            guard let text = event.replacesText else {
                guard shared.contains(TextKey(uid)), !event.isSeries, let start = event.start else {
                    return uid
                }
                return suffix(of: start).map { uid + "/" + $0 } ?? uid
            }
            // It is unknown which instance it replaces, and it is not the series itself.
            skip(unclear: event, uid, "RECURRENCE-ID", "\(shown(text)) is not a date or time")
            return nil
        }
        guard let suffix = suffix(of: replaces) else {
            skip(unclear: event, uid, "RECURRENCE-ID", unknownZone(replaces))
            return nil
        }
        return uid + "/" + suffix
    }

    /// The UID as an id, with room for the time of an instance. Without a UID: the start and the title.
    func uid(of event: CalendarEvent) -> String {
        // The longest suffix is a slash and 20260611T190000Z.
        let limit = TripLimits.sourceIDBytes - 17
        let raw = event.uid.flatMap { EntryText.id($0, most: limit).text }
        return raw ?? EntryText.id(
            "\(event.startText ?? "")/\(event.summary ?? "")", most: limit
        ).text ?? "/"
    }

    /// The time of an instance as a part of its id: in UTC, or a date.
    mutating func suffix(of time: CalendarTime) -> String? {
        if time.isWholeDay { return CalendarText.date(time.date) }
        return clocks.moment(of: time, &work).flatMap { CalendarText.utc($0.seconds) }
    }

    // MARK: Events

    mutating func add(_ event: CalendarEvent) throws(FileError) {
        guard let id = id(of: event) else { return }
        noteFaults(of: event, id)
        // A cancelled event of our exports is in the plan.
        if event.isCancelled, event.own["CANCELLED"] == nil {
            let title = event.summary.flatMap(EntryText.trimmed).map { "“\(TextRule.visible($0))”" } ?? "it"
            note(event.line, id, "\(title) is cancelled; it is not imported")
            result.cancelled.insert(TextKey(id))
            return
        }
        if event.uid.flatMap(EntryText.trimmed) == nil {
            note(event.line, id, "it has no UID; its start and title identify it")
        } else if let change = event.uid.flatMap({
            EntryText.id($0, most: TripLimits.sourceIDBytes - 17).change
        }) {
            note(event.line, id, "its UID \(change)")
        }
        guard let start = event.start else {
            skip(unclear: event, id, "DTSTART", startFault(event))
            return
        }
        if event.moreStartsAreUnclear { result.unclear.insert(TextKey(uid(of: event))) }
        if event.replacesFollowing {
            note(event.line, id, "RANGE=THISANDFUTURE is not supported; only this one is changed")
        }
        if event.isSeries, event.replaces == nil {
            try addSeries(event, from: start)
        } else {
            try add(event, at: start, id: id)
        }
    }

    private func startFault(_ event: CalendarEvent) -> String {
        guard let text = event.startText else { return "it has no DTSTART" }
        return "\(shown(text)) is not a date or time of the years 1583 to 9999; an example is 20260611T130000"
    }

    /// Adds all instances of a series on the trip's days that have no event of their own.
    private mutating func addSeries(_ event: CalendarEvent, from start: CalendarTime) throws(FileError) {
        let uid = uid(of: event)
        result.series.insert(TextKey(uid))
        let times = times(of: event, from: start)
        let periods = Dictionary(event.moreStarts.lazy.filter(\.hasLength).map { ($0.start, $0) }) {
            first, _ in first
        }
        var isAnyThere = false
        for time in times {
            guard let suffix = suffix(of: time) else {
                skip(unclear: event, uid, "DTSTART", unknownZone(time))
                return
            }
            guard isOnTripDays(time) else { continue }
            isAnyThere = true
            let id = uid + "/" + suffix
            // Some calendars identify an instance by its date alone.
            let byDate = uid + "/" + CalendarText.date(time.date)
            if replaced.contains(TextKey(id)) || replaced.contains(TextKey(byDate)) { continue }
            // A moment given by a rule and by an RDATE in two zones is one instance.
            if result.present.contains(TextKey(id)) { continue }
            var instance = event
            if let period = periods[time] {
                (instance.start, instance.end, instance.duration) = (time, period.end, period.duration)
            }
            try add(instance, at: time, id: id)
        }
        if !isAnyThere { note(event.line, uid, "it is on none of the trip's days") }
    }

    /// Whether an instance is on a day of the trip.
    private mutating func isOnTripDays(_ time: CalendarTime) -> Bool {
        var date: CalendarDate? = time.date
        if !time.isWholeDay {
            guard let moment = clocks.moment(of: time, &work) else { return true }
            date =
                frame.countsByTripClock
                ? clocks.tripTime(ofSeconds: moment.seconds)?.date : clocks.localTime(of: moment)?.date
        }
        return date.map { (1...frame.dayCount).contains(frame.dayNumber(of: $0)) } ?? false
    }

    // MARK: Reports

    func unknownZone(_ time: CalendarTime) -> String {
        guard case .zone(let name) = time.clock else { return "its time is not known" }
        let right = TimeZoneName.suggestion(for: name).map { "; did you mean \($0)?" } ?? ""
        return "no IANA zone is called \(shown(name)), and the file has no VTIMEZONE for it\(right)"
    }

    mutating func note(_ line: Int, _ id: String?, _ text: String) {
        result.notes.append(FileNote(line: line, id: id, text: text))
    }

    private mutating func noteFaults(of event: CalendarEvent, _ id: String?) {
        for fault in event.faults {
            let value = TextRule.visible(EntryText.cut(fault.value, to: 80))
            note(fault.line, id, "\(fault.property):\(value) is not understood; it is left out")
        }
    }

    mutating func skip(_ event: CalendarEvent, _ id: String, _ field: String?, _ reason: String) {
        result.skipped.append(SkippedEntry(line: event.line, id: id, field: field, reason: reason))
    }

    /// Skips an event of which the trip may have more instances, and marks these as not vanished.
    mutating func skip(unclear event: CalendarEvent, _ id: String, _ field: String?, _ reason: String) {
        skip(event, id, field, reason)
        result.present.insert(TextKey(id))
        result.unclear.insert(TextKey(uid(of: event)))
    }

    mutating func skip(_ event: CalendarEvent, withoutEndOf component: String) {
        if event.uid == nil { result.hasUnknown = true }
        skip(unclear: event, uid(of: event), nil, "its END:\(component) is missing")
    }

    /// The result, with counts of components that are not imported.
    consuming func finished(_ file: CalendarFile) -> FileEntries {
        var result = result
        result.skipped.sort { $0.line < $1.line }
        if file.events.isEmpty, file.todos.isEmpty {
            result.notes.append(FileNote(text: "the calendar has no events"))
        }
        for (name, count) in file.others.sorted(by: { $0.key < $1.key }) {
            result.notes.append(FileNote(text: "\(count) \(name) not imported"))
        }
        return result
    }
}
