import TripModel

extension Trip {
    /// Edits that add days for all entries, with items kept on their dates. Empty if the trip has those days
    /// or would exceed the maximum.
    func edits(extendingFor entries: FileEntries, _ frame: TripFrame) -> [Edit] {
        let clock = WallClock(zone: frame.timeZone)
        var clocks: [String: WallClock] = [:]
        var (first, last) = (1, header.dayCount)
        for entry in entries.entries {
            var day: Int?
            if case .day(let number) = entry.when {
                day = number
            } else {
                day = entry.date(clock, countsByTripClock: frame.countsByTripClock, &clocks).map(
                    frame.dayNumber)
            }
            guard let day else { continue }
            (first, last) = (min(first, day), max(last, day + entry.nights))
        }
        let earlier = 1 - first
        guard earlier > 0 || last > header.dayCount, last + earlier <= TripLimits.days,
            let start = header.startDate.adding(days: -earlier)
        else { return [] }
        let change = TripChange(
            startDate: earlier > 0 ? start : nil, dayCount: last + earlier)
        guard earlier > 0 else { return [.trip(change)] }
        return [.trip(change)]
            + items.filter { !$0.isGame }.map { item in
                let (day, order) = (item.position.day, item.position.sortOrder)
                return .move(item.id, to: .order(order, day: day + earlier))
            }
    }
}
