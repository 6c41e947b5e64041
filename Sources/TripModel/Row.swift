/// An item's key in the shown order: what R-FLAT-02 sorts by, and nothing else.
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

extension Row: Comparable {
    static func < (left: Row, right: Row) -> Bool {
        if left.day != right.day { return left.day < right.day }
        if left.sortOrder != right.sortOrder { return left.sortOrder < right.sortOrder }
        if left.isGame != right.isGame { return left.isGame }
        return left.id < right.id
    }
}

extension RandomAccessCollection {
    /// The first index from which the predicate holds, by bisection; it must not fail again after it.
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
