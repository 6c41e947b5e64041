// Compiled together with the sources of TerminalCore, as one module, by Tools/fuzz/run.

/// One input of libFuzzer: bytes as a terminal might send them, cut into reads.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzInputDecoder(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = bytes.first else { return 0 }
    let input = Array(bytes.dropFirst())
    checkCuts(input, length: Int(first % 7) + 1)
    checkWithTimer(input, period: Int(first / 7) + 1)
    return 0
}

/// However the bytes are cut into reads, the events are the same.
private func checkCuts(_ input: [UInt8], length: Int) {
    var whole = InputDecoder()
    let expected = whole.feed(input)
    var cut = InputDecoder()
    var events: [InputEvent] = []
    for start in stride(from: 0, to: input.count, by: length) {
        events += cut.feed(input[start..<min(start + length, input.count)])
        checkBounds(cut)
    }
    precondition(events == expected, "events do not depend on where reads end")
    events.forEach(check)
}

/// With a timer that goes off now and then nothing traps, and afterwards a key is a key again.
private func checkWithTimer(_ input: [UInt8], period: Int) {
    var decoder = InputDecoder()
    for (index, byte) in input.enumerated() {
        decoder.feed([byte]).forEach(check)
        if index % period == period - 1 { decoder.timeout().forEach(check) }
        checkBounds(decoder)
    }
    decoder.timeout().forEach(check)
    precondition(!decoder.isPasting, "the clock has said all it can")
    // Ctrl-C ends what awaits its end; the oldest mouse form takes three bytes.
    let keys = decoder.feed(Array("\u{3}\r\rqq".utf8)) + decoder.timeout()
    precondition(keys.contains(.key(.character("q"))), "no state swallows the keyboard")
    precondition(!decoder.isWaitingForMore, "nothing is awaited after a key")
}

private func checkBounds(_ decoder: InputDecoder) {
    precondition(decoder.heldByteCount <= 128 + 1 << 20, "memory is bounded")
}

/// No event carries what could steer a terminal, and what is drawn of it does not either.
private func check(_ event: InputEvent) {
    switch event {
    case .paste(let text):
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            precondition(!isControl || scalar == "\n" || scalar == "\t", "a paste is text")
        }
        checkDrawn(text)
    case .key(.character(let scalar), _):
        precondition(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "a key is no control")
        checkDrawn(String(scalar))
    case .mouse(let mouse): precondition(mouse.row >= 0 && mouse.column >= 0)
    case .key, .focus, .reply: break
    }
}

private func checkDrawn(_ text: String) {
    var frame = Frame(width: 23, height: 1)
    let used = frame.put(text, row: 0, column: 0)
    precondition(used <= 23, "a row ends at its edge")
    for scalar in frame.text.unicodeScalars {
        precondition(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "nothing steers")
    }
    let cut = DisplayText.truncated(text, toColumns: 11)
    precondition(TextWidth.columns(of: cut) <= 11, "cut text fits")
}
