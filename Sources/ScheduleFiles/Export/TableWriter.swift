import TripModel

/// Writes a trip as a table with a row per item, in shown order, and all fields.
enum TableWriter {
    private static let columns: [TableColumn] =
        [.kind, .id, .day, .sortOrder, .date]
        + ItemField.allCases.filter { $0 != .source }.map(TableColumn.field) + [
            .sourceName, .sourceID, .clock,
        ]
        + TableColumn.ofTrip

    /// The trip as CSV.
    static func text(of trip: Trip) -> [UInt8] {
        var writer = CSVWriter()
        writer.write(columns.map(\.name))
        for (index, item) in trip.items.enumerated() {
            writer.write(
                columns.map { column in
                    if !TableColumn.ofTrip.contains(column) { return cell(column, of: item, in: trip) }
                    return index == 0 ? cell(column, of: trip.header) : ""
                })
        }
        return writer.bytes
    }

    private static func cell(_ column: TableColumn, of header: TripHeader) -> String {
        switch column {
        case .startDate: header.startDate.description
        case .dayCount: String(header.dayCount)
        case .tripZone: header.timeZone
        case .tripName: CellGuard.added(to: TextRule.visible(header.name))
        case .acceptedProblems: header.acceptedProblems.sorted().joined(separator: " ")
        default: ""
        }
    }

    private static func cell(_ column: TableColumn, of item: Item, in trip: Trip) -> String {
        switch column {
        case .kind: return item.content.kind.rawValue
        case .id: return item.id.description
        case .day: return String(item.position.day)
        case .sortOrder: return DecimalText.text(of: item.position.sortOrder)
        case .date: return trip.header.date(ofDay: item.position.day)?.description ?? ""
        case .sourceName, .sourceID:
            guard let source = item.content.source else { return "" }
            return CellGuard.added(to: TextRule.visible(column == .sourceName ? source.name : source.id))
        case .clock: return item.isGame && item.content[.timeZone] == nil ? "trip" : ""
        case .startDate, .dayCount, .tripZone, .tripName, .acceptedProblems: return ""
        case .field(let field):
            switch item.content[field] {
            // Spreadsheets and other trips need the zone to read the start.
            case nil where field == .timeZone && item.isGame: return trip.header.timeZone
            case nil: return ""
            // Only text can be a formula; a number with a minus sign stays a number.
            case .text(let text)?:
                return CellGuard.added(to: TextRule.visible(text, keepingNewlines: field == .note))
            // A currency is text too, so after a minus sign it can be a formula.
            case .cost(let cost)? where !cost.currency.unicodeScalars.allSatisfy(\.properties.isAlphabetic):
                return CellGuard.added(to: TextRule.visible(FieldText.text(of: .cost(cost))))
            case let value?: return TextRule.visible(FieldText.text(of: value))
            }
        }
    }
}
