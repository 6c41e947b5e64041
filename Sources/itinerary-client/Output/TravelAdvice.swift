import CommandLineKit
import TripModel
import TripProtocol

/// Suggestions for travel that has no place between the games of its cities.
enum TravelAdvice {
    /// A sentence with the two conflicting games and possible solutions; nil for other failures.
    static func sentence(
        for content: ItemContent, in trip: Trip, after failure: CommandFailure
    ) -> String? {
        guard case .travel(let travel) = content, failure.refusal != nil, trip.noPlace(for: content) != nil
        else { return nil }
        let left = games(in: travel.fromCity, of: trip)
        let reached = games(in: travel.toCity, of: trip)
        let last = Self.game(at: travel.afterGame, in: trip) ?? left.last
        let first = Self.game(at: travel.beforeGame, in: trip) ?? reached.first
        guard let last, let first else { return nil }
        let why =
            "\(name(last)), after which it leaves, is not before \(name(first)), before which it arrives"
        return why + "; " + ways(of: travel, left, reached, in: trip).joined(separator: ", ")
    }

    /// The nearest pair of games that the travel fits between, and the use of an open side.
    private static func ways(
        of travel: Travel, _ left: [Item], _ reached: [Item], in trip: Trip
    ) -> [String] {
        let pairs = reached.lazy.compactMap { arrival in
            left.last { isBefore($0, arrival) }.map { (departure: $0, arrival: arrival) }
        }
        var ways: [String] = pairs.prefix(1).map {
            "name the events that it goes between, such as --after-game \(quoted($0.departure)) "
                + "--before-game \(quoted($0.arrival))"
        }
        for (option, side) in [("--before-game", ItemField.beforeGame), ("--after-game", .afterGame)] {
            let open = ItemContent.travel(travel).with([FieldChange(side, .side(.open))])
            guard let days = trip.validDays(for: open) else { continue }
            ways.append(
                "\(option) none allows "
                    + (days.count == 1
                        ? "day \(days.lowerBound)" : "days \(days.lowerBound) to \(days.upperBound)"))
        }
        return ways
    }

    /// A hint for each city of travel without games, if a city with a similar name has some.
    static func cityHints(for travel: Travel, in trip: Trip) -> [String] {
        var cities: [String] = []
        for case .game(let game) in trip.items.map(\.content) {
            if let city = game.effectiveCity, !cities.contains(where: city.compare) { cities.append(city) }
        }
        return [travel.fromCity, travel.toCity].compactMap { name in
            if cities.contains(where: name.compare) { return nil }
            let folded = name.lowercased()
            let near =
                cities.first { folded.contains($0.lowercased()) || $0.lowercased().contains(folded) }
                ?? NearestSpelling.word(for: folded, among: cities.map { $0.lowercased() }).flatMap { near in
                    cities.first { $0.lowercased() == near }
                }
            return near.map {
                "No event is in \(PlainText.visible(name)); did you mean \(PlainText.visible($0))?"
            }
        }
    }

    private static func game(at side: TravelSide?, in trip: Trip) -> Item? { side?.game.flatMap { trip[$0] } }

    private static func games(in city: String, of trip: Trip) -> [Item] {
        trip.items.filter { item in
            guard case .game(let game) = item.content, game.isBinding, let own = game.effectiveCity else {
                return false
            }
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
    /// Whether both are the same city for a user.
    fileprivate func compare(_ other: String) -> Bool {
        func folded(_ text: String) -> [Substring] {
            text.lowercased().split(whereSeparator: \.isWhitespace)
        }
        return folded(self) == folded(other)
    }
}
