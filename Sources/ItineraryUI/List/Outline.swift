import TripModel

/// A trip as rows: a heading for every day, and below it the day's items in shown order.
///
/// Built once for each state of the trip. Finding an item's row is a binary search; reading a row is O(1).
struct Outline: Sendable {
    /// A row's rank within its day.
    struct Place: Equatable, Sendable {
        let day: Int
        /// 1 for the first item; 0 for the heading.
        let number: Int
        /// The number of items of the day.
        let count: Int
    }

    private struct Section: Sendable {
        let day: Int
        let headerRow: Int
        /// The last day of a folded run; otherwise the day itself.
        var lastDay: Int
        var totals = Totals()
    }

    /// The totals of a day.
    struct Totals: Equatable, Sendable {
        var games = 0
        var travelMinutes = 0
        var costs = CostSum()
    }

    let trip: Trip
    let rows: [ListRow]
    /// The rows of the trip's days; rows of games outside the trip are before and after them.
    let inside: Range<Int>
    private let sections: [Section]
    private let problemsOfItem: [ItemID: [String]]
    private let problemsOfDay: [Int: [String]]
    /// The sum of all costs.
    let costs: CostSum
    /// The instants and zones of the items.
    let clocks: TripClocks
    /// The later days of stays and travel, by the row of the heading above them, in order.
    let stays: [(header: Int, days: [LaterDay])]
    /// The columns of the texts at the right of items, by the first rows.
    let cellWidths: RowCells.Widths
    /// The number of days in folded runs.
    let foldedDayCount: Int

    /// The number of rows from which the widths of columns are taken: a view must stay cheap in the largest trip.
    private static let measuredRows = 1_000

    /// - Parameter folding: whether a run of at least two empty days is one row.
    init(_ trip: Trip, problems: [Problem], folding: Bool = false) {
        let dayCount = trip.header.dayCount
        var rows: [ListRow] = []
        var sections: [Section] = []
        rows.reserveCapacity(trip.itemCount + dayCount)
        sections.reserveCapacity(dayCount)
        let clocks = TripClocks(trip)
        self.clocks = clocks
        let laterDays = trip.laterDays(by: clocks)
        // Days with travel under way are not empty.
        let travelled = folding ? laterDays.filter { $0.value.contains(where: \.isTravel) }.keys.sorted() : []
        var folded = 0
        var costs = CostSum()
        let rates = trip.header.exchangeRates
        var widths = RowCells.Widths()
        func open(_ day: Int) {
            sections.append(Section(day: day, headerRow: rows.count, lastDay: day))
            rows.append(.day(day))
        }
        // Adds empty days, from `next` up to a day.
        func openEmpty(_ next: Int, upTo end: Int) {
            if let day = travelled.first(where: { $0 >= next }), day < end {
                openEmpty(next, upTo: day)
                open(day)
                return openEmpty(day + 1, upTo: end)
            }
            guard folding, end - next > 1 else {
                for day in next..<max(next, end) { open(day) }
                return
            }
            folded += end - next
            open(next)
            sections[sections.count - 1].lastDay = end - 1
        }
        var next = 1
        for id in trip.shownIDs {
            guard let item = trip[id] else { continue }
            let day = item.position.day
            let end = min(day, dayCount + 1)
            if next < end { openEmpty(next, upTo: end) }
            next = max(next, end)
            if next == day, next <= dayCount {
                open(next)
                next += 1
            }
            if sections.last?.day != day { open(day) }
            rows.append(.item(id))
            if rows.count <= Self.measuredRows {
                widths.include(RowCells(of: item.content, arrival: clocks.arrivalText(of: item), zone: nil))
            }
            switch item.content {
            case .game: sections[sections.count - 1].totals.games += 1
            case .travel(let travel):
                sections[sections.count - 1].totals.travelMinutes += travel.durationMinutes ?? 0
            case .custom: break
            }
            sections[sections.count - 1].totals.costs.add(costOf: item.content, in: rates)
            costs.add(costOf: item.content, in: rates)
        }
        openEmpty(next, upTo: dayCount + 1)
        self.costs = costs
        cellWidths = widths
        foldedDayCount = folded
        self.trip = trip
        stays =
            laterDays.isEmpty
            ? []
            : sections.compactMap { section in
                guard section.day == section.lastDay else { return nil }
                return laterDays[section.day].map { (section.headerRow, $0) }
            }
        self.rows = rows
        self.sections = sections
        let before = sections.partitioningIndex { $0.day >= 1 }
        let after = sections.partitioningIndex { $0.day > dayCount }
        let end = after < sections.count ? sections[after].headerRow : rows.count
        inside = sections[before].headerRow..<end

        var ofItem: [ItemID: [String]] = [:]
        var ofDay: [Int: [String]] = [:]
        for problem in problems where problem.isCounted {
            for id in problem.items { ofItem[id, default: []].append(problem.reason) }
            ofDay[problem.day, default: []].append(problem.reason)
        }
        problemsOfItem = ofItem
        problemsOfDay = ofDay
    }

    /// The row of an item; nil if it is not in the trip.
    func row(of id: ItemID) -> Int? {
        guard let item = trip[id], let index = trip.shownIndex(of: id) else { return nil }
        return index + sections.partitioningIndex { $0.day > item.position.day }
    }

    /// The row of a day's heading, or of the folded run that contains it.
    func headerRow(ofDay day: Int) -> Int? {
        let index = sections.partitioningIndex { $0.lastDay >= day }
        guard index < sections.count, sections[index].day <= day else { return nil }
        return sections[index].headerRow
    }

    /// The days of a heading: one, or those of a folded run.
    func days(ofHeader row: Int) -> ClosedRange<Int> {
        let section = section(ofRow: row).0
        return section.day...section.lastDay
    }

    /// The number of games and the travel time of a day.
    func totals(ofDay day: Int) -> Totals {
        let index = sections.partitioningIndex { $0.day >= day }
        guard index < sections.count, sections[index].day == day else { return Totals() }
        return sections[index].totals
    }

    func row(of row: ListRow) -> Int? {
        switch row {
        case .day(let day): headerRow(ofDay: day)
        case .item(let id): self.row(of: id)
        }
    }

    /// The item of a row; nil for a heading.
    func item(atRow row: Int) -> Item? {
        guard rows.indices.contains(row), case .item(let id) = rows[row] else { return nil }
        return trip[id]
    }

    /// A row's rank within its day.
    func place(ofRow row: Int) -> Place {
        let (section, end) = section(ofRow: row)
        return Place(
            day: section.day, number: row - section.headerRow, count: end - section.headerRow - 1)
    }

    /// The rows of a row's day, including the heading.
    func dayRows(around row: Int) -> Range<Int> {
        let (section, end) = section(ofRow: row)
        return section.headerRow..<end
    }

    private func section(ofRow row: Int) -> (Section, end: Int) {
        let next = sections.partitioningIndex { $0.headerRow > row }
        precondition(next > 0 && row < rows.count, "the row is one of the outline")
        let end = next < sections.count ? sections[next].headerRow : rows.count
        return (sections[next - 1], end)
    }

    /// The problems of a row, one sentence each.
    func problems(atRow row: Int) -> [String] {
        switch rows[row] {
        case .day(let day): problemsOfDay[day] ?? []
        case .item(let id): problemsOfItem[id] ?? []
        }
    }

    /// The row directly above a placement; nil if its anchor or its day does not exist.
    func rowAbove(_ placement: Placement) -> Int? {
        guard trip.header.days.contains(placement.day), let header = headerRow(ofDay: placement.day) else {
            return nil
        }
        switch placement {
        case .after(let id, let day), .before(let id, let day):
            guard trip[id]?.position.day == day, let row = row(of: id) else { return nil }
            if case .after = placement { return row }
            return row - 1
        case .between(let above, let below, let day):
            return rowAbove(.after(above, day: day)) ?? rowAbove(.before(below, day: day))
        case .start: return header
        case .end: return dayRows(around: header).upperBound - 1
        case .order(let order, _):
            let items = dayRows(around: header).dropFirst()
            let next = items.partitioningIndex { (item(atRow: $0)?.position.sortOrder ?? order) > order }
            return next - 1
        }
    }
}

// MARK: - Names of places

extension Outline {
    /// `Day 2, 4 of 6`
    func placeName(ofRow row: Int) -> String {
        let place = place(ofRow: row)
        guard place.number > 0 else { return dayName(place.day) }
        let day = DateText.name(ofDay: place.day, in: trip.header)
        return "\(day), \(place.number) of \(place.count)"
    }

    /// `Day 3` with its date.
    func dayName(_ day: Int) -> String {
        let header = trip.header
        guard header.days.contains(day) else {
            return "\(DateText.name(ofDay: day, in: header)), outside the trip"
        }
        return "Day \(day)" + (header.date(ofDay: day).map { " · \(DateText.text(of: $0))" } ?? "")
    }

    /// `1 event`, `1 h 25 min of travel`
    func totalsText(ofDay day: Int) -> [String] {
        let totals = totals(ofDay: day)
        var parts: [String] = []
        if totals.games > 0 { parts.append(counted(totals.games, "event")) }
        if totals.travelMinutes > 0 {
            parts.append("\(DateText.text(ofMinutes: totals.travelMinutes)) of travel")
        }
        if !totals.costs.isEmpty { parts.append(CostText.grouped(totals.costs.text)) }
        return parts
    }
}
