// Problems with the times of custom items and travel (R-CONFLICT). Times never move an item.

extension ItemContent {
    /// The time that a user gave it; nil for a game.
    package var startTime: StartTime? {
        switch self {
        case .game: nil
        case .travel(let travel): travel.time.map { StartTime($0, isLateNight: travel.isLateNight) }
        case .custom(let custom): custom.time.map { StartTime($0, isLateNight: custom.isLateNight) }
        }
    }

    /// Whether it is a game, travel, or a custom item with a time or nights, on which clocks, problems and hints depend.
    package var isPlanned: Bool {
        if case .custom(let custom) = self { custom.time != nil || custom.nights != nil } else { true }
    }
}

extension Trip {
    /// Days whose items are not in the order of their times. One problem is reported for each run of items
    /// that would have to be sorted.
    func orderProblems(_ planned: [Item], _ clocks: TripClocks) -> [Problem] {
        var problems: [Problem] = []
        for (day, items) in planned.chunked(by: \.position.day) {
            let timed = items.compactMap { item in
                item.isGame && !item.content.isBindingGame
                    ? nil : clocks.start(of: item).map { (item: item, minute: $0) }
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
                // Games in two zones are placed by their local times, and nobody can move them.
                if stretch.count > 1, !stretch.allSatisfy(\.item.isGame) {
                    problems.append(Self.outOfTime(stretch.map(\.item), onDay: day, clocks))
                }
                stretch = []
            }
        }
        return problems
    }

    /// Items that begin before an item of an earlier day has ended, or has arrived. The date line is the usual cause.
    /// Each problem names the item of an earlier day that ends last.
    func crossDayProblems(_ planned: [Item], _ clocks: TripClocks) -> [Problem] {
        typealias Ending = (item: Item, minute: Int)
        var problems: [Problem] = []
        var earlier: Ending?
        var (today, day) = (Ending?.none, Int.min)
        func later(_ left: Ending?, _ right: Ending?) -> Ending? {
            guard let left, let right else { return left ?? right }
            return right.minute >= left.minute ? right : left
        }
        for item in planned where header.days.contains(item.position.day) {
            guard !item.isGame || item.content.isBindingGame, let start = clocks.start(of: item) else {
                continue
            }
            if item.position.day != day {
                (earlier, today, day) = (later(earlier, today), nil, item.position.day)
            }
            // Nobody can move a game.
            if let earlier, start < earlier.minute, !item.isGame || !earlier.item.isGame {
                problems.append(crossDayProblem(item, before: earlier.item, endingAt: earlier.minute, clocks))
            }
            let assumed = item.isGame ? Self.assumedGameMinutes : 0
            let minutes = min(item.content.durationMinutes ?? assumed, TripLimits.durationMinutes)
            today = later(today, (item, start + minutes))
        }
        return problems
    }

    private func crossDayProblem(
        _ item: Item, before other: Item, endingAt end: Int, _ clocks: TripClocks
    ) -> Problem {
        func name(_ item: Item) -> String { "\(item.clockTime.map { "\($0) " } ?? "")\(item.content.title)" }
        var message =
            "\(name(item)) on day \(item.position.day) begins before \(name(other)) of day "
            + "\(other.position.day) has \(other.endName)"
        if let time = item.content.startTime,
            let day = clocks.firstDay(of: time, in: clocks.zone(of: item), notBefore: end)
        {
            message += "; it fits on day \(day)"
        }
        return Problem(
            kind: .outOfTime, items: [other.id, item.id], day: other.position.day, message: message)
    }

    private static func outOfTime(_ stretch: [Item], onDay day: Int, _ clocks: TripClocks) -> Problem {
        let zones = stretch.map(clocks.zone)
        // Times of several zones do not tell their order by themselves.
        let isMixed = Set(zones).count > 1
        let names = zip(stretch, zones).map { item, zone in
            let time =
                item.clockTime.map { "\($0)\(isMixed ? " \(TripClocks.label(zone)) time" : "") " } ?? ""
            return time + item.content.title
        }
        return Problem(
            kind: .outOfTime, items: stretch.map(\.id), day: day,
            message: "\(list(names)) are not in time order")
    }

    /// The time spans of items with a time of their own, in seconds as in `OffsetDateTime`. Without a
    /// duration a span is empty.
    func spansOfTimedItems(
        _ planned: [Item], _ clocks: TripClocks
    ) -> [(item: Item, start: Int64, end: Int64)] {
        planned.compactMap { item in
            guard !item.isGame, let minute = clocks.start(of: item) else { return nil }
            let start = Int64(minute) * 60
            let minutes = min(item.content.durationMinutes ?? 0, TripLimits.durationMinutes)
            return (item, start, start + Int64(minutes) * 60)
        }
    }
}

extension Item {
    /// The end in a sentence.
    fileprivate var endName: String { if case .travel = content { "arrived" } else { "ended" } }
}

extension ItemContent {
    /// The duration; nil if it is absent.
    var durationMinutes: Int? {
        if case .minutes(let minutes)? = self[.durationMinutes] { minutes } else { nil }
    }
}
