import TerminalCore
import TestSupport
import Testing

@Suite struct DisplayTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("naïve 日本 👨‍👩‍👧", "naïve 日本 👨‍👩‍👧"), ("", ""),
        ("\u{1B}[31mred", "␛[31mred"), ("a\tb\nc", "a␉b␊c"), ("x\r\ny", "x␍␊y"), ("\0\u{7F}", "␀␡"),
        ("\u{9B}2J", "�2J"), ("\u{202E}evil\u{202C}", "�evil�"), ("\u{2066}a\u{2069}", "�a�"),
        ("\u{2028}\u{2029}", "��"),
        ("a" + String(repeating: "\u{301}", count: 15), "a" + String(repeating: "\u{301}", count: 15)),
        ("a" + String(repeating: "\u{301}", count: 16) + "b", "�b"),
    ])
    func sanitizedTextIsHarmless(_ text: String, _ expected: String) {
        let result = DisplayText.sanitized(text)
        #expect(Array(result.unicodeScalars) == Array(expected.unicodeScalars))
        #expect(DisplayText.sanitized(result) == result)
    }

    @Test(arguments: [
        ("Lunch", 5, "Lunch"), ("Lunch", 4, "Lun…"), ("Lunch", 1, "…"), ("Lunch", 0, ""), ("Lunch", -1, ""),
        ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
        ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"), ("a\tb", 2, "a…"), ("cafe\u{301}s", 5, "cafe\u{301}s"),
    ])
    func truncatedTextFitsAndSplitsNoCluster(_ text: String, _ columns: Int, _ expected: String) {
        let result = DisplayText.truncated(text, toColumns: columns)
        #expect(result == expected)
        #expect(TextWidth.columns(of: result) <= max(columns, 0))
    }

    @Test(arguments: HostileText.all)
    func nothingHostileIsDrawn(_ hostile: HostileText) {
        for text in [hostile.text, hostile.text + hostile.text, "\u{1F3F4}" + hostile.text] {
            let shown = DisplayText.sanitized(text)
            // Each control character is replaced by one scalar, so that nothing is hidden.
            #expect(HostileText.trouble(in: shown).filter { $0 != "selectors in a row" } == [])
            #expect(!shown.contains("\n"))
            let cut = DisplayText.truncated(text, toColumns: 9)
            #expect(HostileText.trouble(in: cut).filter { $0 != "selectors in a row" } == [])
            #expect(TextWidth.columns(of: cut) <= 9)
        }
    }

    @Test(arguments: HostileText.harmless)
    func whatPeopleWriteIsDrawnAsItIs(_ text: String) { #expect(DisplayText.sanitized(text) == text) }

    @Test func anEllipsisThatDoesNotFitIsLeftOut() {
        #expect(DisplayText.truncated("Lunch", toColumns: 2, ellipsis: "...") == "Lu")
        #expect(DisplayText.truncated("Lunch", toColumns: 4, ellipsis: "...") == "L...")
        #expect(DisplayText.truncated("日本", toColumns: 1, ellipsis: "") == "")
    }
}
