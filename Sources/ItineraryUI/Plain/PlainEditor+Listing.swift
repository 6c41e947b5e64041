import TripModel

/// Lists of the trip's contents.
extension PlainEditor {
    /// The maximum number of items listed when a trip is opened; a longer trip is listed by days only.
    private static let itemsAtStart = 200

    /// Prints the whole trip, with new numbers.
    mutating func printTrip(atStart: Bool = false) {
        guard let board = state.board else { return say("The trip is not loaded yet.") }
        let trip = board.outline.trip
        let counts = [
            counted(trip.header.dayCount, "day"), counted(trip.itemCount, "item"),
            Self.problemCount(board.view.problems),
        ]
        let costs = board.outline.costs.isEmpty ? "" : " It costs \(board.outline.costs.text)."
        say("\(trip.header.name): \(counts.joined(separator: ", ")).\(costs)")
        let isShort = atStart && trip.itemCount > Self.itemsAtStart
        numbers.restart()
        for row in board.outline.rows.indices where !isShort || board.outline.item(atRow: row) == nil {
            say(rowSentence(row, board.outline))
        }
        if isShort { say("list 1 shows day 1; list shows all.") }
        if atStart {
            let viewing = state.isViewer ? ", and can only view this trip" : ""
            say("You are \(state.userName)\(viewing). help lists the commands.")
        }
    }

    /// Prints one day; its items keep their numbers.
    mutating func printDay(_ text: String) {
        guard let board = state.board else { return say("The trip is not loaded yet.") }
        guard let header = headerRow(ofDay: text, board.outline) else {
            return deny("The trip has days 1 to \(board.outline.trip.header.dayCount), as in: list 1")
        }
        for row in board.outline.dayRows(around: header) { say(rowSentence(row, board.outline)) }
    }

    /// The row of the heading of a day named `3` or `day 3`.
    func headerRow(ofDay text: String, _ outline: Outline) -> Int? {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        guard let last = words.last, words.count == 1 || words.count == 2 && words[0] == "day",
            let day = Int(last)
        else { return nil }
        return outline.headerRow(ofDay: day)
    }

    /// The list line of a row.
    mutating func rowSentence(_ row: Int, _ outline: Outline) -> String {
        guard let item = outline.item(atRow: row) else {
            let place = outline.place(ofRow: row)
            let header = outline.trip.header
            let days = outline.days(ofHeader: row)
            if days.count > 1 {
                return "Days \(days.lowerBound) to \(days.upperBound), \(days.count) empty days."
            }
            let isInside = header.days.contains(place.day)
            let more = isInside ? header.date(ofDay: place.day).map(DateText.text(of:)) : "outside the trip"
            let count = place.count == 0 ? "nothing yet" : counted(place.count, "item")
            let stays =
                outline.stays.first { $0.header == row }?.days.map { String($0.text.dropFirst(2)) } ?? []
            let today = place.day == state.board?.today ? "today" : nil
            let parts = [DateText.name(ofDay: place.day, in: header), more, today, count] + stays
            return parts.compactMap(\.self).joined(separator: ", ") + "."
        }
        var parts = [Self.name(of: item)]
        switch item.content {
        case .game(let game):
            parts += [game.effectiveCity, "fixed"].compactMap(\.self) + game.absence
        case .travel(let travel):
            parts += ["travel", travel.mode, travel.durationMinutes.map(DateText.text(ofMinutes:))].compactMap
            { $0 }
        case .custom(let custom):
            parts += [custom.city, custom.durationMinutes.map(DateText.text(ofMinutes:))].compactMap { $0 }
        }
        parts += outline.clocks.timeNotes(of: item)
        if let holder = state.holder(of: item.id) { parts.append("\(holder) is moving it") }
        parts += outline.problems(atRow: row).map { "problem: \($0)" }
        return "\(numbers.number(of: item)). \(parts.joined(separator: ", "))."
    }

    /// An item's title, with its time if it has one.
    private static func name(of item: Item) -> String {
        item.clockTime.map { "\($0) \(item.content.title)" } ?? item.content.title
    }

    /// The current place.
    var whereabouts: String {
        mutating get {
            if let formQuestion { return formQuestion }
            if case .confirming = state.mode { return state.screen.focusSentence }
            if case .choosing = state.mode { return Self.menuQuestion }
            guard let board = state.board else { return "The trip is not loaded yet." }
            switch state.mode {
            case .browsing:
                let sentence = rowSentence(board.cursor, board.outline)
                guard board.item != nil else { return sentence }
                return "\(sentence) \(board.outline.placeName(ofRow: board.cursor))."
            case .prompting(let prompt): return Self.question(of: prompt)
            case .choosing: return Self.menuQuestion
            case .dragging, .confirming, .acknowledging, .awaiting, .ended, .filling, .planning, .helping:
                return state.screen.focusSentence
            }
        }
    }

    private static let menuQuestion = "Say a number of the list, words of a line, or cancel."

    /// Prints all details of an item.
    mutating func printItem(_ item: Item) {
        guard let board = state.board, let row = board.outline.row(of: item.id) else { return }
        var parts: [String] = []
        if case .game(let game) = item.content {
            parts = [game.venue.map { "venue \($0)" }, "starts at \(item.position.clockTime)"].compactMap {
                $0
            }
        }
        let said: [ItemField] = item.isGame ? [.city, .venue, .gameID, .startsAt, .timeZone] : []
        for field in ItemField.shown(in: item.content) where field != .title && !said.contains(field) {
            if let text = item.content.text(of: field, in: board.outline.trip, lineBreak: " ") {
                parts.append("\(field.spokenName) \(text)")
            }
        }
        let place = board.outline.placeName(ofRow: row)
        say("\(rowSentence(row, board.outline)) \(place).")
        if !parts.isEmpty { say("\(item.content.title): \(parts.joined(separator: ", ")).") }
    }

    mutating func printProblems() {
        guard let board = state.board else { return say("The trip is not loaded yet.") }
        if board.view.problems.isEmpty { return say("There are no problems.") }
        for problem in board.view.problems {
            let items = problem.items.compactMap { board.outline.trip[$0] }
            let names = items.map { "\(numbers.number(of: $0))" }.joined(separator: ", ")
            let day = DateText.name(ofDay: problem.day, in: board.outline.trip.header)
            let accepted = (problem.kind.isHint ? "hint: " : "") + (problem.isAccepted ? "accepted: " : "")
            say("\(day), \(items.count == 1 ? "item" : "items") \(names): \(accepted)\(problem.reason).")
        }
    }

    /// Prints the reports of failed changes, which then count as read.
    mutating func printNotDone() {
        if state.notDone.count == 0 {
            return say("All your changes are saved, or on their way.")
        }
        for entry in state.notDone.entries { say(entry.text) }
        if state.notDone.moreCount > 0 { say("\(counted(state.notDone.moreCount, "change")) more.") }
        state.notDone = NotDone()
    }

    mutating func printPeople() {
        say(peopleSentence)
        for person in state.people {
            guard let id = person.dragging, let item = state.board?.outline.trip[id] else { continue }
            say("\(person.name) is moving \(item.content.title).")
        }
        if waitingCount > 0 { say("\(counted(waitingCount, "change")) waiting.") }
    }

    var peopleSentence: String {
        let names = state.people.map(\.name)
        if names.isEmpty { return "You are \(state.userName), and nobody else is here." }
        return "You are \(state.userName); \(PeopleNews.list(names)) \(names.count == 1 ? "is" : "are") here."
    }

    mutating func printHelp() {
        say("Name an item by its number in a list, by its title or by the beginning of it.")
        say("Without a name, a command is for the item in focus; an empty line says which one.")
        for verb in PlainVerb.allCases { say("\(verb.usage): \(verb.purpose).") }
        for context in [KeyMap.Context.list, .drag] {
            say(context == .list ? "By name or by key:" : "With an item lifted:")
            for binding in state.keys.bindings where binding.context == context {
                guard let name = binding.action.names.first else { continue }
                let keys = binding.keys.map(\.description).joined(separator: ", ")
                say("\(name), or \(keys): \(binding.help).")
            }
        }
    }

    private static func problemCount(_ problems: [Problem]) -> String {
        let count = problems.count(where: \.isCounted)
        return count == 0 ? "no problems" : counted(count, "problem")
    }
}

/// The items of printed numbers. A number refers to the item for which it was printed, wherever that is now,
/// until a new list assigns other numbers.
struct PlainNumbers: Sendable {
    /// An item in its state when it got its number.
    struct Entry: Sendable {
        let id: ItemID
        let title: String
    }

    private var entries: [Entry] = []
    private var numbers: [ItemID: Int] = [:]

    /// The number of assigned numbers, which begin with 1.
    var count: Int { entries.count }

    /// The item of a number, if it is assigned.
    subscript(number: Int) -> Entry? {
        (1...max(entries.count, 1)).contains(number) && !entries.isEmpty ? entries[number - 1] : nil
    }

    /// The item's number; assigns the next one if it has none.
    mutating func number(of item: Item) -> Int {
        if let number = numbers[item.id] { return number }
        entries.append(Entry(id: item.id, title: item.content.title))
        numbers[item.id] = entries.count
        return entries.count
    }

    /// Removes all numbers.
    mutating func restart() {
        entries = []
        numbers = [:]
    }
}
