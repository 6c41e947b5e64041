import TripModel

/// What somebody else's change did, as one sentence.
package enum RemoteChange {
    /// `ann moved Hotel to Day 2, 3 of 5`; nil where nothing of the trip differs.
    ///
    /// - Parameters:
    ///   - old: the trip that the user saw before.
    ///   - new: the trip now, any number of versions later.
    ///   - user: who made the last of the changes.
    package static func sentence(from old: Trip, to new: Trip, by user: String) -> String? {
        let changed = new.items.filter { item in
            guard let before = old[item.id] else { return true }
            return before.content != item.content || before.position != item.position
        }
        // Items that were only re-spaced around an edited one are not what somebody did.
        let edited = changed.filter { old[$0.id]?.modifiedAt != $0.modifiedAt || old[$0.id] == nil }
        let removed = old.items.filter { new[$0.id] == nil }
        let count = edited.count + removed.count
        if count > 1 { return "\(user) made \(count) changes" }
        if let item = removed.first { return "\(user) removed \(item.content.title)" }
        guard let item = edited.first ?? changed.first else {
            return old.header == new.header ? nil : "\(user) changed the trip"
        }
        let place = place(of: item, in: new)
        guard let before = old[item.id] else { return "\(user) added \(item.content.title) on \(place)" }
        if before.position != item.position { return "\(user) moved \(item.content.title) to \(place)" }
        return "\(user) changed \(item.content.title)"
    }

    private static func place(of item: Item, in trip: Trip) -> String {
        let day = trip.items(onDay: item.position.day)
        let rank = (day.firstIndex { $0.id == item.id } ?? 0) + 1
        return "Day \(item.position.day), \(rank) of \(day.count)"
    }
}
