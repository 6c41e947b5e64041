import CommandLineKit
import TripModel
import TripProtocol

/// `--format '{day} {time} {title}'`: a line per item or trip.
struct LineFormat {
    private enum Part {
        case text(String)
        case field(String)
    }

    private let parts: [Part]

    static let option = OptionRow.value(
        "--format", "LINE", "print each as LINE, with fields such as {day}, {time} and {title}")

    /// The names of fields in other commands.
    private static let shortNames = [
        "start": "startDate", "end": "endDate", "days": "dayCount", "zone": "timeZone", "items": "itemCount",
    ]

    /// - Throws: `CommandFailure` with an unknown field.
    init(_ text: String, fields: [String]) throws(CommandFailure) {
        var parts: [Part] = []
        var rest = text.replacing("\\t", with: "\t").replacing("\\n", with: "\n")[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            let field = Self.shortNames[name].flatMap { fields.contains($0) ? $0 : nil } ?? name
            guard fields.contains(field) else {
                let question = NearestSpelling.question(for: name, among: fields)
                let known = question.isEmpty ? "; there are \(fields.joined(separator: ", "))" : question
                throw .usage("--format has no field {\(PlainText.visible(name))}\(known)")
            }
            parts += [.text(String(rest[..<open])), .field(field)]
            rest = rest[rest.index(after: close)...]
        }
        self.parts = parts + [.text(String(rest))]
    }

    /// The line with the fields replaced by a function's values.
    func line(_ value: (String) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let name):
                value(name).split { $0.isNewline }.map { PlainText.visible(String($0)) }
                    .joined(separator: " ")
            }
        }.joined()
    }

    // MARK: Items

    private static let ownItemFields = ["id", "kind", "day", "date", "weekday", "trip"]

    /// The fields of an item's line.
    static let itemFields = ownItemFields + ItemField.allCases.map(\.name)

    /// The line of an item.
    func line(of item: Item, in trip: Trip) -> String {
        line { name in
            let date = trip.header.date(ofDay: item.position.day)
            switch name {
            case "id": return item.id.description
            case "kind": return item.content.kind.rawValue
            case "day": return "\(item.position.day)"
            case "date": return date?.description ?? ""
            case "weekday": return date.map(DateText.weekday(of:)) ?? ""
            case "trip": return trip.header.slug
            // A game's time follows from its schedule.
            case ItemField.time.name: return item.clockTime ?? ""
            case ItemField.title.name: return item.content.title
            default:
                return ItemField(name: name).flatMap { item.content.text(of: $0, in: trip) } ?? ""
            }
        }
    }

    // MARK: Trips

    /// The fields of a trip's line.
    static let tripFields = [
        "slug", "name", "id", "startDate", "endDate", "dayCount", "timeZone", "itemCount", "version", "state",
    ]

    /// The line of a trip.
    func line(of trip: TripSummary) -> String {
        let header = trip.header
        return line { name in
            switch name {
            case "slug": header.slug
            case "name": header.name
            case "id": header.id.description
            case "startDate": header.startDate.description
            case "endDate": header.date(ofDay: header.dayCount)?.description ?? ""
            case "dayCount": "\(header.dayCount)"
            case "timeZone": header.timeZone
            case "itemCount": "\(trip.itemCount)"
            case "version": "\(trip.version)"
            default: trip.state.rawValue
            }
        }
    }
}

extension Invocation {
    /// The format of the lines, if given.
    func lineFormat(_ fields: [String]) throws(CommandFailure) -> LineFormat? {
        guard let text = value(LineFormat.option) else { return nil }
        if isJSON { throw .usage("--format and --json exclude each other") }
        return try LineFormat(text, fields: fields)
    }
}
