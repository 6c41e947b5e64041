import TripModel

extension Placement {
    /// The anchor side of a place between two neighbours.
    enum AnchorSide: Sendable { case above, below }

    /// The place by only one of its neighbours.
    func anchored(_ anchorSide: AnchorSide) -> Placement {
        guard case .between(let above, let below, let day) = self else { return self }
        return anchorSide == .above ? .after(above, day: day) : .before(below, day: day)
    }

    /// Anchors the place to both neighbours, so that it survives the removal of one.
    ///
    /// - Parameter item: the item to place, which is not its own neighbour.
    func anchored(in trip: Trip, without item: ItemID) -> Placement {
        switch self {
        case .after(let anchor, let day):
            guard let below = Self.neighbour(of: anchor, onDay: day, in: trip, without: item, step: 1) else {
                return self
            }
            return .between(anchor, below, day: day)
        case .before(let anchor, let day):
            // The place above the first item of a day is the day's start, whatever happens to that item.
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
    /// The same edits with every place anchored to both of its neighbours in the current trip.
    func anchored(in trip: Trip) -> [Edit] {
        map { edit in
            switch edit {
            case .add(let id, let content, let to): .add(id, content, to: to?.anchored(in: trip, without: id))
            case .move(let id, let to): .move(id, to: to.anchored(in: trip, without: id))
            case .update, .remove, .trip: edit
            }
        }
    }
}

extension Edit {
    /// The place of its item; nil if it places none.
    var placement: Placement? {
        switch self {
        case .add(_, _, let to): to
        case .move(_, let to): to
        case .update, .remove, .trip: nil
        }
    }

    /// True if its place is anchored to two neighbours.
    var isBetween: Bool {
        if case .between? = placement { true } else { false }
    }
}

extension [Edit] {
    /// The anchors of these edits' places that are the last items of their days.
    func lastOfDays(in trip: Trip) -> Set<ItemID> {
        var anchors: Set<ItemID> = []
        // After `anchored`, a place below an item that is not the last of its day has two anchors.
        for case .after(let anchor, let day)? in map(\.placement) where trip[anchor]?.position.day == day {
            anchors.insert(anchor)
        }
        return anchors
    }

    /// The same edits with the day's end for each place below one of these items.
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

    /// The same edits for a changed trip: a new item without a place there, because its day or all its
    /// neighbours are gone, goes to the end of its day or of the last day, in the same order.
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
