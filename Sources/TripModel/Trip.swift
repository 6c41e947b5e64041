/// A trip: a header, items, and a version that rises by one with every change.
///
/// A value without I/O or clock. `apply` is the only way to change it; `adopt` takes over what an `apply`
/// elsewhere has decided.
public struct Trip: Sendable {
    /// What is said of the trip besides its items.
    public internal(set) var header: TripHeader
    /// The number of commits so far.
    public internal(set) var version: Int

    var itemsByID: [ItemID: Item]
    /// The shown order, kept sorted at every change: what `Flattening` gives, without sorting again.
    var rows: [Row]
    /// The games of each city in shown order, those outside the trip included.
    var gamesByCity: [CityName: [Row]]
    var itemByGameID: [String: ItemID]

    /// Makes a trip without items, at version 0, from a header that has been checked.
    package init(empty header: TripHeader) {
        self.header = header
        version = 0
        itemsByID = [:]
        rows = []
        gamesByCity = [:]
        itemByGameID = [:]
    }
}

// MARK: - Reading

extension Trip {
    /// The item of that id.
    public subscript(id: ItemID) -> Item? { itemsByID[id] }

    /// How many items it has.
    public var itemCount: Int { rows.count }

    /// The ids in shown order.
    public var shownIDs: [ItemID] { rows.map(\.id) }

    /// The items in shown order.
    public var items: [Item] { rows.map(item) }

    /// The items of one day in shown order.
    public func items(onDay day: Int) -> [Item] { rows[rows.range(ofDay: day)].map(item) }

    /// The place of an item in the shown order, counted from 0; nil if there is no such item.
    public func shownIndex(of id: ItemID) -> Int? {
        itemsByID[id].map { rows.lowerBound(of: Row($0)) }
    }

    func item(at row: Row) -> Item {
        guard let item = itemsByID[row.id] else { preconditionFailure("every row has its item") }
        return item
    }
}

extension Trip: Equatable {
    /// Whether two trips hold the same; the indexes follow from it.
    public static func == (left: Trip, right: Trip) -> Bool {
        left.version == right.version && left.header == right.header && left.itemsByID == right.itemsByID
    }
}

// MARK: - Storing

extension Trip {
    /// Puts an item in place of the one of its id, or beside the others if there is none, and keeps the indexes.
    mutating func store(_ item: Item) {
        if let old = itemsByID[item.id] { unindex(old) }
        itemsByID[item.id] = item
        let row = Row(item)
        rows.insertSorted(row)
        if case .game(let game) = item.content {
            itemByGameID[game.gameID] = item.id
            if let city = game.effectiveCity.flatMap(CityName.init) {
                gamesByCity[city, default: []].insertSorted(row)
            }
        }
    }

    /// Takes an item out.
    mutating func discard(_ id: ItemID) {
        guard let old = itemsByID.removeValue(forKey: id) else { return }
        unindex(old)
    }

    /// Gives an item another order that leaves every row where it is.
    mutating func shift(rowAt index: Int, to sortOrder: Double) {
        let row = rows[index]
        precondition(!row.isGame, "games keep their derived order")
        rows[index] = Row(day: row.day, sortOrder: sortOrder, isGame: false, id: row.id)
        itemsByID[row.id]?.position = Position(day: row.day, sortOrder: sortOrder)
    }

    private mutating func unindex(_ old: Item) {
        let row = Row(old)
        rows.removeSorted(row)
        guard case .game(let game) = old.content else { return }
        itemByGameID[game.gameID] = nil
        if let city = game.effectiveCity.flatMap(CityName.init) {
            gamesByCity[city]?.removeSorted(row)
            if gamesByCity[city]?.isEmpty == true { gamesByCity[city] = nil }
        }
    }
}
