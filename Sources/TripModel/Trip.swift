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
