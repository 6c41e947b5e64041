extension InputDecoder {
    /// Processes one byte in the current state.
    mutating func consume(_ byte: UInt8, _ events: inout [InputEvent]) {
        switch state {
        case .ground where isAfterEscapeKey && byte == UInt8(ascii: "]"):
            // The rest of a reply, unless a later byte shows otherwise.
            isAfterEscapeKey = false
            reset(to: .string(introducer: byte, endsWithBackslash: false))
            (isLate, isCutFromEscape) = (true, true)
        case .ground:
            isAfterEscapeKey = false
            consumePlain(byte, [], &events)
        case .scalar(let assembler, let modifiers):
            consumeContinuation(byte, assembler, modifiers, &events)
        case .escape(let isDoubled):
            consumeAfterEscape(byte, isDoubled: isDoubled, &events)
        case .control(let isDoubled):
            consumeControl(byte, isDoubled: isDoubled, &events)
        case .singleShift(let isDoubled):
            consumeSingleShift(byte, isDoubled: isDoubled, &events)
        case .legacyMouse(let remaining):
            reset(to: remaining > 1 ? .legacyMouse(remaining: remaining - 1) : .ground)
        case .consoleFunction:
            reset(to: .ground)
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "E"):
                events.append(.key(.function(Int(byte - UInt8(ascii: "A")) + 1)))
            case 0x20...0x7E: break
            default: consumePlain(byte, [], &events)
            }
        case .string(let introducer, let endsWithBackslash):
            consumeString(byte, introducer, endsWithBackslash: endsWithBackslash, &events)
        case .paste:
            if isLate, byte == 0x03 {
                // The end of the paste was lost; Ctrl-C is the one key that ends it.
                _ = paste.take()
                reset(to: .ground)
                return consumePlain(byte, [], &events)
            }
            isLate = false
            if paste.append(byte) {
                events.append(paste.take())
                reset(to: .ground)
            }
        }
    }

    /// A byte that begins a key, a scalar or an escape sequence.
    private mutating func consumePlain(_ byte: UInt8, _ modifiers: Modifiers, _ events: inout [InputEvent]) {
        switch byte {
        case 0x1B:
            reset(to: .escape(isDoubled: false))
        case 0x00...0x1F, 0x7F:
            let (key, held) = Self.controlKey(byte)
            events.append(.key(key, modifiers.union(held)))
        case 0x20...0x7E:
            events.append(.key(.character(Unicode.Scalar(byte)), modifiers))
        default:
            if let assembler = UTF8Assembler(lead: byte) {
                reset(to: .scalar(assembler, modifiers))
            } else {
                events.append(.key(.character("\u{FFFD}"), modifiers))
            }
        }
    }

    /// The key of a control code. Terminals differ: backspace is 0x08 or 0x7F, and Enter is CR or LF.
    private static func controlKey(_ byte: UInt8) -> (Key, Modifiers) {
        switch byte {
        case 0x00: (.character(" "), .control)
        case 0x08, 0x7F: (.backspace, [])
        case 0x09: (.tab, [])
        case 0x0A, 0x0D: (.enter, [])
        case 0x01...0x1A: (.character(Unicode.Scalar(byte + 0x60)), .control)
        default: (.character(Unicode.Scalar(byte + 0x40)), .control)
        }
    }

    private mutating func consumeContinuation(
        _ byte: UInt8, _ assembler: UTF8Assembler, _ modifiers: Modifiers, _ events: inout [InputEvent]
    ) {
        var assembler = assembler
        switch assembler.append(byte) {
        case .incomplete:
            state = .scalar(assembler, modifiers)
        case .scalar(let scalar):
            reset(to: .ground)
            // C1 controls are not keys.
            if scalar.value >= 0xA0 { events.append(.key(.character(scalar), modifiers)) }
        case .invalid:
            reset(to: .ground)
            events.append(.key(.character("\u{FFFD}"), modifiers))
            consumePlain(byte, [], &events)
        }
    }

    private mutating func consumeAfterEscape(_ byte: UInt8, isDoubled: Bool, _ events: inout [InputEvent]) {
        switch byte {
        case 0x1B:
            if isDoubled { events.append(.key(.escape)) }
            reset(to: .escape(isDoubled: true))
        case UInt8(ascii: "["):
            reset(to: .control(isDoubled: isDoubled))
        case UInt8(ascii: "O"):
            reset(to: .singleShift(isDoubled: isDoubled))
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            if isDoubled { events.append(.key(.escape)) }
            reset(to: .string(introducer: byte, endsWithBackslash: false))
        default:
            if isDoubled { events.append(.key(.escape)) }
            reset(to: .ground)
            consumePlain(byte, .alt, &events)
        }
    }

    // MARK: Sequences

    private mutating func consumeControl(_ byte: UInt8, isDoubled: Bool, _ events: inout [InputEvent]) {
        let isAfterAlt = isLate && held.isEmpty
        switch byte {
        case 0x20 where isAfterAlt:
            abandon(isDoubled: isDoubled, for: byte, &events)
        case 0x20...0x3F:
            hold(byte)
        case 0x40...0x7E where isAfterAlt && !Self.endsKeySequence(byte):
            // Alt+[ has been reported, and this is a separate key.
            abandon(isDoubled: isDoubled, for: byte, &events)
        case UInt8(ascii: "[") where held.isEmpty:
            if isDoubled { events.append(.key(.escape)) }
            reset(to: .consoleFunction)
        case UInt8(ascii: "M") where held.isEmpty:
            if isDoubled { events.append(.key(.escape)) }
            reset(to: .legacyMouse(remaining: 3))
        case 0x40...0x7E:
            let sequence = isOverlong ? nil : ControlSequence(body: held, final: byte)
            let meaning = sequence?.meaning ?? .unknown
            reset(to: meaning == .pasteStart ? .paste : .ground)
            if case .event(.key(let key, let modifiers)) = meaning {
                // Terminals that send Alt as ESC put it before the whole sequence.
                events.append(.key(key, isDoubled ? modifiers.union(.alt) : modifiers))
                return
            }
            if isDoubled { events.append(.key(.escape)) }
            if case .event(let event) = meaning { events.append(event) }
        default:
            abandon(isDoubled: isDoubled, for: byte, &events)
        }
    }

    /// True if terminals end a key's sequence without parameters with this byte.
    private static func endsKeySequence(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "H"), UInt8(ascii: "P")...UInt8(ascii: "S"), UInt8(ascii: "Z"),
            UInt8(ascii: "I"), UInt8(ascii: "O"), UInt8(ascii: "M"), UInt8(ascii: "["):
            true
        default: false
        }
    }

    private mutating func consumeSingleShift(_ byte: UInt8, isDoubled: Bool, _ events: inout [InputEvent]) {
        let isAfterAlt = isLate && held.isEmpty
        switch byte {
        case 0x20...0x7E where isAfterAlt && Key(final: byte) == nil && !(0x31...0x38).contains(byte):
            // Alt+O has been reported, and this is a separate key.
            abandon(isDoubled: isDoubled, for: byte, &events)
        case 0x30...0x3B:
            hold(byte)
        case 0x20...0x7E:
            let event = isOverlong ? nil : singleShiftEvent(byte)
            reset(to: .ground)
            if case .key(let key, let modifiers) = event {
                events.append(.key(key, isDoubled ? modifiers.union(.alt) : modifiers))
            } else if isDoubled {
                events.append(.key(.escape))
            }
        default:
            abandon(isDoubled: isDoubled, for: byte, &events)
        }
    }

    /// `SS3 final`, and the old form `SS3 modifiers final` with the modifiers of a control sequence.
    private func singleShiftEvent(_ final: UInt8) -> InputEvent? {
        if (UInt8(ascii: "a")...UInt8(ascii: "d")).contains(final) {
            return held.isEmpty ? Key(arrow: final - 0x20).map { .key($0, .control) } : nil
        }
        guard !held.isEmpty else {
            return (Key(final: final) ?? Key(keypad: final)).map { .key($0) }
        }
        guard Key(final: final) != nil else { return nil }
        let body = held.contains(UInt8(ascii: ";")) ? held : Array("1;".utf8) + held
        guard case .event(let event)? = ControlSequence(body: body, final: final)?.meaning else { return nil }
        return event
    }

    /// Ends an incomplete sequence at a byte that cannot be part of it, which is processed separately.
    private mutating func abandon(isDoubled: Bool, for byte: UInt8, _ events: inout [InputEvent]) {
        if isDoubled { events.append(.key(.escape)) }
        reset(to: .ground)
        consumePlain(byte, [], &events)
    }

    private mutating func consumeString(
        _ byte: UInt8, _ introducer: UInt8, endsWithBackslash: Bool, _ events: inout [InputEvent]
    ) {
        stringCount += 1
        if isLate, held.isEmpty, stringCount == 1, !Self.beginsReply(byte, introducer) {
            // Alt with the introducer has been reported, and this is a separate key; or the introducer itself
            // was a key.
            if isCutFromEscape { events.append(.key(.character(Unicode.Scalar(introducer)))) }
            return abandon(isDoubled: false, for: byte, &events)
        }
        switch byte {
        case UInt8(ascii: "\\") where endsWithBackslash, 0x07:
            if !isOverlong, introducer == UInt8(ascii: "]"), let reply = TerminalReply(systemCommand: held) {
                awaitsAnswer = false
                events.append(.reply(reply))
            }
            reset(to: .ground)
        case _ where endsWithBackslash:
            reset(to: .escape(isDoubled: false))
            consumeAfterEscape(byte, isDoubled: false, &events)
        case 0x1B:
            state = .string(introducer: introducer, endsWithBackslash: true)
            isLate = false
        case 0x00...0x1F:
            abandon(isDoubled: false, for: byte, &events)
        default:
            hold(byte)
            if stringCount >= Self.maximumStringBytes { reset(to: .ground) }
        }
    }

    /// True if a terminal's reply can begin with this byte; all of them begin with a number or a sign.
    private static func beginsReply(_ byte: UInt8, _ introducer: UInt8) -> Bool {
        switch byte {
        case 0x1B: false
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ">"), UInt8(ascii: "!"), UInt8(ascii: "+"),
            UInt8(ascii: "|"), UInt8(ascii: "$"):
            true
        case UInt8(ascii: "G"): introducer == UInt8(ascii: "_")
        default: false
        }
    }
}
