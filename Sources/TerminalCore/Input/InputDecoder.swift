/// Turns the bytes a terminal sends into events.
///
/// Bytes may come in any pieces: a partial scalar or sequence is kept until the rest comes. A lone ESC cannot
/// be told from the beginning of a sequence but by time: while `isWaitingForMore`, the driver starts a timer
/// of 25–50 ms after each read and calls `timeout()` if it fires first. Memory is bounded whatever comes in;
/// sequences that are not known are swallowed whole; invalid UTF-8 becomes U+FFFD.
package struct InputDecoder: Sendable {
    /// The most bytes kept of one sequence; a longer one is swallowed up to its end.
    static let maximumSequenceBytes = 128

    /// What the bytes so far have begun.
    enum State {
        case ground
        case scalar(UTF8Assembler, Modifiers)
        /// One ESC is held, or two.
        case escape(isDoubled: Bool)
        /// After `ESC [`; the body is in `held`.
        case control(isDoubled: Bool)
        /// After `ESC O`; a modifier is in `held`.
        case singleShift(isDoubled: Bool)
        /// After `CSI M`: three bytes of the oldest mouse form, which is never asked for.
        case legacyMouse(remaining: Int)
        /// After `CSI [`: one letter, a function key of the Linux console.
        case consoleFunction
        /// After `ESC ]` and the like, up to BEL or ST; the text is in `held`.
        case string(introducer: UInt8, endsWithBackslash: Bool)
        case paste
    }

    var state = State.ground
    var held: [UInt8] = []
    var isOverlong = false
    /// The timer has fired inside a control sequence: its end is still awaited, but not by the clock.
    var isLate = false
    var paste = PasteCollector()

    package init() {}

    /// Whether something is held that time may have to decide: the driver's short timer should run.
    package var isWaitingForMore: Bool {
        switch state {
        case .ground, .paste: false
        case .control: !isLate
        case .scalar, .escape, .singleShift, .legacyMouse, .consoleFunction, .string: true
        }
    }

    /// Whether a bracketed paste has begun and its end not come. A driver may call `timeout()` after seconds
    /// of silence, so that a lost end does not swallow the keyboard.
    package var isPasting: Bool {
        if case .paste = state { true } else { false }
    }

    /// The bytes kept of what is incomplete: at most 128 of a sequence, and 1 MiB of a paste.
    package var heldByteCount: Int { held.count + paste.bytes.count }

    /// Takes what was read and gives the events it completes, in order.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        for byte in bytes { consume(byte, &events) }
        return events
    }

    /// Decides what is held, since nothing more has come.
    ///
    /// A lone ESC is Escape, `ESC [` is Alt+[, a partial scalar is U+FFFD, a begun paste ends. A control
    /// sequence that has begun stays open: it is taken up when its rest comes, since that rest as typed keys
    /// would do harm.
    package mutating func timeout() -> [InputEvent] {
        var events: [InputEvent] = []
        switch state {
        case .ground, .legacyMouse, .consoleFunction:
            break
        case .scalar(_, let modifiers):
            events.append(.key(.character("\u{FFFD}"), modifiers))
        case .escape(let isDoubled):
            if isDoubled { events.append(.key(.escape)) }
            events.append(.key(.escape))
        case .control(let isDoubled):
            if let event = shiftedKeyOfRxvt {
                events.append(event)
            } else if held.isEmpty {
                if isDoubled { events.append(.key(.escape)) }
                events.append(.key(.character("["), .alt))
            } else {
                isLate = true
                return []
            }
        case .singleShift(let isDoubled):
            if isDoubled { events.append(.key(.escape)) }
            if held.isEmpty { events.append(.key(.character("O"), .alt)) }
        case .string(let introducer, let endsWithBackslash):
            if endsWithBackslash {
                events.append(.key(.escape))
            } else if held.isEmpty {
                events.append(.key(.character(Unicode.Scalar(introducer)), .alt))
            }
        case .paste:
            events.append(.paste(paste.take()))
        }
        reset(to: .ground)
        return events
    }

    /// rxvt ends a shifted key with `$`, which elsewhere has something after it.
    private var shiftedKeyOfRxvt: InputEvent? {
        guard held.last == UInt8(ascii: "$"),
            let sequence = ControlSequence(body: held.dropLast(), final: UInt8(ascii: "~")),
            case .event(.key(let key, let modifiers)) = sequence.meaning
        else { return nil }
        return .key(key, modifiers.union(.shift))
    }

    mutating func reset(to next: State) {
        state = next
        held.removeAll(keepingCapacity: true)
        isOverlong = false
        isLate = false
    }

    mutating func hold(_ byte: UInt8) {
        if held.count < Self.maximumSequenceBytes { held.append(byte) } else { isOverlong = true }
    }
}
