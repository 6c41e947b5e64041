/// The games that start in one minute of a day, and their orders there (R-DATA-03).
struct SharedMinute {
    /// The games, by gameID.
    let games: [Row]
    private let minute: Double
    private let newcomers: Set<ItemID>
    /// The other items of the minute, in order.
    private let others: [Row]

    /// - Parameter minute: the order that represents the minute.
    init(
        _ minute: Double, _ rows: Slice<RowList>, _ newcomers: Set<ItemID>, gameID: (Row) -> String
    ) {
        self.minute = minute
        self.newcomers = newcomers
        others = rows.filter { !$0.isGame }
        games = rows.filter(\.isGame).map { (row: $0, gameID: gameID($0)) }
            .sorted { String.precedes($0.gameID, $1.gameID) }.map(\.row)
    }

    /// Whether the games of a minute have distinct orders, sorted by gameID wherever no other item is between
    /// them.
    static func isApart(_ rows: Slice<RowList>, gameID: (Row) -> String) -> Bool {
        var last: Row?
        for row in rows {
            defer { last = row }
            guard row.isGame, let last, last.isGame else { continue }
            guard last.sortOrder < row.sortOrder, String.precedes(gameID(last), gameID(row)) else {
                return false
            }
        }
        return true
    }

    /// The number of rows in the minute.
    var count: Int { games.count + others.count }

    /// An order for each game.
    ///
    /// Games are spaced evenly by rank. If this would move a game past an item that a user put between two of
    /// them, each game stays on its side of that item (R-EDIT).
    var orders: [Double] {
        let ranked = games.indices.map { minute + Double($0) * Self.step(for: games.count) }
        let isKept = zip(games, ranked).allSatisfy { game, order in
            newcomers.contains(game.id) || countOfOthers(above: game.sortOrder) == countOfOthers(above: order)
        }
        return isKept ? ranked : ordersBetweenOthers ?? ranked
    }

    /// The distance between evenly spaced games, small enough for the maximum number of items.
    private static func step(for count: Int) -> Double {
        count <= 1024 ? 1.0 / 1024 : 1.0 / 16_384
    }

    /// The number of other items above a game with this order; in a tie the game comes first.
    private func countOfOthers(above order: Double) -> Int {
        others.partitioningIndex { $0.sortOrder >= order }
    }

    /// Orders that keep each game between the same other items; nil if there is no room.
    private var ordersBetweenOthers: [Double]? {
        // A newcomer follows the game before it.
        var gaps: [Int] = []
        for game in games {
            let present = newcomers.contains(game.id) ? 0 : countOfOthers(above: game.sortOrder)
            guard newcomers.contains(game.id) || present >= gaps.last ?? 0 else { return nil }
            gaps.append(max(present, gaps.last ?? 0))
        }
        var orders: [Double] = []
        while orders.count < games.count {
            let first = orders.count
            let gap = gaps[first]
            let count = gaps[first...].prefix { $0 == gap }.count
            let present = games[first..<(first + count)]
            let kept = present.map(\.sortOrder)
            if !present.contains(where: { newcomers.contains($0.id) }),
                zip(kept, kept.dropFirst()).allSatisfy({ $0 < $1 }), orders.last ?? -.infinity < kept[0]
            {
                orders += kept
                continue
            }
            let low = gap == 0 ? minute : others[gap - 1].sortOrder
            let high = gap == others.count ? minute + 1 : others[gap].sortOrder
            // The first game of a minute has the minute's own order.
            let offset = gap == 0 ? 0 : 1
            let step = min((high - low) / Double(count + offset), Self.step(for: games.count))
            orders += (0..<count).map { low + Double($0 + offset) * step }
            guard orders[first] > low || gap == 0, let last = orders.last, last < high else { return nil }
        }
        return zip(orders, orders.dropFirst()).allSatisfy { $0 < $1 } ? orders : nil
    }
}
