/// Converts a place between two neighbours to a number (R-PERS-03, R-FLAT-03, R-NORM).
enum SortOrder {
    /// The smallest distance between neighbours that leaves room between them.
    static let smallestGap = 1e-10
    /// A game's order is this plus the local minutes since midnight (R-DATA-03).
    static let gameBase = 100.0
    /// The possible orders of games: any minute of a day, and up to the next.
    static let gameOrders = gameBase..<gameBase + 24 * 60

    /// Whether a schedule can give this place to a game. Another order might leave no number for an item beside it.
    static func isGamePlace(_ position: Position) -> Bool {
        CalendarDate.dayNumbers.contains(position.day) && gameOrders.contains(position.sortOrder)
    }

    /// The order for a gap between two orders; nil if the items around it must be re-spaced.
    ///
    /// - Parameters:
    ///   - low: the order of the neighbour above, if any.
    ///   - high: the order of the neighbour below, if any.
    ///   - isAboveFirstGame: whether the day has games and the gap is above all of them.
    static func order(between low: Double?, and high: Double?, isAboveFirstGame: Bool) -> Double? {
        var high = high
        if isAboveFirstGame, (low ?? -1) < 0 { high = high.map { min($0, 0) } }
        let order: Double
        switch (low, high) {
        case (nil, nil): order = 1
        case (nil, let high?): order = min(high, 0) - 1
        case (let low?, nil): order = max(low, 0) + 1
        case (let low?, let high?):
            guard high - low >= smallestGap else { return nil }
            order = low + (high - low) / 2
            guard order > low, order < high else { return nil }
        }
        return order.magnitude <= Position.maximumOrder ? order : nil
    }

    /// Evenly spaced ascending orders for several items in one gap; nil if the items around it must be
    /// re-spaced.
    static func orders(
        for count: Int, between low: Double?, and high: Double?, isAboveFirstGame: Bool
    ) -> [Double]? {
        var high = high
        if isAboveFirstGame, (low ?? -1) < 0 { high = high.map { min($0, 0) } }
        let orders: [Double]
        switch (low, high) {
        case (nil, nil): orders = (1...count).map(Double.init)
        case (nil, let high?): orders = (0..<count).map { min(high, 0) - Double(count - $0) }
        case (let low?, nil):
            // As if each were put below the previous one.
            var order = max(low, 0)
            orders = (0..<count).map { _ in
                order += 1
                return order
            }
        case (let low?, let high?):
            let step = (high - low) / Double(count + 1)
            guard step >= smallestGap else { return nil }
            orders = (0..<count).map { low + step * Double($0 + 1) }
        }
        let bounds = [low].compactMap(\.self) + orders + [high].compactMap(\.self)
        guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        return orders.allSatisfy { $0.magnitude <= Position.maximumOrder } ? orders : nil
    }

    /// Whether an item in the gap must be before the games, with an order below zero, when it is re-spaced.
    static func isNegative(between low: Double?, and high: Double?, isAboveFirstGame: Bool) -> Bool {
        if let low, low >= 0 { return false }
        if isAboveFirstGame { return true }
        switch (low, high) {
        case (_, nil): return false
        case (nil, _): return true
        case (let low?, let high?): return low + (high - low) / 2 < 0
        }
    }

    /// Evenly spaced orders for a run of movable items between two games.
    ///
    /// - Parameters:
    ///   - negatives: the number of items with orders below zero, from the top; 0 below a game.
    ///   - count: the number of all items.
    ///   - above: the order of the game above the run, if any.
    ///   - below: the order of the game below the run, if any.
    static func respaced(negatives: Int, count: Int, above: Double?, below: Double?) -> [Double] {
        let positives = count - negatives
        var orders = (0..<negatives).map { Double($0 - negatives) }
        let base = above ?? 0
        for step in 1..<(positives + 1) {
            if let below {
                orders.append(base + (below - base) * Double(step) / Double(positives + 1))
            } else {
                orders.append(base + Double(step))
            }
        }
        return orders
    }
}
