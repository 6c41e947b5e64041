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
