import ScheduleFiles
import Testing
import TripModel

@Suite struct CalendarReadingTests {
    private typealias S = CalendarSamples

    @Test func `an event gives a game with its UID, place and duration`() throws {
        let entries = try S.entries(
            S.event(
                "DTSTART;TZID=America/Mexico_City:20260611T130000", "DURATION:PT1H45M59S",
                "LOCATION:Estadio Azteca\\, Mexico City\\, Mexico", "GEO:19.3029;-99.1505",
                "URL:https://example.com/a;b", "DESCRIPTION:First line\\nsecond\\; and\\, a \\\\ too"))
        let entry = try #require(entries.entries.first)
        #expect(entries.skipped == [] && entries.notes == [] && entries.entries.count == 1)
        #expect(entry.id == "u1" && entry.kind == .game && entry.line == 2)
        #expect(S.starts(entries) == ["2026-06-11T13:00:00-06:00 America/Mexico_City"])
        #expect(entry.words(.gameID) == "u1" && entry.words(.title) == "One")
        #expect(entry.words(.venue) == "Estadio Azteca" && entry.words(.city) == "Mexico City")
        #expect(entry.words(.place) == "Estadio Azteca, Mexico City, Mexico")
        #expect(entry.words(.durationMinutes) == "105", "rounded down")
        #expect(entry.words(.coordinate) == "19.3029 -99.1505")
        #expect(entry.words(.url) == "https://example.com/a;b", "an address has no escapes")
        #expect(entry.words(.note) == "First line\nsecond; and, a \\ too")
    }

    @Test(arguments: ["\r\n", "\n", "\r"])
    func `lines can be folded anywhere and end in any way, and names can have any case`(lineEnd: String)
        throws
    {
        let lines = [
            "\u{FEFF}begin:vcalendar", "", "Begin:VEvent", "uid:u1", "sum", " mary;x-a=\"p:q;r\":Caf",
            "\t\u{E9} de la ", " Paix", "dtstart;tzid=\"Europe/Paris\":2026", " 0611T2000", "\t00",
            "end:vevent",
            "END:VCALENDAR",
        ]
        let entries = try S.entries(Array(lines.joined(separator: lineEnd).utf8))
        #expect(entries.entries.first?.words(.title) == "Caf\u{E9} de la Paix")
        #expect(S.starts(entries) == ["2026-06-11T20:00:00+02:00 Europe/Paris"])
        #expect(entries.notes == [] && entries.skipped == [])
        #expect(entries.entries.first?.line == 3)
    }

    @Test func `a line may be folded within a character`() throws {
        var bytes = S.event("DTSTART:20260611T190000Z", "LOCATION:Caf\u{E9} \u{1F389}")
        let first = try #require(bytes.firstIndex(of: 0xC3))
        bytes.insert(contentsOf: [0x0D, 0x0A, 0x20], at: first + 1)
        let second = try #require(bytes.firstIndex(of: 0x9F))
        bytes.insert(contentsOf: [0x0A, 0x09], at: second + 1)
        #expect(try S.entries(bytes).entries.first?.words(.venue) == "Caf\u{E9} \u{1F389}")
    }

    @Test func `unknown components and X- properties are ignored, and several calendars are read`() throws {
        let bytes = Array(
            """
            BEGIN:VCALENDAR
            X-WR-CALNAME:x
            BEGIN:X-BOX
            UID:not me
            BEGIN:VEVENT
            UID:nor me
            END:VEVENT
            END:X-BOX
            BEGIN:VTODO
            UID:t
            END:VTODO
            BEGIN:VEVENT
            UID:a
            SUMMARY:A
            X-FOO;A="b:c":d
            DTSTART:20260611T190000Z
            BEGIN:VALARM
            SUMMARY:not this
            DTSTART:19990101T000000Z
            END:VALARM
            END:VEVENT
            END:VCALENDAR
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:b
            SUMMARY:B
            DTSTART:20260612T190000Z
            END:VEVENT
            BEGIN:VJOURNAL
            END:VJOURNAL
            END:VCALENDAR
            """.utf8)
        let entries = try S.entries(bytes)
        #expect(entries.entries.map(\.id) == ["a", "b"])
        #expect(entries.entries.map { $0.words(.title) } == ["A", "B"])
        #expect(
            entries.notes.map(\.text) == [
                "1 VALARM not imported", "1 VJOURNAL not imported", "1 VTODO not imported",
            ])
        #expect(!entries.isCut && entries.skipped == [])
    }

    @Test func `a calendar without events is noted, unless it has tasks`() throws {
        let empty = try S.entries(Array("BEGIN:VCALENDAR\nEND:VCALENDAR\n".utf8))
        #expect(empty.notes.map(\.text) == ["the calendar has no events"])
        let task = "BEGIN:VTODO\nUID:t\nSUMMARY:Pack\nEND:VTODO\n"
        let tasks = try S.entries(Array("BEGIN:VCALENDAR\n\(task)END:VCALENDAR\n".utf8))
        #expect(tasks.notes.isEmpty && tasks.todo.count == 1)
    }

    @Test func `a task of another program keeps its due date and its category`() throws {
        func read(_ lines: String...) throws -> String {
            let calendar =
                ["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:t"] + lines + ["END:VTODO", "END:VCALENDAR"]
            let entries = try S.entries(Array(calendar.joined(separator: "\n").utf8))
            return ([entries.todo.first?.text].compactMap(\.self) + entries.notes.map(\.text)).joined(
                separator: "; ")
        }
        #expect(
            try read("SUMMARY:Visa", "DUE:tomorrow")
                == "Visa; DUE:tomorrow is not understood; it is left out")
        #expect(
            try read("SUMMARY:Visa", "DUE;VALUE=DATE:20260601", "CATEGORIES:papers")
                == "Visa #papers due:2026-06-01")
        #expect(try read("SUMMARY:Visa", "DUE:20260601T235900Z") == "Visa due:2026-06-01")
        #expect(try read("SUMMARY:Visa", "DUE;TZID=Asia/Tokyo:20260601T080000") == "Visa due:2026-06-01")
        #expect(try read("SUMMARY:Visa", "CATEGORIES:two words") == "Visa")
        #expect(
            try read("SUMMARY:Visa due:2026-05-01 #a", "DUE:20260601", "CATEGORIES:b")
                == "Visa due:2026-05-01 #a")
    }

    @Test func `a whole day is a custom item, and several are a stay`() throws {
        let one = try S.entries(S.event("DTSTART;VALUE=DATE:20260611", "LOCATION:Hotel, Lima"))
        #expect(S.starts(one) == ["2026-06-11"])
        #expect(one.entries[0].kind == .custom && one.entries[0].words(.place) == "Hotel, Lima")
        #expect(one.entries[0].words(.city) == nil && one.entries[0].words(.note) == nil)
        let several = try S.entries(
            S.event("DTSTART;VALUE=DATE:20260611", "DTEND;VALUE=DATE:20260614", "DESCRIPTION:Sea"))
        #expect(several.entries[0].words(.note) == "Sea" && several.entries[0][.nights] == .nights(2))
        let week = try S.entries(S.event("DTSTART:20260611", "DURATION:P1W"))
        #expect(week.entries[0].words(.note) == nil && week.entries[0][.nights] == .nights(6))
    }

    @Test
    func `an untitled event is named by place or UID, and one without UID has its start and title as id`()
        throws
    {
        let bytes = S.calendar(
            "BEGIN:VEVENT", "UID:u", "DTSTART:20260611T190000Z", "LOCATION:Azteca", "END:VEVENT",
            "BEGIN:VEVENT",
            "UID:v", "DTSTART:20260611T200000Z", "END:VEVENT", "BEGIN:VEVENT", "SUMMARY:Two\\nlines\\n",
            "DTSTART:20260611T210000Z", "END:VEVENT")
        let entries = try S.entries(bytes)
        #expect(entries.entries.map { $0.words(.title) } == ["Azteca", "v", "Two lines"])
        #expect(entries.entries.map(\.id) == ["u", "v", "20260611T210000Z/Two lines"])
        #expect(entries.notes.map(\.line) == [12] && entries.notes[0].text.contains("no UID"))
    }

    @Test func `of events with one UID the newest counts, and a note says so`() throws {
        func event(_ title: String, _ more: String...) -> [String] {
            ["BEGIN:VEVENT", "UID:u", "DTSTART:20260611T190000Z", "SUMMARY:\(title)"] + more + ["END:VEVENT"]
        }
        func title(_ lines: [String]) throws -> String? {
            let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\n")
            let entries = try S.entries(Array(text.utf8))
            #expect(entries.entries.count == 1 && entries.notes.count == 1)
            return entries.entries.first?.words(.title)
        }
        #expect(try title(event("A", "SEQUENCE:1") + event("B", "SEQUENCE:2") + []) == "B")
        #expect(try title(event("A", "SEQUENCE:2") + event("B", "DTSTAMP:20260101T000000Z")) == "A")
        let (old, new) = ("DTSTAMP:20260101T000000Z", "DTSTAMP:20260102T000000Z")
        #expect(try title(event("A", old) + event("B", new)) == "B")
        #expect(try title(event("A", new) + event("B", old)) == "A")
    }

    @Test func `cancelled events are not imported, and count as vanished`() throws {
        let entries = try S.entries(S.event("DTSTART:20260611T190000Z", "STATUS:cancelled"))
        #expect(entries.entries == [] && entries.skipped == [] && entries.present == [])
        #expect(entries.notes.map(\.text) == ["“One” is cancelled; it is not imported"])
    }

    @Test(arguments: [
        ("SUMMARY:x", "it has no DTSTART"),
        (
            "DTSTART:tomorrow",
            "“tomorrow” is not a date or time of the years 1583 to 9999; an example is 20260611T130000"
        ),
        (
            "DTSTART:20260230T120000Z",
            "“20260230T120000Z” is not a date or time of the years 1583 to 9999; an example is 20260611T130000"
        ),
        (
            "DTSTART;TZID=CEST:20260611T130000",
            "no IANA zone is called “CEST”, and the file has no VTIMEZONE for it; did you mean Europe/Berlin?"
        ),
        (
            "DTSTART;TZID=Mars/Base:20260611T130000",
            "no IANA zone is called “Mars/Base”, and the file has no VTIMEZONE for it"
        ),
    ])
    func `an event without a valid time is skipped, with its line, its UID and a valid example`(
        line: String, reason: String
    ) throws {
        let entries = try S.entries(S.event(line))
        #expect(entries.entries == [])
        #expect(entries.skipped == [SkippedEntry(line: 2, id: "u1", field: "DTSTART", reason: reason)])
        #expect(entries.present == [TextKey("u1")], "it has not vanished from its file")
    }

    @Test func `text is cleaned and cut and an invalid URL left out, with notes, and nothing is skipped`()
        throws
    {
        let entries = try S.entries(
            S.event(
                "DTSTART:20260611T190000Z", "DESCRIPTION:a\u{1B}[2Jb\u{202E}c", "URL:javascript:alert(1)",
                "LOCATION:" + String(repeating: "x", count: 600), "GEO:91;0", "DURATION:soon"))
        let entry = try #require(entries.entries.first)
        #expect(entry.words(.note) == "a[2Jbc" && entry.words(.url) == nil && entry.words(.coordinate) == nil)
        #expect(entry.words(.venue)?.utf8.count == 512 && entry.words(.durationMinutes) == nil)
        #expect(entries.skipped == [])
        for field in ["note", "url", "venue", "coordinate", "DURATION"] {
            #expect(entries.notes.contains { $0.text.contains(field) }, "\(field)")
        }
    }

    @Test(arguments: [4, 6, 9, 10, 12])
    func `a truncated file gives its complete events and a note`(lineCount: Int) throws {
        let lines = [
            "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a", "DTSTART:20260611T190000Z", "END:VEVENT",
            "BEGIN:VEVENT",
            "UID:b", "DTSTART:20260612T190000Z", "SUMMARY:two", "LOCATION:x", "END:VEVENT", "BEGIN:VTIMEZONE",
        ]
        let entries = try S.entries(Array(lines.prefix(lineCount).joined(separator: "\r\n").utf8))
        let whole = lineCount < 5 ? [] : lineCount < 11 ? ["a"] : ["a", "b"]
        #expect(entries.entries.map(\.id) == whole)
        #expect(entries.isCut)
        #expect(entries.notes.contains { $0.line == lineCount && $0.text.contains("ends in the middle") })
    }

    @Test func `an event without an end, or an end without a beginning, does not affect other events`() throws
    {
        let entries = try S.entries(
            S.calendar(
                "END:VEVENT", "BEGIN:VEVENT", "UID:a", "DTSTART:20260611T190000Z", "BEGIN:VEVENT", "UID:b",
                "DTSTART:20260612T190000Z", "END:VEVENT"))
        #expect(entries.entries.map(\.id) == ["b"])
        #expect(entries.skipped.map(\.id) == ["a"] && entries.notes.count == 1 && !entries.isCut)
    }

    @Test func `a file that is not a calendar is refused, with its probable type`() throws {
        func error(_ bytes: [UInt8]) -> FileError? {
            do throws(FileError) {
                _ = try ScheduleFile(bytes, .ics)
                return nil
            } catch {
                return error
            }
        }
        #expect(error([]) == .noCalendar)
        #expect(error(Array("hello\n".utf8)) == .noCalendar)
        #expect(error(Array("BEGIN:VCARD\nEND:VCARD\n".utf8)) == .noCalendar)
        #expect(error(S.event("DTSTART:20260611") + [0x58, 0x3A, 0xE9, 0x0A]) == .notUTF8(line: 8))
        #expect(error([0xFF, 0xFE] + Array("B\0E\0".utf8)) == .noCalendar)
        #expect(error([0xFF, 0xFE, 0x41, 0x00, 0x00, 0xDC]) == .utf16)
        #expect(error(Array("B\0E\0G\0I\0N".utf8)) == .utf16)
        #expect(error([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00]) == .binary)
        #expect(error([UInt8](repeating: 0, count: 4096)) == .binary, "as a power cut leaves one")
        let deep = "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:X-PART\n", count: 40)
        #expect(error(Array(deep.utf8)) == .nestedTooDeep(line: 33, most: 32))
        #expect("\(FileError.notUTF8(line: 8))".contains("Latin-1"))
        #expect("\(FileError.utf16)".contains("UTF-16"))
    }
}
