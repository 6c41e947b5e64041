import TripProtocol

/// Pages of the manual, made of the table of commands, for `man -l -`.
enum ManualPage {
    /// The page of the program.
    static var general: String {
        var lines = head("ITINERARY-CLIENT", "edits trips that itineraryd keeps", "itinerary-client")
        lines += [".SH SYNOPSIS", ".B itinerary-client", "\\fICOMMAND\\fR [\\fIWORD\\fR…] [\\fIOPTION\\fR…]"]
        lines += [
            ".SH DESCRIPTION",
            escaped(
                "Several people edit one trip at the same time. This program opens it in an editor, scripts it, and "
                    + "takes schedules in and itineraries out."),
            ".PP",
            escaped(
                "TRIP is a slug, a name, an id or the beginning of one, ITEM a title, an id or the beginning of one, in any "
                    + "case. Options may stand anywhere; behind -- there are none."),
        ]
        lines.append(".SH COMMANDS")
        for row in CommandTable.all { lines += entry("\(row.name)", row.summary) }
        lines += [".SH OPTIONS"] + GlobalOptions.all.flatMap { entry($0.spelling, $0.summary) }
        lines += exitStatus(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
        lines += examples(CommandTable.all.compactMap(\.examples.first))
        lines += [".SH ENVIRONMENT"]
        lines += entry("ITINERARYD_SOCKET", "the daemon's socket")
        lines += entry("ITINERARYD_HOST", "the daemon of another machine")
        lines += entry("ITINERARYD_SSH", "what to run in place of ssh")
        lines += [".SH SEE ALSO"]
        lines.append(
            CommandTable.all.map { ".BR itinerary\\-client\\-\(escaped($0.name)) (1)" }.joined(
                separator: ",\n"))
        return lines.joined(separator: "\n")
    }

    /// The page of one command.
    static func page(of row: CommandRow) -> String {
        let name = "itinerary-client-\(row.name)"
        var lines = head(name.uppercased(), row.summary, name)
        lines.append(".SH SYNOPSIS")
        for (index, form) in row.forms.enumerated() {
            if index > 0 { lines.append(".br") }
            lines += [".B itinerary\\-client \(escaped(row.name))", escaped(form)].filter { !$0.isEmpty }
        }
        lines += [
            ".SH DESCRIPTION", escaped("\(row.summary.prefix(1).uppercased())\(row.summary.dropFirst())."),
        ]
        lines += row.details.map(escaped)
        if !row.options.isEmpty {
            lines += [".SH OPTIONS"] + row.options.flatMap { entry($0.spelling, $0.summary) }
        }
        lines += exitStatus(HelpText.exits(of: row))
        lines += examples(row.examples)
        lines += [".SH SEE ALSO", ".BR itinerary\\-client (1)"]
        return lines.joined(separator: "\n")
    }

    private static func head(_ title: String, _ summary: String, _ name: String) -> [String] {
        [
            ".TH \"\(escaped(title))\" 1 \"\" \"itineraryd \(ProtocolVersion.program)\"", ".SH NAME",
            "\(escaped(name)) \\- \(escaped(summary))",
        ]
    }

    private static func entry(_ term: String, _ text: String) -> [String] {
        [".TP", ".B \(escaped(term))", escaped(text)]
    }

    private static func exitStatus(_ codes: [(String, String)]) -> [String] {
        codes.isEmpty ? [] : [".SH EXIT STATUS"] + codes.flatMap { entry($0.0, $0.1) }
    }

    private static func examples(_ examples: [CommandRow.Example]) -> [String] {
        [".SH EXAMPLES"]
            + examples.flatMap {
                [".TP", "\\fBitinerary\\-client \(escaped($0.line))\\fR", escaped($0.meaning)]
            }
    }

    /// A text with nothing in it that the typesetter would take for a request.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("'", with: "\\(aq").replacing("\"", with: "\\(dq")
        return plain.hasPrefix(".") ? "\\&" + plain : plain
    }
}
