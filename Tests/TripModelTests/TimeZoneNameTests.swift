import Foundation
import Testing
import TripModel

/// A zone is a name of the IANA database, including its links, and nothing else.
@Suite struct TimeZoneNameTests {
    @Test(arguments: [
        "ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST", "CTT", "EAT", "ECT", "IET",
        "IST", "JST", "MIT", "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST", "SystemV/EST5",
        "SystemV/AST4ADT", "GMT+18:00", "UTC+3", "GMT+3", "Canada/East-Saskatchewan", "US/Pacific-New",
        "",
        "europe/london", "Europe/London ", "Europe/", "/", "posix/UTC", "Etc/Unknown",
    ])
    func `names that Foundation accepts and the database does not have are refused`(name: String) throws {
        #expect(!TimeZoneName.isKnown(name))
        var fixture = try TripFixture()
        guard
            case .invalid("timeZone", let message) = fixture.rejection(of: .trip(TripChange(timeZone: name)))
        else {
            Issue.record("refused")
            return
        }
        #expect(message.hasSuffix("none is called \(name)"))
        let start = try #require(OffsetDateTime("2026-06-11T13:00:00Z"))
        let game = ItemContent.game(Game(gameID: "g", title: "g", startsAt: start, timeZone: name))
        #expect(throws: EditFailure.self) {
            try fixture.apply(.add(ItemID(high: 1, low: 1), game, to: nil))
        }
    }

    @Test(arguments: [
        "UTC", "GMT", "GMT0", "GMT+0", "EST", "EST5EDT", "CET", "Zulu", "W-SU", "NZ-CHAT", "Japan",
        "US/Eastern",
        "Asia/Calcutta", "Asia/Kolkata", "America/Argentina/ComodRivadavia", "America/Indiana/Knox",
        "Etc/GMT-14", "Etc/GMT+12", "Europe/Kyiv", "Europe/Kiev", "Antarctica/South_Pole", "Factory",
        "Mexico/BajaNorte", "Brazil/East", "Chile/EasterIsland", "Arctic/Longyearbyen", "Indian/Maldives",
    ])
    func `links and zones without an area are valid names`(name: String) {
        #expect(TimeZoneName.isKnown(name))
    }

    /// If the machine has the database, its names must be the accepted ones.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/tzdata.zi")))
    func `the valid names are exactly those of the machine's database`() throws {
        let text = try String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)
        var names: Set<String> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count > 1, words[0] == "Z" { names.insert(words[1]) }
            if words.count > 2, words[0] == "L" { names.insert(words[2]) }
        }
        #expect(names.count > 400)
        // A database newer than the toolchain may have a few more zones.
        #expect(names.filter { !TimeZoneName.isKnown($0) }.count <= 3)
        let others = TimeZone.knownTimeZoneIdentifiers + Array(TimeZone.abbreviationDictionary.keys)
        #expect(others.filter { TimeZoneName.isKnown($0) && !names.contains($0) }.count <= 3)
    }

    @Test(arguments: [
        ("BST", "Europe/London"), ("IST", "Asia/Kolkata"), ("PST", "America/Los_Angeles"),
        ("CEST", "Europe/Berlin"), ("europe/london", "Europe/London"), ("new york", "America/New_York"),
        ("Lima", "America/Lima"), ("UTC+3", "Etc/GMT-3"), ("GMT-05:00", "Etc/GMT+5"), ("utc", "UTC"),
    ])
    func `the error suggests the zone that is probably meant`(name: String, meant: String) throws {
        #expect(TimeZoneName.suggestion(for: name) == meant)
        #expect(TimeZoneName.isKnown(meant))
        let fixture = try TripFixture()
        let refused = fixture.rejection(of: .trip(TripChange(timeZone: name)))
        #expect(
            refused
                == .invalid(
                    field: "timeZone",
                    "an IANA zone like America/New_York is needed, perhaps \(meant); none is called \(name)"))
    }

    @Test func `a trip whose zone is unknown here is valid, and its zone can be changed`() throws {
        let known = try TripFixture()
        var header = known.trip.header
        header.timeZone = "Atlantic/Atlantis"
        let start = try #require(OffsetDateTime("2026-06-12T13:00:00Z"))
        let game = Item(
            id: ItemID(high: 1, low: 1), position: Position(day: 2, sortOrder: 880),
            content: .game(Game(gameID: "g", title: "g", startsAt: start, timeZone: "BST")), version: 1,
            modifiedAt: Timestamp(milliseconds: 0), modifiedBy: "u")
        var trip = try Trip(header: header, version: 1, items: [game])
        try trip.adopt(version: 2, upserts: [], removed: [], header: header)
        _ = try trip.apply([.trip(TripChange(name: "New"))], by: TripFixture.author)
        _ = try trip.apply([.update(game.id, [.title("G")])], by: TripFixture.author)
        let earlier = try #require(CalendarDate("2026-06-10"))
        _ = try trip.apply([.trip(TripChange(startDate: earlier))], by: TripFixture.author)
        #expect(trip[game.id]?.position == Position(day: 3, sortOrder: 880))
        _ = try trip.apply([.trip(TripChange(timeZone: "Asia/Tokyo"))], by: TripFixture.author)
        #expect(trip.header.timeZone == "Asia/Tokyo")
    }
}
