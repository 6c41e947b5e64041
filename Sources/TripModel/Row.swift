/// An item's sort key for the shown order (R-FLAT-02).
struct Row: Hashable, Sendable {
    let day: Int
    let sortOrder: Double
    let isGame: Bool
    let id: ItemID

    init(_ item: Item) {
        day = item.position.day
        sortOrder = item.position.sortOrder
        isGame = item.isGame
        id = item.id
    }

    init(day: Int, sortOrder: Double, isGame: Bool, id: ItemID) {
        self.day = day
        self.sortOrder = sortOrder
        self.isGame = isGame
        self.id = id
    }
}

extension Row {
    /// Sorts before every row of a day.
    static func start(ofDay day: Int) -> Row {
        Row(day: day, sortOrder: -.infinity, isGame: true, id: ItemID(high: 0, low: 0))
    }

    /// Sorts after every row of a day.
    static func end(ofDay day: Int) -> Row {
        Row(day: day, sortOrder: .infinity, isGame: false, id: ItemID(high: .max, low: .max))
    }
}

extension Row: Comparable {
    static func < (left: Row, right: Row) -> Bool {
        if left.day != right.day { return left.day < right.day }
        if left.sortOrder != right.sortOrder { return left.sortOrder < right.sortOrder }
        if left.isGame != right.isGame { return left.isGame }
        return left.id < right.id
    }
}

extension RandomAccessCollection {
    /// The first index at which the predicate holds, by binary search. It must also hold for all later
    /// elements.
    @inlinable
    package func partitioningIndex(where belongsAbove: (Element) -> Bool) -> Index {
        var low = startIndex
        var length = count
        while length > 0 {
            let half = length / 2
            let middle = index(low, offsetBy: half)
            if belongsAbove(self[middle]) {
                length = half
            } else {
                low = index(after: middle)
                length -= half + 1
            }
        }
        return low
    }
}

/// A row of a trip's list: the heading of a day, or an item.
///
/// It identifies the row while its number changes.
public enum ListRow: Hashable, Sendable {
    /// The heading of a day, by its number.
    case day(Int)
    /// An item.
    case item(ItemID)
}
