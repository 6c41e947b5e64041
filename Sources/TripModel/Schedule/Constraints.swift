/// The games that bind one travel item, and the days they leave it (R-CONS-02, R-CONS-03, R-LEG, R-BARRIER).
struct TravelBounds {
    /// The games it must follow, all on one day, in shown order.
    let departures: Slice<RowList>
    /// The games it must precede, all on one day, in shown order.
    let arrivals: Slice<RowList>
    let firstDay: Int
    let lastDay: Int

    /// Nil if the last departure is on a later day than the first arrival.
    var validDays: ClosedRange<Int>? { firstDay <= lastDay ? firstDay...lastDay : nil }

    /// The reason why there is no valid place, if the last departure is not before the first arrival.
    var noPlace: PlaceRefusal? {
        guard let last = departures.last, let first = arrivals.first, first <= last else { return nil }
        return .noValidPosition(after: last.id, before: first.id)
    }

    /// The maximum number of games in a refusal: those nearest to the valid places.
    static let namedGames = 8

    /// The reason why a place is invalid; nil if it is valid.
    ///
    /// - Parameters:
    ///   - isAbove: whether a game is strictly above the place.
    ///   - isBelow: whether a game is strictly below it.
    func refusal(onDay day: Int, isAbove: (Row) -> Bool, isBelow: (Row) -> Bool) -> PlaceRefusal? {
        guard let validDays else { return noPlace }
        guard validDays.contains(day) else { return .outsideValidDays(validDays) }
        if let last = departures.last, last.day == day, !isAbove(last) {
            let missed = departures.suffix(Self.namedGames).filter { !isAbove($0) }
            return .beforeDepartureGame(missed.map(\.id))
        }
        if let first = arrivals.first, first.day == day, !isBelow(first) {
            let passed = arrivals.prefix(Self.namedGames).filter { !isBelow($0) }
            return .afterArrivalGame(passed.map(\.id))
        }
        return nil
    }
}

extension Trip {
    /// The days an item may be on: all for a custom item, nil for a game or if no place is valid.
    public func validDays(for content: ItemContent) -> ClosedRange<Int>? {
        switch content {
        case .game: nil
        case .travel(let travel): bounds(for: travel).validDays
        case .custom: header.days
        }
    }

    /// The games that bind a travel item, even if no place is valid; none for other items (R-BARRIER).
    public func barriers(for content: ItemContent) -> [ItemID] {
        guard case .travel(let travel) = content else { return [] }
        let bounds = bounds(for: travel)
        let departures = bounds.departures.map(\.id)
        // One game can bind both sides.
        let named = Set(departures)
        return departures + bounds.arrivals.map(\.id).filter { !named.contains($0) }
    }

    /// The last game that travel must follow and the first that it must precede; nil for an unbound side, and
    /// for other items.
    package func boundGames(of content: ItemContent) -> (after: ItemID?, before: ItemID?) {
        guard case .travel(let travel) = content else { return (nil, nil) }
        let bounds = bounds(for: travel)
        return (bounds.departures.last?.id, bounds.arrivals.first?.id)
    }

    /// The reason why content may not be at a position; nil if it may.
    public func refusal(of content: ItemContent, at position: Position) -> PlaceRefusal? {
        if content.isGame { return .gameImmovable }
        guard header.days.contains(position.day) else {
            return .dayOutOfRange(day: position.day, dayCount: header.dayCount)
        }
        guard case .travel(let travel) = content else { return nil }
        return bounds(for: travel).refusal(
            onDay: position.day, isAbove: { $0.sortOrder < position.sortOrder },
            isBelow: { $0.sortOrder > position.sortOrder })
    }

    /// The games that bind travel, and its valid days.
    ///
    /// - Parameter ends: the travel's cities, if already normalised.
    func bounds(for travel: Travel, between ends: TravelEnds? = nil) -> TravelBounds {
        let ends = ends ?? TravelEnds(of: travel)
        let departures = games(at: travel.afterGame) ?? lastGames(in: ends.from)
        let arrivals = games(at: travel.beforeGame) ?? firstGames(in: ends.to)
        return TravelBounds(
            departures: departures, arrivals: arrivals, firstDay: departures.first?.day ?? 1,
            lastDay: arrivals.first?.day ?? header.dayCount)
    }

    /// The game that a side names, if it is attended and on a day of the trip. Empty for an open side; nil if
    /// the games of the city bind the side (R-LEG).
    private func games(at side: TravelSide?) -> Slice<RowList>? {
        switch side {
        case nil: return nil
        case .open?: return RowList()[...]
        case .game(let id)?:
            guard let game = itemsByID[id], game.content.isBindingGame,
                header.days.contains(game.position.day)
            else {
                return nil
            }
            return RowList(sorted: [Row(game)])[...]
        }
    }

    /// The games of a city on the last day of the trip that has any.
    private func lastGames(in city: CityName?) -> Slice<RowList> {
        let games = gamesWithinTrip(in: city)
        guard let day = games.last?.day else { return games }
        return games[games.base.partitioningIndex { $0.day >= day }..<games.endIndex]
    }

    /// The games of a city on the first day of the trip that has any.
    private func firstGames(in city: CityName?) -> Slice<RowList> {
        let games = gamesWithinTrip(in: city)
        guard let day = games.first?.day else { return games }
        return games[games.startIndex..<games.base.partitioningIndex { $0.day > day }]
    }

    func gamesWithinTrip(in city: CityName?) -> Slice<RowList> {
        guard let city, let games = gamesByCity[CityGames(city: city, isBinding: true)] else {
            return RowList()[...]
        }
        let start = games.partitioningIndex { $0.day >= 1 }
        let end = games.partitioningIndex { $0.day > header.dayCount }
        return games[start..<end]
    }
}
