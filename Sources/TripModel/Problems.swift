/// Something that does not fit and is reported, never repaired (R-CONFLICT).
public struct Problem: Equatable, Sendable {
    /// What kind of thing.
    public enum Kind: String, Sendable, CaseIterable {
        /// One day has games in more than one city.
        case gamesInDifferentCities = "games_in_different_cities"
        /// Games run at the same time, or at that of something with a time of its own.
        case gamesOverlap = "games_overlap"
        /// A change of the schedule, of a city or of the trip left travel where it could not be moved to.
        case travelInvalid = "travel_invalid"
        /// A game's day is not one of the trip's.
        case gameOutsideTrip = "game_outside_trip"
        /// Things of one day that have a time stand in another order than that of their times.
        case outOfTime = "out_of_time"
    }

    /// What kind of thing.
    public let kind: Kind
    /// The items it is about, in shown order.
    public let items: [ItemID]
    /// The day of the first of them.
    public let day: Int
    /// One sentence for a person.
    public let message: String
    /// The two games that leave travel no place, the one that it follows and the one that it precedes.
    public let games: BetweenGames?

    /// Two games of which the first is not before the second.
    public struct BetweenGames: Equatable, Sendable {
        /// The game that travel follows.
        public let after: ItemID
        /// The game that travel precedes.
        public let before: ItemID

        /// Makes a pair.
        public init(after: ItemID, before: ItemID) {
            self.after = after
            self.before = before
        }
    }

    /// Makes a problem.
    public init(kind: Kind, items: [ItemID], day: Int, message: String, games: BetweenGames? = nil) {
        self.kind = kind
        self.items = items
        self.day = day
        self.message = message
        self.games = games
    }
}

extension Trip {
    /// Minutes that a game counts which does not say how long it lasts (R-CONFLICT).
    public static let assumedGameMinutes = 120

    /// All problems, by day.
    ///
    /// What overlaps in a row makes one problem, so that there are never more than two problems for each item.
    public var problems: [Problem] {
        var found: [Problem] = []
        var games: [Item] = []
        for row in self.games {
            let game = item(at: row)
            if header.days.contains(row.day) { games.append(game) } else { found.append(outside(game)) }
        }
        found += citiesProblems(games) + overlapProblems(games) + travelProblems() + orderProblems()
        // The sort is stable: within a day the kinds keep the order above.
        return found.sorted { $0.day < $1.day }
    }

    private func outside(_ game: Item) -> Problem {
        let where_ = game.position.day < 1 ? "before the first day" : "after the last day"
        return Problem(
            kind: .gameOutsideTrip, items: [game.id], day: game.position.day,
            message: "\(game.content.title) is \(where_) of the trip")
    }

    private func citiesProblems(_ games: [Item]) -> [Problem] {
        var problems: [Problem] = []
        for (day, played) in games.chunked(by: \.position.day) {
            var names: Set<CityName> = []
            var order: [String] = []
            for item in played {
                guard let name = cityByGame[item.id], names.insert(name).inserted,
                    case .game(let game) = item.content, let city = game.effectiveCity
                else { continue }
                order.append(city)
            }
            guard order.count > 1 else { continue }
            problems.append(
                Problem(
                    kind: .gamesInDifferentCities, items: played.map(\.id), day: day,
                    message: "Day \(day) has games in \(Self.list(order))"))
        }
        return problems
    }

    private func overlapProblems(_ games: [Item]) -> [Problem] {
        var spans: [(item: Item, start: Int64, end: Int64)] = []
        for item in games {
            guard case .game(let game) = item.content else { continue }
            let start = game.startsAt.secondsSince1970
            // A trip that came from elsewhere may claim anything; no game outlasts a trip.
            let minutes = min(game.durationMinutes ?? Self.assumedGameMinutes, TripLimits.durationMinutes)
            spans.append((item, start, start + Int64(minutes) * 60))
        }
        spans += spansOfTimedItems(games)
        // By the data first: where a game of 0 minutes begins with another, it comes before that and overlaps nobody.
        spans.sort { ($0.start, $0.end, $0.item.id) < ($1.start, $1.end, $1.item.id) }
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

    private func travelProblems() -> [Problem] {
        var problems: [Problem] = []
        for row in rows where !row.isGame {
            let item = item(at: row)
            // As its own gap is judged: by what stands above it, which in a tie is not for its number to say.
            guard case .travel = item.content else { continue }
            let judge = judge(for: item.content, between: endsByTravel[row.id])
            guard let refusal = judge(row.day, row) else { continue }
            var message = "\(item.content.title): \(explanation(of: refusal))"
            var games: Problem.BetweenGames?
            if case .noValidPosition(let after, let before) = refusal {
                games = Problem.BetweenGames(after: after, before: before)
                if let side = sideToOpen(of: item) {
                    message += ", such as \(side.name)=\(TravelSide.openWord)"
                }
            }
            problems.append(
                Problem(kind: .travelInvalid, items: [item.id], day: row.day, message: message, games: games))
        }
        return problems
    }

    static func list(_ names: [String]) -> String {
        guard names.count > 4 else { return names.joined(separator: ", ") }
        return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more"
    }
}

extension Array {
    /// Runs of neighbours with an equal key.
    fileprivate func chunked<Key: Equatable>(by key: (Element) -> Key) -> [(key: Key, run: [Element])] {
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
