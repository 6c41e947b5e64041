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
            guard case .game(let game) = old.content else {
                remove(Row(old), nil, &exchange)
                continue
            }
            remove(Row(old), cityByGame[id], &exchange)
            itemByGameID[TextKey(game.gameID)] = nil
            gamesNearYearBounds.remove(id)
        }
        for (id, item) in items {
            if item?.content.startTime != nil {
                timedItems.insert(id)
            } else if !timedItems.isEmpty {
                timedItems.remove(id)
            }
            guard let item else {
                if let old = itemsByID.removeValue(forKey: id) { forgetCities(of: id, as: old.content) }
                continue
            }
            let old = itemsByID.updateValue(item, forKey: id)
            if case .game(let game) = item.content {
                itemByGameID[TextKey(game.gameID)] = id
                if game.startsAt.isNearYearBounds { gamesNearYearBounds.insert(id) }
            }
            if !item.content.hasSameCities(as: old?.content) {
                if let old { forgetCities(of: id, as: old.content) }
                learnCities(of: id, as: item.content)
            }
            put(Row(item), item.isGame ? cityByGame[id] : nil, &exchange)
        }
        carryOut(exchange)
    }

    /// Normalises the names of an item's cities, once per change of the cities.
    mutating func learnCities(of id: ItemID, as content: ItemContent) {
        switch content {
        case .game(let game):
            cityByGame[id] = game.effectiveCity.flatMap(CityName.init).map {
                CityGames(city: $0, isBinding: game.isBinding)
            }
        case .travel(let travel): endsByTravel[id] = TravelEnds(of: travel)
        case .custom: break
        }
    }

    private mutating func forgetCities(of id: ItemID, as content: ItemContent) {
        switch content {
        case .game: cityByGame[id] = nil
        case .travel: endsByTravel[id] = nil
        case .custom: break
        }
    }

    /// Changes the positions of items of the trip. Ids must be distinct.
    mutating func relocate(_ places: some Collection<(id: ItemID, position: Position)>) {
        var exchange = RowExchange(ofItems: places.count)
        for (id, position) in places {
            guard let index = itemsByID.index(forKey: id) else {
                preconditionFailure("an item that moves is in the trip")
            }
            let old = Row(itemsByID.values[index])
            let city = old.isGame ? cityByGame[id] : nil
            remove(old, city, &exchange)
            itemsByID.values[index].position = position
            put(
                Row(day: position.day, sortOrder: position.sortOrder, isGame: old.isGame, id: id), city,
                &exchange)
        }
        carryOut(exchange)
    }

    /// Changes the order of a movable item without changing its rank.
    mutating func shift(rowAt index: RowList.Index, to sortOrder: Double) {
        let row = rows[index]
        precondition(!row.isGame, "games keep their derived order")
        rows.shift(
            rowAt: index, to: Row(day: row.day, sortOrder: sortOrder, isGame: false, id: row.id))
        itemsByID[row.id]?.position = Position(day: row.day, sortOrder: sortOrder)
    }

    // MARK: The lists of rows

    private mutating func remove(_ row: Row, _ city: CityGames?, _ exchange: inout RowExchange?) {
        guard exchange == nil else {
            exchange?.remove(row, city)
            return
        }
        rows.remove(row)
        if row.isGame { games.remove(row) }
        guard let city else { return }
        gamesByCity[city]?.remove(row)
        if gamesByCity[city]?.isEmpty == true { gamesByCity[city] = nil }
    }

    private mutating func put(_ row: Row, _ city: CityGames?, _ exchange: inout RowExchange?) {
        guard exchange == nil else {
            exchange?.put(row, city)
            return
        }
        rows.insert(row)
        if row.isGame { games.insert(row) }
        if let city { gamesByCity[city, default: RowList()].insert(row) }
    }

    private mutating func carryOut(_ exchange: RowExchange?) {
        guard let exchange else { return }
        rows.replace(exchange.gone, with: exchange.new)
        if !exchange.goneGames.isEmpty || !exchange.newGames.isEmpty {
            games.replace(exchange.goneGames, with: exchange.newGames)
        }
        for (city, (gone, new)) in exchange.byCity {
            gamesByCity[city, default: RowList()].replace(gone, with: new)
            if gamesByCity[city]?.isEmpty == true { gamesByCity[city] = nil }
        }
    }
}

/// Removed and added rows, grouped by list, so that each list is rebuilt in one pass.
private struct RowExchange {
    private(set) var gone: [Row] = []
    private(set) var new: [Row] = []
    private(set) var goneGames: [Row] = []
    private(set) var newGames: [Row] = []
    private(set) var byCity: [CityGames: (gone: [Row], new: [Row])] = [:]

    /// The maximum number of rows that are exchanged one by one.
    private static let few = 12

    /// Nil if the items are so few that exchanging their rows one by one is faster.
    init?(ofItems count: Int) {
        guard count > Self.few else { return nil }
        gone.reserveCapacity(count)
        new.reserveCapacity(count)
    }

    mutating func remove(_ row: Row, _ city: CityGames?) {
        gone.append(row)
        if row.isGame { goneGames.append(row) }
        if let city { byCity[city, default: ([], [])].gone.append(row) }
    }

    mutating func put(_ row: Row, _ city: CityGames?) {
        new.append(row)
        if row.isGame { newGames.append(row) }
        if let city { byCity[city, default: ([], [])].new.append(row) }
    }
}

extension ItemContent {
    /// Whether the other has the same kind and cities and binds alike, and so the same keys in the indexes.
    fileprivate func hasSameCities(as other: ItemContent?) -> Bool {
        switch (self, other) {
        case (.game(let new), .game(let old)):
            Optional.isVerbatim(new.city, old.city) && String.isVerbatim(new.gameID, old.gameID)
                && new.isBinding == old.isBinding
        case (.travel(let new), .travel(let old)):
            String.isVerbatim(new.fromCity, old.fromCity) && String.isVerbatim(new.toCity, old.toCity)
        case (.custom, .custom): true
        default: false
        }
    }
}
