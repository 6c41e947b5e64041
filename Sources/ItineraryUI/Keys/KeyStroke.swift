import TerminalCore

/// A key with its modifiers.
package struct KeyStroke: Hashable, Sendable {
    /// The key.
    package let key: Key
    /// The modifiers; never shift with a character, which has another scalar instead.
    package let modifiers: Modifiers

    package init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        if case .character = key {
            self.modifiers = modifiers.subtracting(.shift)
        } else {
            self.modifiers = modifiers
        }
    }
}

/// Keys without modifiers, for the key table.
extension KeyStroke {
    static let (up, down, left, right) = (Self(.up), Self(.down), Self(.left), Self(.right))
    static let (pageUp, pageDown, home, end) = (Self(.pageUp), Self(.pageDown), Self(.home), Self(.end))
    static let (enter, escape, tab, backTab) = (Self(.enter), Self(.escape), Self(.tab), Self(.backTab))
    static let (backspace, delete) = (Self(.backspace), Self(.delete))
}

extension KeyStroke: ExpressibleByUnicodeScalarLiteral {
    /// A character without modifiers.
    package init(unicodeScalarLiteral scalar: Unicode.Scalar) {
        self.init(.character(scalar))
    }
}

extension KeyStroke: CustomStringConvertible {
    /// The name as on a keyboard: `Space`, `J`, `Alt+↑`, `Ctrl-C`.
    package var description: String {
        var prefix = ""
        if modifiers.contains(.alt) { prefix += "Alt+" }
        if modifiers.contains(.shift) { prefix += "Shift+" }
        guard modifiers.contains(.control) else { return prefix + name }
        if case .character = key { return prefix + "Ctrl-" + name.uppercased() }
        return prefix + "Ctrl+" + name
    }

    private var name: String {
        switch key {
        case .character(" "): "Space"
        case .character(let scalar): String(scalar)
        case .enter: "Enter"
        case .tab: "Tab"
        case .backTab: "Shift+Tab"
        case .backspace: "Backspace"
        case .escape: "Esc"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .insert: "Insert"
        case .delete: "Delete"
        case .function(let number): "F\(number)"
        }
    }
}

extension KeyStroke {
    /// Reads a key's name: `x`, `Space`, `PgUp`, `F2`, `Ctrl-X`, `Alt+Up`, `Shift+Tab`.
    package init?(_ name: String) {
        var rest = Substring(name)
        var modifiers: Modifiers = []
        while let end = rest.firstIndex(where: { $0 == "-" || $0 == "+" }), end != rest.startIndex,
            let modifier = Self.modifiers[rest[..<end].lowercased()],
            rest.index(after: end) < rest.endIndex
        {
            modifiers.insert(modifier)
            rest = rest[rest.index(after: end)...]
        }
        if let key = Self.named[rest.lowercased()] {
            if key == .tab, modifiers.contains(.shift) {
                self.init(.backTab, modifiers.subtracting(.shift))
            } else {
                self.init(key, modifiers)
            }
            return
        }
        if rest.first?.lowercased() == "f", let number = Int(rest.dropFirst()), (1...35).contains(number) {
            self.init(.function(number), modifiers)
            return
        }
        guard rest.unicodeScalars.count == 1, let scalar = rest.unicodeScalars.first, scalar.value > 0x20,
            scalar.value != 0x7F
        else { return nil }
        // Ctrl-X and Ctrl-x are the same key in a terminal.
        let lowered =
            modifiers.contains(.control) ? scalar.properties.lowercaseMapping.unicodeScalars.first : nil
        self.init(.character(lowered ?? scalar), modifiers)
    }

    private static let modifiers: [String: Modifiers] = [
        "ctrl": .control, "control": .control, "alt": .alt, "meta": .alt, "shift": .shift,
    ]

    private static let named: [String: Key] = [
        "space": .character(" "), "enter": .enter, "return": .enter, "tab": .tab, "backspace": .backspace,
        "esc": .escape, "escape": .escape, "up": .up, "down": .down, "left": .left, "right": .right,
        "↑": .up, "↓": .down, "←": .left, "→": .right, "home": .home, "end": .end, "pgup": .pageUp,
        "pageup": .pageUp, "pgdn": .pageDown, "pagedown": .pageDown, "insert": .insert, "delete": .delete,
    ]
}

/// The count typed before a key.
struct KeyCount: Sendable {
    /// Nil if none was typed.
    private(set) var value: Int?

    /// The maximum, more than any list has rows.
    private static let largest = 99_999

    /// Appends a digit; false for other characters and a leading 0.
    mutating func append(_ scalar: Unicode.Scalar) -> Bool {
        guard (Unicode.Scalar("0")...Unicode.Scalar("9")).contains(scalar) else { return false }
        let digit = Int(scalar.value) - 0x30
        guard value != nil || digit > 0 else { return false }
        value = min((value ?? 0) * 10 + digit, Self.largest)
        return true
    }

    /// Returns the count for the current key and resets it.
    mutating func use() -> Int? {
        defer { value = nil }
        return value
    }

    mutating func clear() { value = nil }
}
