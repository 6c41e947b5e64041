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
        let from = placeName(board.outline, board.cursor)
        apply([.move(item.id, to: drag.report.gaps[gap].placement)]) { state in
            guard let board = state.board else { return "" }
            let to = state.placeName(board.outline, board.cursor)
            return "Moved \(item.content.title) from \(from) to \(to).\(state.undoHint)"
        }
        settle(item.id)
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

    mutating func promptForRename() {
        guard let item = board?.item else { return }
        guard case .custom(let custom) = item.content else {
            refuse("Only the title of an item of your own can be edited.")
            return
        }
        if let holder = holder(of: item.id) {
            refuse("\(holder) is moving \(custom.title).")
            return
        }
        mode = .prompting(Prompt(purpose: .rename(item.id), line: LineEditor(custom.title)))
    }

    /// Writes into the prompt, if there is one.
    mutating func write(_ scalars: [Unicode.Scalar]) {
        guard case .prompting(var prompt) = mode else { return }
        if !prompt.line.insert(scalars) { refuse("A title has at most \(TripLimits.textBytes) bytes.") }
        mode = .prompting(prompt)
    }

    mutating func edit(_ prompt: Prompt, _ action: Action) {
        var prompt = prompt
        switch action {
        case .accept:
            accept(prompt)
            return
        case .cancel:
            mode = .browsing
            return
        case .left: prompt.line.moveLeft()
        case .right: prompt.line.moveRight()
        case .first: prompt.line.moveToStart()
        case .last: prompt.line.moveToEnd()
        case .eraseBackward: prompt.line.eraseBackward()
        case .eraseForward: prompt.line.eraseForward()
        case .eraseWord: prompt.line.eraseWord()
        case .eraseToStart: prompt.line.eraseToStart()
        case .up, .down, .previousDay, .nextDay, .lift, .drop, .nudgeUp, .nudgeDown, .add, .rename, .remove,
            .undo, .redo, .nextProblem, .help, .quit, .suspend:
            break
        }
        mode = .prompting(prompt)
    }

    private mutating func accept(_ prompt: Prompt) {
        guard let title = prompt.title else {
            refuse("A title is needed; Esc leaves without.")
            return
        }
        if let objection = prompt.objection(to: title) {
            refuse(objection)
            return
        }
        mode = .browsing
        switch prompt.purpose {
        case .add: add(title)
        case .rename(let id): apply([.update(id, [.title(title)])]) { _ in "The title is \(title) now." }
        }
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
    private func addPlacement(_ board: Board) -> Placement? {
        guard board.outline.inside.contains(board.cursor) else { return nil }
        switch board.outline.rows[board.cursor] {
        case .day(let day): return .start(day: day)
        case .item(let id): return board.item.map { .after(id, day: $0.position.day) }
        }
    }

    // MARK: On their way to the daemon

    /// Shows edits at once and asks for them.
    private mutating func apply(_ edits: [Edit], sentence: (EditorState) -> String) {
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
        refresh()
        refuse("Not done: \(reason)")
    }
}
