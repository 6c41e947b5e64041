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

    @Test func everyPrefixOfASequenceWaitsAndTheRestCompletesIt() {
        for text in ["\u{1B}[1;5A", "\u{1B}OP", "\u{1B}[<0;1;1M", "\u{1B}]11;rgb:0/0/0\u{1B}\\", "日"] {
            let bytes = Array(text.utf8)
            var decoder = InputDecoder()
            for byte in bytes.dropLast() {
                #expect(decoder.feed([byte]).isEmpty)
                #expect(decoder.isWaitingForMore)
            }
            #expect(decoder.feed(bytes.suffix(1)).count == 1)
            #expect(!decoder.isWaitingForMore)
        }
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
        InputSample("\u{1B}]0;title"),
        InputSample("\u{1B}]0;title\u{1B}", .key(.escape)),
        InputSample("\u{1B}O1;"),
        InputSample("\u{1B}[M!!"),
        InputSample("\u{1B}[["),
        InputSample("\u{1B}[3$", .key(.delete, .shift)),
        InputSample(bytes: [0xE6, 0x97], .key(.character("\u{FFFD}"))),
        InputSample(bytes: [0x1B, 0xC3], .key(.character("\u{FFFD}"), .alt)),
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
        #expect(decoder.isWaitingForMore)
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
            #expect(decoder.feed(repeatElement(UInt8(ascii: "1"), count: 100_000)).isEmpty)
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
                #expect(decoder.heldByteCount <= 128 + 1 << 20)
            }
            _ = decoder.timeout()
            // A control sequence may still await its last byte; after that every key is a key again.
            _ = decoder.feed("\r".utf8)
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
