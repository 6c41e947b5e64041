/// Pages of the manual in the `man` macro language, for `man -l -`.
package enum ManualPage {
    /// The page of a program.
    package static func general(of program: ProgramDescription) -> String {
        var lines = head(program.name, program.section, program.summary, program)
        lines += [".SH SYNOPSIS", ".B \(escaped(program.name))"]
        lines += ["\\fICOMMAND\\fR [\\fIWORD\\fR…] [\\fIOPTION\\fR…]", ".SH DESCRIPTION"]
        lines += program.details.map(escaped)
        for group in program.groups {
            lines.append(".SH \(escaped(group.title.uppercased()))")
            lines += group.commands.flatMap { entry($0.name, $0.summary) }
        }
        lines += [".SH OPTIONS"] + program.options.flatMap { entry($0.spelling, $0.summary) }
        lines += section("EXIT STATUS", program.exits.map { ("\($0.rawValue)", $0.meaning) })
        lines += section("ENVIRONMENT", program.environment) + section("FILES", program.files)
        lines += examples(program.commands.compactMap(\.examples.first), program)
        let pages = program.commands.map { "\(program.name)-\($0.name)(\(program.section))" }
        return (lines + references(pages + program.seeAlso)).joined(separator: "\n")
    }

    /// The page of one command.
    package static func page(of row: CommandRow, in program: ProgramDescription) -> String {
        var lines = head("\(program.name)-\(row.name)", program.section, row.summary, program)
        lines.append(".SH SYNOPSIS")
        for (index, form) in row.forms.enumerated() {
            if index > 0 { lines.append(".br") }
            lines += [".B \(escaped("\(program.name) \(row.name)"))", escaped(form)].filter { !$0.isEmpty }
        }
        lines += [".SH DESCRIPTION", escaped(HelpText.sentence(row.summary))] + row.details.map(escaped)
        if !row.options.isEmpty {
            lines += [".SH OPTIONS"] + row.options.flatMap { entry($0.spelling, $0.summary) }
        }
        lines += section("EXIT STATUS", HelpText.exits(of: row)) + examples(row.examples, program)
        return (lines + references(["\(program.name)(\(program.section))"])).joined(separator: "\n")
    }

    /// A chapter of the handbook as a page; it supports the Markdown that the handbook uses.
    package static func page(
        named name: String, section: Int, markdown: String, of program: ProgramDescription
    ) -> String {
        let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
        let title = lines.first.map { String($0.drop { $0 == "#" || $0 == " " }) } ?? name
        var page = MarkdownPage(head: head(name, section, title, program) + [".SH DESCRIPTION"])
        for line in lines.dropFirst() { page.add(line) }
        return (page.finished() + references(program.seeAlso + ["\(program.name)(\(program.section))"]))
            .joined(separator: "\n")
    }

    private static func head(
        _ name: String, _ section: Int, _ summary: String, _ program: ProgramDescription
    ) -> [String] {
        [
            ".TH \"\(escaped(name.uppercased()))\" \(section) \"\" \"itineraryd \(program.version)\"",
            ".SH NAME", "\(escaped(name)) \\- \(escaped(summary))",
        ]
    }

    private static func entry(_ term: String, _ text: String) -> [String] {
        [".TP", ".B \(escaped(term))", escaped(text)]
    }

    private static func section(_ title: String, _ entries: [(String, String)]) -> [String] {
        entries.isEmpty ? [] : [".SH \(title)"] + entries.flatMap { entry($0.0, $0.1) }
    }

    private static func examples(
        _ examples: [CommandRow.Example], _ program: ProgramDescription
    ) -> [String] {
        [".SH EXAMPLES"]
            + examples.flatMap {
                [".TP", "\\fB\(escaped("\(program.name) \($0.line)"))\\fR", escaped($0.meaning)]
            }
    }

    /// References such as `itineraryd(8)`.
    private static func references(_ pages: [String]) -> [String] {
        let names = pages.map { page in
            let parts = page.split(separator: "(", maxSplits: 1)
            return ".BR \(escaped(String(parts[0]))) (\(parts[1])"
        }
        return [".SH SEE ALSO", names.joined(separator: " ,\n")]
    }

    /// Text that contains nothing that the typesetter would take for a request or an escape.
    static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("'", with: "\\(aq").replacing("\"", with: "\\(dq").replacing("`", with: "\\(ga")
        return plain.hasPrefix(".") ? "\\&" + plain : plain
    }
}

/// Converts Markdown to a page line by line: headings, paragraphs, lists, tables, code and comments.
private struct MarkdownPage {
    private enum Block {
        case none, paragraph, list, code, table
    }

    private var lines: [String]
    private var block = Block.none

    init(head: [String]) { lines = head }

    mutating func add(_ line: Substring) {
        if block == .code {
            if line.hasPrefix("```") { return end(.code) }
            return lines.append(ManualPage.escaped(String(line)))
        }
        if line.hasPrefix("```") {
            lines += [".PP", ".RS 4", ".nf"]
            block = .code
        } else if line.isEmpty || line.hasPrefix("<!--") {
            block = .none
        } else if line.hasPrefix("#") {
            let level = line.prefix { $0 == "#" }.count
            let title = inline(line.dropFirst(level + 1))
            lines.append(level == 2 ? ".SH \(title.uppercased())" : ".SS \(title)")
            block = .none
        } else if line.hasPrefix("|") {
            addRow(line)
        } else if line.hasPrefix("- ") {
            lines += [".IP \\(bu 2", inline(line.dropFirst(2))]
            block = .list
        } else {
            if block == .none { lines.append(".PP") }
            if block == .none { block = .paragraph }
            lines.append(inline(line.drop { $0 == " " }))
        }
    }

    /// A row of a table as a term and its explanation; header and rule are left out.
    private mutating func addRow(_ line: Substring) {
        defer { block = .table }
        let cells = line.dropFirst().dropLast().replacing("\\|", with: "\u{0}")
            .split(separator: "|", omittingEmptySubsequences: false)
            .map { inline($0.trimmingSpaces.replacing("\u{0}", with: "|")[...]) }
        if block != .table || line.allSatisfy({ "|-: ".contains($0) }) || cells.isEmpty { return }
        lines += [".TP", cells[0], cells.dropFirst().filter { !$0.isEmpty }.joined(separator: "; ")]
    }

    private mutating func end(_ block: Block) {
        lines += [".fi", ".RE"]
        self.block = .none
    }

    func finished() -> [String] { lines }

    /// Code and emphasis in bold, links as their text.
    private func inline(_ text: Substring) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: { "`*[".contains($0) }) {
            result += rest[..<start]
            let mark = rest[start] == "*" && rest[start...].hasPrefix("**") ? "**" : String(rest[start])
            let body = rest[start...].dropFirst(mark.count)
            let close = mark == "[" ? "](" : mark
            guard let end = body.firstRange(of: close) else {
                result += mark
                rest = body
                continue
            }
            let inner = body[..<end.lowerBound]
            rest = body[end.upperBound...]
            if mark == "[" {
                rest = rest.drop { $0 != ")" }.dropFirst()
                result += inner
            } else {
                result += "\u{1}\(inner)\u{2}"
            }
        }
        return ManualPage.escaped(result + rest).replacing("\u{1}", with: "\\fB")
            .replacing("\u{2}", with: "\\fR")
    }
}

extension StringProtocol {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
