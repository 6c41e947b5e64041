import TripModel

/// A place between two neighbours, remembered while something is written there: it stays the same place though one of
/// them goes.
struct Spot: Sendable {
    let day: Int
    let above: ItemID?
    let below: ItemID?

    /// Right below a row; nil outside the trip's days.
    init?(belowRow row: Int, of outline: Outline) {
        guard outline.inside.contains(row) else { return nil }
        day = outline.place(ofRow: row).day
        above = outline.item(atRow: row)?.id
        let isLast = row + 1 >= outline.dayRows(around: row).upperBound
        below = isLast ? nil : outline.item(atRow: row + 1)?.id
    }

    /// The place of a row's own item; nil for a header and outside the trip's days.
    init?(ofRow row: Int, of outline: Outline) {
        guard outline.inside.contains(row), outline.item(atRow: row) != nil else { return nil }
        day = outline.place(ofRow: row).day
        above = outline.item(atRow: row - 1)?.id
        let isLast = row + 1 >= outline.dayRows(around: row).upperBound
        below = isLast ? nil : outline.item(atRow: row + 1)?.id
    }

    /// Where it is now: below the neighbour above, else above the one below, else at the end of its day or the last
    /// day that there is.
    func placement(in trip: Trip) -> Placement {
        if let above, trip[above]?.position.day == day { return .after(above, day: day) }
        if let below, trip[below]?.position.day == day { return .before(below, day: day) }
        if above == nil, trip.header.days.contains(day) { return .start(day: day) }
        return .end(day: min(day, trip.header.dayCount))
    }
}
