import TripModel

/// A drag: all gaps for the dragged items, computed once, and the current one.
///
/// Below every row of the trip's days, except the lifted one, there is exactly one gap: gap `k` is below the
/// `k`th such row. So a gap's line is computed without a search.
struct Drag: Sendable {
    /// The dragged items.
    enum Load: Sendable {
        /// An item of the trip, and the row that it has left.
        case existing(Item, row: Int)
        /// New items, at least one, to be placed below each other.
        case new([NewItem])
        /// Items of the trip, at least one. They stay in the list until they are dropped below each other.
        case several([Item])
    }

    let load: Load
    let report: GapReport
    /// The games that constrain it.
    let barriers: Set<ItemID>
    /// The gap from which it was lifted; nil for new items.
    let home: Int?
    /// The current gap.
    var gap: Int
    /// Whether it was dropped, and the view with the new place is still to come.
    var isDropped = false
    private let firstRow: Int

    /// Lifts the item of a row; nil for a heading or an item that cannot be moved.
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

    /// Drags new items, from the gap below a row; needs no lease.
    init?(new items: [NewItem], belowRow row: Int, of outline: Outline) {
        guard let first = items.first else { return nil }
        self.init(.new(items), outline.trip.gaps(for: first.content), belowRow: row, of: outline)
    }

    /// Drags a load that has no row of its own.
    init(_ load: Load, _ report: GapReport, belowRow row: Int, of outline: Outline) {
        self.load = load
        self.report = report
        barriers = Set(report.barriers)
        firstRow = outline.inside.lowerBound
        home = nil
        gap = 0
        gap = gap(belowRow: row)
    }

    /// The dragged item of the trip, if it is a single one.
    var existing: Item? {
        if case .existing(let item, _) = load { item } else { nil }
    }

    /// The row of the lifted item.
    var liftedRow: Int? {
        if case .existing(_, let row) = load { row } else { nil }
    }

    /// The number of items, and the content of the first.
    private var items: (count: Int, first: ItemContent) {
        let (count, first): (Int, ItemContent?) =
            switch load {
            case .existing(let item, _): (1, item.content)
            case .new(let items): (items.count, items.first?.content)
            case .several(let items): (items.count, items.first?.content)
            }
        guard let first else { preconditionFailure("a drag has an item") }
        return (count, first)
    }

    /// The content of the dragged item; of several the first.
    var content: ItemContent { items.first }

    /// The title of the first item, and the number of others.
    var title: String {
        let (count, first) = items
        return count > 1 ? "\(first.title) and \(count - 1) more" : first.title
    }

    /// The verb after the title.
    var isOrAre: String { items.count == 1 ? "is" : "are" }

    var current: Gap { report.gaps[gap] }

    /// The number of remaining rows above the current gap.
    var boundary: Int { firstRow + gap + 1 }

    /// A row's index among the remaining ones.
    func remaining(row: Int) -> Int { row > liftedRow ?? .max ? row - 1 : row }

    /// The gap below a row; the nearest one for a row outside the trip or the lifted row.
    func gap(belowRow row: Int) -> Int {
        let remaining = row >= liftedRow ?? .max ? row - 1 : row
        return min(max(remaining - firstRow, 0), report.gaps.count - 1)
    }

    /// The next valid gap in a direction, or the one after several; nil if there is none.
    func validGap(from start: Int, step: Int, times: Int = 1) -> Int? {
        let candidates = stride(from: start + step, to: step > 0 ? report.gaps.count : -1, by: step)
        var last: Int?
        for gap in candidates.lazy.filter({ report.gaps[$0].isValid }).prefix(times) { last = gap }
        return last
    }

    /// The gap a number of days later or earlier.
    func gap(daysOn step: Int, times: Int) -> Int {
        var moved = self
        for _ in 0..<min(times, TripLimits.days) { moved.gap = moved.gapOfNextDay(step: step) }
        return moved.gap
    }

    /// The first gap of the next day or, upward, of this day and then of the previous one.
    func gapOfNextDay(step: Int) -> Int {
        let gaps = report.gaps
        let day = current.day
        if step > 0 { return firstGap(ofDay: day + 1) ?? gaps.count - 1 }
        let first = firstGap(ofDay: day) ?? 0
        return first < gap ? first : firstGap(ofDay: day - 1) ?? 0
    }

    /// The rank of the current gap within its day.
    var place: Outline.Place {
        let start = firstGap(ofDay: current.day) ?? 0
        let end = firstGap(ofDay: current.day + 1) ?? report.gaps.count
        return Outline.Place(day: current.day, number: gap - start + 1, count: end - start)
    }

    private func firstGap(ofDay day: Int) -> Int? {
        let index = report.gaps.partitioningIndex { $0.day >= day }
        return index < report.gaps.count && report.gaps[index].day == day ? index : nil
    }

    /// Whether both gaps beside a row are invalid.
    func isClosed(aroundRow row: Int) -> Bool {
        let below = remaining(row: row) - firstRow
        return !(below - 1...below).contains { report.gaps.indices.contains($0) && report.gaps[$0].isValid }
    }

    /// Whether a row is beside the gap from which the item was lifted.
    func isBesideHome(row: Int) -> Bool {
        guard let liftedRow else { return false }
        return row == liftedRow - 1 || row == liftedRow + 1
    }
}

/// Dragging several items of the trip. They stay in the list as selected until they are dropped.
extension Drag {
    /// Drags items of the trip, from the gap below a row.
    init?(several items: [Item], belowRow row: Int, of outline: Outline) {
        guard !items.isEmpty else { return nil }
        self.init(.several(items), Self.report(for: items, of: outline.trip), belowRow: row, of: outline)
    }

    /// Every gap of a trip, valid if all items may go there.
    ///
    /// The valid places of each travel are contiguous, so only the ones with the latest start and the
    /// earliest end are checked.
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

// MARK: - Sentences

extension Drag {
    /// `Train lifted, for days 2 to 4.`
    func liftSentence(in trip: Trip) -> String {
        guard let days = report.validDays, report.gaps.contains(where: \.isValid) else {
            let refusal = trip.noPlace(for: content) ?? report.gaps.first?.refusal
            let why = refusal.map { trip.explanation(of: $0, .form) } ?? "no day is allowed"
            return "\(title) has no allowed place: \(why)."
        }
        let range =
            days.count == 1
            ? "day \(days.lowerBound)" : "days \(days.lowerBound) to \(days.upperBound)"
        return "\(title) \(isOrAre) lifted, for \(range)."
    }

    /// `Day 2, 4 of 6. After …, before ….`
    func gapSentence(in trip: Trip) -> String {
        let current = current
        let rank = place
        let place = "Day \(rank.day), \(rank.number) of \(rank.count)"
        // The reason comes first, because on a narrow screen the rest may be cut.
        if let refusal = current.refusal { return "\(capitalized(trip.reason(of: refusal))). \(place)." }
        if gap == home { return "\(place). Where it was." }
        let after = current.after.map { "after \(trip.title(of: $0))" }
        let before = current.before.map { "before \(trip.title(of: $0))" }
        switch (after, before) {
        case (let after?, let before?): return "\(place). \(capitalized(after)), \(before)."
        case (let only?, nil), (nil, let only?): return "\(place). \(capitalized(only))."
        case (nil, nil): return "\(place). Nothing else is on this day."
        }
    }

    /// The text in the line of the current gap.
    func landingText(in trip: Trip) -> String {
        let gap = current
        if let refusal = gap.refusal { return trip.reason(of: refusal) }
        let day = "Day \(gap.day) · "
        if let after = gap.after { return day + "after \(trip.title(of: after))" }
        if let before = gap.before { return day + "before \(trip.title(of: before))" }
        return day + "nothing else yet"
    }
}

extension Trip {
    /// `must be after Brazil v Morocco 18:00`
    func reason(of refusal: PlaceRefusal) -> String {
        requirement(of: refusal) ?? explanation(of: refusal, .form)
    }

    /// The message after a drop at an invalid place.
    func refusalSentence(_ refusal: PlaceRefusal) -> String {
        "\(capitalized(reason(of: refusal))): it was not moved there."
    }

    /// The title of an item; empty if it is not in the trip.
    func title(of id: ItemID) -> String { self[id]?.content.title ?? "" }
}

/// A new item, which gets its place when it is dropped.
struct NewItem: Sendable {
    let id: ItemID
    let content: ItemContent
    /// Whether it is an idea of the trip with the same id, which it replaces.
    var isIdea = false
}

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
