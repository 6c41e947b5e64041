import TerminalCore
import TestSupport
import Testing

@Suite struct InputDecoderTests {
    @Test(arguments: InputSample.keys + InputSample.reports + InputSample.text + InputSample.swallowed)
    func sampleWholeByteByByteAndAtEverySplitPoint(_ sample: InputSample) {
        var whole = InputDecoder()
        #expect(whole.feed(sample.bytes) == sample.events)
        #expect(!whole.isWaitingForMore)
        #expect(whole.timeout().isEmpty)

        var single = InputDecoder()
        #expect(sample.bytes.flatMap { single.feed(CollectionOfOne($0)) } == sample.events)

        for split in 0...sample.bytes.count {
            var decoder = InputDecoder()
            let events = decoder.feed(sample.bytes[..<split]) + decoder.feed(sample.bytes[split...])
            #expect(events == sample.events, "split at \(split)")
        }
    }

    @Test func allSamplesInOneStreamInAnyPieces() {
        let samples = InputSample.keys + InputSample.reports + InputSample.text + InputSample.swallowed
        var generator = SplitMix64(seed: 7)
        for _ in 0..<50 {
            let shuffled = samples.shuffled(using: &generator)
            let stream = shuffled.flatMap(\.bytes)
            var decoder = InputDecoder()
            var events: [InputEvent] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...40, using: &generator)
                events += decoder.feed(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(events == shuffled.flatMap(\.events))
        }
    }

    @Test(arguments: InputSample.keys + InputSample.reports + InputSample.text + InputSample.swallowed)
    func `a pause changes the decoding only after a lone ESC`(_ sample: InputSample) {
        guard !sample.bytes.starts(with: [0x1B, 0x1B]) else { return }
        for split in 0..<sample.bytes.count {
            var decoder = InputDecoder()
            var events = decoder.feed(sample.bytes[..<split])
            // Only a timer can decide a lone ESC.
            if decoder.isWaitingForMore, sample.bytes[..<split].last == 0x1B { continue }
            // After Alt+[ and Alt+O these bytes are keys, because people press them more often than old
            // terminals send such sequences.
            if split == 2, decoder.isWaitingForMore, "abcdjpyzMX ".utf8.contains(sample.bytes[2]) { continue }
            // `ESC [` and the like may also be Alt with that key, which the editor ignores.
            events += decoder.timeout().filter { event in
                if split >= 2, case .key(.character, .alt) = event { return false }
                return true
            }
            events += decoder.feed(sample.bytes[split...])
            #expect(events == sample.events, "a pause at \(split)")
        }
    }

    @Test func `a late response, a slow paste and a slow character type nothing, with a pause at any byte`() {
        let texts: [(String, [InputEvent])] = [
            (
                "\u{1B}]11;rgb:1e1e/1d1d/2d2d\u{1B}\\",
                [.reply(.backgroundColor(red: 30, green: 29, blue: 45))]
            ),
            (
                "\u{1B}]11;rgb:dddd/adad/dddd\u{7}",
                [.reply(.backgroundColor(red: 221, green: 173, blue: 221))]
            ),
            ("\u{1B}P>|ddd qqq\u{1B}\\", []), ("\u{1B}_Gd=d\u{1B}\\", []),
            ("\u{1B}[200~Dinner at eight\rdad\u{1B}[201~", [.paste("Dinner at eight\ndad")]),
            ("\u{1B}[?2026;2$y", [.reply(.modeReport(mode: 2026, .reset))]),
            ("é日", [.key(.character("é")), .key(.character("日"))]),
        ]
        for (text, expected) in texts {
            var decoder = InputDecoder()
            var events: [InputEvent] = []
            for (index, byte) in text.utf8.enumerated() {
                events += decoder.feed([byte])
                if index > 0 { events += decoder.timeout() }
            }
            events.removeAll { if case .key(.character, .alt) = $0 { true } else { false } }
            #expect(events == expected, "\(text.debugDescription)")
            #expect(decoder.feed("q".utf8) == [.key(.character("q"))])
        }
    }

    @Test func `a response that is interrupted after its ESC types at most Esc, if one is expected`() {
        for end in ["\u{7}", "\u{1B}\\"] {
            var decoder = InputDecoder()
            decoder.awaitsAnswer = true
            #expect(decoder.feed([0x1B]).isEmpty)
            #expect(decoder.timeout() == [.key(.escape)])
            #expect(
                decoder.feed("]11;rgb:0000/0000/0000\(end)".utf8)
                    == [.reply(.backgroundColor(red: 0, green: 0, blue: 0))])
            #expect(decoder.feed("q".utf8) == [.key(.character("q"))])
            #expect(!decoder.awaitsAnswer)
        }
        // A bracket after Esc is a key, like all bytes if no response is expected.
        var decoder = InputDecoder()
        decoder.awaitsAnswer = true
        _ = decoder.feed([0x1B])
        _ = decoder.timeout()
        #expect(decoder.feed("]d".utf8) == [.key(.character("]")), .key(.character("d"))])
        _ = decoder.feed([0x1B])
        _ = decoder.timeout()
        #expect(decoder.feed("d]1".utf8).count == 3)
        decoder = InputDecoder()
        _ = decoder.feed([0x1B])
        _ = decoder.timeout()
        #expect(decoder.feed("]11".utf8).count == 3)
    }

    @Test func `a string without an end ends with Enter, Ctrl-C or a limit`() {
        for (text, key) in [("\r", InputEvent.key(.enter)), ("\u{3}", .key(.character("c"), .control))] {
            var decoder = InputDecoder()
            #expect(decoder.feed("\u{1B}]11;rgb:1e1e/abc".utf8).isEmpty)
            #expect(decoder.timeout().isEmpty)
            #expect(decoder.feed(text.utf8) == [key])
            #expect(decoder.feed("q".utf8) == [.key(.character("q"))])
        }
        var decoder = InputDecoder()
        _ = decoder.feed("\u{1B}]11;".utf8)
        let events = decoder.feed(repeatElement(UInt8(ascii: "x"), count: 70_000))
        #expect(!events.isEmpty, "after 64 KiB keys are keys again")
    }

    // MARK: The timer

    @Test(arguments: [
        InputSample("\u{1B}", .key(.escape)),
        InputSample("\u{1B}\u{1B}", .key(.escape), .key(.escape)),
        InputSample("\u{1B}[", .key(.character("["), .alt)),
        InputSample("\u{1B}O", .key(.character("O"), .alt)),
        InputSample("\u{1B}]", .key(.character("]"), .alt)),
        InputSample("\u{1B}P", .key(.character("P"), .alt)),
        InputSample("\u{1B}\u{1B}[", .key(.escape), .key(.character("["), .alt)),
        InputSample("\u{1B}\u{1B}O", .key(.escape), .key(.character("O"), .alt)),
        InputSample("\u{1B}[3$", .key(.delete, .shift)),
    ])
    func timeoutDecidesWhatIsHeld(_ sample: InputSample) {
        var decoder = InputDecoder()
        let early = decoder.feed(sample.bytes)
        #expect(decoder.isWaitingForMore)
        #expect(early + decoder.timeout() == sample.events)
        #expect(!decoder.isWaitingForMore)
        #expect(decoder.timeout().isEmpty)
        #expect(decoder.feed("q".utf8) == [.key(.character("q"))])
    }

    @Test func escapeThenKeyIsAltOnlyWithoutTimeoutBetween() {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}x".utf8) == [.key(.character("x"), .alt)])
        #expect(decoder.feed("\u{1B}".utf8).isEmpty)
        #expect(decoder.timeout() == [.key(.escape)])
        #expect(decoder.feed("x".utf8) == [.key(.character("x"))])
    }

    @Test func controlSequenceCutByTheTimerIsTakenUpAndNotTyped() {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}[<35;1".utf8).isEmpty)
        #expect(decoder.timeout().isEmpty)
        #expect(!decoder.isWaitingForMore)
        #expect(decoder.feed("0;5".utf8).isEmpty)
        #expect(!decoder.isWaitingForMore)
        #expect(decoder.feed("M".utf8) == [.mouse(MouseEvent(.move, row: 4, column: 9))])
        #expect(decoder.feed("u".utf8) == [.key(.character("u"))])
    }

    @Test func escapePressedDuringAMouseMotionIsEscape() {
        var decoder = InputDecoder()
        #expect(
            decoder.feed("\u{1B}\u{1B}[<32;3;4M".utf8)
                == [.key(.escape), .mouse(MouseEvent(.drag(.left), row: 3, column: 2))])
    }

    // MARK: Hostile input

    @Test func endlessSequencesAreBoundedAndEnd() {
        for start in ["\u{1B}[", "\u{1B}]", "\u{1B}P", "\u{1B}O"] {
            var decoder = InputDecoder()
            #expect(decoder.feed(start.utf8).isEmpty)
            #expect(decoder.feed(repeatElement(UInt8(ascii: "1"), count: 60_000)).isEmpty)
            #expect(decoder.heldByteCount <= 128)
            #expect(decoder.feed("\u{1B}[A".utf8).last == .key(.up))
        }
    }

    @Test func randomBytesNeverTrapGrowOrStick() {
        var generator = SplitMix64(seed: 42)
        let likely =
            Array("\u{1B}\u{1B}\u{1B}[[O]P<>?;:$~MmRuyc0123456789AZ\u{7}\\\u{9}\r日é".utf8) + [
                0x80, 0x9B, 0xFF,
            ]
        for round in 0..<2_000 {
            var decoder = InputDecoder()
            for _ in 0..<40 {
                let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                    round % 2 == 0 ? likely.pick(&generator) : UInt8.random(in: 0...255, using: &generator)
                }
                _ = decoder.feed(bytes)
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    _ = decoder.timeout()
                    #expect(!decoder.isWaitingForMore)
                    #expect(!decoder.isPasting)
                }
                #expect(decoder.heldByteCount <= 128 + 8 << 20)
            }
            _ = decoder.timeout()
            // A sequence may still wait for its last bytes, and a paste for the key that ends it.
            _ = decoder.feed("\u{3}\r\r\r".utf8)
            #expect(decoder.feed("q".utf8) == [.key(.character("q"))])
        }
    }

    @Test func randomBytesMeanTheSameInAnyPieces() {
        var generator = SplitMix64(seed: 43)
        let likely = Array("\u{1B}\u{1B}[[O]P<?;:$~MmRu0129A\u{7}\\é".utf8) + [0x80, 0xFF]
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 1...30, using: &generator)).map { _ in likely.pick(&generator) }
            var whole = InputDecoder()
            var single = InputDecoder()
            let events = whole.feed(bytes)
            #expect(bytes.flatMap { single.feed([$0]) } == events)
            #expect(single.timeout() == whole.timeout())
        }
    }
}
