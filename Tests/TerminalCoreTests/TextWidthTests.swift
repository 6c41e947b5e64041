import TerminalCore
import Testing

@Suite struct TextWidthTests {
    @Test(
        arguments: [
            ("a", 1), (" ", 1), ("~", 1), ("é", 1), ("e\u{301}", 1), ("\u{AD}", 1), ("…", 1), ("━", 1),
            ("⋮", 1),
            ("日", 2), ("한", 2), ("ア", 2), ("ｱ", 1), ("Ａ", 2), ("、", 2), ("\u{3000}", 2), ("𠀀", 2),
            ("\u{1100}\u{1161}\u{11A8}", 2), ("か\u{3099}", 2), ("䷀", 2),
            ("⚽", 2), ("🏨", 2), ("✈", 1), ("✈\u{FE0F}", 2), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2),
            ("☎\u{FE0E}", 1), ("⌚\u{FE0E}", 2), ("a\u{FE0F}", 1), ("👍🏽", 2), ("\u{1FAE9}", 2),
            ("👨‍👩‍👧‍👦", 2), ("🏳\u{FE0F}‍🌈", 2), ("🇺🇸", 2),
            ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
            ("\u{200B}", 0), ("\u{200D}", 0), ("\u{FEFF}", 0), ("\u{301}", 0), ("\u{FE0F}", 0),
            ("\u{115F}", 2),
            ("\u{0}", 0), ("\u{1B}", 0), ("\u{7F}", 0), ("\u{9B}", 0), ("\r\n", 0),
            ("\u{928}\u{93F}", 2), ("\u{E01}\u{E34}", 1), ("\u{5D0}\u{5B8}", 1),
        ] as [(Character, Int)])
    func columnsOfACluster(_ character: Character, _ columns: Int) {
        #expect(TextWidth.columns(of: character) == columns)
    }

    @Test(arguments: [
        ("", 0), ("Lunch", 5), ("Toronto → 東京", 14), ("👨‍👩‍👧 family", 9), ("🇺🇸🇨🇦", 4), ("a\u{200B}b", 2),
        ("a\r\nb", 4),
        ("\u{202E}x", 2), ("\u{915}\u{94D}\u{937}", 2),
    ])
    func columnsOfATextAreThoseItIsDrawnIn(_ text: String, _ columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
        var frame = Frame(width: 40, height: 1)
        #expect(frame.put(text, row: 0, column: 0) == columns)
    }

    @Test func everyScalarHasAWidthAndEmojiPresentationIsWide() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let columns = TextWidth.columns(of: scalar)
            #expect((0...2).contains(columns))
            // Regional indicators are wide only in pairs.
            if scalar.properties.isEmojiPresentation, !(0x1F1E6...0x1F1FF).contains(value) {
                #expect(columns == 2)
            }
            if scalar.properties.generalCategory == .nonspacingMark { #expect(columns == 0) }
        }
    }

    @Test func `the rest of a row is placed correctly on terminals with older tables`() {
        for cluster in ["\u{2630}", "\u{4DC0}", "\u{1FADF}", "\u{1D306}", "\u{1F6DC}"].map(Character.init) {
            var old = Frame(width: 30, height: 1)
            old.put("\(cluster) Dinner at 7", row: 0, column: 2)
            var new = Frame(width: 30, height: 1)
            new.put("\(cluster) Dinner by 8", row: 0, column: 2)
            var terminal = TerminalEmulator(width: 30, height: 1)
            terminal.narrow = [cluster]
            terminal.write(FrameRenderer().bytes(for: old, over: nil))
            terminal.write(FrameRenderer().bytes(for: new, over: old))
            let shown = terminal.cells[4..<30].map(\.text).joined()
            #expect(shown.hasPrefix(" Dinner by 8"), "\(cluster): \(shown)")
        }
        for cluster in ["日", "🏨", "⚽", "…", "━"].map(Character.init) { #expect(TextWidth.isCertain(cluster)) }
    }
}
