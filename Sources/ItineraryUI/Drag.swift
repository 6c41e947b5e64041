import TripModel

/// The user's item in hand: all its gaps, computed once, and the one it is at.
///
/// Below every row of the trip's days, the lifted one apart, there is exactly one gap: gap `k` is the one below
/// the `k`th such row. So a gap's line follows from its number, without a search.
struct Drag: Sendable {
    /// What the daemon has said so far.
    enum Phase: Equatable, Sendable {
        /// Not yet that the item is ours. A drop is kept until it does.
        case asking(dropsWhenGranted: Bool)
        /// That the item is ours.
        case held
        /// Nothing yet to the drop. What the user does meanwhile is kept in `EditorState.heldInput`.
        case dropping
    }

    let item: Item
    /// The row it has left.
    let liftedRow: Int
    let report: GapReport
    /// The games that bind it.
    let barriers: Set<ItemID>
    /// The gap it came from.
    let home: Int
    /// The gap it is at.
    var gap: Int
    var phase = Phase.asking(dropsWhenGranted: false)
    private let firstRow: Int

    /// Lifts the item of a row; nil where there is none that moves.
    init?(row: Int, of outline: Outline) {
        guard let item = outline.item(atRow: row), !item.isGame,
            let report = outline.trip.gaps(for: item.id)
        else { return nil }
        precondition(report.gaps.count == outline.inside.count - 1, "there is a gap below every row")
        self.item = item
        liftedRow = row
        self.report = report
        barriers = Set(report.barriers)
        firstRow = outline.inside.lowerBound
        home = row - 1 - firstRow
        gap = home
    }

    var current: Gap { report.gaps[gap] }

    /// How many of the remaining rows are above the gap it is at.
    var boundary: Int { firstRow + gap + 1 }

    /// The gap below a row of the outline; the one nearest to it for a row outside the trip or the lifted one.
    func gap(belowRow row: Int) -> Int {
        let remaining = row >= liftedRow ? row - 1 : row
        return min(max(remaining - firstRow, 0), report.gaps.count - 1)
    }

    /// The next gap in a direction that the item may go to.
    func validGap(from start: Int, step: Int) -> Int? {
        let candidates = stride(from: start + step, to: step > 0 ? report.gaps.count : -1, by: step)
        return candidates.first { report.gaps[$0].isValid }
    }

    /// The first gap of the next day or, going up, of this day and then of the one before.
    func gapOfNextDay(step: Int) -> Int {
        let gaps = report.gaps
        let day = current.day
        if step > 0 { return firstGap(ofDay: day + 1) ?? gaps.count - 1 }
        let first = firstGap(ofDay: day) ?? 0
        return first < gap ? first : firstGap(ofDay: day - 1) ?? 0
    }

    /// Where the present gap stands among those of its day.
    var place: Outline.Place {
        let start = firstGap(ofDay: current.day) ?? 0
        let end = firstGap(ofDay: current.day + 1) ?? report.gaps.count
        return Outline.Place(day: current.day, number: gap - start + 1, count: end - start)
    }

    private func firstGap(ofDay day: Int) -> Int? {
        let index = report.gaps.partitioningIndex { $0.day >= day }
        return index < report.gaps.count && report.gaps[index].day == day ? index : nil
    }

    /// Whether neither gap beside a row is one that the item may go to.
    func isClosed(aroundRow row: Int) -> Bool {
        let below = (row > liftedRow ? row - 1 : row) - firstRow
        return !(below - 1...below).contains { report.gaps.indices.contains($0) && report.gaps[$0].isValid }
    }

    /// Whether a row is right above or right below the gap that the item came from.
    func isBesideHome(row: Int) -> Bool {
        row == liftedRow - 1 || row == liftedRow + 1
    }
}
