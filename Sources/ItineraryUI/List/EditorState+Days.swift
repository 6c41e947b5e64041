import TripModel

/// Inserting, removing and changing days of the open trip.
extension EditorState {
    /// The effects of a change of the days on items, shown before the change is applied.
    private struct Consequences {
        var edits: [Edit] = []
        /// Items that move to another day.
        var moved: [ItemID] = []
        /// Travel that must stay because of its games.
        var staying: [String] = []
    }

    /// Inserts an empty day below the focused one; items of later days move by one day.
    mutating func insertDay() {
        guard let board, let day = dayInFocus(board) else { return refuse("This day is outside the trip.") }
        propose(.insertDay(after: day))
    }

    /// Removes the focused day; its items move to the previous day, and those of later days move back by one.
    mutating func removeDay() {
        guard let board, let day = dayInFocus(board) else { return refuse("This day is outside the trip.") }
        propose(.removeDay(day))
    }

    /// Sorts the timed items of the focused day with as few moves as possible.
    mutating func putInOrder() {
        guard let board else { return }
        let day = board.outline.place(ofRow: board.cursor).day
        let trip = board.outline.trip
        let edits = trip.movesIntoOrder(ofDay: day)
        guard !edits.isEmpty else { return say("\(board.outline.dayName(day)) is already in time order.") }
        make(
            edits, done: "Put day \(day) in time order.",
            name: "putting day \(day) in time order")
    }

    // MARK: Several days

    mutating func beginSwap() {
        guard let board, let day = dayInFocus(board) else { return refuse("This day is outside the trip.") }
        begin(
            .prompting(
                Prompt(purpose: .swap(day: day, days: board.outline.trip.header), line: LineEditor())))
    }

    /// Exchanges the movable items of a day and the written one.
    mutating func swap(_ day: Int, of days: TripHeader, _ prompt: Prompt) {
        guard let trip = board?.outline.trip, let text = prompt.line.trimmed else { return returnToList() }
        let header = trip.header
        guard (header.startDate, header.dayCount) == (days.startDate, days.dayCount) else {
            returnToList()
            return refuse("The days of the trip have changed: nothing was swapped.")
        }
        guard let other = self.day(of: text, header) else { return refuse(Self.noDaySentence) }
        guard header.days.contains(other) else { return refuse(outsideSentence(header)) }
        guard other != day else { return refuse("Type another day than \(day).") }
        returnToList()
        let edits = trip.moves(exchanging: day, with: other)
        guard !edits.isEmpty else { return say("Neither day has an item that can be moved.") }
        let held = edits.lazy.compactMap(\.item).first { holder(of: $0) != nil }.flatMap { trip[$0] }
        if let held, refuseIfHeld(held) { return }
        let what = "day \(day) and day \(other)"
        make(edits, done: "Swapped \(what).", name: "swapping \(what)")
    }

    mutating func beginRepeat() {
        let items = targets
        guard !items.isEmpty else { return refuse("A day cannot be repeated; mark its items first.") }
        guard !items.contains(where: \.isGame) else { return refuse("An event cannot be repeated.") }
        let what = items.count == 1 ? items[0].content.title : counted(items.count, "item")
        begin(.prompting(Prompt(purpose: .repeating(items.map(\.id), what: what), line: LineEditor())))
    }

    /// Adds copies of items to the written days, except an item's own day.
    mutating func repeatItems(_ ids: [ItemID], _ what: String, _ prompt: Prompt) {
        guard let trip = board?.outline.trip, let text = prompt.line.trimmed else { return returnToList() }
        let header = trip.header
        let days: [Int]
        do throws(DayList.NoDay) {
            days = try DayList.days(of: text, in: header.days) { day(of: $0, header) }
        } catch {
            return refuse("\(error.text) is not a day. Type days such as 2-4, 7 or all.")
        }
        guard days.allSatisfy(header.days.contains) else { return refuse(outsideSentence(header)) }
        returnToList()
        let items = ids.compactMap { trip[$0] }
        guard items.count == ids.count else { return refuse("\(what): an item has been removed.") }
        var edits: [Edit] = []
        var newDays: Set<Int> = []
        for item in items {
            for day in days where day != item.position.day {
                newDays.insert(day)
                let place = trip.placement(ofNew: item.content, onDay: day)
                edits.append(.add(newItemID(), item.content, to: place))
            }
        }
        guard !edits.isEmpty else { return say("\(what) is on that day already.") }
        marks.clear()
        make(edits, done: "Added \(what) on \(counted(newDays.count, "day")).", name: "repeating \(what)")
    }

    /// Changes the name, days or zone of the open trip.
    mutating func changeOpenTrip(_ change: TripChange) {
        returnToList()
        propose(.changeTrip(change))
    }

    // MARK: Effects

    func insertion(ofDayAfter day: Int, _ trip: Trip) throws(Impossible) -> Proposal {
        let header = trip.header
        guard header.days.contains(day) else { throw Impossible(reason: "Day \(day) no longer exists.") }
        guard header.dayCount < TripLimits.days else {
            throw Impossible(reason: "A trip has at most \(TripLimits.days) days.")
        }
        var longer = Consequences()
        longer.edits = [.trip(TripChange(dayCount: header.dayCount + 1))]
        let moves = (day + 1..<header.dayCount + 1).reversed().flatMap { shifts(ofDay: $0, by: 1, trip) }
        let all = withMoves(moves, longer, trip)
        var later = all.moved.isEmpty ? [] : ["\(going(all.moved.count, "later item")) one day later"]
        let games = trip.items.filter {
            $0.isGame && header.days.contains($0.position.day) && $0.position.day > day
        }
        if !games.isEmpty {
            later.append(
                "\(list(games.map(\.content.title))) \(games.count == 1 ? "keeps its date" : "keep their dates")"
            )
        }
        return proposal(
            all, "Insert a day after day \(day)?", later,
            done: "Inserted a day after day \(day).", name: "inserting a day after day \(day)")
    }

    func removal(ofDay day: Int, _ trip: Trip) throws(Impossible) -> Proposal {
        let header = trip.header
        guard header.days.contains(day) else { throw Impossible(reason: "Day \(day) no longer exists.") }
        guard header.dayCount > 1 else { throw Impossible(reason: "A trip has at least 1 day.") }
        let own = trip.items(onDay: day).filter { !$0.isGame }
        var moves: [Edit] = []
        // Items of a removed first day stay on the new first day, above those that move there.
        if day > 1 { moves = own.map { .move($0.id, to: .end(day: day - 1)) } }
        for from in (day + 1..<max(header.dayCount, day) + 1) {
            moves +=
                from == day + 1 && day == 1
                ? trip.items(onDay: from).filter { !$0.isGame }.map { .move($0.id, to: .end(day: 1)) }
                : shifts(ofDay: from, by: -1, trip)
        }
        var all = withMoves(moves, Consequences(), trip)
        all.edits.append(.trip(TripChange(dayCount: header.dayCount - 1)))
        let outside = trip.items(onDay: header.dayCount).filter(\.isGame).map(\.content.title)
        let ownIDs = Set(own.map(\.id))
        let ownCount = all.moved.count(where: ownIDs.contains)
        var parts: [String] = []
        if ownCount > 0 { parts.append("its \(going(ownCount, "item")) to day \(day - 1)") }
        if all.moved.count > ownCount {
            parts.append("\(going(all.moved.count - ownCount, "later item")) one day earlier")
        }
        let games = trip.items(onDay: day).filter(\.isGame).map(\.content.title)
        if !games.isEmpty, day < header.dayCount {
            let isOne = games.count == 1
            parts.append(
                "\(list(games)) \(isOne ? "keeps its date" : "keep their dates") and "
                    + "\(isOne ? "stays" : "stay") on day \(day)")
        }
        if !outside.isEmpty {
            parts.append("\(list(outside)) will be outside the trip")
        }
        return proposal(
            all, "Remove day \(day)?", parts, done: "Removed day \(day).",
            name: "removing day \(day)")
    }

    func proposal(toChange change: TripChange, _ original: Trip) throws(Impossible) -> Proposal {
        var trip = original
        let commit: Commit
        do throws(EditFailure) { commit = try trip.rehearse([.trip(change)], by: tentativeAuthor) } catch {
            throw Impossible(reason: "The trip cannot be changed like this.")
        }
        var parts = dateShift(to: change.startDate ?? original.header.startDate, original)
        if let last = commit.header?.after.dayCount, !commit.displaced.isEmpty {
            parts.append("\(going(commit.displaced.count, "later item")) to day \(last)")
        }
        let outside = gamesOutside(commit.header?.after.applied(to: trip.header) ?? trip.header, trip)
        if !outside.isEmpty {
            parts.append("\(list(outside)) will be outside")
        }
        return Proposal(
            edits: [.trip(change)],
            description: .other(done: doneSentence(of: change, trip.header), name: "changing the trip"),
            question:
                "\(capitalized((parts.isEmpty ? ["change the trip"] : parts).joined(separator: "; "))). Do it?",
            hasConsequences: !parts.isEmpty)
    }

    /// The effects of a new start date on a trip with games: games keep their dates, and other items move
    /// along.
    private func dateShift(to start: CalendarDate, _ trip: Trip) -> [String] {
        let days = start.daysSince1970 - trip.header.startDate.daysSince1970
        let games = trip.items.count(where: \.isGame)
        let others = trip.itemCount - games
        guard days != 0, games > 0, others > 0 else { return [] }
        let kept = games == 1 ? "1 event keeps its date" : "\(games) events keep their dates"
        return [
            "\(going(others, "item")) \(counted(abs(days), "day")) \(days > 0 ? "later" : "earlier")", kept,
        ]
    }

    /// `1 item goes`, `2 items go`
    private func going(_ count: Int, _ noun: String) -> String {
        "\(counted(count, noun)) \(count == 1 ? "moves" : "move")"
    }

    private func doneSentence(of change: TripChange, _ header: TripHeader) -> String {
        var parts: [String] = []
        if let name = change.name { parts.append("the trip is called \(name)") }
        if let start = change.startDate { parts.append("day 1 is \(DateText.text(of: start))") }
        if let days = change.dayCount { parts.append("it has \(counted(days, "day"))") }
        if let zone = change.timeZone { parts.append("its zone is \(zone)") }
        return capitalized(parts.joined(separator: ", ")) + " now."
    }

    /// Games that would be outside the trip.
    private func gamesOutside(_ new: TripHeader, _ trip: Trip) -> [String] {
        guard new.startDate != trip.header.startDate || new.dayCount != trip.header.dayCount else {
            return []
        }
        return trip.items.filter { item in
            guard item.isGame, trip.header.days.contains(item.position.day),
                let date = trip.header.date(ofDay: item.position.day)
            else { return false }
            return !new.days.contains(new.dayNumber(of: date))
        }.map(\.content.title)
    }

    private func list(_ titles: [String]) -> String {
        titles.count > 2
            ? "\(titles[0]) and \(titles.count - 1) more events" : titles.joined(separator: " and ")
    }

    // MARK: Parts

    private func dayInFocus(_ board: Board) -> Int? {
        guard board.outline.inside.contains(board.cursor) else { return nil }
        return board.outline.place(ofRow: board.cursor).day
    }

    /// Moves of a day's movable items to another day, at the same orders.
    private func shifts(ofDay day: Int, by days: Int, _ trip: Trip) -> [Edit] {
        trip.items(onDay: day).filter { !$0.isGame }.map {
            .move($0.id, to: .order($0.position.sortOrder, day: day + days))
        }
    }

    /// The valid moves after earlier edits; travel that cannot move stays.
    private func withMoves(_ moves: [Edit], _ before: Consequences, _ trip: Trip) -> Consequences {
        var result = before
        var trip = trip
        if !before.edits.isEmpty { _ = try? trip.apply(before.edits, by: tentativeAuthor) }
        for move in moves {
            guard let id = move.item else { continue }
            if (try? trip.apply([move], by: tentativeAuthor)) != nil {
                result.moved.append(id)
                result.edits.append(move)
            } else {
                result.staying.append(trip.title(of: id))
            }
        }
        return result
    }

    /// The proposal with its effects on items.
    private func proposal(
        _ all: Consequences, _ question: String, _ parts: [String], done: String, name: String
    ) -> Proposal {
        var parts = parts
        if !all.staying.isEmpty {
            let what =
                all.staying.count > 1
                ? "\(all.staying[0]) and \(all.staying.count - 1) more stay" : "\(all.staying[0]) stays"
            parts.append("\(what), held by \(all.staying.count > 1 ? "their" : "its") events")
        }
        let what = parts.isEmpty ? "" : " \(capitalized(parts.joined(separator: "; ")))."
        return Proposal(
            edits: all.edits, description: .other(done: done, name: name), question: question + what,
            hasConsequences: !parts.isEmpty)
    }
}
