// How items are kept, with the indexes that follow from them. Whatever concerns many items takes them all at once:
// then it costs about as much as walking the trip.
extension Trip {
    /// Puts an item in place of the one of its id, or beside the others if there is none.
    mutating func store(_ item: Item) { replace([(item.id, item)]) }

    /// Takes an item out.
    mutating func discard(_ id: ItemID) { replace([(id, nil)]) }

    /// Puts items in place of those of their ids, and takes out those that are nil here; no id comes twice.
    ///
    /// All go before any comes: two games may have exchanged their gameIDs.
    mutating func replace(_ items: [(id: ItemID, item: Item?)]) {
        var exchange = RowExchange()
        for (id, _) in items {
            guard let old = itemsByID[id] else { continue }
            guard case .game(let game) = old.content else {
                exchange.take(Row(old), nil)
                continue
            }
            exchange.take(Row(old), cityByGame[id])
            itemByGameID[TextKey(game.gameID)] = nil
            gamesNearYearBounds.remove(id)
        }
        for (id, item) in items {
            if item?.content.time != nil { timedItems.insert(id) } else { timedItems.remove(id) }
            guard let item else {
                if itemsByID.removeValue(forKey: id)?.isGame == true { cityByGame[id] = nil }
                continue
            }
            let old = itemsByID.updateValue(item, forKey: id)
            if case .game(let game) = item.content {
                itemByGameID[TextKey(game.gameID)] = id
                if game.startsAt.isNearYearBounds { gamesNearYearBounds.insert(id) }
                if !game.hasSameCity(as: old?.content) {
                    cityByGame[id] = game.effectiveCity.flatMap(CityName.init)
                }
            } else if old?.isGame == true {
                cityByGame[id] = nil
            }
            exchange.put(Row(item), item.isGame ? cityByGame[id] : nil)
        }
        carryOut(exchange)
    }

    /// Gives items other positions; no id comes twice, and each is there.
    mutating func relocate(_ places: [(id: ItemID, position: Position)]) {
        var exchange = RowExchange()
        for (id, position) in places {
            guard let old = itemsByID[id] else { preconditionFailure("only items that are there move") }
            let city = old.isGame ? cityByGame[id] : nil
            exchange.take(Row(old), city)
            itemsByID[id]?.position = position
            exchange.put(
                Row(day: position.day, sortOrder: position.sortOrder, isGame: old.isGame, id: id), city)
        }
        carryOut(exchange)
    }

    /// Gives a movable item another order that leaves every row where it is.
    mutating func shift(rowAt index: RowList.Index, to sortOrder: Double) {
        let row = rows[index]
        precondition(!row.isGame, "games keep their derived order")
        rows.shift(
            rowAt: index, to: Row(day: row.day, sortOrder: sortOrder, isGame: false, id: row.id))
        itemsByID[row.id]?.position = Position(day: row.day, sortOrder: sortOrder)
    }

    private mutating func carryOut(_ exchange: RowExchange) {
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

/// Rows that go and rows that come, by the lists that they stand in.
private struct RowExchange {
    private(set) var gone: [Row] = []
    private(set) var new: [Row] = []
    private(set) var goneGames: [Row] = []
    private(set) var newGames: [Row] = []
    private(set) var byCity: [CityName: (gone: [Row], new: [Row])] = [:]

    mutating func take(_ row: Row, _ city: CityName?) {
        gone.append(row)
        if row.isGame { goneGames.append(row) }
        if let city { byCity[city, default: ([], [])].gone.append(row) }
    }

    mutating func put(_ row: Row, _ city: CityName?) {
        new.append(row)
        if row.isGame { newGames.append(row) }
        if let city { byCity[city, default: ([], [])].new.append(row) }
    }
}

extension Game {
    /// Whether the other is a game too, and found under the same city.
    fileprivate func hasSameCity(as other: ItemContent?) -> Bool {
        guard case .game(let other) = other else { return false }
        return Optional.isVerbatim(city, other.city) && String.isVerbatim(gameID, other.gameID)
    }
}
