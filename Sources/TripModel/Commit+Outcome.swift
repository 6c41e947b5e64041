extension Commit {
    /// A commit as its outcome tells it: made elsewhere or earlier, with no more known than what changed.
    ///
    /// - Parameters:
    ///   - before: the items that it changed, as they were; new ones left out.
    ///   - headerBefore: the header before it.
    ///   - after: the trip after it.
    ///   - edited: the items that somebody edited.
    ///   - placed: items that stand elsewhere without having been edited.
    ///   - removed: items that are gone.
    package init(
        from before: [ItemID: Item], _ headerBefore: TripHeader, to after: Trip, edited: [ItemID],
        placed: [ItemID], removed: [ItemID]
    ) {
        func change(_ id: ItemID, isEdit: Bool) -> ItemChange {
            ItemChange(id: id, before: before[id], after: after[id], isEdit: isEdit)
        }
        let changedHeader = headerBefore != after.header
        self.init(
            version: after.version,
            changes: edited.map { change($0, isEdit: true) } + placed.map { change($0, isEdit: false) }
                + removed.map { change($0, isEdit: true) },
            headerBefore: changedHeader ? headerBefore : nil, headerAfter: changedHeader ? after.header : nil,
            respacedDays: [],
            // Re-spacing keeps an item on its day; only a day that is gone sends a movable item to another.
            displaced: placed.filter { id in
                before[id]?.isGame == false && before[id]?.position.day != after[id]?.position.day
            })
    }
}
