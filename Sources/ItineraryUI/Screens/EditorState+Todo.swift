import TripModel

/// The panel with the things to do and the ideas.
extension EditorState {
    mutating func showTodo() {
        if let chooser = todoChooser() { begin(.choosing(chooser)) }
    }

    /// The list of things to do, also if it is empty.
    func todoChooser() -> Chooser? { (board?.outline.trip.header.todo).map(chooser(ofTodo:)) }

    private func chooser(ofTodo list: [TodoEntry]) -> Chooser {
        let open = list.count { $0.doneBy == nil }
        let choices = list.map { entry in
            let parts = entry.parts
            let details = [
                parts.group.map { "#\($0)" }, parts.person.map { "@\($0)" },
                parts.due.map { "by \(DateText.text(of: $0))" },
            ]
            return Chooser.Choice(
                text: "\(entry.doneBy == nil ? "[ ]" : "[x]") \(parts.task)", name: parts.task,
                detail: entry.doneBy.map { "done by \($0)" }
                    ?? details.compactMap(\.self).joined(separator: " · "))
        }
        return Chooser(
            list.isEmpty ? "To do:" : "To do, \(open) of \(list.count) left:", .todo(list), choices)
    }

    /// Ticks off the selected entry or reopens it, removes it, or adds the typed text, also a filter that matches no entry.
    /// The panel stays open.
    mutating func handle(_ action: Action, ofTodo list: [TodoEntry], in chooser: Chooser) {
        if refusesChange() { return }
        if action == .accept, chooser.line?.isEntry == true, chooser.typedText == nil {
            return closeLine(of: chooser)
        }
        // Enter was meant for the entry that is gone.
        if chooser.line?.isEntry != true, let lost = chooser.lostChoice { return refuse(lost) }
        if action == .accept, let text = chooser.typedText { return add([text], toTodo: list) }
        guard let (index, _) = chooser.current else { return refuse(screen.sentence(of: chooser)) }
        let entry = list[index]
        if action == .planIdea { return plan(entry) }
        var next = list
        let change: TodoChange
        let sentence: (done: String, name: String)
        if action == .removeTodo {
            change = TodoChange(entry.id, isRemoval: true)
            sentence = ("Removed \(entry.text) from the list.", "removing \(entry.text) from the list")
            next.remove(at: index)
        } else {
            change = TodoChange(entry.id, isDone: entry.doneBy == nil)
            sentence =
                entry.doneBy == nil
                ? ("Ticked off \(entry.text).", "ticking off \(entry.text)")
                : ("Reopened \(entry.text).", "reopening \(entry.text)")
            next[index].doneBy = entry.doneBy == nil ? userName : nil
        }
        guard make([.trip(TripChange(todo: change))], done: sentence.done, name: sentence.name) else {
            return
        }
        reopen(todo: next, line: chooser.line, selecting: chooser.selected)
    }

    /// The idea that is selected in the open panel.
    var selectedIdea: TodoEntry? {
        guard case .choosing(let chooser) = mode, case .todo(let list) = chooser.purpose,
            chooser.lostChoice == nil, let (index, _) = chooser.current, list[index].item != nil
        else { return nil }
        return list[index]
    }

    /// Puts an idea on the day of the cursor: to the place of its time, or below the cursor.
    private mutating func plan(_ entry: TodoEntry) {
        guard let item = entry.item else { return refuse("\(entry.text) is a thing to do, not an idea.") }
        guard let board, let point = InsertionPoint(belowRow: board.cursor, of: board.outline) else {
            return refuse("This day is outside the trip.")
        }
        let trip = board.outline.trip
        let isFree = item.startTime == nil && item.kind == .custom
        let place = isFree ? nil : trip.placement(ofNew: item, onDay: point.day)
        returnToList()
        add(
            [NewItem(id: ItemID(entry.id), content: item, isIdea: true)],
            at: place ?? point.placement(in: trip))
    }

    /// Puts the marked or selected items aside, as ideas.
    mutating func putAside() {
        guard let board, !targets.isEmpty else {
            return refuse("A day cannot be put aside; mark its items first.")
        }
        if marks.isEmpty, let item = board.item, refuseIfFixed(item) { return }
        guard let items = movableTargets() else { return }
        let what = items.count == 1 ? items[0].content.title : counted(items.count, "item")
        guard
            make(
                items.flatMap(\.puttingAside), done: "Put \(what) aside.\(stayingEvents)",
                name: "putting \(what) aside")
        else {
            return
        }
        marks.clear()
    }

    /// Adds an entry for each pasted line; the typed text before them belongs to the first.
    mutating func add(pasted text: String, toTodo list: [TodoEntry], after typed: String) {
        if refusesChange() { return }
        let pasted = PastedText.titles(in: typed + text)
        guard !pasted.titles.isEmpty else { return refuse("The pasted text has no thing to do.") }
        add(pasted.titles, toTodo: list)
        if let cut = pasted.cutSentence { say(cut) }
    }

    private mutating func add(_ texts: [String], toTodo list: [TodoEntry]) {
        let changes = texts.map { TodoChange(TodoID(derivedFrom: ["\(newItemID())"]), text: $0) }
        let what = texts.count == 1 ? texts[0] : counted(texts.count, "thing") + " to do"
        guard
            make(
                changes.map { .trip(TripChange(todo: $0)) }, done: "Added \(what) to the list.",
                name: "adding \(what) to the list")
        else { return }
        let added = zip(changes, texts).map { TodoEntry(id: $0.id, text: $1) }
        // The next entry can be written at once.
        let isOpen = if case .choosing(let chooser) = mode { chooser.line != nil } else { false }
        reopen(todo: list + added, line: isOpen ? Chooser.Line(isEntry: true) : nil, selecting: .max)
    }

    private mutating func reopen(todo list: [TodoEntry], line: Chooser.Line?, selecting index: Int) {
        guard options.style.updatesLists else { return returnToList() }
        var chooser = chooser(ofTodo: list)
        chooser.line = line
        chooser.select(index)
        begin(.choosing(chooser))
    }
}

/// The list of costs and debts. Accepting a debt records its payment as a completed to-do entry.
extension EditorState {
    mutating func showCosts() {
        guard let chooser = costsChooser() else { return say("Nothing has a cost.") }
        begin(.choosing(chooser))
    }

    /// The list of costs; nil if there is none.
    func costsChooser() -> Chooser? {
        guard let trip = board?.outline.trip else { return nil }
        let lines = CostShares.all(of: trip, in: trip.header.exchangeRates, by: .kind).flatMap(\.lines)
        if lines.isEmpty { return nil }
        return Chooser("Costs:", .costs(lines), lines.map { Chooser.Choice(text: $0.text, detail: "") })
    }

    /// Records that the debt of a line is paid, as a done entry of the list of things to do. Two people who record it at
    /// once add one entry, because its id depends on the text and the number of equal entries.
    mutating func settle(_ line: CostShares.Line) {
        guard let payment = line.settlement else { return refuse("Only a debt can be paid.") }
        if refusesChange() { return }
        let earlier = board?.outline.trip.header.todo.count { $0.text == payment } ?? 0
        let id = TodoID(derivedFrom: ["payment", payment, "\(earlier)"])
        let entry = TodoChange(id, text: payment, isDone: true)
        guard
            make(
                [.trip(TripChange(todo: entry))], done: "Recorded: \(payment).", name: "recording \(payment)")
        else { return }
        returnToList()
    }
}
