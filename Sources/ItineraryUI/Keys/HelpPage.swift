import TerminalCore

/// The help page: its scroll position and search text.
struct HelpPage: Sendable {
    var top = 0
    var filter = LineEditor() {
        didSet { if filter.text != oldValue.text { top = 0 } }
    }
    /// Whether letters go into the search text; otherwise they are keys.
    var isFiltering = false
}

extension KeyMap {
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
        for context in Context.allCases {
            guard let heading = context.heading else { continue }
            let found = bindings.lazy.filter { $0.context == context }.map { binding in
                (names: binding.keys.map(\.description).joined(separator: " "), meaning: binding.help)
            }.filter { search?.matches("\($0.names) \($0.meaning)") ?? true }
            if found.isEmpty { continue }
            if !lines.isEmpty { lines.append(.blank) }
            lines.append(.heading(heading))
            lines += found.map { .key(names: $0.names, meaning: $0.meaning) }
        }
        return lines
    }
}

extension EditorState {
    mutating func help(_ old: HelpPage, _ action: Action) {
        var page = old
        switch action {
        case .up, .previousMatch: page.top -= 1
        case .down, .nextMatch: page.top += 1
        case .previousDay: page.top -= screen.listHeight
        case .nextDay: page.top += screen.listHeight
        case .first where !page.isFiltering: page.top = 0
        case .last where !page.isFiltering: page.top = keys.helpLines(with: page.filter.text).count
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
        scroll(page, by: 0)
    }

    /// Shows the page scrolled by some lines, at most to its ends.
    mutating func scroll(_ old: HelpPage, by lines: Int) {
        var page = old
        let last = max(0, keys.helpLines(with: page.filter.text).count - screen.listHeight)
        page.top = min(max(page.top + lines, 0), last)
        begin(.helping(page))
    }
}
