import TripModel

/// What the user has in hand: all its gaps, computed once, and the one it is at.
///
/// Below every row of the trip's days, the lifted one apart, there is exactly one gap: gap `k` is the one below
/// the `k`th such row. So a gap's line follows from its number, without a search.
struct Drag: Sendable {
    /// What is in hand.
    enum Load: Sendable {
        /// An item of the trip, and the row it has left.
        case existing(Item, row: Int)
        /// Items that are to be, at least one; they are put below each other.
        case new([NewItem])
        /// Items of the trip, at least one, which stay in the list until they are put down below each other.
        case several([Item])
    }

    let load: Load
    let report: GapReport
    /// The games that bind it.
    let barriers: Set<ItemID>
    /// The gap it came from; a new item comes from none.
    let home: Int?
    /// The gap it is at.
    var gap: Int
    /// It has been put down, and the view that shows it there is about to come.
    var isDropped = false
    private let firstRow: Int

    /// Lifts the item of a row; nil if the row has none, or one that does not move.
    init?(row: Int, of outline: Outline) {
        guard let item = outline.item(atRow: row), !item.isGame,
            let report = outline.trip.gaps(for: item.id)
        else { return nil }
        precondition(report.gaps.count == outline.inside.count - 1, "there is a gap below every row")
        load = .existing(item, row: row)
        self.report = report
        barriers = Set(report.barriers)
        firstRow = outline.inside.lowerBound
        gap = row - 1 - firstRow
        home = gap
    }

    /// Takes new items in hand, at the gap below a row; nothing needs to be asked for.
    init?(new items: [NewItem], belowRow row: Int, of outline: Outline) {
        guard let first = items.first else { return nil }
        self.init(.new(items), outline.trip.gaps(for: first.content), belowRow: row, of: outline)
    }

    /// Takes a load in hand that is in no row of its own.
    init(_ load: Load, _ report: GapReport, belowRow row: Int, of outline: Outline) {
        self.load = load
        self.report = report
        barriers = Set(report.barriers)
        firstRow = outline.inside.lowerBound
        home = nil
        gap = 0
        gap = gap(belowRow: row)
    }

    /// The item of the trip that is in hand, if it is one.
    var existing: Item? {
        if case .existing(let item, _) = load { item } else { nil }
    }

    /// The row that has left its place.
    var liftedRow: Int? {
        if case .existing(_, let row) = load { row } else { nil }
    }

    /// What is in hand; of several new items the first.
    var content: ItemContent {
        switch load {
        case .existing(let item, _): return item.content
        case .new(let items):
            guard let first = items.first else { preconditionFailure("a drag has something in hand") }
            return first.content
        case .several(let items):
            guard let first = items.first else { preconditionFailure("a drag has something in hand") }
            return first.content
        }
    }

    /// What it is called.
    var title: String {
        switch load {
        case .existing(let item, _): return item.content.title
        case .new(let items):
            let title = content.title
            return items.count > 1 ? "\(title) and \(items.count - 1) more" : title
        case .several(let items):
            let title = content.title
            return items.count > 1 ? "\(title) and \(items.count - 1) more" : title
        }
    }

    /// The verb behind its title.
    var isOrAre: String {
        switch load {
        case .existing: "is"
        case .new(let items): items.count == 1 ? "is" : "are"
        case .several(let items): items.count == 1 ? "is" : "are"
        }
    }

    var current: Gap { report.gaps[gap] }

    /// How many of the remaining rows are above the gap it is at.
    var boundary: Int { firstRow + gap + 1 }

    /// A row's number among those that are left.
    func remaining(row: Int) -> Int { row > liftedRow ?? .max ? row - 1 : row }

    /// The gap below a row of the outline; the one nearest to it for a row outside the trip or the lifted one.
    func gap(belowRow row: Int) -> Int {
        let remaining = row >= liftedRow ?? .max ? row - 1 : row
        return min(max(remaining - firstRow, 0), report.gaps.count - 1)
    }

    /// The next gap in a direction that the item may go to, or so many further on, as far as there are any.
    func validGap(from start: Int, step: Int, times: Int = 1) -> Int? {
        let candidates = stride(from: start + step, to: step > 0 ? report.gaps.count : -1, by: step)
        var last: Int?
        for gap in candidates.lazy.filter({ report.gaps[$0].isValid }).prefix(times) { last = gap }
        return last
    }

    /// The gap so many days on or back.
    func gap(daysOn step: Int, times: Int) -> Int {
        var moved = self
        for _ in 0..<min(times, TripLimits.days) { moved.gap = moved.gapOfNextDay(step: step) }
        return moved.gap
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
        let below = remaining(row: row) - firstRow
        return !(below - 1...below).contains { report.gaps.indices.contains($0) && report.gaps[$0].isValid }
    }

    /// Whether a row is right above or right below the gap that the item came from.
    func isBesideHome(row: Int) -> Bool {
        guard let liftedRow else { return false }
        return row == liftedRow - 1 || row == liftedRow + 1
    }
}

/// Several items of the trip in hand at once. They stay in the list, where they are marked, until they are put down.
extension Drag {
    /// Takes items of the trip in hand, at the gap below a row.
    init?(several items: [Item], belowRow row: Int, of outline: Outline) {
        guard !items.isEmpty else { return nil }
        self.init(.several(items), Self.report(for: items, of: outline.trip), belowRow: row, of: outline)
    }

    /// Every gap of a trip, as far as all of the items may go there.
    ///
    /// The rules leave each travel one stretch of the shown order, so that only the ones with the latest beginning and the
    /// earliest end have to be asked.
    static func report(for items: [Item], of trip: Trip) -> GapReport {
        let free = trip.gaps(for: ItemContent.custom(CustomItem(title: "anything")))
        var latest: (content: ItemContent, index: Int)?
        var earliest: (content: ItemContent, index: Int)?
        var decisive: [ItemContent] = []
        for case let content in items.map(\.content) {
            guard case .travel = content else { continue }
            if trip.validDays(for: content) == nil {
                decisive = [content]
                break
            }
            let bound = trip.boundGames(of: content)
            if let index = bound.after.flatMap(trip.shownIndex(of:)), index > latest?.index ?? -1 {
                latest = (content, index)
            }
            if let index = bound.before.flatMap(trip.shownIndex(of:)), index < earliest?.index ?? .max {
                earliest = (content, index)
            }
        }
        if decisive.isEmpty { decisive = [latest?.content, earliest?.content].compactMap { $0 } }
        guard !decisive.isEmpty else { return free }
        let reports = decisive.map { trip.gaps(for: $0) }
        let gaps = free.gaps.indices.map { index in
            reports.lazy.map { $0.gaps[index] }.first { !$0.isValid } ?? free.gaps[index]
        }
        let days = gaps.lazy.filter(\.isValid).map(\.day)
        let validDays = days.first.flatMap { first in days.last.map { first...$0 } }
        return GapReport(validDays: validDays, barriers: reports.flatMap(\.barriers), gaps: gaps)
    }
}
