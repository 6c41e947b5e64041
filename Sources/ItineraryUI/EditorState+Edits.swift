import TripModel

extension EditorState {
    // MARK: Changes without a drag

    /// Moves the item in focus to the next place in a direction that is allowed.
    mutating func nudge(step: Int) {
        guard let board, let item = board.item, !refuseIfFixed(item) else { return }
        guard let drag = Drag(row: board.cursor, of: board.outline) else { return }
        guard let gap = drag.validGap(from: drag.gap, step: step) else {
            refuse("No allowed place is \(step < 0 ? "above" : "below").")
            return
        }
        move(item.id, to: drag.report.gaps[gap].placement)
    }

    /// Moves an item without a drag.
    mutating func move(_ id: ItemID, to placement: Placement) {
        guard let board, let row = board.outline.row(of: id), let item = board.outline.trip[id],
            !refuseIfFixed(item)
        else { return }
        let from = placeName(board.outline, row)
        apply([.move(id, to: placement)]) { state in
            guard let outline = state.board?.outline, let row = outline.row(of: id) else { return "" }
            let to = state.placeName(outline, row)
            return "Moved \(item.content.title) from \(from) to \(to).\(state.undoHint)"
        }
        settle(id)
        offerUndo()
    }

    mutating func removeFocused() {
        guard let board else { return }
        guard let item = board.item else {
            refuse("A day is not removed.")
            return
        }
        if let holder = holder(of: item.id) {
            refuse("\(holder) is moving \(item.content.title).")
        } else if item.isGame {
            mode = .confirming(item.id)
        } else {
            remove(item)
        }
    }

    mutating func confirm(_ id: ItemID, _ action: Action) {
        mode = .browsing
        guard action == .accept, let item = board?.outline.trip[id] else {
            say("Nothing is removed.")
            return
        }
        remove(item)
    }

    private mutating func remove(_ item: Item) {
        apply([.remove(item.id)]) { "Removed \(item.content.title).\($0.undoHint)" }
        offerUndo()
    }

    // MARK: Titles

    mutating func promptForAdd() {
        guard let board else { return }
        guard addPlacement(board) != nil else {
            refuse("This day is outside the trip.")
            return
        }
        mode = .prompting(Prompt(purpose: .add, line: LineEditor()))
    }

    /// Writes into the line being edited, if there is one.
    mutating func write(_ scalars: [Unicode.Scalar]) {
        let fits: Bool
        switch mode {
        case .prompting(var prompt):
            fits = prompt.line.insert(scalars)
            mode = .prompting(prompt)
            searchAgain(prompt)
        case .filling(var form):
            fits = form.current.line.insert(scalars)
            mode = .filling(form)
        case .choosing(var chooser):
            fits = chooser.filter.insert(scalars)
            mode = .choosing(chooser)
        case .browsing, .dragging, .confirming, .helping: return
        }
        if !fits { refuse("The line is full.") }
    }

    mutating func edit(_ old: Prompt, _ action: Action) {
        var prompt = old
        switch (prompt.purpose, action) {
        case (.add, .accept): accept(prompt)
        case (.add, .cancel): mode = .browsing
        case (.search, .accept), (.search, .cancel): endSearch(prompt, keeps: action == .accept)
        case (.search, .nextMatch): focusMatch(step: 1)
        case (.search, .previousMatch): focusMatch(step: -1)
        default:
            prompt.line.perform(action)
            mode = .prompting(prompt)
            if prompt.line.text != old.line.text { searchAgain(prompt) }
        }
    }

    private mutating func accept(_ prompt: Prompt) {
        guard let title = prompt.line.trimmed else {
            refuse("A title is needed; Esc leaves without.")
            return
        }
        if let objection = prompt.objection(to: title) {
            refuse(objection)
            return
        }
        mode = .browsing
        add(title)
    }

    private mutating func add(_ title: String) {
        guard let placement = board.flatMap(addPlacement) else { return }
        let id = ItemID.random(using: &options.generator)
        add([NewItem(id: id, content: .custom(CustomItem(title: title)))], at: placement)
    }

    /// Puts what is in hand down as new items.
    mutating func place(_ items: [NewItem], at placement: Placement) {
        keepingScroll { $0.endDrag() }
        add(items, at: placement)
    }

    /// Adds items below each other.
    private mutating func add(_ items: [NewItem], at placement: Placement) {
        guard let first = items.first else { return }
        var edits: [Edit] = []
        for (index, item) in items.enumerated() {
            let to = index == 0 ? placement : .after(items[index - 1].id, day: placement.day)
            edits.append(.add(item.id, item.content, to: to))
        }
        let what = items.count == 1 ? first.content.title : "\(items.count) items"
        apply(edits) { "Added \(what).\($0.undoHint)" }
        let id = first.id
        if let row = self.board?.outline.row(of: id) { focus(row: row) }
        settle(id)
        offerUndo()
    }

    /// Right below the focus; nil outside the trip's days.
    func addPlacement(_ board: Board) -> Placement? {
        guard board.outline.inside.contains(board.cursor) else { return nil }
        switch board.outline.rows[board.cursor] {
        case .day(let day): return .start(day: day)
        case .item(let id): return board.item.map { .after(id, day: $0.position.day) }
        }
    }

    // MARK: On their way to the daemon

    /// Shows edits at once and asks for them.
    mutating func apply(_ edits: [Edit], sentence: (EditorState) -> String) {
        emit(.apply(edits))
        pending.append(PendingChange(edits: edits, sentence: ""))
        refresh()
        pending[pending.count - 1] = PendingChange(edits: edits, sentence: sentence(self))
    }

    /// Asks for a change that only the daemon knows.
    mutating func ask(for effect: EditorEffect, _ sentence: String) {
        motion.toast = nil
        emit(effect)
        pending.append(PendingChange(edits: [], sentence: sentence))
    }

    mutating func editAccepted(_ sentence: String?) {
        guard !pending.isEmpty else {
            if let sentence { say(sentence) }
            return
        }
        let change = pending.removeFirst()
        if !change.edits.isEmpty { accepted.append(change.edits) }
        // While something is in hand, its own sentence matters more.
        if case .browsing = mode { say(sentence ?? change.sentence) }
    }

    mutating func editRefused(_ reason: String) {
        if !pending.isEmpty { pending.removeFirst() }
        motion.toast = nil
        refresh()
        refuse("Not done: \(reason)")
    }
}
