/// Decodes the bytes of a terminal into events.
///
/// Bytes may arrive in any pieces and after any pause. An incomplete sequence is kept until its rest arrives,
/// so that the rest of a reply, a paste or a character is never taken for keys. Only a lone ESC is decided by
/// a timeout, because nothing else distinguishes it from the beginning of a sequence: while
/// `isWaitingForMore`, the driver starts a timer of 25–50 ms after each read and calls `timeout()` when it
/// fires. Memory is bounded for any input; unknown sequences are dropped; invalid UTF-8 becomes U+FFFD.
package struct InputDecoder: Sendable {
    /// Maximum bytes of a sequence; a longer one is dropped up to its end.
    static let maximumSequenceBytes = 128
    /// Maximum bytes of a control string without an end, after which it is dropped.
    static let maximumStringBytes = 64 * 1024

    /// The incomplete input so far.
    enum State {
        case ground
        case scalar(UTF8Assembler, Modifiers)
        /// One or two ESC.
        case escape(isDoubled: Bool)
        /// After `ESC [`; the body is in `held`.
        case control(isDoubled: Bool)
        /// After `ESC O`; a modifier is in `held`.
        case singleShift(isDoubled: Bool)
        /// After `CSI M`: three bytes of the oldest mouse encoding, which is never requested.
        case legacyMouse(remaining: Int)
        /// After `CSI [`: one letter, a function key of the Linux console.
        case consoleFunction
        /// After `ESC ]` and similar, up to BEL or ST; the text is in `held`.
        case string(introducer: UInt8, endsWithBackslash: Bool)
        case paste
    }

    var state = State.ground
    var held: [UInt8] = []
    var isOverlong = false
    /// The timer has fired inside an incomplete sequence, whose end is now awaited without a timeout.
    var isLate = false
    /// A query was sent to the terminal, and its reply has not arrived.
    package var awaitsAnswer = false
    /// The timeout has just turned an ESC into a key, although it may have begun a pending reply.
    var isAfterEscapeKey = false
    /// The current string was interrupted right after its ESC.
    var isCutFromEscape = false
    /// Bytes of the current control string, including dropped ones.
    var stringCount = 0
    var paste = PasteCollector()

    /// A decoder without input.
    package init() {}

    /// True if the driver's short timer should run, because a timeout may decide the pending input.
    package var isWaitingForMore: Bool {
        guard !isLate else { return false }
        return switch state {
        case .escape: true
        case .control: held.isEmpty || held.last == UInt8(ascii: "$")
        case .singleShift, .string(_, endsWithBackslash: false): held.isEmpty
        case .ground, .scalar, .legacyMouse, .consoleFunction, .string, .paste: false
        }
    }

    /// True if a bracketed paste is incomplete; the driver calls `timeout()` after seconds of silence. The
    /// paste stays open, but then a lone Ctrl-C ends it.
    package var isPasting: Bool {
        if case .paste = state { !isLate } else { false }
    }

    /// The number of pending bytes: at most 128 of a sequence, and 8 MiB of a paste.
    package var heldByteCount: Int { held.count + paste.bytes.count }

    /// Decodes bytes, and returns the completed events in order.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        for byte in bytes { consume(byte, &events) }
        return events
    }

    /// Decides pending input after a timeout.
    ///
    /// A lone ESC is the Escape key. `ESC [`, `ESC O` and `ESC ]` may be that key with Alt, which is
    /// reported, or the beginning of a sequence. So they stay open, and only a byte that cannot continue them
    /// is a key again. Other incomplete input stays open until its end.
    package mutating func timeout() -> [InputEvent] {
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

    /// Reports a key with Alt that may have been the beginning of a sequence, and keeps waiting for the rest.
    private mutating func openedByAlt(_ key: Unicode.Scalar, isDoubled: Bool, _ next: State) -> [InputEvent] {
        state = next
        return (isDoubled ? [.key(.escape)] : []) + [.key(.character(key), .alt)]
    }

    /// rxvt ends a shifted key with `$`, which elsewhere is followed by more.
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
