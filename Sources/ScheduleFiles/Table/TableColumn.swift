import TripModel

/// A column of a table, by its name in the header row.
package enum TableColumn: Hashable, Sendable {
    /// The kind of the item; without this column all rows are games.
    case kind
    /// The id of an exported item.
    case id
    /// The day number.
    case day
    /// The order within the day.
    case sortOrder
    /// The date of the day, or of a game's start.
    case date
    /// The name of the item's source.
    case sourceName
    /// The item's id in its source.
    case sourceID
    /// Of a game: `trip` if it has no zone of its own.
    case clock
    /// In the first row: the trip's start date, number of days, zone, name, accepted problems and exchange rates.
    case startDate, dayCount, tripZone, tripName, acceptedProblems, rates
    /// The user who ticked off a thing to do or an idea.
    case doneBy
    /// A field of the item.
    case field(ItemField)

    /// The columns besides the fields, in the order in which they are written.
    static let others: [TableColumn] =
        [.kind, .id, .day, .sortOrder, .date, .sourceName, .sourceID, .clock] + ofTrip + [.doneBy]
    /// The columns about the trip.
    static let ofTrip: [TableColumn] = [
        .startDate, .dayCount, .tripZone, .tripName, .acceptedProblems, .rates,
    ]

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
        case .clock: "clock"
        case .startDate: "startDate"
        case .dayCount: "days"
        case .tripZone: "tripZone"
        case .tripName: "tripName"
        case .acceptedProblems: "acceptedProblems"
        case .rates: "rates"
        case .doneBy: "doneBy"
        case .field(let field): field.name
        }
    }

    /// The column with this name, in any case and with surrounding space.
    init?(headerName: String) {
        let name = headerName.lowercased().filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
        guard let column = Self.byName[name] else { return nil }
        self = column
    }

    private static let byName: [String: TableColumn] = {
        // A source needs two columns for its two parts.
        let fields = ItemField.allCases.filter { $0 != .source }.map(TableColumn.field)
        return Dictionary(uniqueKeysWithValues: (others + fields).map { ($0.name.lowercased(), $0) })
    }()
}
