import TripModel

extension CalendarEntryMaker {
    /// The times of a series that may be on the trip's days, in order: the first one, those of its rules and
    /// RDATEs, without its EXDATEs.
    mutating func times(of event: CalendarEvent, from start: CalendarTime) -> [CalendarTime] {
        var times: Set<CalendarTime> = [start]
        for period in event.moreStarts { times.insert(period.start) }
        for rule in event.rules {
            do throws(RecurrenceRule.Unsupported) {
                times.formUnion(try self.times(of: RecurrenceRule(rule[...], of: start), from: start))
            } catch {
                note(
                    event.line, uid(of: event),
                    "its RRULE: \(error.reason); only its first occurrence is imported")
                result.unclear.insert(TextKey(uid(of: event)))
            }
        }
        if work.left < 0 {
            result.unclear.insert(TextKey(uid(of: event)))
            note(
                event.line, uid(of: event),
                "the file's recurrence rules have too many occurrences; some are left out")
        }
        let kept = times.subtracting(exceptions(of: event, among: times))
        return kept.sorted { ($0.wallClock, $0.isWholeDay ? 0 : 1) < ($1.wallClock, $1.isWholeDay ? 0 : 1) }
    }

    /// The times of a rule after the first.
    private mutating func times(of rule: RecurrenceRule, from start: CalendarTime) -> [CalendarTime] {
        // A margin on both sides, because the event's local date may differ from the trip's.
        let first = frame.firstDay.daysSince1970 - 2
        let last = frame.firstDay.daysSince1970 + frame.dayCount + 1
        var dates = RecurrenceDates(rule, from: start.date, notBefore: first, notAfter: last)
        var times: [CalendarTime] = []
        // The first time always exists and counts.
        var left = (rule.count ?? Int.max) - 1
        while left > 0, let day = dates.next(&work), let date = CalendarDate(daysSince1970: day) {
            left -= 1
            if day < first { continue }
            let time = start.on(date)
            if let until = rule.until, isAfter(time, until) { break }
            times.append(time)
        }
        return times
    }

    /// Whether a time is after the end of a rule, which is a date, a local time, or a time in UTC.
    private mutating func isAfter(_ time: CalendarTime, _ until: CalendarTime) -> Bool {
        if until.isWholeDay || time.isWholeDay { return time.date > until.date }
        if until.clock == .utc, let moment = clocks.moment(of: time, &work) {
            return moment.seconds > until.wallClock
        }
        return time.wallClock > until.wallClock
    }

    /// Whether a newer version of the series no longer has the time that an event replaces: programs remove a changed
    /// instance so, and keep its event.
    mutating func isOutdated(_ event: CalendarEvent, in series: CalendarEvent) -> Bool {
        guard let time = event.replaces, let start = series.start, series.sequence > event.sequence else {
            return false
        }
        if !exceptions(of: series, among: [time]).isEmpty { return true }
        guard series.moreStarts.isEmpty, !series.rules.isEmpty else { return false }
        return series.rules.allSatisfy { rule in
            let until = (try? RecurrenceRule(rule[...], of: start))?.until
            return until.map { isAfter(time, $0) } ?? false
        }
    }

    /// The times excluded by EXDATE: by moment or, if it has only a date, all of that date.
    private mutating func exceptions(
        of event: CalendarEvent, among times: Set<CalendarTime>
    ) -> Set<CalendarTime> {
        guard !event.exceptions.isEmpty else { return [] }
        var dates: Set<CalendarDate> = []
        var moments: Set<Int64> = []
        for exception in event.exceptions {
            if exception.isWholeDay {
                dates.insert(exception.date)
            } else if let moment = clocks.moment(of: exception, &work) {
                moments.insert(moment.seconds)
            }
        }
        var found: Set<CalendarTime> = []
        for time in times {
            if dates.contains(time.date) { found.insert(time) }
            if !moments.isEmpty, !time.isWholeDay, let moment = clocks.moment(of: time, &work),
                moments.contains(moment.seconds)
            {
                found.insert(time)
            }
        }
        return found
    }
}
