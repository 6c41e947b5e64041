extension ItemContent {
    /// Takes over a new value of one field.
    ///
    /// - Throws: `Rejection.invalid` for a field that this kind does not have.
    mutating func set(_ change: FieldChange) throws(Rejection) {
        switch self {
        case .game(var game):
            switch change {
            case .gameID(let value): game.gameID = value
            case .title(let value): game.title = value
            case .city(let value): game.city = value
            case .venue(let value): game.venue = value
            case .startsAt(let value): game.startsAt = value
            case .timeZone(let value): game.timeZone = value
            case .durationMinutes(let value): game.durationMinutes = value
            default: throw .invalid(field: change.field, "a game has no such field")
            }
            self = .game(game)
        case .travel(var travel):
            switch change {
            case .fromCity(let value): travel.fromCity = value
            case .toCity(let value): travel.toCity = value
            case .mode(let value): travel.mode = value
            case .durationMinutes(let value): travel.durationMinutes = value
            case .note(let value): travel.note = value
            case .afterGame(let value): travel.afterGame = value
            case .beforeGame(let value): travel.beforeGame = value
            default: throw .invalid(field: change.field, "travel has no such field")
            }
            self = .travel(travel)
        case .custom(var custom):
            switch change {
            case .title(let value): custom.title = value
            case .icon(let value): custom.icon = value
            case .city(let value): custom.city = value
            case .note(let value): custom.note = value
            case .durationMinutes(let value): custom.durationMinutes = value
            case .cost(let value): custom.cost = value
            default: throw .invalid(field: change.field, "a custom item has no such field")
            }
            self = .custom(custom)
        }
    }
}
