import ScheduleFiles
import Testing
import TripModel

@Suite struct CalendarZoneTests {
    private typealias S = CalendarSamples

    private func start(_ line: String, _ frame: TripFrame = S.frame(days: 366), _ zone: [String] = []) throws
        -> String?
    {
        let lines =
            ["BEGIN:VCALENDAR"] + zone + [
                "BEGIN:VEVENT", "UID:u", "SUMMARY:s", line, "END:VEVENT", "END:VCALENDAR",
            ]
        return S.starts(try S.entries(Array(lines.joined(separator: "\r\n").utf8), frame)).first
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-06-11T13:00:00+02:00 Europe/Berlin"),
        ("europe/berlin", "2026-06-11T13:00:00+02:00 Europe/Berlin"),
        ("\"W. Europe Standard Time\"", "2026-06-11T13:00:00+02:00 Europe/Berlin"),
        ("Eastern Standard Time", "2026-06-11T13:00:00-04:00 America/New_York"),
        ("/freeassociation.sourceforge.net/Europe/Berlin", "2026-06-11T13:00:00+02:00 Europe/Berlin"),
        (
            "/softwarestudio.org/Olson_20011030_5/America/Argentina/Buenos_Aires",
            "2026-06-11T13:00:00-03:00 America/Argentina/Buenos_Aires"
        ),
        ("UTC", "2026-06-11T13:00:00+00:00 UTC"),
        (
            "\"(UTC-05:00) Eastern Time (US & Canada)\"",
            "2026-06-11T13:00:00-04:00 America/New_York"
        ),
        (
            "\"(GMT+10:00) Canberra, Melbourne, Sydney\"",
            "2026-06-11T13:00:00+10:00 Australia/Melbourne"
        ),
        ("(GMT +01:00)", "2026-06-11T13:00:00+01:00"),
    ])
    func `a zone can be an IANA name, a Windows name, or a path that ends in one`(
        zone: String, expected: String
    ) throws {
        #expect(try start("DTSTART;TZID=\(zone):20260611T130000") == expected)
    }

    @Test func `every Windows zone maps to a zone of the database`() throws {
        for name in [
            "Pacific Standard Time", "Mountain Standard Time", "Central Standard Time", "GMT Standard Time",
            "Romance Standard Time", "Central European Standard Time", "FLE Standard Time",
            "China Standard Time",
            "India Standard Time", "Tokyo Standard Time", "AUS Eastern Standard Time",
            "New Zealand Standard Time",
            "E. South America Standard Time", "Russian Standard Time", "SA Pacific Standard Time", "UTC",
            "Central Standard Time (Mexico)", "US Mountain Standard Time", "Atlantic Standard Time",
            "Singapore Standard Time", "Korea Standard Time", "Arabian Standard Time", "Israel Standard Time",
            "South Africa Standard Time", "GTB Standard Time", "Egypt Standard Time", "Turkey Standard Time",
            "Hawaiian Standard Time", "Alaskan Standard Time", "Argentina Standard Time",
            "SE Asia Standard Time", "Azerbaijan Standard Time", "Nepal Standard Time", "UTC-02", "UTC+13",
            "Eastern Standard Time (Mexico)", "Vladivostok Standard Time", "Ekaterinburg Standard Time",
            "Azores Standard Time",
        ] { #expect(try start("DTSTART;TZID=\(name):20260611T130000") != nil, "\(name)") }
    }

    @Test func `UTC is a moment, and a floating time is in the trip's zone`() throws {
        #expect(try start("DTSTART:20260611T130000Z") == "2026-06-11T13:00:00Z")
        #expect(try start("DTSTART;TZID=Europe/Berlin:20260611T130000Z") == "2026-06-11T13:00:00Z")
        #expect(try start("DTSTART:20260611T130000") == "2026-06-11T13:00:00-04:00")
    }

    @Test func `a skipped time has the offset before the gap, and of a repeated time the first counts`()
        throws
    {
        let frame = S.frame(from: "2026-01-01", days: 366)
        let gap = try start("DTSTART;TZID=America/New_York:20260308T023000", frame)
        #expect(gap == "2026-03-08T03:30:00-04:00 America/New_York", "02:30 at -05:00")
        let twice = try start("DTSTART;TZID=America/New_York:20261101T013000", frame)
        #expect(twice == "2026-11-01T01:30:00-04:00 America/New_York")
        // Samoa skipped 30 December 2011.
        let samoa = S.frame(from: "2011-12-01", days: 60)
        #expect(
            try start("DTSTART;TZID=Pacific/Apia:20111230T120000", samoa)
                == "2011-12-31T12:00:00+14:00 Pacific/Apia")
        // A change of half an hour.
        #expect(
            try start("DTSTART;TZID=Australia/Lord_Howe:20261004T021500", frame)
                == "2026-10-04T02:45:00+11:00 Australia/Lord_Howe")
    }

    private static let ownZone = [
        "BEGIN:VTIMEZONE", "TZID:Ours", "BEGIN:STANDARD", "DTSTART:19701101T020000", "TZOFFSETFROM:-0400",
        "TZOFFSETTO:-0500", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU", "END:STANDARD", "BEGIN:DAYLIGHT",
        "DTSTART:19700308T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "END:DAYLIGHT", "END:VTIMEZONE",
    ]

    @Test(arguments: [
        ("20260611T130000", "2026-06-11T13:00:00-04:00"),
        ("20260211T130000", "2026-02-11T13:00:00-05:00"),
        ("20260308T015959", "2026-03-08T01:59:59-05:00"),
        ("20260308T020000", "2026-03-08T02:00:00-05:00"),
        ("20260308T030000", "2026-03-08T03:00:00-04:00"),
        ("20261101T013000", "2026-11-01T01:30:00-04:00"),
        ("20261101T020000", "2026-11-01T02:00:00-05:00"),
    ])
    func `a zone defined in the file gives the offset, and the item is in the trip's zone`(
        local: String, expected: String
    ) throws {
        let frame = S.frame("Asia/Tokyo", from: "2026-01-01", days: 366)
        #expect(try start("DTSTART;TZID=Ours:\(local)", frame, Self.ownZone) == expected)
    }

    @Test func `of two changes at one time the standard one counts, as in an example of RFC 2445`() throws {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:US-Eastern", "BEGIN:DAYLIGHT", "DTSTART:19971026T020000",
            "RDATE:19970406T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400", "END:DAYLIGHT",
            "BEGIN:STANDARD", "DTSTART:19971026T020000", "TZOFFSETFROM:-0400", "TZOFFSETTO:-0500",
            "END:STANDARD", "END:VTIMEZONE",
        ]
        let frame = S.frame("UTC", from: "1998-01-01", days: 365)
        for zone in [zone, zone.prefix(2) + zone[8...12] + zone[2...7] + zone.suffix(1)] {
            #expect(
                try start("DTSTART;TZID=US-Eastern:19980312T083000", frame, Array(zone))
                    == "1998-03-12T08:30:00-05:00")
        }
    }

    @Test func `a TZID belongs to its calendar, and another calendar of the file can define it differently`()
        throws
    {
        func calendar(_ uid: String, _ offset: String, zoneFirst: Bool) -> String {
            let zone =
                "BEGIN:VTIMEZONE\nTZID:Customized Time Zone\nBEGIN:STANDARD\nDTSTART:16010101T000000\n"
                + "TZOFFSETFROM:\(offset)\nTZOFFSETTO:\(offset)\nEND:STANDARD\nEND:VTIMEZONE\n"
            let event =
                "BEGIN:VEVENT\nUID:\(uid)\nDTSTART;TZID=Customized Time Zone:20260611T130000\n"
                + "DTEND;TZID=Customized Time Zone:20260611T140000\nEND:VEVENT\n"
            return "BEGIN:VCALENDAR\n" + (zoneFirst ? zone + event : event + zone) + "END:VCALENDAR\n"
        }
        let text =
            calendar("a", "-0500", zoneFirst: true) + calendar("b", "+0100", zoneFirst: false)
            + calendar("c", "-0500", zoneFirst: true) + calendar("d", "+0900", zoneFirst: true).dropLast(14)
        let entries = try S.entries(Array(text.utf8))
        #expect(
            S.starts(entries) == [
                "2026-06-11T13:00:00-05:00", "2026-06-11T13:00:00+01:00", "2026-06-11T13:00:00-05:00",
                "2026-06-11T13:00:00+09:00",
            ])
        #expect(entries.entries.allSatisfy { $0.words(.durationMinutes) == "60" })
    }

    @Test func `an IANA name has priority over its definition in the file`() throws {
        let wrong = Self.ownZone.map { $0 == "TZID:Ours" ? "TZID:Europe/Berlin" : $0 }
        #expect(
            try start("DTSTART;TZID=Europe/Berlin:20260611T130000", S.frame(), wrong)
                == "2026-06-11T13:00:00+02:00 Europe/Berlin")
    }
}
