import TestSupport
import Testing
import TripModel

/// The trip's text rules, with the corpus of hostile text.
@Suite struct HostileTextTests {
    @Test(arguments: HostileText.all)
    func `R-TEXT: text that controls a terminal, changes direction or is invisible is refused`(
        hostile: HostileText
    ) {
        for rule in [TextRule.line(.textBytes), .line(.userBytes), .note] {
            // A text that is too long for the field is refused for its length.
            if hostile.text.utf8.count > 64, case .line(.userBytes) = rule { continue }
            let isRefused: Bool
            do throws(Rejection) {
                try rule.check(hostile.text, field: "title")
                isRefused = false
            } catch {
                isRefused = true
            }
            #expect(isRefused == hostile.isRefused, "\(rule)")
        }
        let url: Void? = try? TextRule.url.check(hostile.text, field: "url")
        #expect(url == nil)
        let visible = TextRule.visible(hostile.text)
        #expect(HostileText.trouble(in: visible) == [] && !visible.contains("\n"))
        #expect(TextRule.visible(visible) == visible)
        if !hostile.isRefused { #expect(visible == hostile.text) }
        let lines = TextRule.visible("a\n" + hostile.text, keepingNewlines: true)
        #expect(HostileText.trouble(in: lines) == [] && lines.hasPrefix("a\n"))
    }

    @Test(arguments: HostileText.harmless)
    func `R-TEXT: text that people write is accepted unchanged`(text: String) throws {
        try TextRule.line(.textBytes).check(text, field: "title")
        #expect(TextRule.visible(text) == text)
        #expect(HostileText.trouble(in: text) == [])
    }

    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "file:///etc/passwd", "vbscript:x",
        " https://a.b", "https://a.b/\u{202E}x", "https://a b",
    ])
    func `R-TEXT: a URL is a web or mail address`(address: String) {
        #expect(throws: Rejection.self) { try TextRule.url.check(address, field: "url") }
    }

    @Test func `R-TEXT: a trip keeps a name that older, weaker rules accepted`() throws {
        let name = "hi\u{E0065}\u{E0076} \u{206A} a\u{FE0F}\u{FE0F}"
        func header(_ name: String) throws -> TripHeader {
            TripHeader(
                id: TripID(high: 1, low: 1), slug: "t", name: name,
                startDate: try #require(CalendarDate("2026-06-01")), timeZone: "UTC", dayCount: 2)
        }
        let author = Author(name: "ann", at: Timestamp(milliseconds: 0))
        var trip = try Trip(header: header(name), version: 1, items: [])
        // It is not valid for a new trip or a rename, but a stored trip may keep it.
        #expect(throws: EditFailure.self) { try Trip.create(header(name), by: author) }
        _ = try trip.apply([.trip(TripChange(dayCount: 3))], by: author)
        #expect(trip.header.name == name && trip.header.dayCount == 3)
        #expect(throws: EditFailure.self) {
            try trip.apply([.trip(TripChange(name: name + "\u{E0041}"))], by: author)
        }
        // Text that no version ever accepted means a damaged file.
        #expect(throws: TripInconsistency.self) {
            try Trip(header: header("a\u{1B}b"), version: 1, items: [])
        }
    }
}
