import TripModel

/// A place between two neighbours, stored while text is written for it. It remains valid if one of them is
/// removed.
struct InsertionPoint: Sendable {
    let day: Int
    let above: ItemID?
    let below: ItemID?

    /// Directly below a row; nil outside the trip's days.
    init?(belowRow row: Int, of outline: Outline) {
        guard outline.inside.contains(row) else { return nil }
        day = outline.place(ofRow: row).day
        above = outline.item(atRow: row)?.id
        let isLast = row + 1 >= outline.dayRows(around: row).upperBound
        below = isLast ? nil : outline.item(atRow: row + 1)?.id
    }

    /// The place of a row's item; nil for a heading and outside the trip's days.
    init?(ofRow row: Int, of outline: Outline) {
        guard outline.inside.contains(row), outline.item(atRow: row) != nil else { return nil }
        day = outline.place(ofRow: row).day
        above = outline.item(atRow: row - 1)?.id
        let isLast = row + 1 >= outline.dayRows(around: row).upperBound
        below = isLast ? nil : outline.item(atRow: row + 1)?.id
    }

    /// The present placement: below the upper neighbour, else above the lower one, else at the end of its day
    /// or of the last day.
    func placement(in trip: Trip) -> Placement {
        if let above, trip[above]?.position.day == day { return .after(above, day: day) }
        if let below, trip[below]?.position.day == day { return .before(below, day: day) }
        if above == nil, trip.header.days.contains(day) { return .start(day: day) }
        return .end(day: min(day, trip.header.dayCount))
    }
}
