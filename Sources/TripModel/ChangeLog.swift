/// What a batch of edits has touched so far: enough to take it back, and to tell what it did.
struct ChangeLog {
    struct Touch {
        let before: Item?
        var isEdit: Bool
    }

    let headerBefore: TripHeader
    let rowsBefore: RowList
    private(set) var order: [ItemID] = []
    private(set) var touches: [ItemID: Touch] = [:]
    private(set) var respacedDays: Set<Int> = []
    /// Items whose day went, also where somebody edits them as well.
    var displaced: Set<ItemID> = []
    /// What the edits so far ask of the schedule and is not done yet.
    var pending = PendingSchedule()

    init(of trip: Trip) {
        headerBefore = trip.header
        rowsBefore = trip.rows
    }

    /// Remembers an item as it was before its first change.
    mutating func touch(_ id: ItemID, before: @autoclosure () -> Item?, isEdit: Bool) {
        if touches[id] == nil {
            touches[id] = Touch(before: before(), isEdit: isEdit)
            order.append(id)
        } else if isEdit {
            touches[id]?.isEdit = true
        }
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

    /// Takes games that have their old orders again for no newcomers.
    mutating func settle(_ games: some Sequence<ItemID>) { newcomers.subtract(games) }

    func hasMinutes(onDay day: Int) -> Bool { minutes[day] != nil }

    mutating func takeMinutes() -> (minutes: [Int: Set<Double>], newcomers: Set<ItemID>) {
        defer {
            minutes = [:]
            newcomers = []
        }
        return (minutes, newcomers)
    }
}
