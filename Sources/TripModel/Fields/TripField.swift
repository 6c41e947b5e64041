/// A field of a trip itself, by its name in commands and forms.
package enum TripField: String, CaseIterable, Sendable {
    /// The fields that every trip has, its exchange rates, and its name in commands.
    case name, start, days, zone, rates, slug

    /// The field with a name in commands or in the protocol; nil if there is none.
    package init?(word: String) {
        guard let field = Self.allCases.first(where: { $0.rawValue == word || $0.row.key == word })
        else { return nil }
        self = field
    }

    /// The label in a form.
    package var label: String { row.label }

    /// The text that a form shows for an empty value.
    package var hint: String { self == .rates ? "EUR, JPY:0.0061 EUR" : "" }

    /// The name in the protocol, and the label in a form.
    private var row: (key: String, label: String) {
        switch self {
        case .name: ("name", "Name")
        case .start: ("startDate", "First day")
        case .days: ("dayCount", "Days")
        case .zone: ("timeZone", "Time zone")
        case .rates: ("rates", "Rates")
        case .slug: ("slug", "Slug")
        }
    }
}
