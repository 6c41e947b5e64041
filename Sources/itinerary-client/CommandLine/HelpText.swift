import TripProtocol

/// What `--help` and `help` print: examples first.
enum HelpText {
    /// The help of the program.
    static var general: String {
        var lines = ["itinerary-client \(ProtocolVersion.program): edits trips that itineraryd keeps.", ""]
        lines += ["Examples:"]
        lines += aligned(CommandTable.all.compactMap(\.examples.first).prefix(8).map(example))
        lines += ["", "usage: itinerary-client COMMAND [WORD…] [OPTION…]", "", "Commands:"]
        lines += aligned(CommandTable.all.map { ($0.name, $0.summary) })
        lines += ["", "Options of every command:"]
        lines += aligned(GlobalOptions.all.map { ($0.spelling, $0.summary) })
        lines += [
            "", "TRIP is a slug, a name, an id or the beginning of one, ITEM a title, an id or the beginning",
            "of one, in any case. Options may stand anywhere; behind -- there are none. Exit codes:",
        ]
        lines += aligned(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
        return lines.joined(separator: "\n")
    }

    /// The help of one command.
    static func text(of row: CommandRow) -> String {
        var lines = ["Examples:"] + aligned(row.examples.map(example))
        lines.append("")
        for (index, form) in row.forms.enumerated() {
            lines.append((index == 0 ? "usage: " : "       ") + command(row.name, form))
        }
        lines += ["", "\(row.summary.prefix(1).uppercased())\(row.summary.dropFirst())."]
        lines += row.details
        if !row.options.isEmpty {
            lines += ["", "Options:"] + aligned(row.options.map { ($0.spelling, $0.summary) })
        }
        if !row.exits.isEmpty {
            lines += ["", "Exit codes:"] + aligned(exits(of: row))
        }
        lines += ["", "itinerary-client --help tells the options of every command and all exit codes."]
        return lines.joined(separator: "\n")
    }

    /// The exit codes of a command's own, in rising order.
    static func exits(of row: CommandRow) -> [(String, String)] {
        row.exits.sorted { $0.key.rawValue < $1.key.rawValue }.map { ("\($0.key.rawValue)", $0.value) }
    }

    static func command(_ name: String, _ form: String) -> String {
        form.isEmpty ? "itinerary-client \(name)" : "itinerary-client \(name) \(form)"
    }

    private static func example(_ example: CommandRow.Example) -> (String, String) {
        ("itinerary-client \(example.line)", example.meaning)
    }

    /// Two columns; where the first is too wide, its meaning goes below it.
    private static func aligned(_ rows: some Sequence<(String, String)>) -> [String] {
        let rows = Array(rows)
        let width = min(rows.map(\.0.count).max() ?? 0, 34)
        return rows.flatMap { left, right in
            let indent = String(repeating: " ", count: width + 4)
            if left.count > width { return ["  " + left, indent + right] }
            return ["  " + left + String(repeating: " ", count: width - left.count) + "  " + right]
        }
    }
}
