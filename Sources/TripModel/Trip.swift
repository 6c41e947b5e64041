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
    /// The shown order, kept at every change: the items sorted by their rows, without sorting again.
    var rows: RowList
    /// The games of each city in shown order, those outside the trip included.
    var gamesByCity: [CityName: RowList]
    /// All games in shown order.
    var games: RowList
    /// The city under which each game is found; folding a name anew costs more than to remember it.
    var cityByGame: [ItemID: CityName]
    /// The cities that each travel leads between; likewise.
    var endsByTravel: [ItemID: TravelEnds]
    var itemByGameID: [TextKey: ItemID]
    /// The items that somebody has given a time.
    var timedItems: Set<ItemID>
    /// Games that a change of zone could bring out of the calendar's years.
    var gamesNearYearBounds: Set<ItemID>
    /// The clocks of zones that were asked for: to make one costs far more than to read it, and there are only so many.
    private var clocks: [String: WallClock]
    /// Items that were looked at to rank, re-space, reschedule or displace them.
    var itemsLookedAt = 0

    /// Makes a trip without items, at version 0, from a header that has been checked.
    package init(empty header: TripHeader) {
        self.header = header
        version = 0
        itemsByID = [:]
        rows = RowList()
        gamesByCity = [:]
        games = RowList()
        cityByGame = [:]
        endsByTravel = [:]
        itemByGameID = [:]
        timedItems = []
        gamesNearYearBounds = []
        clocks = [:]
    }

    /// The clock of a zone; nil if there is no such zone.
    mutating func clock(of zone: String) -> WallClock? {
        if let known = clocks[zone] { return known }
        let clock = WallClock(zone: zone)
        clocks[zone] = clock
        return clock
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
        itemsByID[id].map { rows.offset(of: rows.lowerBound(of: Row($0))) }
    }

    func item(at row: Row) -> Item {
        guard let item = itemsByID[row.id] else { preconditionFailure("every row has its item") }
        return item
    }
}

extension Trip {
    /// What all changes of this value have cost so far, in rows and items that were moved or looked at: by it tests tell
    /// that no step grows faster than what it changes.
    package var work: Int { rows.moved + games.moved + itemsLookedAt }
}

extension Trip: Equatable {
    /// Whether two trips hold the same; the indexes follow from it.
    public static func == (left: Trip, right: Trip) -> Bool {
        left.version == right.version && left.header == right.header && left.itemsByID == right.itemsByID
    }
}
