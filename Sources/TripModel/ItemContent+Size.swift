extension ItemContent {
    /// Bytes that it has as JSON at most: its texts, each character escaped, and something for the rest. In constant
    /// time.
    package var encodedBytes: Int {
        let texts: [String?] =
            switch self {
            case .game(let game):
                [game.gameID, game.title, game.city, game.venue, game.timeZone, game.startsAt.text]
            case .travel(let travel): [travel.fromCity, travel.toCity, travel.mode, travel.note]
            case .custom(let item): [item.title, item.icon, item.city, item.note, item.cost?.currency]
            }
        return texts.reduce(1024) { $0 + 2 * ($1?.utf8.count ?? 0) }
    }
}
