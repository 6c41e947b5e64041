import TripModel

/// Writes a trip as a table: one row an item, in shown order, with all that there is to know of it.
enum TableWriter {
    private static let columns: [TableColumn] =
        [.kind, .id, .day, .sortOrder, .date]
        + ItemField.allCases.filter { $0 != .source }.map(TableColumn.field) + [.sourceName, .sourceID]

    /// The trip as CSV.
    static func text(of trip: Trip) -> [UInt8] {
        var writer = CSVWriter()
        writer.write(columns.map(\.name))
        for item in trip.items { writer.write(columns.map { cell($0, of: item, in: trip) }) }
        return writer.bytes
    }

    private static func cell(_ column: TableColumn, of item: Item, in trip: Trip) -> String {
        switch column {
        case .kind: return item.content.kind.rawValue
        case .id: return item.id.description
        case .day: return String(item.position.day)
        case .sortOrder: return DecimalText.text(of: item.position.sortOrder)
        case .date: return trip.header.date(ofDay: item.position.day)?.description ?? ""
        case .sourceName, .sourceID:
            guard case .source(let source)? = item.content[.source] else { return "" }
            return CellGuard.added(to: TextRule.visible(column == .sourceName ? source.name : source.id))
        case .field(let field):
            switch item.content[field] {
            case nil: return ""
            // Only text can be anything; a number that begins with a minus stays one.
            case .text(let text)?:
                return CellGuard.added(to: TextRule.visible(text, keepingNewlines: field == .note))
            // A currency is text as well, and what stands behind a minus as well as anything.
            case .cost(let cost)? where !cost.currency.unicodeScalars.allSatisfy(\.properties.isAlphabetic):
                return CellGuard.added(to: TextRule.visible(FieldText.text(of: .cost(cost))))
            case let value?: return TextRule.visible(FieldText.text(of: value))
            }
        }
    }
}
