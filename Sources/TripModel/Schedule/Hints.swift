/// Hints: what travellers may have overlooked. They are listed after the problems, can be accepted, and are never
/// counted.
extension Trip {
    /// All hints, by day.
    ///
    /// - Parameter clocks: nil if no item but games has a time.
    func hints(_ planned: [Item], besides problems: [Problem], _ clocks: TripClocks?) -> [Problem] {
        let stays = planned.compactMap { item -> Stay? in
            guard case .custom(let stay) = item.content, let nights = stay.nights, nights > 0 else {
                return nil
            }
            return Stay(row: Row(item), content: stay, end: item.position.day + nights)
        }
        let moves = CityMoves(planned, of: self)
        let hints =
            nightHints(planned, stays, clocks) + stays.compactMap { stayHint($0, moves) }
            + eventHints(planned, besides: problems, moves)
            + cancellationHints(planned) + (clocks.map { clockHints(planned, $0) } ?? [])
        // The sort is stable: within a day the kinds stay in the order above.
        return hints.sorted { $0.day < $1.day }
    }

    /// A stay of at least one night.
    private struct Stay {
        let row: Row
        let content: CustomItem
        /// The day of its check-out, which may be after the trip.
        let end: Int
    }

    // MARK: Nights

    /// The nights without a stay that are not spent under way or at home, if the trip has a stay. The nights between two
    /// stays, or beside the only one, are one hint.
    private func nightHints(_ planned: [Item], _ stays: [Stay], _ clocks: TripClocks?) -> [Problem] {
        guard !stays.isEmpty, header.dayCount > 1 else { return [] }
        // The change of the number of stays and travels from one night to the next.
        var steps = [Int](repeating: 0, count: header.dayCount + 1)
        func cover(_ first: Int, _ end: Int) {
            let (first, end) = (max(first, 1), min(end, header.dayCount))
            guard first < end else { return }
            steps[first] += 1
            steps[end] -= 1
        }
        for stay in stays { cover(stay.row.day, stay.end) }
        for item in planned {
            guard let arrival = clocks?.arrival(of: item) else { continue }
            cover(item.position.day, item.position.day + arrival.dayOffset)
        }
        let away = nightsAway(planned, clocks)
        let byEnd = stays.sorted { ($0.end, $0.row) < ($1.end, $1.row) }
        var nights: [[ItemID]: [Int]] = [:]
        var (covers, ended) = (0, 0)
        for day in 1..<header.dayCount {
            covers += steps[day]
            while ended < byEnd.count, byEnd[ended].end <= day { ended += 1 }
            guard covers == 0, away.contains(day) else { continue }
            let next = stays.partitioningIndex { $0.row.day > day }
            let beside = [ended > 0 ? byEnd[ended - 1] : nil, next < stays.count ? stays[next] : nil]
            nights[beside.compactMap(\.?.row.id), default: []].append(day)
        }
        return nights.map { items, days in
            Problem(
                kind: .nightWithoutStay, items: items, day: days[0],
                message:
                    "No stay for the night\(days.count == 1 ? "" : "s") of day\(days.count == 1 ? "" : "s") "
                    + Self.ranges(days))
        }.sorted { $0.day < $1.day }
    }

    /// The nights between the first departure and the last arrival if the last travel leads to where the first one left;
    /// otherwise all.
    private func nightsAway(_ planned: [Item], _ clocks: TripClocks?) -> Range<Int> {
        let travel = planned.filter { $0.ends != nil }
        guard travel.count > 1, let first = travel.first, let last = travel.last,
            let home = first.ends?.from, last.ends?.to == home
        else { return 1..<header.dayCount }
        let (start, end) = (first.position.day, last.position.day)
        return start..<max(start, end + (clocks?.arrival(of: last)?.dayOffset ?? 0))
    }

    /// `3`, `3 to 5` or `3 to 5, 9`, of ascending numbers.
    private static func ranges(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return list(
            ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" })
    }

    // MARK: Cities

    /// The travel that leaves and reaches each city, in shown order.
    private struct CityMoves {
        /// Travel of one city and of the people of one `who`; nil is everybody.
        private struct Key: Hashable {
            let city: CityName
            let who: TextKey?
        }

        private var departures: [Key: [Row]] = [:]
        private var arrivals: [CityName: [Row]] = [:]

        init(_ planned: [Item], of trip: Trip) {
            for item in planned {
                guard case .travel(let leg) = item.content, let ends = item.ends,
                    ends.from != ends.to
                else { continue }
                let row = Row(item)
                if let city = ends.from {
                    departures[Key(city: city, who: leg.who.map(TextKey.init)), default: []].append(row)
                }
                var reached = ends.to.map { [$0] } ?? []
                // Travel to an event that it names reaches the event's city, whatever it is called.
                if case .game(let id)? = leg.beforeGame, let city = trip[id]?.cityGames?.city, city != ends.to
                {
                    reached.append(city)
                }
                for city in reached { arrivals[city, default: []].append(row) }
            }
        }

        /// The last travel before a row by which the people of a `who` leave a city.
        func lastDeparture(from city: CityName, of who: String?, before row: Row) -> Row? {
            let all = departures[Key(city: city, who: nil)]
            let own = who.flatMap { departures[Key(city: city, who: TextKey($0))] }
            return [all, own].compactMap { Self.last($0, before: row) }.max()
        }

        /// The last travel before a row by which anybody reaches a city.
        func lastArrival(in city: CityName, before row: Row) -> Row? {
            Self.last(arrivals[city], before: row)
        }

        private static func last(_ rows: [Row]?, before row: Row) -> Row? {
            rows.flatMap { rows in rows[..<rows.partitioningIndex { $0 >= row }].last }
        }
    }

    /// The hint that a stay goes on in a city that its people have left and do not return to before its check-out.
    private func stayHint(_ stay: Stay, _ moves: CityMoves) -> Problem? {
        let checkOut = Row.start(ofDay: stay.end)
        guard let name = stay.content.city, let city = CityName(name),
            let departure = moves.lastDeparture(from: city, of: stay.content.who, before: checkOut),
            departure > stay.row,
            moves.lastArrival(in: city, before: checkOut).map({ $0 < departure }) ?? true
        else { return nil }
        return Problem(
            kind: .stayAfterDeparture, items: [stay.row.id, departure.id], day: stay.row.day,
            message:
                "\(stay.content.title) lasts until day \(stay.end), but \(item(at: departure).content.title) "
                + "leaves \(name) on day \(departure.day)")
    }

    /// The hints that no travel leads to the city of an event, after travel to another one. One city after one travel is
    /// one hint. Travel at an invalid place, and a day with events in several cities, are problems already.
    private func eventHints(
        _ planned: [Item], besides problems: [Problem], _ moves: CityMoves
    ) -> [Problem] {
        struct Reached: Hashable {
            let travel: ItemID
            let city: CityName
        }
        let known = Set(
            problems.lazy.filter { [.gamesInDifferentCities, .travelInvalid].contains($0.kind) }.flatMap(
                \.items))
        var last: [TextKey?: Row] = [:]
        var seen: Set<Reached> = []
        var hints: [Problem] = []
        for item in planned where header.days.contains(item.position.day) {
            let row = Row(item)
            switch item.content {
            case .travel(let leg): last[leg.who.map(TextKey.init)] = row
            case .game(let game):
                guard game.isBinding, let city = item.cityGames?.city, let name = game.effectiveCity,
                    let travel = [last[nil], game.who.flatMap { last[TextKey($0)] }].compactMap(\.self).max(),
                    let end = self.item(at: travel).ends?.to, end != city,
                    moves.lastArrival(in: city, before: row).map({ $0 < travel }) ?? true,
                    !known.contains(row.id), !known.contains(travel.id),
                    seen.insert(Reached(travel: travel.id, city: city)).inserted,
                    case .travel(let leg) = self.item(at: travel).content
                else { continue }
                hints.append(
                    Problem(
                        kind: .eventNotReached, items: [travel.id, row.id], day: row.day,
                        message:
                            "\(game.title) is in \(name), but the travel before it leads to \(leg.toCity)"))
            case .custom: continue
            }
        }
        return hints
    }

    // MARK: Clocks and cancellations

    private func clockHints(_ planned: [Item], _ clocks: TripClocks) -> [Problem] {
        var named: [CityName: String?] = [:]
        return planned.compactMap { item in
            clocks.otherClock(of: item, &named).map { city, field, own in
                let end = field == .timeZone ? "departure" : "arrival"
                return Problem(
                    kind: .otherClock, items: [item.id], day: item.position.day,
                    message:
                        "The \(end) of \(item.content.title) is not in \(TripClocks.label(own)) time, the time of "
                        + "\(city); \(field.name)=\(own) changes that")
            }
        }
    }

    private func cancellationHints(_ planned: [Item]) -> [Problem] {
        planned.compactMap { item in
            guard case .game(let game) = item.content, game.isCancelled else { return nil }
            return Problem(
                kind: .cancelledEvent, items: [item.id], day: item.position.day,
                message: "\(game.title) is cancelled")
        }
    }
}
