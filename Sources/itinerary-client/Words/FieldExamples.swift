import TripModel

/// An example value of every field, as a command accepts it.
enum FieldExamples {
    /// The fields of each kind of item, as lines of the help.
    static var lines: [String] {
        var fields: [ItemField] = []
        for field in [ItemKind.custom, .travel, .game].flatMap(\.fields) where !fields.contains(field) {
            fields.append(field)
        }
        return fields.map { field in
            let kinds = ItemKind.allCases.filter { $0.fields.contains(field) }
            let scope =
                kinds.count == ItemKind.allCases.count ? "" : kinds.map(\.fieldScope).joined(separator: ", ")
            let example = "\(field.name)=\(value(of: field))"
            let padding = String(repeating: " ", count: max(2, 34 - example.count))
            return ("  " + example + (scope.isEmpty ? "" : padding + scope))
        } + ["  arrives=06:20+1                   travel; sets durationMinutes by the clock of the arrival"]
    }

    /// A value that needs no quoting in the shell.
    static func value(of field: ItemField) -> String {
        switch field {
        case .title: "\"Tea house\""
        case .icon: "🍵"
        case .fromCity: "Tokyo"
        case .toCity: "Kyoto"
        case .time: "19:30"
        case .endTime: "11:00"
        case .nights: "3"
        case .arrivalTimeZone: "America/Los_Angeles"
        case .attending: "no"
        case .cancelled, .lateNight: "yes"
        case .startsAt: "2027-04-03T18:00:00+09:00"
        case .timeZone: "Asia/Tokyo"
        case .city: "Kyoto"
        case .venue: "Koshien"
        case .place: "\"1-13-11 Nishiazabu\""
        case .mode: "train"
        case .durationMinutes: "90"
        case .cost: "\"45 EUR\""
        case .paidBy: "ann"
        case .sharedBy: "ann,ben"
        case .who: "ann,ben"
        case .reference: "XK4J7P"
        case .url: "https://example.org/booking"
        case .note: "\"bring cash\""
        case .coordinate: "35.66,139.72"
        case .afterGame, .beforeGame: "\"Giants v Tigers\""
        case .gameID: "g4"
        case .source: "league/g4"
        }
    }
}

extension ItemKind {
    /// The kind in the list of fields.
    fileprivate var fieldScope: String {
        switch self {
        case .game: "events"
        case .travel: "travel"
        case .custom: "custom items"
        }
    }
}
