// The storage of items and its indexes. Functions take many items at once, so that they cost about one pass
// over the trip.
extension Trip {
    /// Adds an item, or replaces the one with its id.
    mutating func store(_ item: Item) { replace(CollectionOfOne((item.id, item))) }

    /// Removes an item.
    mutating func discard(_ id: ItemID) { replace(CollectionOfOne((id, nil))) }

    /// Adds, replaces and removes (nil) items with distinct ids.
    ///
    /// All removals come first, because two games may have exchanged their gameIDs.
    mutating func replace(_ items: some Collection<(id: ItemID, item: Item?)>) {
        var exchange = RowExchange(ofItems: items.count)
        for (id, _) in items {
            guard let old = itemsByID[id] else { continue }
            remove(Row(old), old, &exchange)
            textBytes -= old.textBytes
            guard case .game(let game) = old.content else { continue }
            itemByGameID[TextKey(game.gameID)] = nil
            gamesNearYearBounds.remove(id)
        }
        for (id, item) in items {
            guard let item else {
                itemsByID[id] = nil
                continue
            }
            if let place = itemsByID.index(forKey: id) {
                itemsByID.values[place] = item.sharingContent(of: itemsByID.values[place])
            } else {
                itemsByID[id] = item
            }
            textBytes += item.textBytes
            if case .game(let game) = item.content {
                itemByGameID[TextKey(game.gameID)] = id
                if game.startsAt.isNearYearBounds { gamesNearYearBounds.insert(id) }
            }
            put(Row(item), item, &exchange)
        }
        carryOut(exchange)
    }

    /// Changes the positions of items of the trip. Ids must be distinct.
    mutating func relocate(_ places: some Collection<(id: ItemID, position: Position)>) {
        var exchange = RowExchange(ofItems: places.count)
        for (id, position) in places {
            guard let index = itemsByID.index(forKey: id) else {
                preconditionFailure("an item that moves is in the trip")
            }
            let old = itemsByID.values[index]
            remove(Row(old), old, &exchange)
            itemsByID.values[index].position = position
            put(
                Row(day: position.day, sortOrder: position.sortOrder, isGame: old.isGame, id: id), old,
                &exchange)
        }
        carryOut(exchange)
    }

    /// Changes the orders of adjacent movable items without changing their ranks.
    mutating func shift(_ run: Range<RowList.Index>, to orders: [Double]) {
        guard !run.isEmpty else { return }
        var planned = plannedRows.lowerBound(of: rows[run.lowerBound])
        for (index, order) in zip(rows[run].indices, orders) {
            let row = rows[index]
            precondition(!row.isGame, "games keep their derived order")
            let isPlanned = planned < plannedRows.endIndex && plannedRows[planned].id == row.id
            if row.sortOrder != order {
                let shifted = Row(day: row.day, sortOrder: order, isGame: false, id: row.id)
                rows.shift(rowAt: index, to: shifted)
                if isPlanned { plannedRows.shift(rowAt: planned, to: shifted) }
                itemsByID[row.id]?.position = Position(day: row.day, sortOrder: order)
            }
            if isPlanned { planned = plannedRows.index(after: planned) }
        }
    }

    // MARK: The lists of rows

    private mutating func remove(_ row: Row, _ item: Item, _ exchange: inout RowExchange?) {
        let (isPlanned, city) = (item.content.isPlanned, row.isGame ? item.cityGames : nil)
        guard exchange == nil else {
            exchange?.gone.add(row, isPlanned: isPlanned, city)
            return
        }
        rows.remove(row)
        if row.isGame { games.remove(row) }
        if isPlanned { plannedRows.remove(row) }
        guard let city else { return }
        gamesByCity[city]?.remove(row)
        if gamesByCity[city]?.isEmpty == true { gamesByCity[city] = nil }
    }

    private mutating func put(_ row: Row, _ item: Item, _ exchange: inout RowExchange?) {
        let (isPlanned, city) = (item.content.isPlanned, row.isGame ? item.cityGames : nil)
        guard exchange == nil else {
            exchange?.new.add(row, isPlanned: isPlanned, city)
            return
        }
        rows.insert(row)
        if row.isGame { games.insert(row) }
        if isPlanned { plannedRows.insert(row) }
        if let city { gamesByCity[city, default: RowList()].insert(row) }
    }

    private mutating func carryOut(_ exchange: RowExchange?) {
        guard let exchange else { return }
        let (gone, new) = (exchange.gone, exchange.new)
        rows.replace(gone.all, with: new.all)
        if !gone.games.isEmpty || !new.games.isEmpty { games.replace(gone.games, with: new.games) }
        if !gone.planned.isEmpty || !new.planned.isEmpty {
            plannedRows.replace(gone.planned, with: new.planned)
        }
        for city in Set(gone.byCity.keys).union(new.byCity.keys) {
            gamesByCity[city, default: RowList()].replace(
                gone.byCity[city] ?? [], with: new.byCity[city] ?? [])
            if gamesByCity[city]?.isEmpty == true { gamesByCity[city] = nil }
        }
    }
}

/// Removed and added rows, grouped by list, so that each list is rebuilt in one pass.
private struct RowExchange {
    /// Rows by the lists that contain them.
    struct Rows {
        private(set) var all: [Row] = []
        private(set) var games: [Row] = []
        private(set) var planned: [Row] = []
        private(set) var byCity: [CityGames: [Row]] = [:]

        init(reserving count: Int) { all.reserveCapacity(count) }

        mutating func add(_ row: Row, isPlanned: Bool, _ city: CityGames?) {
            all.append(row)
            if row.isGame { games.append(row) }
            if isPlanned { planned.append(row) }
            if let city { byCity[city, default: []].append(row) }
        }
    }

    var gone: Rows
    var new: Rows

    /// The maximum number of rows that are exchanged one by one.
    private static let few = 12

    /// Nil if the items are so few that exchanging their rows one by one is faster.
    init?(ofItems count: Int) {
        guard count > Self.few else { return nil }
        gone = Rows(reserving: count)
        new = Rows(reserving: count)
    }
}
