/// The text of `--help` and `help`; no line is wider than 80 columns unless an example is.
package enum HelpText {
    /// The help of a program.
    package static func general(of program: ProgramDescription) -> String {
        var lines = ["\(program.name) \(program.version): \(program.summary).", ""]
        lines += ["usage: \(program.name) COMMAND [WORD…] [OPTION…]"]
        for group in program.groups {
            lines += ["", "\(group.title):"] + aligned(group.commands.map { ($0.name, $0.summary) })
        }
        lines +=
            ["", "Options of every command:"] + aligned(program.options.map { ($0.spelling, $0.summary) })
        lines += [""] + program.details
        return lines.joined(separator: "\n")
    }

    /// The help of one command.
    package static func text(of row: CommandRow, in program: ProgramDescription) -> String {
        var lines = ["Examples:"] + aligned(row.examples.map { ("\(program.name) \($0.line)", $0.meaning) })
        lines.append("")
        for (index, form) in row.forms.enumerated() {
            let command = ["\(program.name) \(row.name)", form].filter { !$0.isEmpty }.joined(separator: " ")
            lines.append((index == 0 ? "usage: " : "       ") + command)
        }
        lines += ["", sentence(row.summary)] + row.details
        if !row.options.isEmpty {
            lines += ["", "Options:"] + aligned(row.options.map { ($0.spelling, $0.summary) })
        }
        if !row.exits.isEmpty { lines += ["", "Exit codes:"] + aligned(exits(of: row)) }
        lines += ["", "\(program.name) --help lists the options of every command."]
        return lines.joined(separator: "\n")
    }

    /// The exit codes that are specific to a command, in rising order.
    static func exits(of row: CommandRow) -> [(String, String)] {
        row.exits.sorted { $0.key.rawValue < $1.key.rawValue }.map { ("\($0.key.rawValue)", $0.value) }
    }

    /// A summary as a sentence.
    static func sentence(_ summary: String) -> String {
        "\(summary.prefix(1).uppercased())\(summary.dropFirst())."
    }

    /// Two columns; if the first is too wide, the second goes below it. Long explanations are wrapped.
    private static func aligned(_ rows: some Sequence<(String, String)>) -> [String] {
        let rows = Array(rows)
        let width = min(rows.map(\.0.count).max() ?? 0, 30)
        let indent = String(repeating: " ", count: width + 4)
        return rows.flatMap { left, right in
            var text = wrapped(right, to: 80 - indent.count)[...]
            var first = "  " + left
            if left.count <= width {
                first += String(repeating: " ", count: width - left.count + 2) + (text.popFirst() ?? "")
            }
            return [first] + text.map { indent + $0 }
        }
    }

    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
