/// A column that a schedule's table may have, by its name in the header row.
package enum ScheduleColumn: String, CaseIterable, Sendable {
    case gameID = "gameId"
    case title
    case city
    case venue
    case startsAt
    case timeZone
    case durationMinutes

    /// Whether a table is of no use without it.
    package var isRequired: Bool {
        switch self {
        case .gameID, .title, .startsAt: true
        case .city, .venue, .timeZone, .durationMinutes: false
        }
    }

    /// The column of that name, in any case and with any space around it.
    init?(headerName: String) {
        let name = headerName.lowercased().filter { !$0.isWhitespace }
        guard let column = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else {
            return nil
        }
        self = column
    }
}
