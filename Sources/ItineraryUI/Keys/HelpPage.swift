import TerminalCore

/// The help page: its scroll position and search text.
struct HelpPage: Sendable {
    var top = 0
    var filter = LineEditor()
    /// Whether letters go into the search text; otherwise they are keys.
    var isFiltering = false
}

extension EditorState {
    /// One line of the help.
    enum HelpLine: Sendable {
        case heading(String)
        case key(names: String, meaning: String)
        case blank
    }

    /// The lines of the help that contain some words, from the key table.
    func helpLines(with words: String) -> [HelpLine] {
        let search = TextSearch(words)
        var lines: [HelpLine] = []
        for context in KeyMap.Context.allCases {
            guard let heading = context.heading else { continue }
            let found = keys.bindings.lazy.filter { $0.context == context }.map { binding in
                (names: binding.keys.map(\.description).joined(separator: " "), meaning: binding.help)
            }.filter { search?.matches("\($0.names) \($0.meaning)") ?? true }
            if found.isEmpty { continue }
            if !lines.isEmpty { lines.append(.blank) }
            lines.append(.heading(heading))
            lines += found.map { .key(names: $0.names, meaning: $0.meaning) }
        }
        return lines
    }

    func putHelp(_ painter: inout ScreenPainter, _ page: HelpPage) {
        let top = page.top
        let lines = helpLines(with: page.filter.text)
        if lines.isEmpty {
            painter.put(
                "No key matches these words.", row: Window.listRow, column: 2, end: window.columns,
                style: theme.keyMeaning)
        }
        let last = max(0, lines.count - listHeight)
        let names = lines.map { line in
            if case .key(let names, _) = line { painter.columns(of: names) } else { 0 }
        }
        let column = 2 + (names.max() ?? 0) + 2
        for (offset, line) in lines.dropFirst(min(top, last)).prefix(listHeight).enumerated() {
            let row = Window.listRow + offset
            switch line {
            case .heading(let text):
                painter.put(text, row: row, column: 2, end: window.columns, style: theme.heading)
            case .key(let names, let meaning):
                painter.put(names, row: row, column: 2, end: column, style: theme.key)
                painter.put(meaning, row: row, column: column, end: window.columns, style: theme.keyMeaning)
            case .blank: break
            }
        }
    }

    /// The status line of the help.
    func sentence(of page: HelpPage) -> String {
        let key = keyName(.search, .help)
        return page.filter.text.isEmpty
            ? "\(key) filters the lines."
            : "Lines with “\(page.filter.text)”; \(key) changes the filter."
    }

    mutating func help(_ old: HelpPage, _ action: Action) {
        var page = old
        switch action {
        case .up, .previousMatch: page.top -= 1
        case .down, .nextMatch: page.top += 1
        case .previousDay: page.top -= listHeight
        case .nextDay: page.top += listHeight
        case .first where !page.isFiltering: page.top = 0
        case .last where !page.isFiltering: page.top = helpLines(with: page.filter.text).count
        case .search: page.isFiltering = true
        case .accept: page.isFiltering = false
        case .cancel:
            guard page.isFiltering else {
                returnToList()
                return
            }
            page.isFiltering = false
            page.filter = LineEditor()
        default: page.filter.perform(action)
        }
        if page.filter.text != old.filter.text { page.top = 0 }
        scroll(page, by: 0)
    }

    /// Shows the page scrolled by some lines, at most to its ends.
    mutating func scroll(_ old: HelpPage, by lines: Int) {
        var page = old
        let last = max(0, helpLines(with: page.filter.text).count - listHeight)
        page.top = min(max(page.top + lines, 0), last)
        begin(.helping(page))
    }
}
