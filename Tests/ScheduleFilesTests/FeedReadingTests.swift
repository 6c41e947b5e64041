import ScheduleFiles
import Testing
import TripModel

/// Calendars as real programs write them, whether valid or not.
@Suite struct FeedReadingTests {
    private typealias S = CalendarSamples

    private func zone(_ name: String, _ lines: String...) -> [String] {
        ["BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD"] + lines + ["END:STANDARD", "END:VTIMEZONE"]
    }

    private func entries(_ lines: [String], _ frame: TripFrame = S.frame()) throws -> FileEntries {
        let all = ["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]
        return try S.entries(Array(all.joined(separator: "\r\n").utf8), frame)
    }

    private func event(_ lines: String...) -> [String] {
        ["BEGIN:VEVENT", "UID:u", "SUMMARY:s"] + lines + ["END:VEVENT"]
    }

    // MARK: Zones

    @Test func `a zone without DTSTART holds from the beginning, and one with RDATE from there`() throws {
        let start = event("DTSTART;TZID=Own:20260611T130000")
        let offsets = ["TZOFFSETFROM:+0200", "TZOFFSETTO:+0200"]
        #expect(
            try S.starts(entries(zone("Own", offsets[0], offsets[1]) + start)) == [
                "2026-06-11T13:00:00+02:00"
            ])
        let dated = zone("Own", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "RDATE:20260329T020000")
        #expect(try S.starts(entries(dated + start)) == ["2026-06-11T13:00:00+02:00"])
        #expect(
            try S.starts(
                entries(
                    dated + event("DTSTART;TZID=Own:20260611T130000", "RDATE;TZID=Own:20260311T130000"),
                    S.frame(from: "2026-01-01", days: 366)))
                == ["2026-03-11T13:00:00+01:00", "2026-06-11T13:00:00+02:00"])
    }

    @Test(arguments: [
        ("UTC+02:00", "+02:00"), ("UTC+0200", "+02:00"), ("GMT-0500", "-05:00"), ("UTC+12", "+12:00"),
        ("Z", "+00:00"),
        ("GMT+05:30", "+05:30"), ("utc-3", "-03:00"), ("tzone://Microsoft/Utc", "+00:00"),
    ])
    func `a zone can be called by its offset, with colons and commas outside quotes`(
        name: String, offset: String
    ) throws {
        let found = try S.starts(entries(event("DTSTART;TZID=\(name):20260611T130000"))).first
        #expect(found?.hasPrefix("2026-06-11T13:00:00\(offset)") == true)
    }

    @Test func `the name of a defined zone may contain colons and commas without quotes`() throws {
        let name = "(UTC+01:00) Amsterdam, Berlin"
        let lines = zone(name, "DTSTART:16010101T000000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0200")
        #expect(
            try S.starts(entries(lines + event("DTSTART;TZID=\(name):20260611T130000"))) == [
                "2026-06-11T13:00:00+02:00"
            ])
    }

    @Test func `times without a zone are in the zone of the calendar`() throws {
        let lines = ["X-WR-TIMEZONE:Europe/Berlin"] + event("DTSTART:20260611T130000")
        #expect(try S.starts(entries(lines)) == ["2026-06-11T13:00:00+02:00 Europe/Berlin"])
    }

    @Test(arguments: [
        ("2026-06-11T13:00:00Z", "2026-06-11T13:00:00Z"),
        ("2026-06-11T13:00", "2026-06-11T13:00:00-04:00"),
        ("20260611T130000+0200", "2026-06-11T11:00:00Z"),
        ("20260611T013000+02:00", "2026-06-10T23:30:00Z"),
        ("20260611T240000", "2026-06-12T00:00:00-04:00"),
    ])
    func `a time can be written as in ISO 8601, with an offset, or as 24:00`(text: String, expected: String)
        throws
    {
        #expect(try S.starts(entries(event("DTSTART:\(text)"))) == [expected])
    }

    // MARK: Series

    @Test func `an exception or an instance of a series of whole days counts by its date, whatever its time`()
        throws
    {
        let lines =
            event(
                "DTSTART;VALUE=DATE:20260602", "RRULE:FREQ=DAILY;COUNT=4",
                "EXDATE;TZID=Europe/Berlin:20260604T000000")
            + ["BEGIN:VEVENT", "UID:u", "SUMMARY:moved", "RECURRENCE-ID;TZID=Europe/Berlin:20260603T000000"]
            + ["DTSTART;VALUE=DATE:20260609", "END:VEVENT"]
        #expect(try S.starts(entries(lines)).sorted() == ["2026-06-02", "2026-06-05", "2026-06-09"])
        let inUTC = event(
            "DTSTART;VALUE=DATE:20260602", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260602T220000Z")
        #expect(
            try S.starts(entries(["X-WR-TIMEZONE:Europe/Berlin"] + inUTC)) == ["2026-06-02", "2026-06-04"])
    }

    @Test func `an additional time can have a length of its own, and be a date`() throws {
        let found = try entries(
            event(
                "DTSTART:20260602T100000Z", "DTEND:20260602T110000Z",
                "RDATE;VALUE=PERIOD:20260603T100000Z/PT3H,20260604T100000Z/20260604T103000Z"))
        #expect(found.entries.map { $0.words(.durationMinutes) } == ["60", "180", "30"])
        let dated = try entries(event("DTSTART:20260602T100000", "RDATE;VALUE=DATE:20260603"))
        #expect(S.starts(dated).map { $0.prefix(16) } == ["2026-06-02T10:00", "2026-06-03T10:00"])
    }

    @Test(arguments: [
        ("FREQ=MONTHLY;BYDAY=TH;BYSETPOS=2;COUNT=3", ["2026-06-11", "2026-07-09", "2026-08-13"]),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3",
            ["2026-06-11", "2026-06-30", "2026-07-31"]
        ),
        ("FREQ=YEARLY;BYYEARDAY=200,-1;COUNT=3", ["2026-06-11", "2026-07-19", "2026-12-31"]),
        ("FREQ=DAILY;BYHOUR=19;BYMINUTE=30;BYSECOND=0;COUNT=2", ["2026-06-11", "2026-06-12"]),
    ])
    func `a rule can choose days of each period, and days of the year`(rule: String, expected: [String])
        throws
    {
        let found = try entries(event("DTSTART:20260611T193000", "RRULE:\(rule)"), S.frame(days: 366))
        #expect(S.starts(found).map { String($0.prefix(10)) } == expected && found.notes == [])
    }

    // MARK: Identity

    @Test func `events with one UID and different starts are different entries, identified by their starts`()
        throws
    {
        let lines = ["02", "03", "03", "04"].flatMap {
            event("DTSTART:202606\($0)T190000Z", "DTSTAMP:20260101T000000Z")
        }
        let found = try entries(lines)
        #expect(found.entries.map(\.id) == ["02", "03", "04"].map { "u/202606\($0)T190000Z" })
        #expect(
            found.notes.count == 1 && found.notes[0].text.contains("is used"), "the third repeats the second")
        let newer = try entries(
            event("DTSTART:20260602T190000Z", "SEQUENCE:1") + event("DTSTART:20260603T190000Z", "SEQUENCE:2"))
        #expect(S.starts(newer) == ["2026-06-03T19:00:00Z"], "a newer version replaces an older one")
    }

    // MARK: Damage

    @Test func `an event begins even if the component before it has no end, which is reported`() throws {
        let open = ["BEGIN:VTODO", "UID:t", "SUMMARY:pack", "END:VTOOD"]
        let found = try entries(open + event("DTSTART:20260602T190000Z"))
        #expect(found.entries.count == 1 && found.skipped.map(\.reason) == ["its END:VTODO is missing"])
        let zone = ["BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "TZOFFSETTO:+0200"]
        #expect(
            try S.starts(entries(zone + event("DTSTART;TZID=Own:20260602T190000"))) == [
                "2026-06-02T19:00:00+02:00"
            ])
        let cut = ["BEGIN:VEVENT", "UID:a", "DTSTART:20260602T190000Z", "BEGIN:VCALENDAR"]
        let two = try entries(cut + event("DTSTART:20260603T190000Z"))
        #expect(S.starts(two) == ["2026-06-03T19:00:00Z"] && two.skipped.count == 1)
    }

    @Test(arguments: ["\r\r\n", "\r\n\r\n", "\n\n", "\n\r"])
    func `folded lines are joined across doubled and mixed line ends`(end: String) throws {
        let lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u", "SUMMARY:one", " two", "\tthr\u{E9}", " e"]
        let whole = lines + ["DTSTART:20260602T190000Z", "END:VEVENT", "END:VCALENDAR", ""]
        let found = try S.entries(Array(whole.joined(separator: end).utf8))
        #expect(found.entries.map { $0.words(.title) } == ["onetwothr\u{E9}e"])
    }

    @Test func `a calendar may begin with blanks, and an event of Outlook at midnight may take whole days`()
        throws
    {
        let lines =
            ["  ", "  BEGIN:VCALENDAR"]
            + event(
                "DTSTART:20260602T000000", "DTEND:20260604T000000", "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE")
        let found = try S.entries(Array((lines + ["END:VCALENDAR", ""]).joined(separator: "\n").utf8))
        #expect(S.starts(found) == ["2026-06-02"] && found.entries[0][.nights] == .nights(1))
    }

    // MARK: Text

    @Test(arguments: [
        ("<p>One</p><p>Two &amp; three</p>", "One\n\nTwo & three"),
        ("A<br>B<BR/>C", "A\nB\nC"), ("<b>Bold</b>, 1 < 2 <3", "Bold, 1 < 2 <3"),
        ("<a href=\"https://a.example\">Tickets</a>", "Tickets (https://a.example)"),
        ("<a href='https://a.example'>https://a.example</a>", "https://a.example"),
        ("<html><style>p {}</style><body><ul><li>x</li><li>y</li></ul></body></html>", "x\n\ny"),
        ("Tom &amp; Jerry &#39;x&#x27; &nbsp;&unknown; &", "Tom & Jerry 'x'  &unknown; &"),
        ("no <tag> at all", "no <tag> at all"), ("<div>a<!-- b --></div", "a</div"),
    ])
    func `markup is no part of a text`(html: String, plain: String) throws {
        let found = try entries(event("DTSTART:20260602T190000Z", "DESCRIPTION:\(html)"))
        #expect(found.entries[0].words(.note) == plain)
    }
}
