import TripModel
import TripProtocol

/// What to type where travel has no place because a city has several games.
enum TravelAdvice {
    /// Which two games are in the way, and between which it could go; nil for another failure.
    static func sentence(
        for content: ItemContent, in trip: Trip, after failure: CommandFailure
    ) -> String? {
        guard case .travel(let travel) = content, failure.refusal?.known == .noValidPosition else {
            return nil
        }
        let left = games(in: travel.fromCity, of: trip)
        let reached = games(in: travel.toCity, of: trip)
        let last = travel.afterGame.flatMap { trip[$0] } ?? left.last
        let first = travel.beforeGame.flatMap { trip[$0] } ?? reached.first
        guard let last, let first else { return nil }
        let why =
            "\(name(last)), after which it leaves, is not before \(name(first)), before which it arrives"
        // The nearest two that it fits between.
        for arrival in reached {
            guard let departure = left.last(where: { isBefore($0, arrival) }) else { continue }
            return why + "; say which games it goes between, such as --after-game \(quoted(departure)) "
                + "--before-game \(quoted(arrival))"
        }
        return why
    }

    private static func games(in city: String, of trip: Trip) -> [Item] {
        trip.items.filter { item in
            guard case .game(let game) = item.content, let own = game.effectiveCity else { return false }
            return own.compare(city) && trip.header.days.contains(item.position.day)
        }
    }

    private static func isBefore(_ left: Item, _ right: Item) -> Bool {
        (left.position.day, left.position.sortOrder) < (right.position.day, right.position.sortOrder)
    }

    private static func name(_ item: Item) -> String {
        "\(PlainText.visible(item.content.title)) (day \(item.position.day), \(item.position.clockTime))"
    }

    private static func quoted(_ item: Item) -> String {
        "'" + PlainText.visible(item.content.title).replacing("'", with: "'\\''") + "'"
    }
}

extension String {
    /// Whether both name the same city to a person.
    fileprivate func compare(_ other: String) -> Bool {
        func folded(_ text: String) -> [Substring] {
            text.lowercased().split(whereSeparator: \.isWhitespace)
        }
        return folded(self) == folded(other)
    }
}
