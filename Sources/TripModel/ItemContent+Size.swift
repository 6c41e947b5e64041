extension ItemContent {
    /// Bytes of its texts, in UTF-8. In constant time.
    package var textBytes: Int {
        func count(_ text: String?) -> Int { text?.utf8.count ?? 0 }
        switch self {
        case .game(let game):
            return count(game.gameID) + count(game.title) + count(game.city) + count(game.venue)
                + count(game.startsAt.text) + count(game.timeZone)
        case .travel(let travel):
            return count(travel.fromCity) + count(travel.toCity) + count(travel.mode) + count(travel.note)
        case .custom(let item):
            return count(item.title) + count(item.icon) + count(item.city) + count(item.note)
                + count(item.cost?.currency)
        }
    }

    /// Bytes that it has as JSON at most: each character of its texts escaped, and something for the rest.
    package var encodedBytes: Int { 1024 + 2 * textBytes }
}
