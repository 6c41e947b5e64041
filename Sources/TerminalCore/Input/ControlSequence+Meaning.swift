extension ControlSequence {
    /// The meaning of a sequence from a terminal.
    enum Meaning: Equatable {
        case event(InputEvent)
        case pasteStart
        case unknown
    }

    var meaning: Meaning {
        if let event = prefix == nil ? keyEvent : reportEvent { return .event(event) }
        if prefix == nil, final == UInt8(ascii: "~"), number(0) == 200 { return .pasteStart }
        return .unknown
    }

    // MARK: Keys

    private var keyEvent: InputEvent? {
        guard intermediates.isEmpty else { return nil }
        switch final {
        case UInt8(ascii: "~"):
            if number(0) == 27, parameters.count == 3 { return characterKey(code: number(2), modifiersAt: 1) }
            return tildeKey(adding: [])
        case UInt8(ascii: "^"):
            return tildeKey(adding: .control)
        case UInt8(ascii: "@"):
            return tildeKey(adding: [.control, .shift])
        case UInt8(ascii: "u"):
            return characterKey(code: number(0), modifiersAt: 1)
        case UInt8(ascii: "Z"):
            return modifiers(at: 1).map { .key(.backTab, $0.subtracting(.shift)) }
        case UInt8(ascii: "I"):
            return parameters.isEmpty ? .focus(true) : nil
        case UInt8(ascii: "O"):
            return parameters.isEmpty ? .focus(false) : nil
        case UInt8(ascii: "R"):
            return thirdFunctionKeyOrCursor
        case UInt8(ascii: "a")...UInt8(ascii: "d"):
            return parameters.isEmpty ? Key(arrow: final - 0x20).map { .key($0, .shift) } : nil
        default:
            guard number(0) ?? 1 == 1, let key = Key(final: final), let modifiers = modifiers(at: 1) else {
                return nil
            }
            return .key(key, modifiers)
        }
    }

    /// `CSI 1;2R` is Shift+F3, and also the reply "row 1, column 2". It is a key if the second number can be modifiers.
    private var thirdFunctionKeyOrCursor: InputEvent? {
        switch parameters.count {
        case 0:
            return .key(.function(3))
        case 2:
            guard let row = number(0), let column = number(1), row > 0, column > 0 else { return nil }
            if row == 1, (2...16).contains(column) { return modifiers(at: 1).map { .key(.function(3), $0) } }
            return .reply(.cursorPosition(row: row - 1, column: column - 1))
        default:
            return nil
        }
    }

    private func tildeKey(adding extra: Modifiers) -> InputEvent? {
        guard let code = number(0), let key = Key(tilde: code), let modifiers = modifiers(at: 1) else {
            return nil
        }
        return .key(key, modifiers.union(extra))
    }

    /// The forms `CSI code;modifiers u` and `CSI 27;modifiers;code ~`.
    private func characterKey(code: Int?, modifiersAt index: Int) -> InputEvent? {
        guard let code, var modifiers = modifiers(at: index) else { return nil }
        switch code {
        case 9:
            guard modifiers.contains(.shift) else { return .key(.tab, modifiers) }
            return .key(.backTab, modifiers.subtracting(.shift))
        case 13: return .key(.enter, modifiers)
        case 27: return .key(.escape, modifiers)
        case 8, 127: return .key(.backspace, modifiers)
        case 57376...57398: return .key(.function(code - 57376 + 13), modifiers)
        case 57344...63743: return nil  // Private-use codes of keys that have no name here.
        default: break
        }
        guard var scalar = Unicode.Scalar(UInt32(code)), scalar.properties.generalCategory != .control else {
            return nil
        }
        if modifiers.contains(.shift), let shifted = shiftedScalar(of: scalar) {
            scalar = shifted
            modifiers.remove(.shift)
        }
        return .key(.character(scalar), modifiers)
    }

    /// The upper-case scalar, from the terminal's alternate or else from Unicode, so that Shift+A is `A` in every form.
    private func shiftedScalar(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if final == UInt8(ascii: "u"), parameters[0].count > 1, let code = parameters[0][1],
            let shifted = Unicode.Scalar(UInt32(code)), shifted.properties.generalCategory != .control
        {
            return shifted
        }
        let upper = scalar.properties.uppercaseMapping.unicodeScalars
        guard upper.count == 1, let only = upper.first, only != scalar else { return nil }
        return only
    }

    /// Nil for an unsupported modifier (super, hyper, meta) and for the release of a key.
    private func modifiers(at index: Int) -> Modifiers? {
        guard let sent = number(index), sent > 1 else { return isRelease(index) ? nil : [] }
        let bits = sent - 1
        guard bits & 0b11_1000 == 0, bits < 256, !isRelease(index) else { return nil }
        return Modifiers(rawValue: UInt8(bits & 0b111))
    }

    private func isRelease(_ index: Int) -> Bool {
        index < parameters.count && parameters[index].count > 1 && parameters[index][1] == 3
    }

    // MARK: Mouse and answers

    private var reportEvent: InputEvent? {
        switch (prefix, intermediates, final) {
        case (UInt8(ascii: "<"), [], UInt8(ascii: "M")), (UInt8(ascii: "<"), [], UInt8(ascii: "m")):
            return mouseEvent.map(InputEvent.mouse)
        case (UInt8(ascii: "?"), [UInt8(ascii: "$")], UInt8(ascii: "y")):
            guard let mode = number(0), let setting = number(1).flatMap(TerminalReply.ModeSetting.init) else {
                return nil
            }
            return .reply(.modeReport(mode: mode, setting))
        case (UInt8(ascii: "?"), [], UInt8(ascii: "c")):
            return .reply(.primaryDeviceAttributes(parameters.compactMap(\.[0])))
        default:
            return nil
        }
    }

    private var mouseEvent: MouseEvent? {
        guard parameters.count == 3, let code = number(0), let column = number(1), let row = number(2),
            code < 128, let action = mouseAction(code)
        else { return nil }
        var modifiers: Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        return MouseEvent(action, row: max(row - 1, 0), column: max(column - 1, 0), modifiers: modifiers)
    }

    private func mouseAction(_ code: Int) -> MouseEvent.Action? {
        let low = code & 3
        if code & 64 != 0 {
            guard final == UInt8(ascii: "M") else { return nil }
            return [.wheelUp, .wheelDown, .wheelLeft, .wheelRight][low]
        }
        guard low < 3 else { return code & 32 != 0 ? .move : nil }
        let button = [MouseEvent.Button.left, .middle, .right][low]
        if code & 32 != 0 { return .drag(button) }
        return final == UInt8(ascii: "M") ? .press(button) : .release(button)
    }
}
