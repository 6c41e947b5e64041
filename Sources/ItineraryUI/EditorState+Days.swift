import TripModel

/// The days of the trip that is open: one more, one less, others.
extension EditorState {
    /// What a change of days does to items, to be said before it is done.
    private struct Consequences {
        var edits: [Edit] = []
        /// Items that go to another day.
        var moved: [ItemID] = []
        /// Travel that has to stay where its games hold it.
        var staying: [String] = []
    }

    /// Inserts an empty day below that of the focus: what stands on later days goes a day on.
    mutating func insertDay() {
        guard let board, let day = dayInFocus(board) else { return refuse("This day is outside the trip.") }
        let header = board.outline.trip.header
        guard header.dayCount < TripLimits.days else {
            return refuse("A trip has at most \(TripLimits.days) days.")
        }
        var longer = Consequences()
        longer.edits = [.trip(TripChange(dayCount: header.dayCount + 1))]
        let moves = (day + 1..<header.dayCount + 1).reversed().flatMap { from in
            shifts(ofDay: from, by: 1, board.outline.trip)
        }
        guard let all = withMoves(moves, longer, board.outline.trip) else { return }
        let later = all.moved.isEmpty ? [] : ["\(going(all.moved.count, "later item")) a day on"]
        confirmDays(
            all, "Insert a day after day \(day)?", later,
            done: "Inserted a day after day \(day).", name: "inserting a day after day \(day)")
    }

    /// Takes the day of the focus away: what stands on it goes to the day before, what stands on later days a day back.
    mutating func removeDay() {
        guard let board, let day = dayInFocus(board) else { return refuse("This day is outside the trip.") }
        let trip = board.outline.trip
        let header = trip.header
        guard header.dayCount > 1 else { return refuse("A trip has at least 1 day.") }
        let own = trip.items(onDay: day).filter { !$0.isGame }
        var moves: [Edit] = []
        // The first day's own stay on what is the first day then, above those that come to it.
        if day > 1 { moves = own.map { .move($0.id, to: .end(day: day - 1)) } }
        for from in (day + 1..<max(header.dayCount, day) + 1) {
            moves +=
                from == day + 1 && day == 1
                ? trip.items(onDay: from).filter { !$0.isGame }.map { .move($0.id, to: .end(day: 1)) }
                : shifts(ofDay: from, by: -1, trip)
        }
        guard var all = withMoves(moves, Consequences(), trip) else { return }
        all.edits.append(.trip(TripChange(dayCount: header.dayCount - 1)))
        let outside = trip.items(onDay: header.dayCount).filter(\.isGame).map(\.content.title)
        let ownIDs = Set(own.map(\.id))
        let ownCount = all.moved.count(where: ownIDs.contains)
        var parts: [String] = []
        if ownCount > 0 { parts.append("its \(going(ownCount, "item")) to day \(day - 1)") }
        if all.moved.count > ownCount {
            parts.append("\(going(all.moved.count - ownCount, "later item")) a day back")
        }
        if !outside.isEmpty {
            parts.append("\(list(outside)) \(outside.count == 1 ? "is" : "are") then outside the trip")
        }
        confirmDays(
            all, "Take away day \(day)?", parts, done: "Took away day \(day).",
            name: "taking away day \(day)")
    }

    /// `1 item goes`, `2 items go`
    private func going(_ count: Int, _ noun: String) -> String {
        "\(counted(count, noun)) \(count == 1 ? "goes" : "go")"
    }

    /// Changes the name, days or zone of the trip that is open.
    mutating func changeOpenTrip(_ change: TripChange) {
        mode = .browsing
        guard var trip = board?.outline.trip else { return }
        let deed = Deed.other(done: doneSentence(of: change, trip.header), name: "changing the trip")
        do throws(EditFailure) {
            let commit = try trip.rehearse([.trip(change)], by: nobody)
            var parts: [String] = []
            if let last = commit.headerAfter?.dayCount, !commit.displaced.isEmpty {
                parts.append("\(going(commit.displaced.count, "later item")) to day \(last)")
            }
            let outside = gamesOutside(commit.headerAfter ?? trip.header, trip)
            if !outside.isEmpty {
                parts.append("\(list(outside)) \(outside.count == 1 ? "is" : "are") then outside")
            }
            guard !parts.isEmpty else {
                apply([.trip(change)], as: deed)
                return offerUndo()
            }
            mode = .confirming(
                Question(
                    purpose: .apply([.trip(change)], deed),
                    text: "\(capitalized(parts.joined(separator: "; "))). Do it?"))
        } catch {
            refuse("The trip cannot be changed so.")
        }
    }

    private func doneSentence(of change: TripChange, _ header: TripHeader) -> String {
        var parts: [String] = []
        if let name = change.name { parts.append("the trip is called \(name)") }
        if let start = change.startDate { parts.append("day 1 is \(DateText.text(of: start))") }
        if let days = change.dayCount { parts.append("it has \(counted(days, "day"))") }
        if let zone = change.timeZone { parts.append("its zone is \(zone)") }
        return capitalized(parts.joined(separator: ", ")) + " now."
    }

    /// Games that are within the trip now and will not be.
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
            ? "\(titles[0]) and \(titles.count - 1) more games" : titles.joined(separator: " and ")
    }

    // MARK: Parts

    private func dayInFocus(_ board: Board) -> Int? {
        guard board.outline.inside.contains(board.cursor) else { return nil }
        return board.outline.place(ofRow: board.cursor).day
    }

    /// The movable items of a day on another one, each where it stood within the day.
    private func shifts(ofDay day: Int, by days: Int, _ trip: Trip) -> [Edit] {
        trip.items(onDay: day).filter { !$0.isGame }.map {
            .move($0.id, to: .order($0.position.sortOrder, day: day + days))
        }
    }

    /// The moves that can be made, behind what comes before them; travel that cannot go stays. Nil after saying that there
    /// are too many.
    private mutating func withMoves(_ moves: [Edit], _ before: Consequences, _ trip: Trip) -> Consequences? {
        guard before.edits.count + moves.count < TripLimits.operations else {
            refuse(
                "\(moves.count) items would go to another day, and one change moves at most \(TripLimits.operations - 2)."
            )
            return nil
        }
        var rest = moves
        var result = before
        var trip = trip
        while true {
            do throws(EditFailure) {
                _ = try trip.rehearse(before.edits + rest, by: nobody)
                break
            } catch {
                let index = error.index - before.edits.count
                guard rest.indices.contains(index), let id = rest[index].item else { break }
                result.staying.append(trip[id]?.content.title ?? "")
                rest.remove(at: index)
            }
        }
        result.moved = rest.compactMap(\.item)
        result.edits += rest
        return result
    }

    /// Does it; where something becomes of items, only after a question.
    private mutating func confirmDays(
        _ all: Consequences, _ question: String, _ parts: [String], done: String, name: String
    ) {
        let deed = Deed.other(done: done, name: name)
        var parts = parts
        if !all.staying.isEmpty {
            let what =
                all.staying.count > 1
                ? "\(all.staying[0]) and \(all.staying.count - 1) more stay" : "\(all.staying[0]) stays"
            parts.append("\(what), held by \(all.staying.count > 1 ? "their" : "its") games")
        }
        guard !parts.isEmpty else {
            apply(all.edits, as: deed)
            return offerUndo()
        }
        mode = .confirming(
            Question(
                purpose: .apply(all.edits, deed),
                text: "\(question) \(capitalized(parts.joined(separator: "; ")))."))
    }
}
