import TerminalCore

/// Terminal input. The first byte says how the bytes are split into reads, and when a timer fires.
enum InputHarness {
    static func run(_ bytes: [UInt8]) throws(Finding) {
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        try checkCuts(input, length: Int(first % 7) + 1)
        try checkWithTimer(input, period: Int(first / 7) + 1)
    }

    /// The events must not depend on how the bytes are split into reads.
    private static func checkCuts(_ input: [UInt8], length: Int) throws(Finding) {
        var whole = InputDecoder()
        let expected = whole.feed(input)
        var cut = InputDecoder()
        var events: [InputEvent] = []
        for start in stride(from: 0, to: input.count, by: length) {
            events += cut.feed(input[start..<min(start + length, input.count)])
            try checkBounds(cut)
        }
        try Finding.unless(events == expected, "events do not depend on where reads end")
        for event in events { try check(event) }
    }

    /// A timer that fires now and then must not cause a trap, and afterwards a key must be a key again.
    private static func checkWithTimer(_ input: [UInt8], period: Int) throws(Finding) {
        var decoder = InputDecoder()
        for (index, byte) in input.enumerated() {
            for event in decoder.feed([byte]) { try check(event) }
            if index % period == period - 1 {
                for event in decoder.timeout() { try check(event) }
            }
            try checkBounds(decoder)
        }
        for event in decoder.timeout() { try check(event) }
        try Finding.unless(!decoder.isPasting, "the clock has said all it can")
        // Ctrl-C ends any unfinished sequence; the oldest mouse form takes three bytes.
        let keys = decoder.feed(Array("\u{3}\r\rqq".utf8)) + decoder.timeout()
        try Finding.unless(keys.contains(.key(.character("q"))), "no state swallows the keyboard")
        try Finding.unless(!decoder.isWaitingForMore, "nothing is awaited after a key")
    }

    private static func checkBounds(_ decoder: InputDecoder) throws(Finding) {
        try Finding.unless(decoder.heldByteCount <= 128 + 8 << 20, "memory is bounded")
    }

    /// No event may contain terminal controls, and neither may its drawn text.
    private static func check(_ event: InputEvent) throws(Finding) {
        switch event {
        case .paste(let text):
            for scalar in text.unicodeScalars {
                let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                try Finding.unless(!isControl || scalar == "\n" || scalar == "\t", "a paste is text")
            }
            try checkDrawn(text)
        case .key(.character(let scalar), _):
            try Finding.unless(
                scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "a key is no control")
            try checkDrawn(String(scalar))
        case .mouse(let mouse):
            try Finding.unless(mouse.row >= 0 && mouse.column >= 0, "a place is on the screen, or below it")
        case .longPaste, .key, .focus, .reply: break
        }
    }

    private static func checkDrawn(_ text: String) throws(Finding) {
        var frame = Frame(width: 23, height: 1)
        let used = frame.put(text, row: 0, column: 0)
        try Finding.unless(used <= 23, "a row ends at its edge")
        for scalar in frame.text.unicodeScalars {
            try Finding.unless(
                scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "nothing steers")
        }
        let cut = DisplayText.truncated(text, toColumns: 11)
        try Finding.unless(TextWidth.columns(of: cut) <= 11, "cut text fits")
    }
}
