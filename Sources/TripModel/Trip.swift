/// A trip: a header, items, and a version that rises by one with every change.
///
/// A value without I/O or clock. It changes only by `apply`, or by `adopt` for a commit that was decided
/// elsewhere.
public struct Trip: Sendable {
    /// The trip's own fields.
    public internal(set) var header: TripHeader { didSet { headerWrites += 1 } }
    /// The number of commits so far.
    public internal(set) var version: Int

    var itemsByID: [ItemID: Item]
    /// The items' rows in shown order, updated at every change.
    var rows: RowList
    /// The games of each city in shown order, including those outside the trip.
    var gamesByCity: [CityGames: RowList]
    /// All games in shown order.
    var games: RowList
    /// All that clocks, problems and hints depend on: games, travel, and custom items with a time or nights, in shown
    /// order.
    var plannedRows: RowList
    var itemByGameID: [TextKey: ItemID]
    /// Games that a change of zone could move outside the supported years.
    var gamesNearYearBounds: Set<ItemID>
    /// A cache of zones' clocks, which are slow to make. It is bounded by the number of zones.
    private var clocks: [String: WallClock]
    /// Assignments to the header, to see at once that a change has not touched it.
    private(set) var headerWrites = 0
    /// The UTF-8 length of all items' texts.
    package internal(set) var textBytes = 0
    /// Items visited to rank, re-space, reschedule or displace them, as a measure of cost.
    package internal(set) var itemsLookedAt = 0

    /// Makes an empty trip at version 0 from a checked header.
    package init(empty header: TripHeader) {
        self.header = header
        version = 0
        itemsByID = [:]
        rows = RowList()
        gamesByCity = [:]
        games = RowList()
        plannedRows = RowList()
        itemByGameID = [:]
        gamesNearYearBounds = []
        clocks = [:]
    }

    /// The clock of a zone; nil if the zone is unknown.
    mutating func clock(of zone: String) -> WallClock? {
        if let known = clocks[zone] { return known }
        let clock = WallClock(zone: zone)
        clocks[zone] = clock
        return clock
    }

    /// The clock of a zone, without adding it to the cache; nil if the zone is unknown.
    func knownClock(of zone: String) -> WallClock? { clocks[zone] ?? WallClock(zone: zone) }
}

// MARK: - Reading

extension Trip {
    /// The item with that id.
    public subscript(id: ItemID) -> Item? { itemsByID[id] }

    /// Whether there is an item with that id; faster than reading it.
    func contains(_ id: ItemID) -> Bool { itemsByID.index(forKey: id) != nil }

    /// The number of items.
    public var itemCount: Int { rows.count }

    /// The ids in shown order.
    public var shownIDs: [ItemID] { rows.map(\.id) }

    /// The items in shown order.
    public var items: [Item] { rows.map(item) }

    /// The items of one day in shown order.
    public func items(onDay day: Int) -> [Item] { rows[rows.range(ofDay: day)].map(item) }

    /// The 0-based index of an item in the shown order; nil if there is no such item.
    public func shownIndex(of id: ItemID) -> Int? {
        itemsByID[id].map { rows.offset(of: rows.lowerBound(of: Row($0))) }
    }

    /// The number of items that clocks, problems and hints depend on.
    package var plannedCount: Int { plannedRows.count }

    func item(at row: Row) -> Item {
        guard let item = itemsByID[row.id] else { preconditionFailure("every row has its item") }
        return item
    }
}

extension Trip {
    /// The cost of all changes of this value so far: rows and items that were moved or visited. Tests use it
    /// to show that no step costs more than in proportion to its change.
    package var work: Int { rows.moved + games.moved + plannedRows.moved + itemsLookedAt }
}

extension Trip: Equatable {
    /// Whether both have equal contents; indexes follow from these.
    public static func == (left: Trip, right: Trip) -> Bool {
        left.version == right.version && left.header == right.header && left.itemsByID == right.itemsByID
    }
}

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

    /// Replaces an item by itself at another position, with a new stamp.
    ///
    /// - Parameter place: the item's place in `itemsByID`.
    mutating func changePlace(of item: Item, at place: [ItemID: Item].Index, to moved: Item) {
        var exchange: RowExchange?
        remove(Row(item), item, &exchange)
        put(Row(moved), moved, &exchange)
        itemsByID.values[place] = moved
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
