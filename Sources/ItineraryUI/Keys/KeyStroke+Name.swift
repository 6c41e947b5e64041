import TerminalCore

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
