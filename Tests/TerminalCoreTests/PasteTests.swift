import TerminalCore
import Testing

@Suite struct PasteTests {
    @Test func endMarkerSplitAnywhereEndsThePaste() {
        let bytes = Array("\u{1B}[200~Lunch\u{1B}[201~x".utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var decoder = InputDecoder()
                let events =
                    decoder.feed(bytes[..<first]) + decoder.feed(bytes[first..<second])
                    + decoder.feed(bytes[second...])
                #expect(events == [.paste("Lunch"), .key(.character("x"))])
            }
        }
    }

    @Test func `a paste continues after any pause, and none of it is typed`() {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}[200~half\u{1B}[20".utf8).isEmpty)
        #expect(decoder.isPasting)
        #expect(!decoder.isWaitingForMore)
        #expect(decoder.timeout() == [])
        #expect(!decoder.isPasting, "the clock has nothing more to say of it")
        #expect(decoder.feed("1~d".utf8) == [.paste("half"), .key(.character("d"))])
    }

    @Test func `Ctrl-C after a pause ends a paste whose end was lost, and within a paste it is dropped`() {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}[200~ha\u{3}lf".utf8).isEmpty)
        #expect(decoder.timeout() == [])
        #expect(decoder.feed("\u{3}".utf8) == [.key(.character("c"), .control)])
        #expect(decoder.heldByteCount == 0)
        #expect(decoder.feed("q".utf8) == [.key(.character("q"))])
    }

    @Test func ofAPasteOfMoreThanEightMebibytesNothingIsTaken() {
        var decoder = InputDecoder()
        _ = decoder.feed("\u{1B}[200~a".utf8)
        let part = Array(String(repeating: "日", count: 10_000).utf8)
        for _ in 0..<300 { _ = decoder.feed(part) }
        #expect(decoder.heldByteCount <= 8 << 20)
        #expect(decoder.feed("\u{1B}[201~".utf8) == [.longPaste])
        #expect(decoder.heldByteCount == 0)
    }

    @Test func pastedControlsOfEveryKindAreStripped() {
        let hostile = String(String.UnicodeScalarView((0..<0xA0).compactMap { Unicode.Scalar($0 as UInt32) }))
        var decoder = InputDecoder()
        let events = decoder.feed(("\u{1B}[200~" + hostile + "\u{1B}[201~").utf8)
        let printable = String(
            String.UnicodeScalarView((0x20..<0x7F).compactMap { Unicode.Scalar($0 as UInt32) }))
        #expect(events == [.paste("\t\n\n" + printable)])
    }
}
