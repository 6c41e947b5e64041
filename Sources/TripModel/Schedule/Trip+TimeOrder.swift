/// Placing timed items by the times of their day.
extension Trip {
    /// The moves that sort the timed items of a day. Untimed items, games and most other items stay in place.
    package func movesIntoOrder(ofDay day: Int) -> [Edit] {
        let clocks = TripClocks(self)
        let timed = items(onDay: day).compactMap { item in clocks.start(of: item).map { Timed(item, $0) } }
        let staying = Self.longestInOrder(timed)
        var order = timed.filter { staying.contains($0.id) }
        let moving = timed.filter { !staying.contains($0.id) }.sorted {
            ($0.start, $0.id) < ($1.start, $1.id)
        }
        var edits: [Edit] = []
        for item in moving {
            let index = order.partitioningIndex { $0.start > item.start }
            if index > 0 {
                edits.append(.move(item.id, to: .after(order[index - 1].id, day: day)))
            } else if let first = order.first {
                edits.append(.move(item.id, to: .before(first.id, day: day)))
            }
            order.insert(item, at: index)
        }
        return edits
    }

    /// An item with its start in minutes, as in `TripClocks`.
    private struct Timed {
        let id: ItemID
        let isGame: Bool
        let start: Int

        init(_ item: Item, _ start: Int) {
            id = item.id
            isGame = item.isGame
            self.start = start
        }
    }

    /// The largest subset of items that is in the order of their times and contains every game.
    private static func longestInOrder(_ timed: [Timed]) -> Set<ItemID> {
        // Games are in order already. An item above a game but later, or below it but earlier, must move.
        var latestAbove = Int.min
        var earliestBelow = [Int](repeating: .max, count: timed.count)
        for index in timed.indices.dropLast().reversed() {
            let next = timed[index + 1]
            earliestBelow[index] =
                next.isGame ? min(next.start, earliestBelow[index + 1]) : earliestBelow[index + 1]
        }
        var fitting: [Int] = []
        for (index, item) in timed.enumerated() {
            if item.isGame {
                latestAbove = max(latestAbove, item.start)
                fitting.append(index)
            } else if item.start >= latestAbove, item.start <= earliestBelow[index] {
                fitting.append(index)
            }
        }
        // The longest non-decreasing subsequence, by the smallest last time of each length.
        var tails: [Int] = []
        var before = [Int?](repeating: nil, count: timed.count)
        for index in fitting {
            let length = tails.partitioningIndex { timed[$0].start > timed[index].start }
            before[index] = length > 0 ? tails[length - 1] : nil
            if length < tails.count { tails[length] = index } else { tails.append(index) }
        }
        var staying = Set(timed.lazy.filter(\.isGame).map(\.id))
        var next = tails.last
        while let index = next {
            staying.insert(timed[index].id)
            next = before[index]
        }
        return staying
    }

    /// The moves of items to other days, as one change: timed ones to their times on the new day, others to
    /// the end in their order.
    ///
    /// - Parameter items: in shown order; their new days are days of the trip.
    package func moves(of items: [Item], byDays days: Int) -> [Edit] {
        let moving = Set(items.lazy.map(\.id))
        let arrivals = Dictionary(grouping: items) { $0.position.day + days }
        return arrivals.keys.sorted().flatMap { day in
            moves(
                of: arrivals[day] ?? [], toDay: day,
                staying: self.items(onDay: day).filter { !moving.contains($0.id) })
        }
    }

    private func moves(of arrivals: [Item], toDay day: Int, staying: [Item]) -> [Edit] {
        let clocks = TripClocks(self)
        let timed = staying.compactMap { item in clocks.start(of: item).map { Timed(item, $0) } }
        // The earliest time from each item on, so that the last one that is not later can be found by binary
        // search.
        var earliest = timed.map(\.start)
        for index in earliest.indices.dropLast().reversed() {
            earliest[index] = min(earliest[index], earliest[index + 1])
        }
        // Untimed items, and those with equal times, keep their order.
        let ordered = arrivals.enumerated()
            .map { index, item in
                (
                    item: item, index: index,
                    start: clocks.start(ofNew: item.content, below: staying.last, onDay: day)
                )
            }
            .sorted { ($0.start ?? .max, $0.index) < ($1.start ?? .max, $1.index) }
        var edits: [Edit] = []
        var above: (arrival: ItemID, index: Int)?
        for (item, _, start) in ordered {
            guard let start else {
                edits.append(.move(item.id, to: .end(day: day)))
                continue
            }
            let index = earliest.partitioningIndex { $0 > start }
            if let above, above.index == index {
                edits.append(.move(item.id, to: .after(above.arrival, day: day)))
            } else if index > 0 {
                edits.append(.move(item.id, to: .after(timed[index - 1].id, day: day)))
            } else {
                edits.append(
                    .move(item.id, to: timed.first.map { .before($0.id, day: day) } ?? .end(day: day)))
            }
            above = (item.id, index)
        }
        return edits
    }

    /// The moves that exchange the movable items of two days, as one change. They keep their order; timed ones go below the
    /// games that begin before them, and travel also below those that it must follow.
    package func moves(exchanging day: Int, with other: Int) -> [Edit] {
        moves(ofDay: day, toDay: other) + moves(ofDay: other, toDay: day)
    }

    private func moves(ofDay day: Int, toDay other: Int) -> [Edit] {
        let clocks = TripClocks(self)
        var games = items(onDay: other).filter(\.isGame)[...]
        var (above, lastGame): (ItemID?, ItemID?)
        return items(onDay: day).filter { !$0.isGame }.map { item in
            let start = clocks.start(ofNew: item.content, below: nil, onDay: other)
            let allowed =
                item.content.kind != .travel
                ? [] : gaps(for: item.content).gaps.filter { $0.day == other && $0.isValid }.map(\.after)
            while let game = games.first {
                let isEarlier = start.map { clocks.start(of: game) ?? 0 <= $0 } ?? false
                let isRequired =
                    !allowed.contains(lastGame) && games.contains { allowed.contains($0.id) }
                guard isEarlier || isRequired else { break }
                games.removeFirst()
                (above, lastGame) = (game.id, game.id)
            }
            defer { above = item.id }
            return .move(item.id, to: above.map { .after($0, day: other) } ?? .start(day: other))
        }
    }

    /// The place of a new item that is wanted at a place: that one or, if its time does not fit there, another place on
    /// the day.
    package func placement(of content: ItemContent, at wanted: Placement) -> Placement {
        let clocks = TripClocks(self)
        guard content.startTime != nil, !suits(wanted, content, clocks) else { return wanted }
        return placement(of: content, onDay: wanted.day, clocks)
    }

    /// The place of a new item if at most its day is given: in time order among the items of the day. Travel goes to the
    /// first valid place that suits its time, else to the first valid one.
    ///
    /// - Parameter day: nil for any day; then the daemon places an item without a time.
    /// - Returns: nil if the daemon decides.
    package func placement(ofNew content: ItemContent, onDay day: Int?) -> Placement? {
        switch content {
        case .game: return nil
        case .custom:
            guard content.startTime != nil else { return day.map { .end(day: $0) } }
            return placement(of: content, onDay: day ?? 1, TripClocks(self))
        case .travel:
            guard day != nil || content.startTime != nil else { return nil }
            let valid = gaps(for: content).gaps.filter { $0.isValid && (day == nil || $0.day == day) }
            let suited =
                content.startTime == nil ? nil : firstGap(of: valid, suiting: content, TripClocks(self))
            return (suited ?? valid.first)?.placement ?? day.map { .end(day: $0) }
        }
    }

    /// The day of new content: the named one, else that of its place.
    package func day(ofNew content: ItemContent, named day: Int?) -> Int {
        day ?? placement(ofNew: content, onDay: nil)?.day ?? validDays(for: content)?.lowerBound ?? 1
    }

    /// The first gap with no later item above it and no earlier or equal one below it on its day.
    private func firstGap(of gaps: [Gap], suiting content: ItemContent, _ clocks: TripClocks) -> Gap? {
        var day: (number: Int, times: DayTimes)?
        return gaps.first { gap in
            if day?.number != gap.day { day = (gap.day, DayTimes(items(onDay: gap.day), clocks)) }
            guard let times = day?.times, let index = times.index(below: gap.after) else { return false }
            let start = times.start(of: content, at: index, onDay: gap.day)
            return times.latest[index] <= start && start < times.earliest[index]
        }
    }

    /// The place of new content on a day, by its time.
    ///
    /// A time can fit above and below travel between two zones. Then the place that is not during the travel
    /// is used.
    private func placement(of content: ItemContent, onDay day: Int, _ clocks: TripClocks) -> Placement {
        let items = items(onDay: day).filter { clocks.start(of: $0) != nil }
        let times = DayTimes(items, clocks)
        guard let first = items.first else { return .end(day: day) }
        let fitting = items.indices.reversed().map { $0 + 1 }.filter { index in
            let start = times.start(of: content, at: index, onDay: day)
            return times.latest[index] <= start && start <= times.earliest[index]
        }
        let isFree = { (index: Int) in
            let start = times.start(of: content, at: index, onDay: day)
            return items[..<index].allSatisfy { clocks.end(ofTravel: $0).map { $0 <= start } ?? true }
        }
        if let index = fitting.first(where: isFree) { return .after(items[index - 1].id, day: day) }
        if times.start(of: content, at: 0, onDay: day) < times.earliest[0] {
            return .before(first.id, day: day)
        }
        let above =
            fitting.first.map { items[$0 - 1] }
            ?? items.last { item in
                clocks.start(of: item) ?? 0 <= clocks.start(ofNew: content, below: item, onDay: day) ?? 0
            }
        return above.map { .after($0.id, day: day) } ?? .before(first.id, day: day)
    }

    /// Whether at a place no item above is later than the content and none below is earlier.
    private func suits(_ place: Placement, _ content: ItemContent, _ clocks: TripClocks) -> Bool {
        let times = DayTimes(items(onDay: place.day), clocks)
        let index: Int? =
            switch place {
            case .start: 0
            case .end: times.items.count
            case .after(let anchor, _): times.index(below: anchor)
            case .before(let anchor, _): times.index(below: anchor).map { $0 - 1 }
            case .between, .order: nil
            }
        guard let index else { return true }
        let start = times.start(of: content, at: index, onDay: place.day)
        return times.latest[index] <= start && start <= times.earliest[index]
    }
}

/// The items of a day, with the latest start above each gap and the earliest start below it.
private struct DayTimes {
    let items: [Item]
    /// By the number of items above the gap.
    private(set) var latest: [Int] = [.min]
    private(set) var earliest: [Int]
    private let clocks: TripClocks

    init(_ items: [Item], _ clocks: TripClocks) {
        self.items = items
        self.clocks = clocks
        let starts = items.map(clocks.start(of:))
        for start in starts { latest.append(max(latest[latest.count - 1], start ?? .min)) }
        earliest = Array(repeating: .max, count: items.count + 1)
        for index in starts.indices.reversed() {
            earliest[index] = min(earliest[index + 1], starts[index] ?? .max)
        }
    }

    /// The gap below an item, or at the top of the day.
    func index(below item: ItemID?) -> Int? {
        guard let item else { return 0 }
        return items.firstIndex { $0.id == item }.map { $0 + 1 }
    }

    /// The minute at which new content would begin in a gap.
    func start(of content: ItemContent, at index: Int, onDay day: Int) -> Int {
        clocks.start(ofNew: content, below: index == 0 ? nil : items[index - 1], onDay: day) ?? 0
    }
}
