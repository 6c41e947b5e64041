import TripModel

/// Putting what has a time where the times of its day say.
extension Trip {
    /// The moves that bring what has a time on a day into its order: everything without a time, every game and the most
    /// of the others stay where they are.
    func movesIntoOrder(ofDay day: Int) -> [Edit] {
        let timed = items(onDay: day).filter { $0.minuteOfDay != nil }
        let staying = Self.longestInOrder(timed)
        var order = timed.filter { staying.contains($0.id) }
        let moving = timed.filter { !staying.contains($0.id) }
            .sorted { ($0.minuteOfDay ?? 0, $0.id) < ($1.minuteOfDay ?? 0, $1.id) }
        var edits: [Edit] = []
        for item in moving {
            let minute = item.minuteOfDay ?? 0
            let index = order.partitioningIndex { ($0.minuteOfDay ?? 0) > minute }
            if index > 0 {
                edits.append(.move(item.id, to: .after(order[index - 1].id, day: day)))
            } else if let first = order.first {
                edits.append(.move(item.id, to: .before(first.id, day: day)))
            }
            order.insert(item, at: index)
        }
        return edits
    }

    /// Of things in a row as many as can be that are in the order of their times, every game among them.
    private static func longestInOrder(_ timed: [Item]) -> Set<ItemID> {
        // Games are in order already; what is before one and later, or behind one and earlier, has to go.
        var latestAbove = Int.min
        var earliestBelow = [Int](repeating: .max, count: timed.count)
        for index in timed.indices.dropLast().reversed() {
            let next = timed[index + 1]
            earliestBelow[index] =
                next.isGame ? min(next.minuteOfDay ?? 0, earliestBelow[index + 1]) : earliestBelow[index + 1]
        }
        var fitting: [Int] = []
        for (index, item) in timed.enumerated() {
            let minute = item.minuteOfDay ?? 0
            if item.isGame {
                latestAbove = max(latestAbove, minute)
                fitting.append(index)
            } else if minute >= latestAbove, minute <= earliestBelow[index] {
                fitting.append(index)
            }
        }
        // The longest run that does not fall, by the smallest last time of each length.
        var tails: [Int] = []
        var before = [Int?](repeating: nil, count: timed.count)
        for index in fitting {
            let minute = timed[index].minuteOfDay ?? 0
            let length = tails.partitioningIndex { (timed[$0].minuteOfDay ?? 0) > minute }
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

    /// The moves that bring items to other days as one change: those with a time between the others as the days will be,
    /// those without to the end, in their order.
    ///
    /// - Parameter items: in shown order; their new days are days of the trip.
    func moves(of items: [Item], byDays days: Int) -> [Edit] {
        let moving = Set(items.lazy.map(\.id))
        let arrivals = Dictionary(grouping: items) { $0.position.day + days }
        return arrivals.keys.sorted().flatMap { day in
            moves(
                of: arrivals[day] ?? [], toDay: day,
                staying: self.items(onDay: day).filter { !moving.contains($0.id) })
        }
    }

    private func moves(of arrivals: [Item], toDay day: Int, staying: [Item]) -> [Edit] {
        let timed = staying.filter { $0.minuteOfDay != nil }
        // The earliest time from each item on, so that the last one that is not later is found by halving.
        var earliest = timed.map { $0.minuteOfDay ?? 0 }
        for index in earliest.indices.dropLast().reversed() {
            earliest[index] = min(earliest[index], earliest[index + 1])
        }
        // Items without a time, and those of one time, keep their order.
        let ordered = arrivals.enumerated().sorted {
            ($0.element.minuteOfDay ?? .max, $0.offset) < ($1.element.minuteOfDay ?? .max, $1.offset)
        }.map(\.element)
        var edits: [Edit] = []
        var above: (arrival: ItemID, index: Int)?
        for item in ordered {
            guard let minute = item.minuteOfDay else {
                edits.append(.move(item.id, to: .end(day: day)))
                continue
            }
            let index = earliest.partitioningIndex { $0 > minute }
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

    /// Where a new item goes that is written at a spot: there, unless it has a time that belongs elsewhere on that day.
    func placement(of content: ItemContent, at spot: Spot) -> Placement {
        let wanted = spot.placement(in: self)
        guard case .time(let time)? = content[.time], !suits(wanted, minute: time.minute) else {
            return wanted
        }
        return placement(ofMinute: time.minute, onDay: wanted.day)
    }

    /// Where a new item goes of which no more than the day is said: where its time belongs. Travel goes to the first valid
    /// place that suits its time, or to the first valid one.
    ///
    /// - Parameter day: nil for any day; then an item without a time goes where the daemon puts it.
    /// - Returns: nil if the daemon decides.
    package func placement(ofNew content: ItemContent, onDay day: Int?) -> Placement? {
        let minute = content.time?.minute
        switch content {
        case .game: return nil
        case .custom:
            guard let minute else { return day.map { .end(day: $0) } }
            return placement(ofMinute: minute, onDay: day ?? 1)
        case .travel:
            guard day != nil || minute != nil else { return nil }
            let valid = gaps(for: content).gaps.filter { $0.isValid && (day == nil || $0.day == day) }
            let suited = minute.flatMap { firstGap(of: valid, suiting: $0) }
            return (suited ?? valid.first)?.placement ?? day.map { .end(day: $0) }
        }
    }

    /// The first of some gaps with nothing later than a time above it on its day, and nothing earlier below it.
    private func firstGap(of gaps: [Gap], suiting minute: Int) -> Gap? {
        var suitable: (day: Int, above: Set<ItemID?>)?
        return gaps.first { gap in
            if suitable?.day != gap.day {
                let items = items(onDay: gap.day)
                let first = items.lastIndex { ($0.minuteOfDay ?? .max) <= minute }.map { $0 + 1 } ?? 0
                let last = items.firstIndex { ($0.minuteOfDay ?? 0) > minute } ?? items.count
                let places = first <= last ? first...last : nil
                suitable = (gap.day, Set(places.map { $0.map { $0 == 0 ? nil : items[$0 - 1].id } } ?? []))
            }
            return suitable?.above.contains(gap.after) ?? false
        }
    }

    private func placement(ofMinute minute: Int, onDay day: Int) -> Placement {
        let others = items(onDay: day).filter { $0.minuteOfDay != nil }
        if let above = others.last(where: { ($0.minuteOfDay ?? 0) <= minute }) {
            return .after(above.id, day: day)
        }
        if let below = others.first { return .before(below.id, day: day) }
        return .end(day: day)
    }

    /// Whether nothing above a place is later than a time, and nothing below it earlier.
    private func suits(_ place: Placement, minute: Int) -> Bool {
        let items = items(onDay: place.day)
        let index: Int? =
            switch place {
            case .start: 0
            case .end: items.count
            case .after(let anchor, _): items.firstIndex { $0.id == anchor }.map { $0 + 1 }
            case .before(let anchor, _): items.firstIndex { $0.id == anchor }
            case .between, .order: nil
            }
        guard let index else { return true }
        return items[..<index].allSatisfy { ($0.minuteOfDay ?? 0) <= minute }
            && items[index...].allSatisfy { ($0.minuteOfDay ?? .max) >= minute }
    }
}
