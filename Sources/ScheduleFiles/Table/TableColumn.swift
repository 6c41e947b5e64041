import TripModel

/// A column that a table may have, by its name in the header row.
package enum TableColumn: Hashable, Sendable {
    /// What kind of item the row is; without it all rows are games.
    case kind
    /// The id of an item of ours.
    case id
    /// The number of the day.
    case day
    /// The order within the day.
    case sortOrder
    /// The date of the day; of a game the date of its start.
    case date
    /// The name of the calendar or table that the item came from.
    case sourceName
    /// What that calls it.
    case sourceID
    /// A field of the item.
    case field(ItemField)

    /// The columns besides those of the fields, in the order in which we write them.
    static let others: [TableColumn] = [.kind, .id, .day, .sortOrder, .date, .sourceName, .sourceID]

    /// The name in the header row.
    package var name: String {
        switch self {
        case .kind: "kind"
        case .id: "id"
        case .day: "day"
        case .sortOrder: "sortOrder"
        case .date: "date"
        case .sourceName: "source"
        case .sourceID: "sourceId"
        case .field(let field): field.name
        }
    }

    /// The column of that name, in any case and with any space around it.
    init?(headerName: String) {
        let name = headerName.lowercased().filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
        guard let column = Self.byName[name] else { return nil }
        self = column
    }

    private static let byName: [String: TableColumn] = {
        // The source is two columns, as one cell has no room for both of its parts.
        let fields = ItemField.allCases.filter { $0 != .source }.map(TableColumn.field)
        return Dictionary(uniqueKeysWithValues: (others + fields).map { ($0.name.lowercased(), $0) })
    }()
}
