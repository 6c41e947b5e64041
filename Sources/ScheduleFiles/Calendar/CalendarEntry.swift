import TripModel

extension CalendarEntryMaker {
    /// Adds one time of an event as an entry.
    mutating func add(_ event: CalendarEvent, at time: CalendarTime, id: String) throws(FileError) {
        guard result.entries.count + result.skipped.count < FileText.maximumEntries else {
            throw .tooManyEntries
        }
        guard result.present.insert(TextKey(id)).inserted else {
            note(event.line, id, "another event of the file is known by this already, and counts")
            return
        }
        guard let when = when(event, time, id) else { return }
        let isOneOfSeries = event.replaces != nil || event.isSeries
        let ownKind = event.own["KIND"].flatMap { ItemKind(rawValue: $0.lowercased()) }
        let kind = ownKind ?? (time.isWholeDay ? .custom : .game)
        var builder = EntryBuilder(FileEntry(line: event.line, id: id, kind: kind, when: when))
        if isOneOfSeries, case let floating = event.replaces ?? time, floating.clock == .floating {
            builder.entry.floatingID = CalendarText.time(wallClock: floating.wallClock).map {
                "\(uid(of: event))/\($0)"
            }
        }
        if !wantsFields {
            if ownKind != nil { restoreTime(of: event, in: &builder) }
        } else if ownKind == nil {
            setFields(of: event, at: time, in: &builder)
            if !time.isWholeDay, let minutes = minutes(of: event, id) {
                builder.entry[.durationMinutes] = .minutes(minutes)
            }
        } else {
            restoreOwnFields(of: event, in: &builder)
        }
        result.notes += builder.notes
        result.entries.append(builder.entry)
    }

    private func setFields(of event: CalendarEvent, at time: CalendarTime, in builder: inout EntryBuilder) {
        if builder.entry.kind == .game { builder.set(.gameID, builder.entry.id) }
        builder.set(.title, event.summary)
        if builder.entry[.title] == nil { builder.set(.title, event.location) }
        if builder.entry[.title] == nil { builder.set(.title, builder.entry.id) }
        setPlace(of: event, at: time, in: &builder)
        builder.set(.url, event.url)
        builder.set(.note, event.description)
        if let until = lastDay(of: event) {
            let note = builder.entry.text(.note).map { "\n" + $0 } ?? ""
            builder.set(.note, "Until \(until)\(note)")
        }
    }

    /// When one time of an event is; nil, and it is skipped, where that cannot be told.
    private mutating func when(
        _ event: CalendarEvent, _ time: CalendarTime, _ id: String
    ) -> FileEntry.When? {
        if time.isWholeDay { return .date(time.date) }
        guard let moment = clocks.moment(of: time, &work) else {
            skip(event, id, "DTSTART", unknownZone(time))
            return nil
        }
        guard
            let start = OffsetDateTime(
                secondsSince1970: moment.seconds, offset: moment.offset, isUTC: time.clock == .utc)
        else {
            skip(
                event, id, "DTSTART", "a game is played in the years 1583 to 9999, by the clocks of its zone")
            return nil
        }
        return .moment(start, zone: moment.zone)
    }

    private func setPlace(of event: CalendarEvent, at time: CalendarTime, in builder: inout EntryBuilder) {
        builder.set(.coordinate, event.coordinate)
        guard let location = event.location else { return }
        builder.set(.place, location)
        if time.isWholeDay { return }
        let parts = location.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        builder.set(.venue, String(parts[0]))
        if parts.count > 1 { builder.set(.city, String(parts[1])) }
    }

    /// The last day of what takes several whole days; nil where it takes one.
    private func lastDay(of event: CalendarEvent) -> CalendarDate? {
        guard let start = event.start, start.isWholeDay else { return nil }
        // The end is the day after the last one.
        let days =
            event.end.map { $0.date.daysSince1970 - start.date.daysSince1970 }
            ?? event.duration.map { $0 / 86_400 } ?? 1
        return days > 1 ? start.date.adding(days: days - 1) : nil
    }

    private mutating func minutes(of event: CalendarEvent, _ id: String) -> Int? {
        let seconds: Int64
        if let end = event.end {
            guard let start = event.start, let first = clocks.moment(of: start, &work) else { return nil }
            guard let last = clocks.moment(of: end, &work) else {
                note(event.line, id, "the zone of its DTEND is not known; how long it takes is left out")
                return nil
            }
            seconds = last.seconds - first.seconds
        } else if let duration = event.duration {
            seconds = Int64(duration)
        } else {
            return nil
        }
        guard seconds >= 0 else {
            note(event.line, id, "it ends before it begins; how long it takes is left out")
            return nil
        }
        return Int(min(seconds / 60, Int64(TripLimits.durationMinutes)))
    }

    /// What a file of ours says, which is everything.
    private func restoreOwnFields(of event: CalendarEvent, in builder: inout EntryBuilder) {
        let kind = builder.entry.kind
        // Without its id it is an entry like any other: its source has to find it again.
        if let item = event.own["ID"].flatMap(ItemID.init) {
            var own = OwnMark()
            own.item = item
            own.sortOrder = event.own["SORTORDER"].flatMap(Double.init).flatMap {
                $0.magnitude <= Position.maximumOrder ? $0 : nil
            }
            builder.entry.own = own
        }
        restoreTime(of: event, in: &builder)
        for field in kind.fields {
            switch field {
            case .startsAt, .timeZone, .time, .source: break
            case .title: builder.set(.title, event.summary)
            case .note: builder.set(.note, event.description)
            case .url: builder.set(.url, event.url)
            default: builder.set(field, event.own[field.name.uppercased()])
            }
        }
        if kind == .game, builder.entry[.gameID] == nil { builder.set(.gameID, builder.entry.id) }
        if let name = event.own["SOURCE"], let id = event.own["SOURCEID"] {
            builder.entry[.source] = ItemSource.value(name: name, id: id)
        }
    }

    /// The day and the time of an item of ours, as the calendar says them: another program may have moved it.
    private func restoreTime(of event: CalendarEvent, in builder: inout EntryBuilder) {
        let written = builder.entry.when
        guard builder.entry.kind == .game else {
            guard let start = event.start else { return }
            builder.entry.when = .date(start.date)
            if start.isWholeDay { return }
            guard !isOnOwnClock(start), case .moment(let moment, _) = written else {
                builder.entry[.time] = ClockTime(minute: start.second / 60).map(FieldValue.time)
                return
            }
            guard let local = clocks.tripTime(ofSeconds: moment.secondsSince1970) else { return }
            builder.entry.when = .date(local.date)
            builder.entry[.time] = ClockTime(minute: local.minute).map(FieldValue.time)
            return
        }
        guard case .moment(let moment, let zone) = written else { return }
        let ownZone = event.own["TIMEZONE"].flatMap { TimeZoneName.isKnown($0) ? $0 : nil }
        // As long as it is the same moment, it is written as it was.
        let start = event.own["STARTSAT"].flatMap(OffsetDateTime.init)
        let isUnmoved = start?.secondsSince1970 == moment.secondsSince1970
        builder.entry.when = .moment(isUnmoved ? start ?? moment : moment, zone: isUnmoved ? ownZone : zone)
    }

    /// Whether a time is as we wrote it, by the clock of the trip that it was of; another program may have taken another.
    private func isOnOwnClock(_ time: CalendarTime) -> Bool {
        switch time.clock {
        case .wholeDay, .floating: true
        case .utc: false
        case .zone(let name): name == file.own["TIMEZONE"]
        }
    }
}
