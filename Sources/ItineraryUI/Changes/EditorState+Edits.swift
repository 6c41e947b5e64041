import TripModel

extension EditorState {
    // MARK: Changes without a drag

    /// Moves the focused item to the next valid place in a direction.
    ///
    /// - Parameter times: the number of places; fewer if there are not as many.
    mutating func nudge(step: Int, times: Int = 1) {
        if !marks.isEmpty {
            return refuse(
                "Only one item can be moved this way, and \(markedCount). Esc unmarks.")
        }
        guard let item = board?.item, !refuseIfFixed(item) else { return }
        guard let drag = dragOfFocus() else { return }
        guard let gap = drag.validGap(from: drag.gap, step: step, times: times) else {
            return refuse("There is no allowed place \(step < 0 ? "above" : "below").")
        }
        move(item.id, to: drag.report.gaps[gap].placement)
    }

    /// Reports why this user cannot move the item now, if so.
    mutating func refuseIfFixed(_ item: Item) -> Bool {
        if item.isGame {
            refuse("An event follows its schedule and cannot be moved.")
            return true
        }
        return refuseIfHeld(item)
    }

    /// Reports that another user is dragging the item, if so.
    mutating func refuseIfHeld(_ item: Item) -> Bool {
        guard let holder = holder(of: item.id) else { return false }
        refuse("\(holder) is moving \(item.content.title).", heldItem: item.id)
        return true
    }

    /// A drag of the focused item, for computing gaps.
    func dragOfFocus() -> Drag? {
        guard let board, let item = board.item else { return nil }
        let outline = board.openOutline
        return outline.row(of: item.id).flatMap { Drag(row: $0, of: outline) }
    }

    /// Moves an item without a drag.
    mutating func move(_ id: ItemID, to placement: Placement) {
        guard let board, let row = board.outline.row(of: id), let item = board.outline.trip[id],
            !refuseIfFixed(item)
        else { return }
        let from = board.outline.placeName(ofRow: row)
        apply([.move(id, to: placement)], as: .move(id, title: item.content.title, from: from, drag: nil))
        showPutDown(id)
        offerUndo()
    }

    mutating func removeFocused() {
        guard let board else { return }
        if !marks.isEmpty { return removeMarked() }
        guard let item = board.item else {
            let key =
                keys.advertisedKey(of: .removeDay, in: .list).map { " \($0) removes the whole day." } ?? ""
            refuse("A day cannot be removed like an item.\(key)")
            return
        }
        if refuseIfHeld(item) { return }
        if item.isGame {
            ask(Question(purpose: .remove(item.id), text: "Remove the event \(item.content.title)?"))
        } else if options.style.guardsKeys, unexpectedChanges.isNews(at: now) {
            // The list has just changed, so the key may have been meant for another row.
            ask(Question(purpose: .remove(item.id), text: "Remove \(item.content.title)?"))
        } else {
            remove(item)
        }
    }

    mutating func confirm(_ question: Question, _ action: Action) {
        returnToList()
        guard action == .accept else {
            switch question.purpose {
            case .remove: say("Nothing was removed.")
            case .change(.remove, _): say("Nothing was removed.")
            case .quit:
                if let drag = question.suspendedDrag { carry(drag) } else { say("Nothing was changed.") }
            case .change: say("Nothing was changed.")
            case .deleteTrip, .makeTrip: returnToTrips()
            }
            return
        }
        switch question.purpose {
        case .change(let intention, let asked): makeAgreed(intention, asked: asked)
        case .deleteTrip(let id, let name, let count): delete(id, named: name, itemCount: count)
        case .makeTrip(let name): beginNewTrip(named: name)
        case .remove(let id):
            guard let item = board?.outline.trip[id] else {
                return say(question.news ?? "Nothing was removed.")
            }
            remove(item)
        case .quit:
            noteDrafts(Departure.wanted.reason)
            emit(.quit)
        }
    }

    private mutating func remove(_ item: Item) {
        apply([.remove(item.id)], as: .remove(title: item.content.title))
        // At once, so that the effect of the key is visible without delay.
        if options.style.announces { say("Removed \(item.content.title).\(undoHint)") }
        offerUndo()
    }

    // MARK: Titles

    mutating func promptForAdd() {
        guard let board else { return }
        guard let insertionPoint = InsertionPoint(belowRow: board.cursor, of: board.outline) else {
            return refuse("This day is outside the trip.")
        }
        var prompt = Prompt(purpose: .add(at: insertionPoint), line: LineEditor())
        if case .prompting(let draft)? = drafts.take(.title) { prompt.line = draft.line }
        begin(.prompting(prompt))
    }

    /// Writes into the open line, if there is one.
    mutating func write(_ scalars: [Unicode.Scalar]) {
        guard var line = mode.input else {
            // A letter does not answer the question and has no other effect.
            if !mode.isBrowsing, mode.drag == nil { repeatMessage() }
            return
        }
        let fits = line.insert(scalars)
        var written = mode
        written.input = line
        begin(written)
        if case .prompting(let prompt) = mode, prompt.isSearch { searchAgain(prompt) }
        if !fits { refuse("The line is full: the rest of the text is left out.") }
    }

    mutating func edit(_ old: Prompt, _ action: Action) {
        var prompt = old
        switch (prompt.purpose, action) {
        case (.add, .accept): accept(prompt, prompt.quickEntry?.content)
        case (.add, .acceptTitle): accept(prompt)
        case (.goTo, .accept): goTo(prompt)
        case (.swap(let day, let days), .accept): swap(day, of: days, prompt)
        case (.repeating(let items, let what), .accept): repeatItems(items, what, prompt)
        case (.add, .cancel), (.goTo, .cancel), (.swap, .cancel), (.repeating, .cancel):
            closeKeepingDraft { $0.returnToList() }
        case (.search, .accept), (.search, .cancel): endSearch(prompt, keeps: action == .accept)
        case (.search, .nextMatch): focusMatch(step: 1)
        case (.search, .previousMatch): focusMatch(step: -1)
        default:
            prompt.line.perform(action)
            begin(.prompting(prompt))
            if prompt.isSearch, prompt.line.text != old.line.text { searchAgain(prompt) }
        }
    }

    /// Adds the written item.
    ///
    /// - Parameter read: the item with its fields; nil if the text is its title.
    private mutating func accept(_ prompt: Prompt, _ read: ItemContent? = nil) {
        guard let title = prompt.line.trimmed else { return refuse("A title is needed; Esc cancels.") }
        let content = read ?? .custom(CustomItem(title: title))
        do throws(Rejection) { try ItemField.title.check(.text(content.title)) } catch {
            return refuse(ItemField.title.sentence(for: error))
        }
        guard case .add(let insertionPoint) = prompt.purpose, let trip = board?.outline.trip else { return }
        returnToList()
        add(
            [NewItem(id: newItemID(), content: content)],
            at: trip.placement(of: content, at: insertionPoint.placement(in: trip)))
    }

    /// Drops the dragged new items.
    mutating func place(_ items: [NewItem], at placement: Placement) {
        keepingScroll { $0.endDrag() }
        add(items, at: placement)
    }

    /// Adds items below each other.
    mutating func add(_ items: [NewItem], at placement: Placement) {
        guard let first = items.first else { return }
        var edits = items.filter(\.isIdea).map { item in
            Edit.trip(TripChange(todo: TodoChange(TodoID(item.id), isRemoval: true)))
        }
        edits.append(.add(first.id, first.content, to: placement))
        // Each addition halves a gap. By bisection, n items halve it about log₂(n) times, and re-space no day.
        func add(_ index: Int, after previous: Int) {
            let (item, anchor) = (items[index], items[previous].id)
            edits.append(.add(item.id, item.content, to: .after(anchor, day: placement.day)))
        }
        func fill(_ lower: Int, _ upper: Int) {
            guard upper - lower > 1 else { return }
            let middle = (lower + upper) / 2
            add(middle, after: lower)
            fill(lower, middle)
            fill(middle, upper)
        }
        if items.count > 1 { add(items.count - 1, after: 0) }
        fill(0, items.count - 1)
        board?.wait(for: first.id)
        let what = items.count == 1 ? first.content.title : "\(items.count) items"
        apply(edits, as: .add(items.map(\.id), what: what))
        showPutDown(first.id)
        offerUndo()
    }

    // MARK: Requests

    /// Shows where an item was dropped.
    mutating func showPutDown(_ id: ItemID) {
        motion.beginFade(of: id, stages: theme.fade.count, at: now)
    }

    /// Shows a toast that the change can be undone, for some seconds.
    mutating func offerUndo() {
        guard let key = keys.advertisedKey(of: .undo, in: .list) else { return }
        motion.show(.undo(key: key), at: now)
    }

    /// Requests edits; the next view shows them.
    mutating func apply(_ edits: [Edit], as description: ChangeDescription) {
        if isViewer { return refuse(Self.viewerSentence) }
        for case .remove(let id) in edits {
            unexpectedChanges.noteOwnRemoval(of: id)
            if let item = board?.outline.trip[id] { removedTitles.note(item) }
        }
        let written = board.map { UnsavedText.lines(of: edits, in: $0.outline.trip) } ?? []
        ask(for: description, edits: edits, written: written) { .apply($0, edits) }
    }
}
