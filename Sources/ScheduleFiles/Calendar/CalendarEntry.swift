import TripModel

extension CalendarEntryMaker {
    /// Adds one instance of an event as an entry.
    mutating func add(_ event: CalendarEvent, at time: CalendarTime, id: String) throws(FileError) {
        guard result.entries.count + result.skipped.count < FileText.maximumEntries else {
            throw .tooManyEntries
        }
        guard result.present.insert(TextKey(id)).inserted else {
            note(event.line, id, "an earlier event of the file has this id and is used")
            return
        }
        guard let when = when(event, time, id) else { return }
        let ownKind = event.own["KIND"].flatMap { ItemKind(rawValue: $0.lowercased()) }
        let stay = ownKind == nil ? stay(event, at: time) : nil
        let kind = ownKind ?? (time.isWholeDay || stay != nil ? .custom : .game)
        var builder = EntryBuilder(FileEntry(line: event.line, id: id, kind: kind, when: when))
        let named = event.replaces ?? time
        let date = clocks.moment(of: named, &work).flatMap { clocks.localTime(of: $0)?.date }
        let isOneOfSeries = event.replaces != nil || event.isSeries
        builder.entry.occurrence = Occurrence(
            uid: TextKey(uid(of: event)), date: named.isWholeDay ? named.date : date ?? named.date,
            isOneOfSeries: isOneOfSeries,
            isFloating: isOneOfSeries && named.clock == .floating)
        if !wantsFields {
            if ownKind != nil { restoreTime(of: event, in: &builder) }
            builder.entry[.nights] = nights(of: event).map(FieldValue.nights)
        } else if ownKind == nil {
            setFields(of: event, at: time, in: &builder)
            if !time.isWholeDay, stay == nil, let minutes = minutes(of: event, id) {
                builder.entry[.durationMinutes] = .minutes(minutes)
            }
        } else {
            restoreOwnFields(of: event, in: &builder)
        }
        if let stay {
            builder.entry.when = .date(stay.day)
            builder.entry[.time] = .time(stay.start)
            builder.entry[.nights] = .nights(stay.nights)
            builder.entry[.endTime] = .time(stay.end)
        }
        result.notes += builder.notes
        result.entries.append(builder.entry)
    }

    private func setFields(of event: CalendarEvent, at time: CalendarTime, in builder: inout EntryBuilder) {
        if builder.entry.kind == .game { builder.set(.gameID, builder.entry.id) }
        builder.set(.title, event.summary.map(HTMLText.plain))
        if builder.entry[.title] == nil { builder.set(.title, event.location) }
        if builder.entry[.title] == nil { builder.set(.title, builder.entry.id) }
        builder.set(.url, event.url)
        builder.set(.note, event.description.map(HTMLText.plain))
        builder.set(.coordinate, event.coordinate)
        if let location = event.location { builder.setAddress(location) }
        if builder.entry.kind == .custom, let nights = nights(of: event) {
            builder.entry[.nights] = .nights(nights)
        }
    }

    /// The time of an instance; nil if it cannot be determined and the instance is skipped.
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
                event, id, "DTSTART", "an event must be in the years 1583 to 9999, in the time of its zone")
            return nil
        }
        return .moment(start, zone: moment.zone)
    }

    /// The number of nights of a whole-day event; nil if it takes one day.
    private func nights(of event: CalendarEvent) -> Int? {
        guard let start = event.start, start.isWholeDay else { return nil }
        // The end is the day after the last one.
        let days =
            event.end.map { $0.date.daysSince1970 - start.date.daysSince1970 }
            ?? event.duration.map { $0 / 86_400 } ?? 1
        return days > 1 ? min(days - 1, TripLimits.nights) : nil
    }

    /// A stay of several nights, by the clock of its place.
    private struct Stay {
        let day: CalendarDate
        let start: ClockTime
        let nights: Int
        let end: ClockTime
    }

    /// The stay for an event with times that lasts more than 24 hours; nil for a shorter one.
    private mutating func stay(_ event: CalendarEvent, at time: CalendarTime) -> Stay? {
        guard !time.isWholeDay, let start = event.start, !start.isWholeDay, event.end?.isWholeDay != true,
            let first = clocks.moment(of: start, &work), let place = clocks.moment(of: time, &work)
        else { return nil }
        let last = event.end.flatMap { clocks.moment(of: $0, &work)?.seconds }
        guard let seconds = last.map({ $0 - first.seconds }) ?? event.duration.map(Int64.init),
            seconds > 86_400
        else { return nil }
        let end = CalendarClocks.Moment(
            seconds: place.seconds + seconds, offset: place.offset, zone: place.zone)
        guard let from = clocks.localTime(of: place), let to = clocks.localTime(of: end),
            let checkIn = ClockTime(minute: from.minute), let checkOut = ClockTime(minute: to.minute)
        else { return nil }
        let nights = min(to.date.daysSince1970 - from.date.daysSince1970, TripLimits.nights)
        return Stay(day: from.date, start: checkIn, nights: nights, end: checkOut)
    }

    private mutating func minutes(of event: CalendarEvent, _ id: String) -> Int? {
        let seconds: Int64
        if let end = event.end {
            guard let start = event.start, let first = clocks.moment(of: start, &work) else { return nil }
            guard let last = clocks.moment(of: end, &work) else {
                note(event.line, id, "the zone of its DTEND is not known; its duration is left out")
                return nil
            }
            seconds = last.seconds - first.seconds
        } else if let duration = event.duration {
            seconds = Int64(duration)
        } else {
            return nil
        }
        guard seconds >= 0 else {
            note(event.line, id, "it ends before it begins; its duration is left out")
            return nil
        }
        return Int(min(seconds / 60, Int64(TripLimits.durationMinutes)))
    }

    /// Restores all fields from an exported event.
    private func restoreOwnFields(of event: CalendarEvent, in builder: inout EntryBuilder) {
        let kind = builder.entry.kind
        // Without its id it is matched by its source, like any other entry.
        if let item = event.own["ID"].flatMap(ItemID.init) {
            var own = OwnMark()
            own.item = item
            own.sortOrder = event.own["SORTORDER"].flatMap(Double.init).flatMap {
                $0.magnitude <= Position.maximumOrder ? $0 : nil
            }
            builder.entry.own = own
        }
        restoreTime(of: event, in: &builder)
        restoreLateNight(of: event, in: &builder)
        for field in kind.fields {
            switch field {
            case .startsAt, .time, .lateNight, .source: break
            case .timeZone where kind == .game: break
            case .title: builder.set(.title, title(of: event))
            case .note: builder.set(.note, note(of: event))
            case .url: builder.set(.url, event.url)
            default: builder.set(field, event.own[field.name.uppercased()])
            }
        }
        // Another program may have changed the length of the stay.
        if kind == .custom, let nights = nights(of: event) { builder.entry[.nights] = .nights(nights) }
        if kind == .game, builder.entry[.gameID] == nil { builder.set(.gameID, builder.entry.id) }
        if let name = event.own["SOURCE"], let id = event.own["SOURCEID"] {
            builder.entry[.source] = ItemSource.value(name: name, id: id)
        }
    }

    /// The title of an exported item, without what the export has added.
    private func title(of event: CalendarEvent) -> String? {
        guard let summary = event.summary, event.own["ATTENDING"] == "no",
            summary.hasPrefix(CalendarEvent.missedMark)
        else { return event.summary }
        return String(summary.dropFirst(CalendarEvent.missedMark.count))
    }

    /// The note of an exported item: its description without what the export has added.
    private func note(of event: CalendarEvent) -> String? {
        guard let description = event.description, let details = event.own["DETAILS"] else {
            return event.description
        }
        if description == details { return nil }
        if description.hasPrefix(details + "\n\n") { return String(description.dropFirst(details.count + 2)) }
        // An earlier version wrote the note first.
        let added = "\n\n" + details
        return description.hasSuffix(added) ? String(description.dropLast(added.count)) : description
    }

    /// The day and time of an exported item according to the calendar: another program may have moved it.
    private func restoreTime(of event: CalendarEvent, in builder: inout EntryBuilder) {
        let written = builder.entry.when
        guard builder.entry.kind == .game else {
            guard let start = event.start else { return }
            builder.entry.when = .date(start.date)
            if start.isWholeDay {
                builder.entry[.time] = event.own["TIME"].flatMap(ClockTime.init).map(FieldValue.time)
                return
            }
            guard !isOnOwnClock(start, of: event), case .moment(let moment, _) = written else {
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
        // If the moment is unchanged, its original text is kept.
        let start = event.own["STARTSAT"].flatMap(OffsetDateTime.init)
        let isUnmoved = start?.secondsSince1970 == moment.secondsSince1970
        builder.entry.when = .moment(isUnmoved ? start ?? moment : moment, zone: isUnmoved ? ownZone : zone)
    }

    /// The day of an exported item that begins after the midnight which ends its day, unless another program has moved it
    /// to a later hour.
    private func restoreLateNight(of event: CalendarEvent, in builder: inout EntryBuilder) {
        builder.set(.lateNight, event.own[ItemField.lateNight.name.uppercased()])
        guard builder.entry.startTime?.isLateNight == true else { return builder.entry[.lateNight] = nil }
        guard event.start?.isWholeDay == false, case .date(let date) = builder.entry.when,
            let day = date.adding(days: -1)
        else { return }
        builder.entry.when = .date(day)
    }

    /// Whether a time is in the zone in which the export wrote it, the trip's or the item's own. Another
    /// program may have changed the zone.
    private func isOnOwnClock(_ time: CalendarTime, of event: CalendarEvent) -> Bool {
        switch time.clock {
        case .wholeDay, .floating: true
        case .utc: false
        case .zone(let name): name == event.own["CLOCK"] ?? file.own["TIMEZONE"]
        }
    }
}
