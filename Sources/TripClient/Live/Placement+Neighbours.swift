import TripModel

extension Placement {
    /// Which of two neighbours a place leans on.
    enum Leaning: Sendable { case above, below }

    /// The place by one of its neighbours only.
    func leaning(_ leaning: Leaning) -> Placement {
        guard case .between(let above, let below, let day) = self else { return self }
        return leaning == .above ? .after(above, day: day) : .before(below, day: day)
    }

    /// The same place said so that it still is that place when a neighbour has gone: below an item also by the next one.
    ///
    /// - Parameter item: what is to be put there, and is no neighbour of itself.
    func firm(in trip: Trip, without item: ItemID) -> Placement {
        switch self {
        case .after(let anchor, let day):
            guard let below = Self.neighbour(of: anchor, onDay: day, in: trip, without: item, step: 1) else {
                return self
            }
            return .between(anchor, below, day: day)
        case .before(let anchor, let day):
            // Above the first of a day is the day's start, whatever becomes of the first.
            guard anchor != item, trip[anchor]?.position.day == day,
                Self.neighbour(of: anchor, onDay: day, in: trip, without: item, step: -1) == nil
            else { return self }
            return .start(day: day)
        case .between, .start, .end, .order: return self
        }
    }

    private static func neighbour(
        of anchor: ItemID, onDay day: Int, in trip: Trip, without item: ItemID, step: Int
    ) -> ItemID? {
        guard anchor != item, trip[anchor]?.position.day == day, let start = trip.shownIndex(of: anchor)
        else {
            return nil
        }
        let ids = trip.shownIDs
        var index = start + step
        if ids.indices.contains(index), ids[index] == item { index += step }
        guard ids.indices.contains(index), trip[ids[index]]?.position.day == day else { return nil }
        return ids[index]
    }
}

extension [Edit] {
    /// The same edits, with every place named by both of its neighbours in the trip that they are made upon.
    func firm(in trip: Trip) -> [Edit] {
        map { edit in
            switch edit {
            case .add(let id, let content, let to): .add(id, content, to: to?.firm(in: trip, without: id))
            case .move(let id, let to): .move(id, to: to.firm(in: trip, without: id))
            case .update, .remove, .trip: edit
            }
        }
    }
}

extension Edit {
    /// Where it puts its item; nil where it puts none anywhere.
    var placement: Placement? {
        switch self {
        case .add(_, _, let to): to
        case .move(_, let to): to
        case .update, .remove, .trip: nil
        }
    }

    /// Whether its place is named by two neighbours.
    var isBetween: Bool {
        if case .between? = placement { true } else { false }
    }
}

extension [Edit] {
    /// The items that places of these edits are below, as the last of their days.
    func lastOfDays(in trip: Trip) -> Set<ItemID> {
        var anchors: Set<ItemID> = []
        // Named firmly, what is below an item that is there and not the last is between two.
        for case .after(let anchor, let day)? in map(\.placement) where trip[anchor]?.position.day == day {
            anchors.insert(anchor)
        }
        return anchors
    }

    /// The same edits, with the end of the day for each place below one of these items.
    func movingToEnds(below anchors: Set<ItemID>) -> [Edit] {
        map { edit in
            guard case .after(let anchor, let day)? = edit.placement, anchors.contains(anchor) else {
                return edit
            }
            return switch edit {
            case .add(let id, let content, _): .add(id, content, to: .end(day: day))
            case .move(let id, _): .move(id, to: .end(day: day))
            case .update, .remove, .trip: edit
            }
        }
    }

    /// The same edits for a trip that has changed: what is new and would have no place there, as its day has been cut away
    /// or all that it was to be beside has gone, goes to the end of its day or of the last one, in the same order.
    func addingSomewhere(in trip: Trip) -> [Edit] {
        var isNew: Set<ItemID> = []
        return map { edit in
            guard case .add(let id, let content, let to?) = edit else { return edit }
            defer { isNew.insert(id) }
            let day = Swift.min(to.day, trip.header.dayCount)
            if case .after(let anchor, _) = to, isNew.contains(anchor) {
                return .add(id, content, to: .after(anchor, day: day))
            }
            let isPlaced = to.anchors.isEmpty || to.anchors.contains { trip[$0]?.position.day == to.day }
            return isPlaced && day == to.day ? edit : .add(id, content, to: .end(day: day))
        }
    }
}
