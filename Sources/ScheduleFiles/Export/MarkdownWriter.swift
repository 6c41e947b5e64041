import TripModel

/// Writes a trip as Markdown (CommonMark), with a heading per day and a list entry per item.
enum MarkdownWriter {
    static func text(of trip: Trip) -> [UInt8] {
        var lines = ["# \(escaped(trip.header.name))", "", escaped(PlanDay.span(of: trip.header))]
        for day in PlanDay.days(of: trip) {
            if day.isEmpty {
                lines += ["", "*\(day.heading): nothing planned*"]
                continue
            }
            lines += ["", "## \(day.heading)", ""]
            for stay in day.stays { lines += ["*\(escaped(stay))*", ""] }
            for item in day.items { lines += entry(item) }
        }
        for list in PlanList.all(of: trip) {
            lines += ["", "## \(escaped(list.heading))", ""]
            lines += list.entries.map { "- \($0.line(escaped))" }
        }
        if let costs = PlanDay.costs(of: trip) { lines += ["", escaped(costs)] }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    private static func entry(_ item: ItemWords) -> [String] {
        let time = item.time.map { "**\($0)** " } ?? ""
        // A list entry that begins with blanks would be a block of code.
        func escaped(_ text: String) -> String { Self.escaped(String(text.drop(while: \.isWhitespace))) }
        // An address in angle brackets would end at the next bracket, so brackets are escaped.
        let text = item.isCancelled ? "~~\(escaped(item.title))~~" : escaped(item.title)
        let title = item.url.map { "[\(text)](<\(address($0))>)" } ?? text
        var lines = [([time + title] + item.details.map(escaped)).joined(separator: " · ")]
        if let note = item.note {
            for line in note.split(separator: "\n") { lines += ["", escaped(String(line))] }
        }
        return zip(lines, lines.indices).map { line, index in
            line.isEmpty ? "" : (index == 0 ? "- " : "  ") + line
        }
    }

    private static func address(_ url: String) -> String {
        var result = ""
        for character in url {
            switch character {
            case "<": result += "%3C"
            case ">": result += "%3E"
            case "\\": result += "%5C"
            default: result.append(character)
            }
        }
        return result
    }

    /// Text with Markdown syntax escaped.
    static func escaped(_ text: String) -> String {
        var result = ""
        var isAtStart = true
        var isAfterDigits = false
        for scalar in TextRule.visible(text).unicodeScalars {
            switch scalar {
            case "\\", "`", "*", "_", "{", "}", "[", "]", "<", ">", "#", "|", "~", "&", "!":
                result += "\\"
            case "-" where isAtStart, "+" where isAtStart, "=" where isAtStart: result += "\\"
            case "." where isAfterDigits, ")" where isAfterDigits: result += "\\"
            default: break
            }
            result.unicodeScalars.append(scalar)
            isAfterDigits = ("0"..."9").contains(scalar) && (isAtStart || isAfterDigits)
            isAtStart = false
        }
        return result
    }
}
