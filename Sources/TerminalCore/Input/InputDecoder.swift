/// Turns the bytes a terminal sends into events.
///
/// Bytes may come in any pieces and after any pause: what has begun is kept until its rest comes, so that the rest of a
/// terminal's answer, of a paste or of a character is never taken for keys. Only a lone ESC is decided by time, as
/// nothing else can tell it from the beginning of a sequence: while `isWaitingForMore`, the driver starts a timer
/// of 25–50 ms after each read and calls `timeout()` if it fires first. Memory is bounded whatever comes in;
/// sequences that are not known are swallowed whole; invalid UTF-8 becomes U+FFFD.
package struct InputDecoder: Sendable {
    /// The most bytes kept of one sequence; a longer one is swallowed up to its end.
    static let maximumSequenceBytes = 128
    /// A string of control without an end is given up after so many bytes.
    static let maximumStringBytes = 64 * 1024

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
    /// The timer has fired inside what has begun: its end is still awaited, but not by the clock.
    var isLate = false
    /// A question was put to the terminal, and no answer has come.
    package var awaitsAnswer = false
    /// The timer has just taken an ESC for the key, while an answer was due that may have begun with it.
    var isAfterEscapeKey = false
    /// The string that has begun was cut right behind its ESC.
    var isCutFromEscape = false
    /// Bytes of the string of control that has begun, the dropped ones included.
    var stringCount = 0
    var paste = PasteCollector()

    /// A decoder that has read nothing yet.
    package init() {}

    /// Whether something is held that time may have to decide: the driver's short timer should run.
    package var isWaitingForMore: Bool {
        guard !isLate else { return false }
        return switch state {
        case .escape: true
        case .control: held.isEmpty || held.last == UInt8(ascii: "$")
        case .singleShift, .string(_, endsWithBackslash: false): held.isEmpty
        case .ground, .scalar, .legacyMouse, .consoleFunction, .string, .paste: false
        }
    }

    /// Whether a bracketed paste has begun and its end is awaited by the clock too: a driver calls `timeout()` after
    /// seconds of silence. The paste stays open even so, but from then on a lone Ctrl-C ends it.
    package var isPasting: Bool {
        if case .paste = state { !isLate } else { false }
    }

    /// The bytes kept of what is incomplete: at most 128 of a sequence, and 8 MiB of a paste.
    package var heldByteCount: Int { held.count + paste.bytes.count }

    /// Takes what was read and gives the events it completes, in order.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        for byte in bytes { consume(byte, &events) }
        return events
    }

    /// Decides what is held, since nothing more has come.
    ///
    /// A lone ESC is Escape. `ESC [`, `ESC O` and `ESC ]` may be Alt with that key, which is told, or the beginning of
    /// what the terminal sends, so they stay open: only what cannot continue them is a key again. All else stays open
    /// until its end comes.
    package mutating func timeout() -> [InputEvent] {
        if case .string = state, PlantedSlip.stringsTimeOut.isPlanted {
            reset(to: .ground)
            return []
        }
        guard !isLate else { return [] }
        var events: [InputEvent] = []
        switch state {
        case .ground, .scalar, .legacyMouse, .consoleFunction: return []
        case .paste, .string(_, endsWithBackslash: true): isLate = true
        case .escape(let isDoubled):
            if isDoubled { events.append(.key(.escape)) }
            events.append(.key(.escape))
            reset(to: .ground)
            isAfterEscapeKey = awaitsAnswer
        case .control(let isDoubled):
            if let event = shiftedKeyOfRxvt {
                reset(to: .ground)
                return [event]
            }
            if held.isEmpty { events = openedByAlt("[", isDoubled: isDoubled, .control(isDoubled: false)) }
            isLate = true
        case .singleShift(let isDoubled):
            if held.isEmpty {
                events = openedByAlt("O", isDoubled: isDoubled, .singleShift(isDoubled: false))
            }
            isLate = true
        case .string(let introducer, endsWithBackslash: false):
            if held.isEmpty { events.append(.key(.character(Unicode.Scalar(introducer)), .alt)) }
            isLate = true
        }
        return events
    }

    /// Tells a key with Alt that may have been the beginning of a sequence, and goes on waiting for its rest.
    private mutating func openedByAlt(_ key: Unicode.Scalar, isDoubled: Bool, _ next: State) -> [InputEvent] {
        state = next
        return (isDoubled ? [.key(.escape)] : []) + [.key(.character(key), .alt)]
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
        isCutFromEscape = false
        stringCount = 0
    }

    mutating func hold(_ byte: UInt8) {
        if held.count < Self.maximumSequenceBytes { held.append(byte) } else { isOverlong = true }
    }
}
