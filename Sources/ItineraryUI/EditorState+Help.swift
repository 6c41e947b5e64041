import TerminalCore

extension EditorState {
    /// One line of the help.
    enum HelpLine: Sendable {
        case heading(String)
        case key(names: String, meaning: String)
        case blank
    }

    /// The help as the key table gives it.
    var helpLines: [HelpLine] {
        var lines: [HelpLine] = []
        for context in KeyMap.Context.allCases {
            guard let heading = context.heading else { continue }
            if !lines.isEmpty { lines.append(.blank) }
            lines.append(.heading(heading))
            for binding in keys.bindings where binding.context == context {
                let names = binding.keys.map(\.description).joined(separator: " ")
                lines.append(.key(names: names, meaning: binding.help))
            }
        }
        return lines
    }

    func putHelp(_ painter: inout ScreenPainter, from top: Int) {
        let lines = helpLines
        let last = max(0, lines.count - listHeight)
        let names = lines.map { line in
            if case .key(let names, _) = line { painter.columns(of: names) } else { 0 }
        }
        let column = 2 + (names.max() ?? 0) + 2
        for (offset, line) in lines.dropFirst(min(top, last)).prefix(listHeight).enumerated() {
            let row = Self.listRow + offset
            switch line {
            case .heading(let text):
                painter.put(text, row: row, column: 2, end: size.columns, style: theme.heading)
            case .key(let names, let meaning):
                painter.put(names, row: row, column: 2, end: column, style: theme.key)
                painter.put(meaning, row: row, column: column, end: size.columns, style: theme.keyMeaning)
            case .blank: break
            }
        }
    }
}
