import Testing
import TripModel

@Suite struct ContentTests {
    private func rejection(_ content: ItemContent) throws -> Rejection? {
        try TripFixture().rejection(of: .add(ItemID(high: 1, low: 1), content, to: nil))
    }

    private func isInvalid(_ content: ItemContent, _ field: String) throws -> Bool {
        guard case .invalid(field, _) = try rejection(content) else { return false }
        return true
    }

    @Test(arguments: ["", " ", "\u{A0}\u{3000}"])
    func `required values must be present`(text: String) throws {
        let start = try #require(OffsetDateTime("2026-06-12T10:00:00Z"))
        #expect(try isInvalid(.custom(CustomItem(title: text)), "title"))
        #expect(try isInvalid(.travel(Travel(fromCity: text, toCity: "B")), "fromCity"))
        #expect(try isInvalid(.travel(Travel(fromCity: "A", toCity: text)), "toCity"))
        #expect(try isInvalid(.game(Game(gameID: text, title: "t", startsAt: start)), "gameId"))
        #expect(try isInvalid(.game(Game(gameID: "g", title: text, startsAt: start)), "title"))
        #expect(
            try isInvalid(
                .custom(CustomItem(title: "t", cost: Cost(amount: 1, currency: text))), "cost.currency"))
    }

    @Test func `zones, durations and amounts have bounds`() throws {
        let start = try #require(OffsetDateTime("2026-06-12T10:00:00Z"))
        #expect(
            try isInvalid(
                .game(Game(gameID: "g", title: "t", startsAt: start, timeZone: "Nowhere")), "timeZone"))
        for minutes in [-1, 366 * 1440 + 1, .max, .min] {
            #expect(
                try isInvalid(.custom(CustomItem(title: "t", durationMinutes: minutes)), "durationMinutes"))
            #expect(
                try isInvalid(
                    .game(Game(gameID: "g", title: "t", startsAt: start, durationMinutes: minutes)),
                    "durationMinutes"))
        }
        for amount in [Double.nan, .infinity, 1.1e15, -1.1e15] {
            let cost = Cost(amount: amount, currency: "EUR")
            #expect(try isInvalid(.custom(CustomItem(title: "t", cost: cost)), "cost.amount"))
        }
        let cost = Cost(amount: -12.5, currency: "EUR")
        #expect(try rejection(.custom(CustomItem(title: "t", durationMinutes: 0, cost: cost))) == nil)
    }

    @Test(arguments: [
        ("http://a", true), ("https://example.org/a?b=c#d", true), ("mailto:ann@example.org", true),
        ("HTTPS://EXAMPLE.ORG", true), ("https://münchen.example/ä", true), ("", false),
        ("http://", false),
        ("https:/a", false), ("mailto:", false), ("example.org", false), ("javascript:alert(1)", false),
        (" https://a", false), ("https://a b", false), ("https://a\u{A0}b", false),
        ("file:///etc/passwd", false),
        ("ftp://a", false), ("xhttp://a", false),
    ])
    func `a URL is a web or mail address`(url: String, isGood: Bool) throws {
        let start = try #require(OffsetDateTime("2026-06-12T10:00:00Z"))
        let all: [ItemContent] = [
            .custom(CustomItem(title: "t", url: url)), .travel(Travel(fromCity: "A", toCity: "B", url: url)),
            .game(Game(gameID: "g", title: "t", startsAt: start, url: url)),
        ]
        for content in all {
            if isGood {
                #expect(try rejection(content) == nil)
            } else {
                #expect(try isInvalid(content, "url"))
            }
        }
    }

    @Test func `a URL, a place and a source have their own limits and reject forbidden characters`() throws {
        func custom(_ change: (inout CustomItem) -> Void) -> ItemContent {
            var item = CustomItem(title: "t")
            change(&item)
            return .custom(item)
        }
        let long = { (bytes: Int) in String(repeating: "n", count: bytes) }
        let url = "https://" + long(2048 - 8)
        for (good, bad, rejection) in [
            (
                custom { $0.url = url }, custom { $0.url = url + "n" },
                Rejection.limitExceeded(.urlBytes, field: "url")
            ),
            (
                custom { $0.place = long(500) }, custom { $0.place = long(501) },
                .limitExceeded(.placeBytes, field: "place")
            ),
            (
                custom { $0.source = ItemSource(name: long(200), id: "i") },
                custom { $0.source = ItemSource(name: long(201), id: "i") },
                .limitExceeded(.sourceNameBytes, field: "source.name")
            ),
            (
                custom { $0.source = ItemSource(name: "n", id: long(300)) },
                custom { $0.source = ItemSource(name: "n", id: long(301)) },
                .limitExceeded(.sourceIDBytes, field: "source.id")
            ),
            (
                custom { $0.url = "https://e\u{301}" }, custom { $0.url = "https://\u{202E}gro.elpmaxe" },
                .textNotAllowed(field: "url", scalar: 0x202E)
            ),
            (
                custom { $0.place = "p" }, custom { $0.place = "a\nb" },
                .textNotAllowed(field: "place", scalar: 0xA)
            ),
            (
                custom { $0.source = ItemSource(name: "n", id: "i") },
                custom { $0.source = ItemSource(name: "n", id: "\u{0}") },
                .textNotAllowed(field: "source.id", scalar: 0)
            ),
        ] {
            #expect(try self.rejection(good) == nil)
            #expect(try self.rejection(bad) == rejection)
        }
        for source in [ItemSource(name: " ", id: "i"), ItemSource(name: "n", id: "")] {
            let part = source.id.isEmpty ? "source.id" : "source.name"
            #expect(try isInvalid(custom { $0.source = source }, part))
        }
    }

    @Test func `a coordinate is within the bounds of latitude and longitude`() throws {
        for (latitude, longitude, field) in [
            (90.0, 180.0, nil), (-90, -180, nil), (33.755, -84.401, nil), (90.1, 0, "coordinate.lat"),
            (.nan, 0, "coordinate.lat"), (0, -180.000001, "coordinate.lon"), (0, .infinity, "coordinate.lon"),
        ] as [(Double, Double, String?)] {
            let point = Coordinate(latitude: latitude, longitude: longitude)
            let content = ItemContent.custom(CustomItem(title: "t", coordinate: point))
            if let field {
                #expect(try isInvalid(content, field))
            } else {
                #expect(try rejection(content) == nil)
            }
        }
    }

    @Test func `a time of day has two digits each, 00:00 to 23:59`() throws {
        for minute in [0, 1, 59, 60, 605, 1439] {
            let time = try #require(ClockTime(minute: minute))
            #expect(ClockTime(time.description) == time)
        }
        #expect(ClockTime("09:05")?.minute == 545)
        #expect(ClockTime(minute: -1) == nil && ClockTime(minute: 1440) == nil)
        for text in [
            "", "9:05", "09:5", "24:00", "23:60", "0905", "09:05:00", " 09:05", "09.05", "-1:00", "٠٩:٠٥",
        ] {
            #expect(ClockTime(text) == nil, "\(text)")
        }
    }

    @Test func `an update obeys the same rules and changes only the given fields`() throws {
        var fixture = try TripFixture()
        let lunch = try fixture.add(.custom(CustomItem(title: "Lunch", icon: "🍝", note: "n")))
        let position = try fixture.item(lunch).position
        try fixture.apply(.update(lunch, [.clear(.note), .city("Lima"), .durationMinutes(60)]))
        let expected = CustomItem(title: "Lunch", icon: "🍝", city: "Lima", durationMinutes: 60)
        #expect(try fixture.item(lunch).content == .custom(expected))
        #expect(try fixture.item(lunch).position == position)
        guard case .invalid("title", _) = fixture.rejection(of: .update(lunch, [.title(" ")])) else {
            Issue.record("an empty title must be refused")
            return
        }
        #expect(
            fixture.rejection(of: .update(lunch, [.note("a\u{0}")]))
                == .textNotAllowed(field: "note", scalar: 0))
    }

    @Test func `a new start moves a game, and keeps its text as sent`() throws {
        var fixture = try TripFixture(zone: "America/New_York")
        let game = try fixture.game("g", day: 2, minute: 600)
        let start = try #require(OffsetDateTime("2026-06-14t01:02:03.5+02:00"))
        try fixture.apply(.update(game, [.startsAt(start), .timeZone("Europe/Berlin")]))
        let item = try fixture.item(game)
        #expect(item.position == Position(day: 4, sortOrder: 162))
        guard case .game(let content) = item.content else { return }
        #expect(content.startsAt.text == "2026-06-14t01:02:03.5+02:00")
        try fixture.apply(.update(game, [.clear(.timeZone)]))
        #expect(try fixture.item(game).position == Position(day: 3, sortOrder: 100 + 19 * 60 + 2))
    }

    // MARK: Text

    @Test func `text has limits in bytes, not characters`() throws {
        #expect(try rejection(TripFixture.custom(String(repeating: "é", count: 256))) == nil)
        #expect(
            try rejection(TripFixture.custom(String(repeating: "é", count: 256) + "x"))
                == .limitExceeded(.textBytes, field: "title"))
        let note = String(repeating: "n", count: 16 * 1024)
        #expect(try rejection(.custom(CustomItem(title: "t", note: note))) == nil)
        #expect(
            try rejection(.custom(CustomItem(title: "t", note: note + "n")))
                == .limitExceeded(.noteBytes, field: "note"))
        let icon = String(repeating: "i", count: 33)
        #expect(
            try rejection(.custom(CustomItem(title: "t", icon: icon)))
                == .limitExceeded(.iconBytes, field: "icon"))
        #expect(
            try rejection(.travel(Travel(fromCity: "A", toCity: "B", mode: icon)))
                == .limitExceeded(.modeBytes, field: "mode"))
    }

    @Test(
        arguments: [
            0x00, 0x09, 0x0A, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0x2028, 0x2029, 0x202A, 0x202E,
            0x2066,
            0x2069,
        ] as [UInt32])
    func `control characters, line separators and bidirectional overrides are not allowed`(value: UInt32)
        throws
    {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(
            try rejection(TripFixture.custom("a\(Character(scalar))b"))
                == .textNotAllowed(field: "title", scalar: value))
        let note = try rejection(.custom(CustomItem(title: "t", note: "a\(Character(scalar))b")))
        #expect(note == (value == 0x0A ? nil : .textNotAllowed(field: "note", scalar: value)))
    }

    @Test func `a carriage return before a newline is not allowed in a note`() throws {
        #expect(
            try rejection(.custom(CustomItem(title: "t", note: "a\r\nb")))
                == .textNotAllowed(field: "note", scalar: 0x0D))
    }

    @Test(arguments: [
        "👨‍👩‍👧‍👦", "क्षत्रिय", "ประเทศไทย", "ﷺ", "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}",
        "\u{200E}x\u{200F}",
        "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "~", "\u{A0}x", "שָׁלוֹם",
    ])
    func `other scripts are allowed`(text: String) throws {
        #expect(try rejection(TripFixture.custom(text)) == nil)
    }

    @Test(arguments: [
        String(repeating: "\u{301}", count: 9),
        // A joiner, a variation selector or a spacing mark does not end a character.
        String(repeating: "\u{301}", count: 8) + "\u{200D}\u{301}",
        String(repeating: "\u{301}", count: 8) + "\u{FE0F}\u{301}",
        String(repeating: "\u{301}", count: 8) + "\u{903}\u{301}",
        String(repeating: "\u{20DD}\u{FE0E}", count: 9),
        // Neither does a scalar without width, although it begins a new character.
        String(repeating: "\u{301}", count: 8) + "\u{200B}\u{301}",
        String(repeating: "\u{301}", count: 8) + "\u{2060}\u{301}",
    ])
    func `a character has at most 8 combining marks, however they are strung together`(marks: String) throws {
        #expect(
            try rejection(TripFixture.custom("e" + marks)) == .limitExceeded(.combiningMarks, field: "title"))
        let apart = "e" + marks.unicodeScalars.map { "\(Character($0))x" }.joined()
        #expect(try rejection(TripFixture.custom(apart)) == nil)
        let selectors = "e" + String(repeating: "\u{FE0F}", count: 20)
        #expect(try rejection(TripFixture.custom(selectors)) == nil, "variation selectors do not count")
    }
}
