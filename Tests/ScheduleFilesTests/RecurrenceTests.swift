import ScheduleFiles
import Testing
import TripModel

@Suite struct RecurrenceTests {
    private typealias S = CalendarSamples

    private func days(_ lines: String..., frame: TripFrame = S.frame(from: "2026-01-01", days: 366)) throws
        -> [String]
    {
        let text =
            ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u", "SUMMARY:s"] + lines + [
                "END:VEVENT", "END:VCALENDAR",
            ]
        let entries = try S.entries(Array(text.joined(separator: "\n").utf8), frame)
        #expect(entries.skipped == [])
        return S.starts(entries).map { String($0.prefix(10).dropFirst(5)) }
    }

    @Test(arguments: [
        ("20260601", "FREQ=DAILY;COUNT=3", ["06-01", "06-02", "06-03"]),
        ("20260601", "FREQ=DAILY;INTERVAL=10;UNTIL=20260622", ["06-01", "06-11", "06-21"]),
        ("20260601", "FREQ=DAILY;BYDAY=MO,WE;COUNT=4", ["06-01", "06-03", "06-08", "06-10"]),
        ("20260601", "FREQ=DAILY;BYMONTH=7;COUNT=3", ["06-01", "07-01", "07-02"]),
        ("20260601", "FREQ=WEEKLY;COUNT=3", ["06-01", "06-08", "06-15"]),
        ("20260602", "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=4", ["06-02", "06-04", "06-09", "06-11"]),
        // From RFC 5545: the start of the week matters for every other week.
        (
            "20260609", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            ["06-09", "06-14", "06-23", "06-28"]
        ),
        (
            "20260609", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            ["06-09", "06-21", "06-23", "07-05"]
        ),
        ("20260131", "FREQ=MONTHLY;COUNT=3", ["01-31", "03-31", "05-31"]),
        ("20260105", "FREQ=MONTHLY;BYDAY=1MO;COUNT=3", ["01-05", "02-02", "03-02"]),
        ("20260130", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3", ["01-30", "02-27", "03-27"]),
        ("20260115", "FREQ=MONTHLY;BYMONTHDAY=15,-1;COUNT=4", ["01-15", "01-31", "02-15", "02-28"]),
        ("20260213", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", ["02-13", "03-13", "11-13"]),
        ("20260101", "FREQ=YEARLY;BYMONTH=1,6;COUNT=2", ["01-01", "06-01"]),
        ("20260102", "FREQ=YEARLY;BYDAY=20MO;COUNT=2", ["01-02", "05-18"]),
        ("20260101", "FREQ=YEARLY;BYMONTH=11;BYDAY=1TH;BYMONTHDAY=2,3,4,5;COUNT=2", ["01-01", "11-05"]),
        ("20260101", "FREQ=YEARLY;BYMONTHDAY=1;BYMONTH=2;COUNT=2", ["01-01", "02-01"]),
        // The start counts although the rule does not include it.
        ("20260601", "FREQ=WEEKLY;BYDAY=TU;COUNT=3", ["06-01", "06-02", "06-09"]),
    ])
    func `rules give the days defined by RFC 5545`(start: String, rule: String, expected: [String]) throws {
        #expect(try days("DTSTART;VALUE=DATE:\(start)", "RRULE:\(rule)") == expected)
    }

    @Test func `of a long series only the trip's days are imported, each with its own id`() throws {
        let entries = try S.entries(
            S.event("DTSTART;TZID=America/New_York:19700105T190000", "RRULE:FREQ=WEEKLY"),
            S.frame(from: "2026-06-01", days: 14))
        #expect(
            S.starts(entries) == [
                "2026-06-01T19:00:00-04:00 America/New_York", "2026-06-08T19:00:00-04:00 America/New_York",
            ])
        #expect(entries.entries.map(\.id) == ["u1/20260601T230000Z", "u1/20260608T230000Z"])
        #expect(entries.series == [TextKey("u1")])
        let never = try S.entries(
            S.event("DTSTART:19700105T190000Z", "RRULE:FREQ=WEEKLY;COUNT=3"), S.frame())
        #expect(never.entries == [] && never.skipped == [])
        #expect(never.notes.map(\.text) == ["it is on none of the trip's days"])
    }

    @Test func `the local time of a series is the same before and after an offset change`() throws {
        let entries = try S.entries(
            S.event("DTSTART;TZID=Europe/Berlin:20260328T090000", "RRULE:FREQ=DAILY;COUNT=3"),
            S.frame("Europe/Berlin", from: "2026-03-01"))
        #expect(
            S.starts(entries).map { String($0.prefix(25)) } == [
                "2026-03-28T09:00:00+01:00", "2026-03-29T09:00:00+02:00", "2026-03-30T09:00:00+02:00",
            ])
    }

    @Test func `UNTIL is a date, a local time or a UTC time, and is inclusive`() throws {
        let start = "DTSTART;TZID=America/New_York:20260601T200000"
        #expect(try days(start, "RRULE:FREQ=DAILY;UNTIL=20260603") == ["06-01", "06-02", "06-03"])
        #expect(try days(start, "RRULE:FREQ=DAILY;UNTIL=20260604T000000Z") == ["06-01", "06-02", "06-03"])
        #expect(try days(start, "RRULE:FREQ=DAILY;UNTIL=20260603T235959Z") == ["06-01", "06-02"])
        #expect(try days(start, "RRULE:FREQ=DAILY;UNTIL=20260602T200000") == ["06-01", "06-02"])
    }

    @Test func `RDATE adds and EXDATE removes, by moment or by whole date`() throws {
        let start = "DTSTART;TZID=America/New_York:20260601T200000"
        #expect(
            try days(
                start, "RRULE:FREQ=DAILY;COUNT=5",
                "EXDATE;TZID=America/New_York:20260602T200000,20260603T200000",
                "EXDATE:20260605T000000Z", "RDATE;TZID=America/New_York:20260610T120000",
                "RDATE;VALUE=PERIOD:20260612T120000Z/PT1H") == ["06-01", "06-05", "06-10", "06-12"])
        #expect(
            try days(start, "RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260601") == ["06-02", "06-03"])
        #expect(try days(start, "RDATE:20260701T000000Z") == ["06-01", "07-01"])
    }

    @Test func `an instance of a series can be replaced, moved or cancelled by RECURRENCE-ID`() throws {
        let lines = [
            "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u", "RECURRENCE-ID:20260603T000000Z", "SUMMARY:moved",
            "DTSTART;TZID=America/New_York:20260605T120000", "END:VEVENT", "BEGIN:VEVENT", "UID:u",
            "SUMMARY:s",
            "DTSTART;TZID=America/New_York:20260601T200000", "RRULE:FREQ=DAILY;COUNT=4", "END:VEVENT",
            "BEGIN:VEVENT", "UID:u", "RECURRENCE-ID;TZID=America/New_York:20260603T200000",
            "STATUS:CANCELLED",
            "DTSTART;TZID=America/New_York:20260603T200000", "END:VEVENT", "BEGIN:VEVENT", "UID:u",
            "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=America/New_York:20260604T200000", "SUMMARY:late",
            "DTSTART;TZID=America/New_York:20260604T210000", "END:VEVENT", "END:VCALENDAR",
        ]
        let entries = try S.entries(Array(lines.joined(separator: "\n").utf8))
        #expect(
            entries.entries.map { "\($0.id) \($0.words(.title) ?? "")" } == [
                "u/20260603T000000Z moved", "u/20260602T000000Z s", "u/20260605T000000Z late",
            ])
        #expect(entries.notes.map(\.text).contains { $0.contains("THISANDFUTURE") })
        #expect(entries.notes.map(\.text).contains { $0.contains("cancelled") })
        #expect(!entries.present.contains(TextKey("u/20260604T000000Z")))
    }

    @Test(arguments: [
        ("EXDATE:20260603T000000Z", 3, false), ("EXDATE:20260603T000000Z", 1, true),
        ("RRULE:FREQ=DAILY;UNTIL=20260602T000000Z", 3, false),
        ("RRULE:FREQ=DAILY;UNTIL=20260603T000000Z", 3, true),
    ])
    func `an instance that a newer version of its series no longer has is left out`(
        line: String, sequence: Int, isThere: Bool
    ) throws {
        let rule = line.hasPrefix("RRULE") ? [] : ["RRULE:FREQ=DAILY;COUNT=4"]
        let lines =
            [
                "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u", "RECURRENCE-ID:20260603T000000Z", "SUMMARY:moved",
                "SEQUENCE:2", "DTSTART:20260605T120000Z", "END:VEVENT", "BEGIN:VEVENT", "UID:u", "SUMMARY:s",
                "SEQUENCE:\(sequence)", "DTSTART:20260601T000000Z", line,
            ] + rule + ["END:VEVENT", "END:VCALENDAR"]
        let entries = try S.entries(Array(lines.joined(separator: "\n").utf8))
        #expect(entries.entries.contains { $0.words(.title) == "moved" } == isThere)
        #expect(entries.notes.contains { $0.text.contains("is newer and no longer has it") } == !isThere)
    }

    @Test(arguments: [
        "FREQ=HOURLY", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", "FREQ=YEARLY;BYWEEKNO=20",
        "FREQ=DAILY;BYHOUR=9",
        "COUNT=3", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=0", "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=DAILY;UNTIL=never", "FREQ=DAILY;BYYEARDAY=100", "FREQ=DAILY;INTERVAL=99999999999999999999",
    ])
    func `an unsupported rule gives the first time and a note`(rule: String) throws {
        let entries = try S.entries(S.event("DTSTART:20260611T190000Z", "RRULE:\(rule)"))
        #expect(S.starts(entries) == ["2026-06-11T19:00:00Z"])
        #expect(entries.skipped == [])
        #expect(entries.notes.count == 1 && entries.notes[0].text.contains("only its first occurrence"))
    }

    @Test func `hostile rules cost at most the budget of a file`() throws {
        for rule in [
            "FREQ=DAILY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYDAY=53SU;BYMONTH=1",
            "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4;COUNT=999999999",
            "FREQ=DAILY;INTERVAL=999999999;COUNT=999999999", "FREQ=YEARLY;INTERVAL=999999999",
        ] {
            let entries = try S.entries(S.event("DTSTART:15830101T000000Z", "RRULE:\(rule)"))
            #expect(entries.entries.count <= 31, "\(rule)")
        }
        // Each of these must be counted from its start.
        let event =
            "BEGIN:VEVENT\nUID:#\nDTSTART:15830101T000000Z\nRRULE:FREQ=DAILY;COUNT=999999999\nEND:VEVENT\n"
        let many = (0..<50).map { event.replacing("#", with: "u\($0)") }.joined()
        let file = try CalendarFile(
            FileText(Array("BEGIN:VCALENDAR\n\(many)END:VCALENDAR".utf8), isFolded: true))
        let entries = try file.entries(for: S.frame(), work: 200_000)
        #expect(entries.notes.contains { $0.text.contains("too many occurrences") })
        #expect(entries.entries.count == 30, "the first of them is worked out, the others are not")
    }

    @Test func `a moment given by a rule and an RDATE in two zones is one instance`() throws {
        let entries = try S.entries(
            S.event(
                "DTSTART;TZID=Europe/Berlin:20260611T200000", "RRULE:FREQ=DAILY;COUNT=2",
                "RDATE:20260612T180000Z,20260613T180000Z"))
        #expect(entries.entries.map(\.id) == ["11", "12", "13"].map { "u1/202606\($0)T180000Z" })
    }

    @Test func `of two events with one id one is imported, and the other is reported`() throws {
        let entries = try S.entries(
            Array(
                ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:20260611T180000Z\nRRULE:FREQ=DAILY;COUNT=2\n"
                    + "END:VEVENT\nBEGIN:VEVENT\nUID:u/20260612T180000Z\nDTSTART:20260620T180000Z\nEND:VEVENT\n"
                    + "END:VCALENDAR").utf8))
        #expect(entries.entries.map(\.id) == ["u/20260611T180000Z", "u/20260612T180000Z"])
        #expect(entries.notes.map(\.line) == [7] && entries.skipped == [])
    }

    @Test func `more entries than the maximum are refused, also those of a rule`() throws {
        let event = "BEGIN:VEVENT\nUID:#\nDTSTART:20260101T000000Z\nRRULE:FREQ=DAILY\nEND:VEVENT\n"
        let many = (0..<300).map { event.replacing("#", with: "u\($0)") }.joined()
        let file = try ScheduleFile(Array("BEGIN:VCALENDAR\n\(many)END:VCALENDAR".utf8), .ics)
        #expect(throws: FileError.tooManyEntries) {
            try file.entries(for: S.frame(from: "2026-01-01", days: 366))
        }
    }
}
