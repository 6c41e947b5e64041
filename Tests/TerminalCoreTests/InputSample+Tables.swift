import TerminalCore

extension InputSample {
    /// A key and the bytes that terminals send for it.
    private static func key(_ text: String, _ key: Key, _ modifiers: Modifiers = []) -> InputSample {
        InputSample(text, .key(key, modifiers))
    }

    static let keys: [InputSample] = plainKeys + controlKeys + altKeys + cursorKeys + numberedKeys + codedKeys

    private static let plainKeys: [InputSample] = [
        key("a", .character("a")), key("Z", .character("Z")), key(" ", .character(" ")),
        key("~", .character("~")),
        key("\r", .enter), key("\n", .enter), key("\t", .tab), key("\u{7F}", .backspace),
        key("\u{8}", .backspace),
    ]

    private static let controlKeys: [InputSample] = [
        key("\0", .character(" "), .control), key("\u{1}", .character("a"), .control),
        key("\u{3}", .character("c"), .control), key("\u{1A}", .character("z"), .control),
        key("\u{1C}", .character("\\"), .control), key("\u{1D}", .character("]"), .control),
        key("\u{1E}", .character("^"), .control), key("\u{1F}", .character("_"), .control),
    ]

    private static let altKeys: [InputSample] = [
        key("\u{1B}a", .character("a"), .alt), key("\u{1B}J", .character("J"), .alt),
        key("\u{1B}\r", .enter, .alt), key("\u{1B}\t", .tab, .alt), key("\u{1B}\u{7F}", .backspace, .alt),
        key("\u{1B}\u{1}", .character("a"), [.alt, .control]), key("\u{1B}é", .character("é"), .alt),
        key("\u{1B}日", .character("日"), .alt),
        key("\u{1B}\u{1B}[A", .up, .alt), key("\u{1B}\u{1B}OB", .down, .alt),
        key("\u{1B}\u{1B}[3~", .delete, .alt),
        InputSample("\u{1B}\u{1B}x", .key(.escape), .key(.character("x"), .alt)),
        InputSample("\u{1B}\u{1B}\u{1B}[A", .key(.escape), .key(.up, .alt)),
    ]

    private static let cursorKeys: [InputSample] = [
        key("\u{1B}[A", .up), key("\u{1B}[B", .down), key("\u{1B}[C", .right), key("\u{1B}[D", .left),
        key("\u{1B}OA", .up), key("\u{1B}OB", .down), key("\u{1B}OC", .right), key("\u{1B}OD", .left),
        key("\u{1B}[H", .home), key("\u{1B}[F", .end), key("\u{1B}OH", .home), key("\u{1B}OF", .end),
        key("\u{1B}[1;2A", .up, .shift), key("\u{1B}[1;3A", .up, .alt), key("\u{1B}[1;3B", .down, .alt),
        key("\u{1B}[1;4A", .up, [.shift, .alt]), key("\u{1B}[1;5C", .right, .control),
        key("\u{1B}[1;6D", .left, [.shift, .control]), key("\u{1B}[1;8H", .home, [.shift, .alt, .control]),
        key("\u{1B}[1;129A", .up), key("\u{1B}[1;1A", .up), key("\u{1B}[;5A", .up, .control),
        key("\u{1B}[a", .up, .shift), key("\u{1B}[d", .left, .shift),
        key("\u{1B}Oa", .up, .control), key("\u{1B}Oc", .right, .control), key("\u{1B}O5A", .up, .control),
        key("\u{1B}O1;3A", .up, .alt), key("\u{1B}[Z", .backTab), key("\u{1B}[1;2Z", .backTab),
        key("\u{1B}OM", .enter), key("\u{1B}Oj", .character("*")), key("\u{1B}Op", .character("0")),
        key("\u{1B}Oy", .character("9")), key("\u{1B}OX", .character("=")),
    ]

    private static let numberedKeys: [InputSample] = [
        key("\u{1B}[1~", .home), key("\u{1B}[2~", .insert), key("\u{1B}[3~", .delete), key("\u{1B}[4~", .end),
        key("\u{1B}[5~", .pageUp), key("\u{1B}[6~", .pageDown), key("\u{1B}[7~", .home),
        key("\u{1B}[8~", .end),
        key("\u{1B}[3;5~", .delete, .control), key("\u{1B}[5;3~", .pageUp, .alt),
        key("\u{1B}[3^", .delete, .control), key("\u{1B}[3@", .delete, [.control, .shift]),
        key("\u{1B}OP", .function(1)), key("\u{1B}OQ", .function(2)), key("\u{1B}OR", .function(3)),
        key("\u{1B}OS", .function(4)), key("\u{1B}[P", .function(1)), key("\u{1B}[R", .function(3)),
        key("\u{1B}[1;2P", .function(1), .shift), key("\u{1B}[1;5R", .function(3), .control),
        key("\u{1B}[[A", .function(1)), key("\u{1B}[[E", .function(5)),
        key("\u{1B}[11~", .function(1)), key("\u{1B}[15~", .function(5)), key("\u{1B}[17~", .function(6)),
        key("\u{1B}[21~", .function(10)), key("\u{1B}[23~", .function(11)), key("\u{1B}[24~", .function(12)),
        key("\u{1B}[26~", .function(14)), key("\u{1B}[29~", .function(16)), key("\u{1B}[34~", .function(20)),
        key("\u{1B}[24;2~", .function(12), .shift),
    ]

    private static let codedKeys: [InputSample] = [
        key("\u{1B}[97u", .character("a")), key("\u{1B}[97;5u", .character("a"), .control),
        key("\u{1B}[97;2u", .character("A")), key("\u{1B}[97;4u", .character("A"), .alt),
        key("\u{1B}[49:33;2u", .character("!")), key("\u{1B}[97;5:1u", .character("a"), .control),
        key("\u{1B}[233;2u", .character("É")), key("\u{1B}[27u", .escape),
        key("\u{1B}[13;2u", .enter, .shift),
        key("\u{1B}[9;2u", .backTab), key("\u{1B}[9;5u", .tab, .control),
        key("\u{1B}[127;5u", .backspace, .control),
        key("\u{1B}[27;5;105~", .character("i"), .control), key("\u{1B}[27;2;13~", .enter, .shift),
        key("\u{1B}[57376u", .function(13)),
    ]

    static let reports: [InputSample] = [
        InputSample("\u{1B}[<0;1;1M", .mouse(MouseEvent(.press(.left), row: 0, column: 0))),
        InputSample("\u{1B}[<0;10;5m", .mouse(MouseEvent(.release(.left), row: 4, column: 9))),
        InputSample("\u{1B}[<1;10;5M", .mouse(MouseEvent(.press(.middle), row: 4, column: 9))),
        InputSample("\u{1B}[<2;10;5M", .mouse(MouseEvent(.press(.right), row: 4, column: 9))),
        InputSample("\u{1B}[<32;300;200M", .mouse(MouseEvent(.drag(.left), row: 199, column: 299))),
        InputSample("\u{1B}[<34;3;2M", .mouse(MouseEvent(.drag(.right), row: 1, column: 2))),
        InputSample("\u{1B}[<35;3;2M", .mouse(MouseEvent(.move, row: 1, column: 2))),
        InputSample("\u{1B}[<64;3;2M", .mouse(MouseEvent(.wheelUp, row: 1, column: 2))),
        InputSample("\u{1B}[<65;3;2M", .mouse(MouseEvent(.wheelDown, row: 1, column: 2))),
        InputSample("\u{1B}[<66;3;2M", .mouse(MouseEvent(.wheelLeft, row: 1, column: 2))),
        InputSample(
            "\u{1B}[<4;3;2M", .mouse(MouseEvent(.press(.left), row: 1, column: 2, modifiers: .shift))),
        InputSample(
            "\u{1B}[<56;3;2M",
            .mouse(MouseEvent(.drag(.left), row: 1, column: 2, modifiers: [.alt, .control]))),
        InputSample("\u{1B}[<0;0;0M", .mouse(MouseEvent(.press(.left), row: 0, column: 0))),
        InputSample("\u{1B}[I", .focus(true)), InputSample("\u{1B}[O", .focus(false)),
        InputSample("\u{1B}[?2026;2$y", .reply(.modeReport(mode: 2026, .reset))),
        InputSample("\u{1B}[?2026;0$y", .reply(.modeReport(mode: 2026, .unknown))),
        InputSample("\u{1B}[?62;1;6c", .reply(.primaryDeviceAttributes([62, 1, 6]))),
        InputSample("\u{1B}[12;40R", .reply(.cursorPosition(row: 11, column: 39))),
        InputSample(
            "\u{1B}]11;rgb:ffff/8080/0000\u{1B}\\", .reply(.backgroundColor(red: 255, green: 128, blue: 0))),
        InputSample("\u{1B}]11;rgb:f/8/0\u{7}", .reply(.backgroundColor(red: 255, green: 136, blue: 0))),
        InputSample("\u{1B}[200~two\rlines\r\nhere\tx\u{1B}[201~", .paste("two\nlines\nhere\tx")),
        InputSample("\u{1B}[200~\u{1B}[201~", .paste("")),
        InputSample(
            "\u{1B}[200~a\u{1B}[31mb\0\u{7F}\u{9B}c\u{1B}[20\u{1B}[201~q", .paste("a[31mbc[20"),
            .key(.character("q"))),
        InputSample(
            bytes: Array("\u{1B}[200~".utf8) + [0xFF, 0x41] + Array("\u{1B}[201~".utf8), .paste("\u{FFFD}A")),
    ]

    static let text: [InputSample] = [
        key("é", .character("é")), key("日", .character("日")), key("\u{1F469}", .character("\u{1F469}")),
        InputSample("e\u{301}", .key(.character("e")), .key(.character("\u{301}"))),
        InputSample(bytes: [0xFF], .key(.character("\u{FFFD}"))),
        InputSample(bytes: [0x80], .key(.character("\u{FFFD}"))),
        InputSample(bytes: [0xC0, 0xAF], .key(.character("\u{FFFD}")), .key(.character("\u{FFFD}"))),
        InputSample(bytes: [0xE6, 0x97, 0x41], .key(.character("\u{FFFD}")), .key(.character("A"))),
        InputSample(bytes: [0xE6, 0x1B, 0x5B, 0x41], .key(.character("\u{FFFD}")), .key(.up)),
        InputSample(
            bytes: [0xED, 0xA0, 0x80], .key(.character("\u{FFFD}")), .key(.character("\u{FFFD}")),
            .key(.character("\u{FFFD}"))),
        InputSample(bytes: [0xC2, 0x85]),
    ]

    /// Sequences without a meaning for the editor; none of their bytes may become keys.
    static let swallowed: [InputSample] = [
        InputSample("\u{1B}[99~"), InputSample("\u{1B}[999999999999999999999999A"),
        InputSample("\u{1B}[1;999A"),
        InputSample("\u{1B}[1;9A"), InputSample("\u{1B}[97;1:3u"), InputSample("\u{1B}[57400u"),
        InputSample("\u{1B}[3u"),
        InputSample("\u{1B}[>41;354;0c"), InputSample("\u{1B}[?1u"), InputSample("\u{1B}[ q"),
        InputSample("\u{1B}[?;;y"),
        InputSample("\u{1B}[<0;1M"), InputSample("\u{1B}[<128;1;1M"), InputSample("\u{1B}[<67;1m"),
        InputSample("\u{1B}[<3;1;1M"), InputSample("\u{1B}[64;3;2M"), InputSample("\u{1B}[M !!"),
        InputSample("\u{1B}[1<2A"), InputSample("\u{1B}[201~"), InputSample("\u{1B}Oz"),
        InputSample("\u{1B}[[z"),
        InputSample("\u{1B}P>|xterm(380)\u{1B}\\"), InputSample("\u{1B}]0;title\u{7}"),
        InputSample("\u{1B}_G;OK\u{1B}\\"),
        InputSample("\u{1B}]11;rgb:zz/00/00\u{7}"), InputSample("\u{1B}]11;rgb:1/2\u{7}"),
        InputSample("\u{1B}]4;rgb:1/2/3\u{7}"),
        InputSample("\u{1B}[1;5\u{1B}[B", .key(.down)), InputSample("\u{1B}[1;5\r", .key(.enter)),
        InputSample("\u{1B}[1;5é", .key(.character("é"))), InputSample("\u{1B}]0;t\r", .key(.enter)),
        InputSample("\u{1B}]0;t\u{1B}[A", .key(.up)), InputSample("\u{1B}O\r", .key(.enter)),
        InputSample("\u{1B}[" + String(repeating: "1;", count: 200) + "A"),
    ]
}
