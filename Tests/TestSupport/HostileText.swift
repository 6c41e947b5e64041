/// Text that attacks a terminal or hides something from its reader. The daemon rejects it; drawing, logs and
/// exports spell it out.
package struct HostileText: Sendable, CustomStringConvertible {
    /// A description.
    package let name: String
    package let text: String
    /// Whether the daemon rejects it. Otherwise it is legitimate text that only some format misreads.
    package let isRefused: Bool

    package var description: String { name }

    private init(_ name: String, _ text: String, isRefused: Bool = true) {
        self.name = name
        self.text = text
        self.isRefused = isRefused
    }

    package static let all: [HostileText] = [
        .init("clears the screen", "a\u{1B}[2Jb"),
        .init("sets a window's title", "a\u{1B}]0;owned\u{7}b"),
        .init("writes the clipboard", "a\u{1B}]52;c;b3duZWQ=\u{1B}\\b"),
        .init("links elsewhere", "\u{1B}]8;;https://evil.example\u{7}bank\u{1B}]8;;\u{7}"),
        .init("asks the terminal for an answer", "\u{1B}[c\u{5}"),
        .init("overwrites a line", "paid\rowed"),
        .init("goes back", "evil\u{8}\u{8}\u{8}\u{8}good"),
        .init("ends a string of C", "a\0b"),
        .init("rings", "\u{7}"),
        .init("deletes", "a\u{7F}b"),
        .init("a C1 control sequence", "a\u{9B}2Jb"),
        .init("a C1 operating system command", "a\u{9D}0;owned\u{9C}b"),
        .init("a C1 new line", "a\u{85}b"),
        .init("a line separator", "a\u{2028}b"),
        .init("a paragraph separator", "a\u{2029}b"),
        .init("turns right to left", "invoice\u{202E}fdp.exe"),
        .init("embeds", "\u{202B}a\u{202C}"),
        .init("isolates", "\u{2067}a\u{2069}"),
        .init("a deprecated control of order", "a\u{206A}b"),
        .init(
            "hides words in tags",
            "hi"
                + String(
                    String.UnicodeScalarView(
                        "evil".unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value) }))),
        .init("a language tag", "\u{E0001}a"),
        .init("tags without end behind a flag", "\u{1F3F4}" + String(repeating: "\u{E0061}", count: 40)),
        .init("annotates between lines", "a\u{FFF9}b\u{FFFA}c\u{FFFB}"),
        .init("piles up marks", "Z" + String(repeating: "\u{335}\u{301}", count: 40)),
        .init("piles up marks behind joiners", "Z" + String(repeating: "\u{200D}\u{335}\u{489}", count: 20)),
        .init("a property of a calendar", "x\r\nATTENDEE:mailto:a@b.c"),
        .init("a formula", "=HYPERLINK(\"https://evil.example\";\"bank\")", isRefused: false),
        .init("a command of a spreadsheet", "@SUM(1+1)*cmd|' /C calc'!A0", isRefused: false),
        .init("a formula behind a plus", "+1+1", isRefused: false),
        .init("a formula behind a minus", "-1+1", isRefused: false),
        .init("a formula behind a blank", " =1+1", isRefused: false),
        .init("a formula with a wide sign", "\u{FF1D}1+1", isRefused: false),
        .init("a formula with a wide plus", "\u{FF0B}1+1", isRefused: false),
        .init("a formula with a wide minus", "\u{FF0D}1+1", isRefused: false),
        .init("a formula with a wide at sign", "\u{FF20}SUM(A1)", isRefused: false),
        .init("a script", "<script>alert(1)</script>", isRefused: false),
        .init("an image with a handler", "\"><img src=x onerror=alert(1)>", isRefused: false),
        .init("the end of a comment", "]]>--><b>", isRefused: false),
        .init("a link of Markdown", "[bank](javascript:alert(1))", isRefused: false),
        .init("an image of Markdown", "![x](https://evil.example/track.png)", isRefused: false),
        .init("a heading of Markdown", "# x\\`*_", isRefused: false),
        .init("an entity", "&#60;b&#62;", isRefused: false),
    ]

    /// Legitimate text that looks dangerous: accepted, and drawn unchanged.
    package static let harmless = [
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} v \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        "\u{1F441}\u{FE0F}\u{200D}\u{1F5E8}\u{FE0F}", "1\u{FE0F}\u{20E3}", "\u{845B}\u{E0100}\u{98FE}",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
        "\u{5E9}\u{5DC}\u{5D5}\u{5DD}\u{200F}!", "nai\u{308}ve", "\u{0E19}\u{0E49}\u{0E33}",
    ]

    /// The parts of a text, except newlines, that must not reach a screen; empty if there are none.
    package static func trouble(in text: String) -> [String] {
        var found: [String] = []
        var flag = 0
        for scalar in text.unicodeScalars where scalar != "\n" {
            let isTag = (0xE0000...0xE007F).contains(scalar.value)
            switch scalar.value {
            case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB:
                found.append("U+\(String(scalar.value, radix: 16))")
            case _ where isTag && flag == 0: found.append("a tag")
            default: break
            }
            flag = scalar.value == 0x1F3F4 ? 16 : isTag ? max(0, flag - 1) : 0
        }
        return found
    }
}
