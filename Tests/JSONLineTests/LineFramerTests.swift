import JSONLine
import TestSupport
import Testing

@Suite struct LineFramerTests {
    private static func line(_ text: String) -> LineFrame { .line(Array(text.utf8)) }

    /// The frames of a stream that arrives in these pieces; also checks the framer's memory bound.
    private func frames(_ pieces: [some Collection<UInt8>], limit: Int) -> [LineFrame] {
        var framer = LineFramer(limit: limit)
        var frames: [LineFrame] = []
        for piece in pieces {
            framer.append(piece)
            while let frame = framer.next() { frames.append(frame) }
            #expect(framer.pendingByteCount <= limit + 1)
        }
        #expect(framer.next() == nil)
        return frames
    }

    private func frames(_ text: String, limit: Int) -> [LineFrame] {
        frames([Array(text.utf8)], limit: limit)
    }

    @Test(
        arguments: [
            ("a\nbc\n", [line("a"), line("bc")]),
            ("a\r\nbc\r\n", [line("a"), line("bc")]),
            ("a\rb\n", [line("a\rb")]),
            ("a\r\r\n", [line("a\r")]),
            ("a", []),
            ("a\r", []),
            ("\n\r\n  \n\t\r\n \t \na\n\n", [line("a")]),
            (" a \n", [line(" a ")]),
            ("\u{0B}\n", [line("\u{0B}")]),
            ("12345678\n", [line("12345678")]),
            ("12345678\r\n", [line("12345678")]),
            ("123456789\n", [.tooLong]),
            ("12345678\r\r\n", [.tooLong]),
            ("12345678\r9\n", [.tooLong]),
            ("123456789\r\nok\n", [.tooLong, line("ok")]),
            ("         \nok\n", [.tooLong, line("ok")]),
            ("12345678901234567890\n\n1234567890\nok\r\n", [.tooLong, .tooLong, line("ok")]),
            ("123456789", [.tooLong]),
            ("12345678\r", []),
            ("a\n1234567890123456789\nb\n12", [line("a"), .tooLong, line("b")]),
        ] as [(String, [LineFrame])])
    func framesDoNotDependOnHowTheStreamIsCut(text: String, expected: [LineFrame]) {
        let bytes = Array(text.utf8)
        #expect(frames([bytes], limit: 8) == expected)
        #expect(frames(bytes.map { [$0] }, limit: 8) == expected)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(frames(pieces, limit: 8) == expected)
            }
        }
    }

    @Test func tooLongIsToldOnceAndBeforeTheNewline() {
        var framer = LineFramer(limit: 4)
        framer.append(Array("1234".utf8))
        #expect(framer.next() == nil)
        framer.append(Array("5".utf8))
        #expect(framer.next() == .tooLong)
        #expect(framer.next() == nil)
        #expect(framer.pendingByteCount == 0)
        for _ in 0..<100 {
            framer.append(Array("still the same line".utf8))
            #expect(framer.pendingByteCount == 0, "skipped bytes are not stored")
            #expect(framer.next() == nil)
        }
        framer.append(Array("end\nok\nre".utf8))
        #expect(framer.next() == Self.line("ok"))
        #expect(framer.next() == nil)
        #expect(framer.pendingByteCount == 2)
    }

    @Test func aCarriageReturnOverTheLimitWaitsForItsNewline() {
        var framer = LineFramer(limit: 2)
        framer.append(Array("ab\r".utf8))
        #expect(framer.next() == nil)
        framer.append(Array("\n".utf8))
        #expect(framer.next() == Self.line("ab"))
        framer.append(Array("ab\r".utf8))
        #expect(framer.next() == nil)
        framer.append(Array("c".utf8))
        #expect(framer.next() == .tooLong)
    }

    @Test func everyFormOfInputIsTheSame() {
        let bytes = Array("one\ntwo\n".utf8)
        var framer = LineFramer(limit: 8)
        bytes.withUnsafeBytes { framer.append($0) }
        framer.append(bytes[...])
        framer.append(AnySequence(bytes))
        framer.append(UnsafeRawBufferPointer(start: nil, count: 0))
        var count = 0
        while let frame = framer.next() {
            #expect(frame == Self.line(count.isMultiple(of: 2) ? "one" : "two"))
            count += 1
        }
        #expect(count == 6)
    }

    @Test func manyLinesInOneAppendAndOneLongLineByteByByte() {
        let lines = (0..<50_000).map { "{\"id\":\($0)}" }
        let all = Array((lines.joined(separator: "\n") + "\n").utf8)
        #expect(frames([all], limit: 100) == lines.map(Self.line))

        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)
        var framer = LineFramer(limit: long.count)
        for byte in long {
            framer.append(CollectionOfOne(byte))
            #expect(framer.next() == nil)
        }
        framer.append(CollectionOfOne(UInt8(ascii: "\n")))
        #expect(framer.next() == .line(long))
    }

    @Test func takingLinesSlowlyLosesNothing() {
        var framer = LineFramer(limit: 100)
        var expected: [LineFrame] = []
        var taken: [LineFrame] = []
        for number in 0..<2_000 {
            framer.append(Array("a\(number)\nb\(number)\n".utf8))
            expected += [Self.line("a\(number)"), Self.line("b\(number)")]
            if let frame = framer.next() { taken.append(frame) }
        }
        while let frame = framer.next() { taken.append(frame) }
        #expect(taken == expected)
    }

    @Test func randomStreamsAgreeWithASimpleModel() {
        var random = SplitMix64(seed: 3)
        let alphabet = Array("ab \t\r\r\n\n\n{}\"".utf8)
        for _ in 0..<400 {
            let stream = (0..<200).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            var pieces: [ArraySlice<UInt8>] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let length = Int.random(in: 1...20, using: &random)
                pieces.append(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            #expect(frames(pieces, limit: 5) == Self.model(stream, limit: 5))
        }
    }

    /// A simple implementation of the rules, for a whole stream at once.
    private static func model(_ stream: [UInt8], limit: Int) -> [LineFrame] {
        var lines = stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let unfinished = lines.removeLast()
        var frames = lines.compactMap { line -> LineFrame? in
            let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if content.count > limit { return .tooLong }
            return content.allSatisfy([UInt8(ascii: " "), UInt8(ascii: "\t")].contains)
                ? nil : .line(Array(content))
        }
        let content =
            unfinished.last == UInt8(ascii: "\r") && unfinished.count == limit + 1 ? limit : unfinished.count
        if content > limit { frames.append(.tooLong) }
        return frames
    }
}
