import LocalSystem
import TripModel

/// The uncertain places of unanswered changes, collected in the order of the changes.
///
/// A place between neighbours may have to be found again if one of them is gone. Later changes of the same item, or on
/// the same day, must wait for that answer: otherwise the earlier change could be applied last and win.
struct OpenPlaces {
    /// The items of changes whose places are uncertain.
    private var items: Set<ItemID> = []
    /// The new ones among them.
    private var added: Set<ItemID> = []
    private var days: Set<Int> = []
    /// There are earlier changes of the trip, one of which the next undo may reverse.
    private var hasEdits = false

    /// True if an item may not exist yet.
    func isAbsent(_ item: ItemID) -> Bool { added.contains(item) }

    /// True if a change must wait for the answers to earlier ones.
    func mustWait(_ change: PendingChange) -> Bool {
        if change.isReversal { return hasEdits }
        guard !items.isEmpty else { return false }
        return change.edits.contains { edit in
            if let item = edit.item, items.contains(item) { return true }
            guard let placement = edit.placement else { return false }
            return days.contains(placement.day) || placement.anchors.contains(where: items.contains)
        }
    }

    /// Records an unanswered change, before the next one is tested.
    mutating func pass(_ change: PendingChange) {
        guard !change.isReversal else { return }
        hasEdits = true
        // A drop may become a move if its drag was lost, and a new item may be moved if its day is gone.
        let isUncertain =
            change.isDrop || change.edits.contains { $0.isAddition || $0.placement?.anchors.isEmpty == false }
        guard isUncertain else { return }
        for edit in change.edits {
            if let item = edit.item { items.insert(item) }
            if edit.isAddition, let item = edit.item { added.insert(item) }
            if let placement = edit.placement { days.insert(placement.day) }
        }
    }
}

extension Edit {
    fileprivate var isAddition: Bool {
        if case .add = self { true } else { false }
    }
}
