import TripModel

extension EditorState {
    // MARK: Changes without a drag

    /// Moves the item in focus to the next place in a direction that is allowed.
    ///
    /// - Parameter times: how many places on; fewer if there are no more.
    mutating func nudge(step: Int, times: Int = 1) {
        if !marks.isEmpty {
            return refuse("This moves one item, and \(markedCount): \(markedKeys); Esc unmarks.")
        }
        guard let item = board?.item, !refuseIfFixed(item) else { return }
        guard let drag = dragOfFocus() else { return }
        guard let gap = drag.validGap(from: drag.gap, step: step, times: times) else {
            return refuse("No allowed place is \(step < 0 ? "above" : "below").")
        }
        move(item.id, to: drag.report.gaps[gap].placement)
    }

    /// Moves an item without a drag.
    mutating func move(_ id: ItemID, to placement: Placement) {
        guard let board, let row = board.outline.row(of: id), let item = board.outline.trip[id],
            !refuseIfFixed(item)
        else { return }
        let from = placeName(board.outline, row)
        apply([.move(id, to: placement)], as: .move(id, title: item.content.title, from: from, drag: nil))
        showPutDown(id)
        offerUndo()
    }

    mutating func removeFocused() {
        guard let board else { return }
        if !marks.isEmpty { return removeMarked() }
        guard let item = board.item else {
            let key =
                keys.advertisedKey(of: .removeDay, in: .list).map { " \($0) takes the whole day away." } ?? ""
            refuse("A day is not removed as an item is.\(key)")
            return
        }
        if refuseIfHeld(item) { return }
        if item.isGame {
            ask(Question(purpose: .remove(item.id), text: "Remove the game \(item.content.title)?"))
        } else if !options.isByLines, surprises.isNews(at: now) {
            // The list has just changed under the user's eyes: the key may have been meant for another row.
            ask(Question(purpose: .remove(item.id), text: "Remove \(item.content.title)?"))
        } else {
            remove(item)
        }
    }

    mutating func confirm(_ question: Question, _ action: Action) {
        returnToList()
        guard action == .accept else {
            switch question.purpose {
            case .remove: say("Nothing is removed.")
            case .change(.remove, _): say("Nothing is removed.")
            case .quit: if let drag = question.inHand { carry(drag) } else { say("Nothing is changed.") }
            case .change: say("Nothing is changed.")
            case .deleteTrip, .makeTrip: returnToTrips()
            }
            return
        }
        switch question.purpose {
        case .change(let intention, let asked): makeAgreed(intention, asked: asked)
        case .deleteTrip(let id, let name): delete(id, named: name)
        case .makeTrip(let name): beginNewTrip(named: name)
        case .remove(let id):
            guard let item = board?.outline.trip[id] else {
                return say(question.news ?? "Nothing is removed.")
            }
            remove(item)
        case .quit: emit(.quit)
        }
    }

    private mutating func remove(_ item: Item) {
        apply([.remove(item.id)], as: .remove(title: item.content.title))
        // At once, so that nobody has to wait to see what one key has taken away.
        if !options.isByLines { say("Removed \(item.content.title).\(undoHint)") }
        offerUndo()
    }

    // MARK: Titles

    mutating func promptForAdd() {
        guard let board else { return }
        guard let spot = Spot(belowRow: board.cursor, of: board.outline) else {
            return refuse("This day is outside the trip.")
        }
        begin(.prompting(Prompt(purpose: .add(at: spot), line: LineEditor())))
    }

    /// Writes into the line being edited, if there is one.
    mutating func write(_ scalars: [Unicode.Scalar]) {
        var written = mode
        guard let fits = written.write(scalars) else {
            // A letter is no answer, and does nothing else either.
            if !mode.isBrowsing, mode.drag == nil { refuse(focusSentence) }
            return
        }
        begin(written)
        if case .prompting(let prompt) = mode, prompt.isSearch { searchAgain(prompt) }
        if !fits { refuse("The line is full.") }
    }

    mutating func edit(_ old: Prompt, _ action: Action) {
        var prompt = old
        switch (prompt.purpose, action) {
        case (.add, .accept): accept(prompt)
        case (.goTo, .accept): goTo(prompt)
        case (.add, .cancel), (.goTo, .cancel): returnToList()
        case (.search, .accept), (.search, .cancel): endSearch(prompt, keeps: action == .accept)
        case (.search, .nextMatch): focusMatch(step: 1)
        case (.search, .previousMatch): focusMatch(step: -1)
        default:
            prompt.line.perform(action)
            begin(.prompting(prompt))
            if prompt.isSearch, prompt.line.text != old.line.text { searchAgain(prompt) }
        }
    }

    private mutating func accept(_ prompt: Prompt) {
        guard let title = prompt.line.trimmed else { return refuse("A title is needed; Esc leaves without.") }
        do throws(Rejection) { try ItemField.title.check(.text(title)) } catch {
            return refuse(ItemField.title.sentence(for: error))
        }
        guard case .add(let spot) = prompt.purpose, let trip = board?.outline.trip else { return }
        returnToList()
        let id = newItemID()
        add([NewItem(id: id, content: .custom(CustomItem(title: title)))], at: spot.placement(in: trip))
    }

    /// Puts what is in hand down as new items.
    mutating func place(_ items: [NewItem], at placement: Placement) {
        keepingScroll { $0.endDrag() }
        add(items, at: placement)
    }

    /// Adds items below each other.
    mutating func add(_ items: [NewItem], at placement: Placement) {
        guard let first = items.first else { return }
        var edits: [Edit] = []
        for (index, item) in items.enumerated() {
            let to = index == 0 ? placement : .after(items[index - 1].id, day: placement.day)
            edits.append(.add(item.id, item.content, to: to))
        }
        board?.wait(for: first.id)
        let what = items.count == 1 ? first.content.title : "\(items.count) items"
        apply(edits, as: .add(items.map(\.id), what: what))
        showPutDown(first.id)
        offerUndo()
    }

    // MARK: On their way to the daemon

    /// Shows where an item has been put.
    mutating func showPutDown(_ id: ItemID) {
        motion.beginFade(of: id, stages: theme.fade.count, at: now)
    }

    /// A change can be taken back: a toast says so for some seconds.
    mutating func offerUndo() {
        guard let key = keys.advertisedKey(of: .undo, in: .list) else { return }
        motion.show(.undo(key: key), at: now)
    }

    /// Asks for edits; the next view shows them.
    mutating func apply(_ edits: [Edit], as deed: Deed) {
        if isViewer { return refuse(Self.viewerSentence) }
        for case .remove(let id) in edits {
            surprises.noteOwnRemoval(of: id)
            if let item = board?.outline.trip[id] { departed.note(item) }
        }
        let written = board.map { Written.lines(of: edits, in: $0.outline.trip) } ?? []
        ask(for: deed, edits: edits, written: written) { .apply($0, edits) }
    }
}
