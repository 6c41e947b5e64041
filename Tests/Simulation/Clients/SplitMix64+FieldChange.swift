import TestSupport
import TripModel

extension SplitMix64 {
    /// A valid value of a field, or none if it is not required.
    ///
    /// - Parameter games: the ids of the trip's games.
    mutating func fieldChange(_ field: ItemField, games: [ItemID]) -> FieldChange {
        if !field.isRequired, chance(25) { return FieldChange(field, nil) }
        let number = below(99)
        switch field {
        case .timeZone, .arrivalTimeZone:
            return FieldChange(field, pick(["UTC", "Asia/Tokyo", "America/Lima"]).map(FieldValue.text))
        case .url: return FieldChange(field, .text("https://example.org/\(number)"))
        default: break
        }
        let value: FieldValue? =
            switch field.row.type {
            case .text: .text("t\(number)")
            case .minutes: .minutes(number)
            case .nights: .nights(number % 9)
            case .flag: .flag(number % 2 == 0)
            case .moment:
                OffsetDateTime("2026-06-1\(number % 5)T1\(number % 7):00:00Z").map(FieldValue.moment)
            case .cost: .cost(Cost(amount: Double(number), currency: "EUR"))
            case .side: .side(pick(games).map { .game($0) } ?? .open)
            case .time: ClockTime(minute: number * 14).map(FieldValue.time)
            case .coordinate: .coordinate(Coordinate(latitude: Double(number) / 2, longitude: Double(number)))
            case .source: .source(ItemSource(name: "table", id: "\(number)"))
            }
        return FieldChange(field, value)
    }
}
