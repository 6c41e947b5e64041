/// An event from a terminal: a key, the mouse, pasted text, focus, or a reply to a query.
package enum InputEvent: Hashable, Sendable {
    /// A key; a cluster of several scalars is several events.
    case key(Key, Modifiers)
    case mouse(MouseEvent)
    /// A bracketed paste, without control characters except newline and tab; CR and CRLF are newlines.
    case paste(String)
    /// A paste over the limit, which is dropped.
    case longPaste
    /// The terminal's window got the focus (true) or lost it.
    case focus(Bool)
    case reply(TerminalReply)

    /// A key without modifiers.
    package static func key(_ key: Key) -> InputEvent { .key(key, []) }
}

/// A key, as far as terminals distinguish keys.
package enum Key: Hashable, Sendable {
    /// Text; with `.control` the lower-case letter or the sign of the control code (Ctrl+Space is a space).
    case character(Unicode.Scalar)
    case enter, tab, backTab, backspace, escape
    case up, down, left, right
    case home, end, pageUp, pageDown
    case insert, delete
    /// F1 is 1.
    case function(Int)
}

/// Keys held down with another key or a mouse button.
package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift.
    package static let shift = Modifiers(rawValue: 1 << 0)
    /// Alt, or Option.
    package static let alt = Modifiers(rawValue: 1 << 1)
    /// Control.
    package static let control = Modifiers(rawValue: 1 << 2)
}

/// A mouse event with its position.
package struct MouseEvent: Hashable, Sendable {
    /// The supported buttons.
    package enum Button: Hashable, Sendable { case left, middle, right }

    /// The kind of the mouse event.
    package enum Action: Hashable, Sendable {
        case press(Button)
        case release(Button)
        /// Moved with the button pressed.
        case drag(Button)
        /// Moved without a button.
        case move
        case wheelUp, wheelDown, wheelLeft, wheelRight
    }

    /// The kind of the mouse event.
    package var action: Action
    /// Counted from 0.
    package var row: Int
    /// Counted from 0.
    package var column: Int
    /// The pressed modifier keys.
    package var modifiers: Modifiers

    package init(_ action: Action, row: Int, column: Int, modifiers: Modifiers = []) {
        self.action = action
        self.row = row
        self.column = column
        self.modifiers = modifiers
    }
}

/// A terminal's reply to a query (`TerminalSequences.query…`).
package enum TerminalReply: Hashable, Sendable {
    /// The state of a private mode (DECRPM).
    package enum ModeSetting: Int, Hashable, Sendable {
        case unknown, set, reset, alwaysSet, alwaysReset
    }

    case modeReport(mode: Int, ModeSetting)
    case primaryDeviceAttributes([Int])
    /// Counted from 0.
    case cursorPosition(row: Int, column: Int)
    case backgroundColor(red: UInt8, green: UInt8, blue: UInt8)
}

extension TerminalReply {
    /// The reply to a query for the background colour: `11;rgb:RRRR/GGGG/BBBB`, one to four digits per channel.
    init?(systemCommand bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("11;rgb"), let colon = text.firstIndex(of: ":") else { return nil }
        let channels = text[text.index(after: colon)...].split(
            separator: "/", omittingEmptySubsequences: false)
        guard channels.count == 3 || channels.count == 4 else { return nil }  // `rgba:` has a fourth.
        let values = channels.prefix(3).compactMap(Self.channel)
        guard values.count == 3 else { return nil }
        self = .backgroundColor(red: values[0], green: values[1], blue: values[2])
    }

    /// A channel scaled to 8 bits: `f` and `ffff` are both 255.
    private static func channel(_ digits: Substring) -> UInt8? {
        guard (1...4).contains(digits.count), digits.first != "+", digits.first != "-",
            let value = Int(digits, radix: 16)
        else { return nil }
        let largest = 1 << (4 * digits.count) - 1
        return UInt8(value * 255 / largest)
    }
}
