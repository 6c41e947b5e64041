/// What a batch of edits has touched so far: enough to take it back, and to tell what it did.
struct ChangeLog {
    /// An item that was touched.
    struct Touch {
        let id: ItemID
        /// As it was before its first change.
        let before: Item?
        var isEdit: Bool
        /// Whether its day went, also where somebody edits it as well.
        var isDisplaced = false
    }

    let headerBefore: TripHeader
    let rowsBefore: RowList
    /// What was touched, in the order of the first times.
    private(set) var touches: [Touch] = []
    /// Where each item stands among them, of as many as were there when it was last asked; a few are found without it.
    private var places: [ItemID: Int] = [:]
    private(set) var respacedDays: Set<Int> = []
    /// What the edits so far ask of the schedule and is not done yet.
    var pending = PendingSchedule()

    /// Whether items are remembered; not so where nothing is ever taken back or told of single ones.
    private let remembersItems: Bool

    init(of trip: Trip, remembersItems: Bool = true) {
        headerBefore = trip.header
        rowsBefore = trip.rows
        self.remembersItems = remembersItems
    }

    /// Remembers an item as it was before its first change.
    ///
    /// - Parameter isDisplaced: whether its day is gone.
    mutating func touch(
        _ id: ItemID, before: @autoclosure () -> Item?, isEdit: Bool, isDisplaced: Bool = false
    ) {
        guard remembersItems else { return }
        if let place = place(of: id) {
            if isEdit { touches[place].isEdit = true }
            if isDisplaced { touches[place].isDisplaced = true }
        } else {
            touches.append(
                Touch(id: id, before: before(), isEdit: isEdit, isDisplaced: isDisplaced))
        }
    }

    /// Remembers several items as they were, none of them twice.
    mutating func touch(_ items: [Touch]) {
        guard touches.isEmpty, remembersItems else {
            for item in items { touch(item.id, before: item.before, isEdit: item.isEdit) }
            return
        }
        touches = items
    }

    /// So many are looked through rather than looked up: most changes touch one item.
    private static let few = 8

    private mutating func place(of id: ItemID) -> Int? {
        guard touches.count > Self.few else { return touches.firstIndex { $0.id == id } }
        if places.count < touches.count {
            places.reserveCapacity(touches.count)
            for place in places.count..<touches.count { places[touches[place].id] = place }
        }
        return places[id]
    }

    mutating func respaced(day: Int) { respacedDays.insert(day) }
}

/// What follows from edits of the schedule, and is done for many of them at once: before the next edit that looks
/// at places, and at the end of the batch.
struct PendingSchedule {
    /// The header that the games' places follow, where the trip's has another start or zone by now.
    var scheduledBy: TripHeader?
    /// The fewest days that the trip has had meanwhile, where items stand on days that are gone.
    var fewestDays: Int?
    /// Games are being given the orders back that they had: they are told apart where these do not do it.
    var isRestoring = false
    /// The minutes, by day, whose games have to be told apart anew.
    private(set) var minutes: [Int: Set<Double>] = [:]

    /// Games whose order within their minute is still to be told: they are new there, or go by another gameID.
    private(set) var newcomers: Set<ItemID> = []

    /// - Parameter newcomer: a game that comes into the minute.
    mutating func mark(minuteOf position: Position, newcomer: ItemID? = nil) {
        minutes[position.day, default: []].insert(position.sortOrder.rounded(.down))
        if let newcomer { newcomers.insert(newcomer) }
    }

    /// Counts games that have their old orders again as newcomers no more.
    mutating func forget(newcomers games: some Sequence<ItemID>) { newcomers.subtract(games) }

    func hasMinutes(onDay day: Int) -> Bool { minutes[day] != nil }

    mutating func takeMinutes() -> (minutes: [Int: Set<Double>], newcomers: Set<ItemID>) {
        defer {
            minutes = [:]
            newcomers = []
        }
        return (minutes, newcomers)
    }
}
