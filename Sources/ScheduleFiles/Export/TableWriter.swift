import TripModel

/// Writes a trip as a table with a row per item, in shown order, and all fields. Things to do and ideas follow, if there
/// are any.
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
        let columns =
            columns.filter { $0 != .rates || !trip.header.rates.isEmpty }
            + (trip.header.todo.isEmpty ? [] : [.doneBy])
        writer.write(columns.map(\.name))
        var isFirst = true
        func write(_ cell: (TableColumn) -> String) {
            writer.write(
                columns.map { column in
                    if !TableColumn.ofTrip.contains(column) { return cell(column) }
                    return isFirst ? Self.cell(column, of: trip.header) : ""
                })
            isFirst = false
        }
        for item in trip.items { write { cell($0, of: item, in: trip) } }
        for entry in trip.header.todo { write { cell($0, of: entry) } }
        return writer.bytes
    }

    private static func cell(_ column: TableColumn, of entry: TodoEntry) -> String {
        switch column {
        case .kind: return (entry.item == nil ? TableRow.TodoKind.todo : .idea).rawValue
        case .id: return entry.id.description
        case .doneBy: return entry.doneBy.map { CellGuard.added(to: TextRule.visible($0)) } ?? ""
        case .field(let field):
            if let item = entry.item { return cell(of: item[field], field) }
            return field == .title ? CellGuard.added(to: TextRule.visible(entry.text)) : ""
        default: return ""
        }
    }

    private static func cell(_ column: TableColumn, of header: TripHeader) -> String {
        switch column {
        case .startDate: header.startDate.description
        case .dayCount: String(header.dayCount)
        case .tripZone: header.timeZone
        case .tripName: CellGuard.added(to: TextRule.visible(header.name))
        case .acceptedProblems: header.acceptedProblems.sorted().joined(separator: " ")
        case .rates: CellGuard.added(to: TextRule.visible(header.rates))
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
        case .startDate, .dayCount, .tripZone, .tripName, .acceptedProblems, .rates, .doneBy: return ""
        case .field(.timeZone) where item.isGame && item.content[.timeZone] == nil:
            // Spreadsheets and other trips need the zone to read the start.
            return trip.header.timeZone
        case .field(let field): return cell(of: item.content[field], field)
        }
    }

    private static func cell(of value: FieldValue?, _ field: ItemField) -> String {
        switch value {
        case nil: ""
        // Only text can be a formula; a number with a minus sign stays a number.
        case .text(let text)?: CellGuard.added(to: TextRule.visible(text, keepingNewlines: field == .note))
        // A currency is text too, so after a minus sign it can be a formula.
        case .cost(let cost)? where !cost.currency.unicodeScalars.allSatisfy(\.properties.isAlphabetic):
            CellGuard.added(to: TextRule.visible(FieldText.text(of: .cost(cost))))
        case let value?: TextRule.visible(FieldText.text(of: value))
        }
    }
}
