import TestSupport
import Testing
import TripModel

/// The door, held against the corpus of text that hurts.
@Suite struct HostileTextTests {
    @Test(arguments: HostileText.all)
    func `R-TEXT: the door refuses what steers, turns around or hides`(hostile: HostileText) {
        for rule in [TextRule.line(.textBytes), .line(.userBytes), .note] {
            // What is too long for a field is refused for that.
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
    func `R-TEXT: what people write is let through as it is`(text: String) throws {
        try TextRule.line(.textBytes).check(text, field: "title")
        #expect(TextRule.visible(text) == text)
        #expect(HostileText.trouble(in: text) == [])
    }

    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "file:///etc/passwd", "vbscript:x",
        " https://a.b", "https://a.b/\u{202E}x", "https://a b",
    ])
    func `R-TEXT: an address is one of the web or of mail`(address: String) {
        #expect(throws: Rejection.self) { try TextRule.url.check(address, field: "url") }
    }
}
