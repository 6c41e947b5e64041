import TripModel

/// The state that the undo of a change must restore.
struct UndoStep {
    /// The added, moved and removed items.
    let edited: Set<ItemID>
    let changesTrip: Bool
    /// The trip before the change.
    let before: Trip?
    let number: Int
    /// The changed parts, if they are only fields, or only places of custom items.
    let parts: PartEdits.Parts?
    private let places: [Place]

    /// The place of a movable item, with its nearest neighbours that were not edited with it.
    private struct Place {
        let id: ItemID
        let day: Int
        var above: ItemID?
        var below: ItemID?
    }

    init(
        of edited: Set<ItemID>, changesTrip: Bool, in trip: Trip, number: Int, parts: PartEdits.Parts?
    ) {
        self.parts = parts
        self.edited = edited
        self.changesTrip = changesTrip
        self.number = number
        before = trip
        var places: [Place] = []
        var (day, above): (Int, ItemID?) = (.min, nil)
        var open = 0
        for item in trip.items {
            if item.position.day != day {
                (day, above, open) = (item.position.day, nil, places.count)
            }
            if edited.contains(item.id) {
                if !item.isGame { places.append(Place(id: item.id, day: day, above: above)) }
                continue
            }
            for index in open..<places.count { places[index].below = item.id }
            (above, open) = (item.id, places.count)
        }
        self.places = places
    }

    /// Describes a restored item that is not between its former neighbours and was not placed by a later
    /// change; nil if there is none.
    ///
    /// - Parameter placed: the number of the change that placed each item last.
    func misplaced(in trip: Trip, _ placed: [ItemID: Int]) -> String? {
        if changesTrip { return nil }
        var ranks: [ItemID: Int] = [:]
        for (rank, id) in trip.shownIDs.enumerated() { ranks[id] = rank }
        func isOnDay(_ id: ItemID?, _ day: Int) -> Bool { id.map { trip[$0]?.position.day == day } ?? false }
        func stands(_ id: ItemID?, _ day: Int) -> Bool {
            id.map { isOnDay($0, day) && placed[$0, default: 0] <= number } ?? false
        }
        for place in places {
            // The change may have moved an item to where it was; then it stays where others have put it since.
            guard let item = trip[place.id], item.position.day == place.day, let rank = ranks[place.id],
                placed[place.id, default: 0] <= number
            else { continue }
            // If the item above was moved within the day, the item below does not determine the place.
            let isAboveMoved = isOnDay(place.above, place.day) && !stands(place.above, place.day)
            if stands(place.above, place.day), let above = place.above.flatMap({ ranks[$0] }), above > rank {
                return "\(place.id) is above \(place.above.map { "\($0)" } ?? "")"
            }
            if stands(place.below, place.day), !isAboveMoved,
                let below = place.below.flatMap({ ranks[$0] }), below < rank
            {
                return "\(place.id) is below \(place.below.map { "\($0)" } ?? "")"
            }
        }
        return nil
    }
}

/// One user's stacks of undo and redo.
struct UndoStacks {
    private var undo: [(step: UndoStep, isDiscarding: Bool)] = []
    private var redo: [(step: UndoStep, isDiscarding: Bool)] = []

    mutating func push(_ step: UndoStep) {
        undo.append((step, false))
        redo = []
    }

    func next(isUndo: Bool) -> UndoStep? { (isUndo ? undo : redo).last { !$0.isDiscarding }?.step }

    /// Moves the next step to the other stack, and drops the evicted ones above it.
    mutating func undoOrRedo(isUndo: Bool, _ reverse: UndoStep) {
        if isUndo {
            if let index = undo.lastIndex(where: { !$0.isDiscarding }) { undo.removeSubrange(index...) }
            redo.append((reverse, false))
        } else {
            if let index = redo.lastIndex(where: { !$0.isDiscarding }) { redo.removeSubrange(index...) }
            undo.append((reverse, false))
        }
    }

    mutating func giveUp(isUndo: Bool) {
        if isUndo, let index = undo.lastIndex(where: { !$0.isDiscarding }) { undo[index].isDiscarding = true }
        if !isUndo, let index = redo.lastIndex(where: { !$0.isDiscarding }) {
            redo[index].isDiscarding = true
        }
    }

    /// Restores evicted steps: a journal does not record evictions.
    mutating func restart() {
        for index in undo.indices { undo[index].isDiscarding = false }
        for index in redo.indices { redo[index].isDiscarding = false }
    }
}
