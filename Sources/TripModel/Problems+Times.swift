// What the times say that people give to custom items and travel (R-CONFLICT). They never move anything.

extension ItemContent {
    /// The time that somebody gave it; a game's is its schedule's.
    package var time: ClockTime? {
        switch self {
        case .game: nil
        case .travel(let travel): travel.time
        case .custom(let custom): custom.time
        }
    }

    /// Whether its place or its fields count for any problem.
    package var countsForProblems: Bool {
        if case .custom(let custom) = self { custom.time != nil } else { true }
    }
}

extension Item {
    /// The minute of its day at which it begins, in whole minutes since midnight; nil where that is not known.
    package var minuteOfDay: Int? {
        isGame ? Int(position.sortOrder.rounded(.down)) - Int(SortOrder.gameBase) : content.time?.minute
    }
}

extension Trip {
    /// Days whose things with a time do not stand in its order. Of each stretch of them that would have to be put in
    /// order among themselves there is one problem.
    func orderProblems() -> [Problem] {
        var problems: [Problem] = []
        for day in Set(timedItems.compactMap { itemsByID[$0]?.position.day }).sorted() {
            let timed = items(onDay: day).compactMap { item in
                item.minuteOfDay.map { (item: item, minute: $0) }
            }
            var earliestBelow = timed.map(\.minute)
            for index in earliestBelow.indices.dropLast().reversed() {
                earliestBelow[index] = min(earliestBelow[index], earliestBelow[index + 1])
            }
            var stretch: [(item: Item, minute: Int)] = []
            var latest = Int.min
            for (index, thing) in timed.enumerated() {
                stretch.append(thing)
                latest = max(latest, thing.minute)
                if index + 1 < timed.count, earliestBelow[index + 1] < latest { continue }
                if stretch.count > 1 { problems.append(Self.outOfTime(stretch, onDay: day)) }
                stretch = []
            }
        }
        return problems
    }

    private static func outOfTime(_ stretch: [(item: Item, minute: Int)], onDay day: Int) -> Problem {
        let names = stretch.map { thing in
            let time = ClockTime(minute: thing.minute).map { "\($0) " } ?? ""
            return time + thing.item.content.title
        }
        return Problem(
            kind: .outOfTime, items: stretch.map(\.item.id), day: day,
            message: "\(list(names)) do not stand in the order of their times")
    }

    /// When the items with a time of their own take place, in seconds as `OffsetDateTime` counts them; without a
    /// duration they take no time.
    ///
    /// Their clock is that of a game: the last above them or else the first below them on their day, else the last
    /// before it or the first after it. Without any game the trip's days follow each other on one clock.
    func spansOfTimedItems(_ games: [Item]) -> [(item: Item, start: Int64, end: Int64)] {
        timedItems.map { id in
            guard let item = itemsByID[id], let time = item.content.time else {
                preconditionFailure("timed items are there and have a time")
            }
            let start = Self.seconds(onDay: item.position.day, time.minute) - clockOffset(at: item, games)
            let minutes = min(item.content.durationMinutes ?? 0, TripLimits.durationMinutes)
            return (item, start, start + Int64(minutes) * 60)
        }
    }

    /// How far the clock of a place is ahead of `OffsetDateTime`'s seconds, with the days counted as the trip's.
    private func clockOffset(at item: Item, _ games: [Item]) -> Int64 {
        let below = games.partitioningIndex { Row($0) > Row(item) }
        let above = games[..<below].last
        let next = games[below...].first
        let isOnDay = { (game: Item?) in game?.position.day == item.position.day }
        guard let nearest = isOnDay(above) ? above : isOnDay(next) ? next : above ?? next,
            case .game(let game) = nearest.content, let minute = nearest.minuteOfDay
        else { return 0 }
        let start = game.startsAt.secondsSince1970
        let wholeMinutes = Int64((Double(start) / 60).rounded(.down)) * 60
        return Self.seconds(onDay: nearest.position.day, minute) - wholeMinutes
    }

    private static func seconds(onDay day: Int, _ minute: Int) -> Int64 {
        Int64(day) * 86_400 + Int64(minute) * 60
    }
}

extension ItemContent {
    fileprivate var durationMinutes: Int? {
        switch self {
        case .game(let game): game.durationMinutes
        case .travel(let travel): travel.durationMinutes
        case .custom(let custom): custom.durationMinutes
        }
    }
}
