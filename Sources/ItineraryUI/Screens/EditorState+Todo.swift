import TripModel

/// The panel with the things to do.
extension EditorState {
    mutating func showTodo() {
        if let list = board?.outline.trip.header.todo { begin(.choosing(chooser(ofTodo: list))) }
    }

    private func chooser(ofTodo list: [TodoEntry]) -> Chooser {
        let open = list.count { $0.doneBy == nil }
        let choices = list.map { entry in
            Chooser.Choice(
                text: "\(entry.doneBy == nil ? "[ ]" : "[x]") \(entry.text)",
                detail: entry.doneBy.map { "done by \($0)" } ?? "")
        }
        return Chooser(
            list.isEmpty ? "To do:" : "To do, \(open) of \(list.count) left:", .todo(list), choices)
    }

    /// Shows another state of the list. The selected entry stays selected; if it is gone, keys for it have no effect
    /// until the user selects another one.
    private mutating func show(todo list: [TodoEntry], after old: Chooser, _ before: [TodoEntry]) {
        var chooser = chooser(ofTodo: list)
        chooser.filter = old.filter
        let selected = old.current.map { before[$0.index] }
        let same = chooser.shown.firstIndex { list[$0].id == selected?.id }
        chooser.select(same ?? old.selected)
        if same == nil { chooser.lostChoice = selected.map { "Choose another line: “\($0.text)” is gone." } }
        begin(.choosing(chooser))
    }

    /// Updates the open panel.
    mutating func keepTodo() {
        guard case .choosing(let old) = mode, case .todo(let before) = old.purpose,
            let list = board?.outline.trip.header.todo, list != before
        else { return }
        show(todo: list, after: old, before)
    }

    /// Ticks off the selected entry or reopens it, removes it, or adds the typed text. The panel stays open.
    mutating func handle(_ action: Action, ofTodo list: [TodoEntry], in chooser: Chooser) {
        if refusesChange(.editTrip) { return }
        var (list, shown) = (list, chooser)
        let change: TodoChange
        let sentence: (done: String, name: String)
        if action == .addTodo {
            guard let text = chooser.filter.trimmed else { return refuse("Type a thing to do first.") }
            change = TodoChange(TodoID(derivedFrom: ["\(newItemID())"]), text: text)
            sentence = ("Added \(text) to the list.", "adding \(text) to the list")
            list.append(TodoEntry(id: change.id, text: text))
            shown.filter = LineEditor()
        } else {
            guard let (index, _) = chooser.current else {
                let key = keys.advertisedKey(of: .addTodo, in: .todo).map { "; \($0) adds it" } ?? ""
                return refuse("Nothing in the list matches\(key).")
            }
            if let lost = chooser.lostChoice { return refuse(lost) }
            let entry = list[index]
            if action == .removeTodo {
                change = TodoChange(entry.id, isRemoval: true)
                sentence = ("Removed \(entry.text) from the list.", "removing \(entry.text) from the list")
                list.remove(at: index)
            } else {
                change = TodoChange(entry.id, isDone: entry.doneBy == nil)
                sentence =
                    entry.doneBy == nil
                    ? ("Ticked off \(entry.text).", "ticking off \(entry.text)")
                    : ("Reopened \(entry.text).", "reopening \(entry.text)")
                list[index].doneBy = entry.doneBy == nil ? userName : nil
            }
        }
        guard make([.trip(TripChange(todo: change))], done: sentence.done, name: sentence.name) else {
            return
        }
        if options.isByLines { return returnToList() }
        var chooser = self.chooser(ofTodo: list)
        chooser.filter = shown.filter
        chooser.select(action == .addTodo ? .max : shown.selected)
        begin(.choosing(chooser))
    }
}
