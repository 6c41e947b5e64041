import TerminalCore

/// A key with the modifiers held down, as a key table names it.
package struct KeyStroke: Hashable, Sendable {
    /// The key.
    package let key: Key
    /// What is held down with it; never shift with a character, which is another character then.
    package let modifiers: Modifiers

    /// Makes a stroke.
    package init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        if case .character = key {
            self.modifiers = modifiers.subtracting(.shift)
        } else {
            self.modifiers = modifiers
        }
    }
}

extension KeyStroke: ExpressibleByUnicodeScalarLiteral {
    /// A character without modifiers.
    package init(unicodeScalarLiteral scalar: Unicode.Scalar) {
        self.init(.character(scalar))
    }
}

extension KeyStroke: CustomStringConvertible {
    /// As a keyboard says it: `Space`, `J`, `Alt+↑`, `Ctrl-C`.
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
