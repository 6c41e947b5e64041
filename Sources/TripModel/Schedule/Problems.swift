/// A conflict in a trip, which is reported but never repaired (R-CONFLICT).
public struct Problem: Equatable, Sendable {
    /// The kind of conflict.
    @nonexhaustive
    public enum Kind: String, Sendable, CaseIterable {
        /// A day has games in two cities, without travel between them in time.
        case gamesInDifferentCities = "games_in_different_cities"
        /// A game overlaps another game, or another item with a time.
        case gamesOverlap = "games_overlap"
        /// After a change of the schedule, a city or the trip, travel is at an invalid place.
        case travelInvalid = "travel_invalid"
        /// A game is not on a day of the trip.
        case gameOutsideTrip = "game_outside_trip"
        /// Items of a day are not in the order of their times, or an item begins before one of an earlier day has ended.
        case outOfTime = "out_of_time"
        /// A stay extends past the last day of the trip.
        case stayOutsideTrip = "stay_outside_trip"
        /// A hint: a night without a stay that is not spent under way, although the trip has stays.
        case nightWithoutStay = "night_without_stay"
        /// A hint: a stay goes on in a city that travel has left.
        case stayAfterDeparture = "stay_after_departure"
        /// A hint: no travel leads to the city of an event, after travel to another city.
        case eventNotReached = "event_not_reached"
        /// A hint: a cancelled event is still in the plan.
        case cancelledEvent = "cancelled_event"
        /// A hint: an end of travel is read by another clock than its city has.
        case otherClock = "other_clock"

        /// Whether it is only a hint: listed after the problems, and never counted.
        public var isHint: Bool {
            switch self {
            case .gamesInDifferentCities, .gamesOverlap, .travelInvalid, .gameOutsideTrip, .outOfTime,
                .stayOutsideTrip:
                false
            case .nightWithoutStay, .stayAfterDeparture, .eventNotReached, .cancelledEvent, .otherClock: true
            }
        }
    }

    /// The kind of conflict.
    public let kind: Kind
    /// The affected items, in shown order.
    public let items: [ItemID]
    /// The day of the first item.
    public let day: Int
    /// A one-sentence description.
    public let message: String
    /// The two games that leave no place for travel: the one that it must follow and the one that it must
    /// precede.
    public let games: BetweenGames?
    /// Whether a user has accepted it as intended.
    public internal(set) var isAccepted: Bool
    /// Whether it counts as a problem of the trip: it is not accepted and no hint.
    public var isCounted: Bool { !isAccepted && !kind.isHint }

    /// Two games of which the first is not before the second.
    public struct BetweenGames: Equatable, Sendable {
        /// The game that travel must follow.
        public let after: ItemID
        /// The game that travel must precede.
        public let before: ItemID

        /// Makes a pair.
        public init(after: ItemID, before: ItemID) {
            self.after = after
            self.before = before
        }
    }

    /// The beginning of the command that makes a place of travel valid.
    private static let commandStart = "; edit "

    /// The sentence without the command: the editor has a key for that.
    package var reason: String {
        guard kind == .travelInvalid, let end = message.ranges(of: Self.commandStart).last else {
            return message
        }
        return String(message[..<end.lowerBound])
    }

    /// Makes a problem.
    public init(
        kind: Kind, items: [ItemID], day: Int, message: String, games: BetweenGames? = nil,
        isAccepted: Bool = false
    ) {
        self.kind = kind
        self.items = items
        self.day = day
        self.message = message
        self.games = games
        self.isAccepted = isAccepted
    }
}

extension Trip {
    /// The duration of a game without one (R-CONFLICT).
    public static let assumedGameMinutes = 120

    /// All problems, by day, and then all hints, by day.
    ///
    /// Consecutive overlaps form one problem, so there are at most four problems and hints per item.
    public var problems: [Problem] {
        let planned = plannedRows.map(item)
        var found: [Problem] = []
        var games: [Item] = []
        for game in planned where game.content.isBindingGame {
            if header.days.contains(game.position.day) {
                games.append(game)
            } else {
                found.append(outside(game))
            }
        }
        // Only items with times of their own need the clocks.
        let clocks = planned.contains { $0.content.startTime != nil } ? TripClocks(self) : nil
        found += citiesProblems(games, clocks)
        var spans = games.compactMap(span)
        if let clocks { spans += spansOfTimedItems(planned, clocks) }
        found += overlapProblems(spans) + movableProblems(planned)
        if let clocks { found += orderProblems(planned, clocks) + crossDayProblems(planned, clocks) }
        // The sort is stable: within a day the kinds stay in the order above.
        found.sort { $0.day < $1.day }
        found += hints(planned, besides: found, clocks)
        if !header.acceptedProblems.isEmpty {
            for index in found.indices {
                found[index].isAccepted = header.acceptedProblems.contains(found[index].key)
            }
        }
        return found
    }

    private func outside(_ game: Item) -> Problem {
        let where_ = game.position.day < 1 ? "before the first day" : "after the last day"
        return Problem(
            kind: .gameOutsideTrip, items: [game.id], day: game.position.day,
            message: "\(game.content.title) is \(where_) of the trip")
    }

    private func citiesProblems(_ games: [Item], _ clocks: TripClocks?) -> [Problem] {
        var problems: [Problem] = []
        for (day, played) in games.chunked(by: \.position.day) {
            var names: Set<CityName> = []
            var order: [String] = []
            for item in played {
                guard let name = item.cityGames?.city, names.insert(name).inserted,
                    case .game(let game) = item.content, let city = game.effectiveCity
                else { continue }
                order.append(city)
            }
            guard order.count > 1, !isTravelled(between: played, clocks) else { continue }
            problems.append(
                Problem(
                    kind: .gamesInDifferentCities, items: played.map(\.id), day: day,
                    message: "Day \(day) has events in \(Self.list(order))"))
        }
        return problems
    }

    /// Whether between each two consecutive games in different cities there is travel that connects them,
    /// with enough time for it.
    private func isTravelled(between games: [Item], _ clocks: TripClocks?) -> Bool {
        zip(games, games.dropFirst()).allSatisfy { from, to in
            guard let start = from.cityGames?.city, let end = to.cityGames?.city, start != end,
                let span = span(of: from), case .game(let next) = to.content
            else { return true }
            var (city, minute) = (start, Int((span.end + 59) / 60))
            for row in rows[rows.lowerBound(of: Row(from))..<rows.lowerBound(of: Row(to))] {
                let leg = item(at: row)
                guard let ends = leg.ends, ends.from == city, let reached = ends.to else { continue }
                if let departure = clocks?.start(of: leg), leg.content.startTime != nil {
                    guard departure >= minute else { return false }
                    minute = departure
                }
                minute += min(leg.content.durationMinutes ?? 0, TripLimits.durationMinutes)
                city = reached
            }
            return city == end && Int64(minute) * 60 <= next.startsAt.secondsSince1970
        }
    }

    /// The time span of a game, in seconds as in `OffsetDateTime`; nil for other items.
    private func span(of item: Item) -> (item: Item, start: Int64, end: Int64)? {
        guard case .game(let game) = item.content else { return nil }
        let start = game.startsAt.secondsSince1970
        // A trip from an old or foreign file may hold any duration; no game is longer than a trip.
        let minutes = min(game.durationMinutes ?? Self.assumedGameMinutes, TripLimits.durationMinutes)
        return (item, start, start + Int64(minutes) * 60)
    }

    private func overlapProblems(_ spans: [(item: Item, start: Int64, end: Int64)]) -> [Problem] {
        // By start and end first: a game of 0 minutes then precedes one with the same start, and does not
        // overlap it.
        let spans = spans.sorted { ($0.start, $0.end, $0.item.id) < ($1.start, $1.end, $1.item.id) }
        var problems: [Problem] = []
        var run: [Item] = []
        var runEnd = Int64.min
        func close() {
            guard run.count > 1 else { return }
            let shown = run.sorted { Row($0) < Row($1) }
            problems.append(
                Problem(
                    kind: .gamesOverlap, items: shown.map(\.id), day: shown[0].position.day,
                    message: "\(Self.list(shown.map(\.content.title))) overlap"))
        }
        for span in spans {
            if span.start >= runEnd {
                close()
                run = []
            }
            run.append(span.item)
            runEnd = max(runEnd, span.end)
        }
        close()
        return problems
    }

    private func movableProblems(_ planned: [Item]) -> [Problem] {
        var problems: [Problem] = []
        for item in planned where !item.isGame {
            if let problem = stayProblem(item) { problems.append(problem) }
            // Ties in `sortOrder` are broken by row order, as for gaps.
            guard case .travel = item.content else { continue }
            let row = Row(item)
            let judge = judge(for: item.content, between: item.ends)
            guard let refusal = judge(row.day, row) else { continue }
            var message = "\(item.content.title): \(explanation(of: refusal))"
            var games: Problem.BetweenGames?
            if case .noValidPosition(let after, let before)? = noPlace(for: item.content) {
                if after != before { games = Problem.BetweenGames(after: after, before: before) }
                message = "\(item.content.title): \(wrongOrder(of: after, before))"
                if let command = remedyCommand(for: item) { message += "; \(command)" }
            }
            problems.append(
                Problem(kind: .travelInvalid, items: [item.id], day: row.day, message: message, games: games))
        }
        return problems
    }

    private func stayProblem(_ item: Item) -> Problem? {
        guard case .custom(let stay) = item.content, let nights = stay.nights, nights > 0,
            item.position.day + nights > header.dayCount
        else { return nil }
        let days = "\(header.dayCount) \(header.dayCount == 1 ? "day" : "days")"
        return Problem(
            kind: .stayOutsideTrip, items: [item.id], day: item.position.day,
            message: "\(stay.title) lasts until day \(item.position.day + nights), but the trip has \(days)")
    }

    static func list(_ names: [String]) -> String {
        guard names.count > 4 else { return names.joined(separator: ", ") }
        return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more"
    }
}

extension Array {
    /// Runs of adjacent elements with equal keys.
    func chunked<Key: Equatable>(by key: (Element) -> Key) -> [(key: Key, run: [Element])] {
        var runs: [(key: Key, run: [Element])] = []
        for element in self {
            let elementKey = key(element)
            if runs.last?.key == elementKey {
                runs[runs.count - 1].run.append(element)
            } else {
                runs.append((elementKey, [element]))
            }
        }
        return runs
    }
}

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
