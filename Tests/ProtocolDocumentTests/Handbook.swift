import Foundation

/// `Protocol/README.md`, split at its headings.
struct Handbook {
    /// The text below one heading of the third level.
    struct Section {
        /// The heading, without backquotes.
        let name: String
        let lines: [String]

        /// Whether a name is in backquotes, alone or within a shape like `{version, item}`.
        func mentions(_ name: String) -> Bool {
            lines.contains { line in
                Handbook.quoted(line).contains { quoted in
                    quoted.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == name }
                }
            }
        }
    }

    private let lines: [String]

    init(_ text: String) {
        var isCode = false
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).filter {
            line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode
        }
    }

    /// The lines below a heading of the second level.
    private func chapter(_ name: String) -> ArraySlice<String> {
        guard let start = lines.firstIndex(of: "## " + name) else { return [] }
        let rest = lines[(start + 1)...]
        return rest.prefix { !$0.hasPrefix("## ") }
    }

    /// The sections of a chapter with headings in backquotes.
    func sections(of name: String) -> [Section] {
        let parts = chapter(name).split { $0.hasPrefix("### ") && !$0.hasPrefix("### `") }
        var sections: [Section] = []
        for line in parts.flatMap({ $0 }) {
            if line.hasPrefix("### `") {
                sections.append(Section(name: line.trimmingCharacters(in: ["#", " ", "`"]), lines: []))
            } else if let last = sections.popLast() {
                sections.append(Section(name: last.name, lines: last.lines + [line]))
            }
        }
        return sections
    }

    /// Whether a name is in backquotes in a chapter.
    func mentions(_ name: String, inChapter chapter: String) -> Bool {
        Section(name: chapter, lines: Array(self.chapter(chapter))).mentions(name)
    }

    /// The rows of a chapter's tables whose first cell is one name in backquotes, which are removed.
    func rows(of name: String) -> [[String]] {
        chapter(name).filter { $0.hasPrefix("| `") }.map { line in
            var cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            cells[0] = cells[0].trimmingCharacters(in: ["`"])
            return cells
        }
    }

    /// The texts in backquotes in a line.
    static func quoted(_ line: String) -> [String] {
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    // MARK: Links

    /// The link targets of headings, as usual renderers make them.
    var anchors: Set<String> {
        var anchors: Set<String> = []
        for line in lines where line.hasPrefix("#") {
            let kept = line.drop { $0 == "#" }.dropFirst().lowercased().filter {
                $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
            }
            let anchor = kept.replacing(" ", with: "-")
            anchors.insert(anchors.contains(anchor) ? anchor + "-1" : anchor)
        }
        return anchors
    }

    /// The targets of links within the page.
    var links: [String] {
        lines.flatMap { line in
            line.components(separatedBy: "](#").dropFirst().compactMap {
                $0.components(separatedBy: ")").first
            }
        }
    }
}
