/// The result of an accepted batch of edits. The trip's queue, its subscribers, the history and undo share
/// one object.
package final class Commit: Sendable {
    /// The trip's version after the commit; unchanged if nothing changed.
    public let version: Int
    /// The edited items, then the displaced ones, then the removed ones; each group in the order of their first
    /// changes.
    public let changes: [ItemChange]
    /// The other items with a new place, in the order of their first changes.
    public let shifts: [Shift]
    /// The change of the header; nil if there is none.
    public let header: HeaderChange?
    /// The days whose items were re-spaced, in ascending order (R-NORM). A journal does not store them.
    public let respacedDays: [Int]

    package init(
        version: Int, changes: [ItemChange], shifts: [Shift] = [], header: HeaderChange? = nil,
        respacedDays: [Int] = []
    ) {
        self.version = version
        self.changes = changes
        self.shifts = shifts
        self.header = header
        self.respacedDays = respacedDays
    }

    /// Items moved because their day was removed, in shown order (R-EDIT). Sorted at each call.
    public var displaced: [ItemID] {
        changes.filter(\.lostDay).compactMap { $0.after.map(Row.init) }.sorted().map(\.id)
    }

    /// All items of the commit.
    package var itemIDs: [ItemID] { changes.map(\.id) + shifts.map(\.id) }

    /// Whether nothing changed.
    public var isNoop: Bool { changes.isEmpty && shifts.isEmpty && header == nil }
}

/// An item that a commit edited, displaced or removed, before and after it, with everything that an undo needs.
///
/// An object, because a commit's changes are looked at a dozen times, and to copy one counts four references.
package final class ItemChange: Sendable {
    /// The item.
    public let id: ItemID
    /// The item before the commit; nil if it is new.
    public let before: Item?
    /// The item after the commit; nil if it was removed.
    public let after: Item?
    /// Whether the item is new.
    public let isAddition: Bool
    /// Whether the item was removed.
    public let isRemoval: Bool
    /// Its neighbours before the commit. Nil if unknown or not needed: for new items and games.
    public let neighboursBefore: Neighbours?
    /// Whether a user edited the item; otherwise it was only displaced.
    public let isEdit: Bool
    /// Whether it was moved because its day was removed (R-EDIT). A journal does not store this for an item
    /// that was also edited, where it is not needed.
    public let lostDay: Bool
    /// Whether it is on another day, or has other neighbours on its day.
    public let isMove: Bool

    package init(
        id: ItemID, before: Item?, after: Item?, isEdit: Bool, lostDay: Bool = false, isMove: Bool,
        neighboursBefore: Neighbours?
    ) {
        self.id = id
        self.before = before
        self.after = after
        // Stored, because both are read often and looking into an item is slower.
        isAddition = before == nil
        isRemoval = after == nil
        self.isEdit = isEdit
        self.lostDay = lostDay
        self.isMove = isMove
        self.neighboursBefore = neighboursBefore
    }

    /// Content with the former values of the fields that this change has changed.
    func restored(in content: ItemContent) -> ItemContent {
        guard let before, let after, content.kind == before.content.kind,
            let changes = FieldChange.between(after.content, and: before.content)
        else { return before?.content ?? content }
        return content.with(changes)
    }
}

extension ItemChange: Equatable {
    /// Whether both describe the same change of the same item.
    public static func == (left: ItemChange, right: ItemChange) -> Bool {
        left === right
            || left.id == right.id && left.before == right.before && left.after == right.after
                && left.isEdit == right.isEdit && left.lostDay == right.lostDay && left.isMove == right.isMove
                && left.neighboursBefore == right.neighboursBefore
    }
}

/// The new place of an item that was not edited: re-spaced on its day, or a game that follows the schedule.
package struct Shift: Equatable, Sendable {
    /// The item.
    public let id: ItemID
    /// Its place before the commit.
    public let before: Position
    /// Its place after the commit.
    public let after: Position
    /// Its version before the commit; 0 in a commit of a snapshot, which is never rolled back.
    public let versionBefore: Int

    package init(id: ItemID, before: Position, after: Position, versionBefore: Int = 0) {
        self.id = id
        self.before = before
        self.after = after
        self.versionBefore = versionBefore
    }

    /// Whether a game has shared its minute with others before or after. The schedule alone does not restore its order.
    var isWithinMinute: Bool {
        [before, after].contains { $0.sortOrder != $0.sortOrder.rounded(.down) }
    }
}
