/// What a batch of edits has touched so far: enough to take it back, and to tell what it did.
struct ChangeLog {
    struct Touch {
        let before: Item?
        var isEdit: Bool
    }

    let headerBefore: TripHeader
    private(set) var order: [ItemID] = []
    private(set) var touches: [ItemID: Touch] = [:]
    private(set) var respacedDays: Set<Int> = []
    private(set) var displaced: Set<ItemID> = []

    init(headerBefore: TripHeader) {
        self.headerBefore = headerBefore
    }

    /// Remembers an item as it was before its first change.
    mutating func touch(_ id: ItemID, before: Item?, isEdit: Bool) {
        if touches[id] == nil {
            touches[id] = Touch(before: before, isEdit: isEdit)
            order.append(id)
        } else if isEdit {
            touches[id]?.isEdit = true
        }
    }

    mutating func respaced(day: Int) { respacedDays.insert(day) }

    mutating func displaced(_ id: ItemID) { displaced.insert(id) }
}
