import TripModel

/// The commands of the plain editor.
extension PlainEditor {
    /// Executes a line.
    mutating func answer(_ line: String) {
        if case .prompting(let prompt) = state.mode { return answer(prompt, line) }
        if case .choosing(let chooser) = state.mode { return answer(chooser, line) }
        if state.mode.form != nil { return answerForm(line) }
        switch PlainCommand(line, in: state.context, keys: state.keys) {
        case .nothing: break
        case .verb(let verb, let rest): perform(verb, rest)
        case .action(let action): perform(action)
        case .number(let number): perform(.go, "\(number)")
        case .unknown(let sentence): deny(sentence)
        }
    }

    /// Presses the action's key; panels of the screen are replaced by sentences.
    private mutating func perform(_ action: Action) {
        switch action {
        case .help: printHelp()
        case .edit: edit("")
        case .problems: printProblems()
        case .moveTo: printPlaces("")
        case .mouse: say("There is no mouse here.")
        case .notDone: printNotDone()
        default: press(action)
        }
    }

    private mutating func perform(_ verb: PlainVerb, _ rest: String) {
        if let drag = state.mode.drag, !verb.isForLifted {
            return deny("\(drag.title) is lifted; drop it or cancel first.")
        }
        if [.lift, .copy, .remove, .edit].contains(verb), !rest.isEmpty, !state.marks.isEmpty {
            // A command that names an item applies only to that one.
            state.marks.clear()
            say("Nothing is marked any more.")
        }
        switch verb {
        case .list: if rest.isEmpty { printTrip() } else { printDay(rest) }
        case .show: if let item = item(named: rest) { printItem(item) }
        case .go: go(to: rest)
        case .whereTo: printPlaces(rest)
        case .move: move(rest)
        case .lift: if rest.isEmpty { press(.lift) } else if focus(itemNamed: rest) != nil { press(.lift) }
        case .drop: drop(rest)
        case .add: add(rest)
        case .edit: edit(rest)
        case .copy: if rest.isEmpty || focus(itemNamed: rest) != nil { press(.copy) }
        case .search: search(rest)
        case .importFile: importFile(rest)
        case .remove: if rest.isEmpty || focus(itemNamed: rest) != nil { press(.remove) }
        case .problems: printProblems()
        case .people: printPeople()
        case .help: printHelp()
        }
    }

    private mutating func go(to text: String) {
        guard let outline = state.board?.outline else { return say("The trip is not loaded yet.") }
        if text.isEmpty { return deny("Say where to, as in: go 5, or go day 3") }
        if Int(text) == nil, let header = headerRow(ofDay: text, outline) {
            act { $0.focus(row: header) }
        } else {
            focus(itemNamed: text)
        }
    }

    // MARK: Items

    /// Moves the focus to an item, or reports that there is none.
    @discardableResult
    mutating func focus(itemNamed text: String) -> Item? {
        guard let item = item(named: text), let row = state.board?.outline.row(of: item.id) else {
            return nil
        }
        act { $0.focus(row: row) }
        return item
    }

    /// The item with a number, a title or the beginning of one; for an empty text the focused item. Nil after
    /// reporting the reason.
    mutating func item(named text: String) -> Item? {
        switch reference(text) {
        case .item(let item): return item
        case .none(let why):
            deny(why)
            return nil
        }
    }

    enum Reference {
        case item(Item)
        /// No item, with the reason.
        case none(String)
    }

    mutating func reference(_ text: String) -> Reference {
        guard let board = state.board else { return .none("The trip is not loaded yet.") }
        let trip = board.outline.trip
        let words = PlainSpelling.unquoted(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        if words.isEmpty {
            if let item = board.item { return .item(item) }
            return .none("No item is in focus; name one by its number in the list.")
        }
        if let number = Int(words) {
            guard let entry = numbers[number] else {
                return .none(
                    numbers.count == 0
                        ? "There are no numbers yet; list shows them."
                        : "There is no number \(number); the numbers are 1 to \(numbers.count).")
            }
            if let item = trip[entry.id] { return .item(item) }
            return .none("Number \(number) was \(entry.title); it is no longer in the trip.")
        }
        let found = NameMatcher.matches(words, in: trip.items) { [PlainSpelling.spelled($0.content.title)] }
        if let item = found.first, found.count == 1 { return .item(item) }
        if found.isEmpty {
            return .none("No item is called \(PlainSpelling.short(words)); list shows the items.")
        }
        let names = found.prefix(4).map {
            "\(numbers.number(of: $0)) \($0.content.title) on day \($0.position.day)"
        }
        let more = found.count > names.count ? " or \(found.count - names.count) more" : ""
        return .none(
            "\(PlainSpelling.short(words)) could be \(names.joined(separator: ", "))\(more); say the number.")
    }

    private mutating func importFile(_ path: String) {
        if path.isEmpty { return deny("Say the name of a file, as in: \(PlainVerb.importFile.usage)") }
        act {
            $0.emit(.previewImport(path: path.trimmed))
            $0.begin(.awaiting(PendingOperation(.importPreview, "Reading")))
        }
        say("Reading \(PlainSpelling.short(path.trimmed)).")
    }

    private mutating func search(_ words: String) {
        press(.search)
        if !words.isEmpty, case .prompting(let prompt) = state.mode { answer(prompt, words) }
    }

    // MARK: Titles

    /// `TITLE`, `TITLE to day 3`, or nothing; then the title is asked for.
    private mutating func add(_ rest: String) {
        var title = rest
        if let outline = state.board?.outline, let split = Self.day(atEndOf: rest) {
            guard let header = outline.headerRow(ofDay: split.day) else {
                return deny("The trip has days 1 to \(outline.trip.header.dayCount).")
            }
            title = split.title
            act { $0.focus(row: outline.dayRows(around: header).upperBound - 1) }
        }
        press(.add)
        guard !title.isEmpty, case .prompting(let prompt) = state.mode else { return }
        let text = Self.unquoted(title)
        // In quotes nothing is read but a title.
        answer(prompt, text, by: text == title ? .accept : .acceptTitle)
        // The error was reported; the whole command must be repeated.
        if case .prompting = state.mode { state.returnToList() }
    }

    /// `TITLE to day 3`
    private static func day(atEndOf text: String) -> (title: String, day: Int)? {
        let words = text.split(separator: " ")
        guard words.count > 3, let last = words.last, let day = Int(last) else { return nil }
        let tail = words.suffix(3)
        guard tail.dropLast().map({ $0.lowercased() }) == ["to", "day"] else { return nil }
        return (words.dropLast(3).joined(separator: " "), day)
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count > 2, text.first == "\"", text.last == "\"" else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// The question of a prompt.
    static func question(of prompt: Prompt) -> String {
        let label = prompt.label.last == ":" ? String(prompt.label.dropLast()) : prompt.label
        if prompt.line.text.isEmpty { return "\(label), or cancel:" }
        return "\(label), now \(prompt.line.text); an empty line keeps it:"
    }

    /// Handles a line for a prompt.
    private mutating func answer(_ prompt: Prompt, _ line: String, by action: Action = .accept) {
        let keeps = line.trimmed.isEmpty && !prompt.line.text.isEmpty
        if keeps || ["cancel", "esc"].contains(line.trimmed.lowercased()) {
            press(.cancel)
            if state.status.message == nil { say("Left as it was.") }
            return
        }
        if !line.isEmpty {
            press(.last)
            press(.eraseToStart)
            act { $0.write(Array(line.unicodeScalars)) }
            // A line that is too long is rejected as a whole.
            if state.status.isRefusal { return }
        }
        press(action)
    }
}
