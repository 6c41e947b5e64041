import TripModel

/// The panel with the things to do.
extension EditorState {
    mutating func showTodo() {
        guard let list = board?.outline.trip.header.todo else { return }
        begin(.choosing(chooser(ofTodo: list)))
    }

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

    /// Updates the open panel.
    mutating func keepTodo() {
        guard case .choosing(let old) = mode, case .todo(let before) = old.purpose,
            let list = board?.outline.trip.header.todo, list != before
        else { return }
        var chooser = chooser(ofTodo: list)
        chooser.follow(old)
        begin(.choosing(chooser))
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
        if options.isByLines { return returnToList() }
        var chooser = chooser(ofTodo: list)
        chooser.line = line
        chooser.select(index)
        begin(.choosing(chooser))
    }
}
