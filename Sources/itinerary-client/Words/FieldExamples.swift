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
        field.example.contains(" ") ? "\"\(field.example)\"" : field.example
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
