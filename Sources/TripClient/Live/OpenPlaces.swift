import LocalSystem
import TripModel

/// What unanswered changes may still come to, gathered while one goes through them in their order.
///
/// A place that is named by its neighbours may be asked for anew, where one of them has gone. What the user did after
/// that to the same item, or on the same day, is sent when it is known what became of it: sent before, the earlier deed
/// would be made last, and win.
struct OpenPlaces {
    /// What the changes are about whose places are not certain.
    private var items: Set<ItemID> = []
    /// Those of them that are new.
    private var added: Set<ItemID> = []
    private var days: Set<Int> = []
    /// There are changes of the trip, one of which the next undo may be for.
    private var hasEdits = false

    /// Whether an item may not be there yet.
    func isAbsent(_ item: ItemID) -> Bool { added.contains(item) }

    /// Whether a change has to wait for the answers to those before it.
    func holdBack(_ change: PendingChange) -> Bool {
        if PlantedBug.askedAnewLast.isPlanted { return false }
        if change.isTakingBack { return hasEdits }
        guard !items.isEmpty else { return false }
        return change.edits.contains { edit in
            if let item = edit.item, items.contains(item) { return true }
            guard let placement = edit.placement else { return false }
            return days.contains(placement.day) || placement.anchors.contains(where: items.contains)
        }
    }

    /// Goes on behind a change that is not answered.
    mutating func pass(_ change: PendingChange) {
        guard !change.isTakingBack else { return }
        hasEdits = true
        // What is dropped may become a move, where its drag was lost; what is new goes elsewhere, where its day was.
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
