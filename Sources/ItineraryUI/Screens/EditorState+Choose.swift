import TripModel

/// Lists to choose from: places, problems, trips, imports.
extension EditorState {
    /// Lists all places for the focused item, with reasons for invalid ones.
    mutating func chooseMove() {
        if !marks.isEmpty { return chooseMoveOfMarked() }
        guard let item = board?.item else { return refuse("A day cannot be moved.") }
        guard !refuseIfFixed(item), let chooser = moveChooser() else { return }
        begin(.choosing(chooser))
    }

    /// The list of all places for the focused item.
    func moveChooser() -> Chooser? {
        guard let board, let item = board.item, let drag = dragOfFocus() else { return nil }
        var choices: [Chooser.Choice] = []
        var places: [Placement] = []
        for (index, gap) in drag.report.gaps.enumerated() where index != drag.home {
            places.append(gap.placement)
            choices.append(choice(gap, board.outline))
        }
        return Chooser("Move \(item.content.title) to:", .move(item, to: places), choices)
    }

    func choice(_ gap: Gap, _ outline: Outline) -> Chooser.Choice {
        let day = "Day \(gap.day)"
        let text: String
        if let after = gap.after {
            text = "\(day) · after \(outline.trip.title(of: after))"
        } else if let before = gap.before {
            text = "\(day) · before \(outline.trip.title(of: before))"
        } else {
            text = "\(day) · nothing else yet"
        }
        let date = outline.trip.header.date(ofDay: gap.day).map(DateText.text(of:)) ?? ""
        let detail = gap.refusal.map { outline.trip.reason(of: $0) } ?? date
        return Chooser.Choice(text: text, detail: detail, isAllowed: gap.isValid)
    }

    /// Lists the problems.
    mutating func chooseProblem() {
        guard let chooser = problemChooser() else { return say("There are no problems.") }
        begin(.choosing(chooser))
    }

    /// The list of problems, accepted ones included; nil if there is none.
    private func problemChooser() -> Chooser? {
        guard let outline = board?.outline else { return nil }
        let problems = board?.view.problems ?? []
        let choices = problems.map { problem in
            let day = DateText.name(ofDay: problem.day, in: outline.trip.header)
            let notes = [problem.kind.isHint ? "hint" : nil, problem.isAccepted ? "intended" : nil]
            return Chooser.Choice(
                text: problem.reason, detail: ([day] + notes.compactMap(\.self)).joined(separator: " · "))
        }
        guard !outline.rows.isEmpty, !choices.isEmpty else { return nil }
        let count = problems.count(where: \.isCounted)
        let hints = problems.count(where: \.kind.isHint)
        let title = counted(count, "problem") + (hints > 0 ? ", \(counted(hints, "hint"))" : "")
        return Chooser("\(title):", .problem(problems), choices)
    }

    /// Updates an open list of problems, things to do or costs.
    mutating func keepList() {
        guard case .choosing(let old) = mode else { return }
        let new: Chooser?
        let sentence: String
        switch old.purpose {
        case .problem: (new, sentence) = (problemChooser(), "No problems are left.")
        case .costs: (new, sentence) = (costsChooser(), "Nothing has a cost any more.")
        case .todo: (new, sentence) = (todoChooser(), "")
        default: return
        }
        guard var chooser = new else {
            close(old)
            mention(sentence)
            return unexpectedChanges.displace(sentence, at: now)
        }
        if chooser.isSame(as: old) { return }
        chooser.follow(old)
        begin(.choosing(chooser))
    }

    /// The selected problem of an open list of problems.
    var selectedProblem: Problem? {
        guard case .choosing(let chooser) = mode, case .problem(let problems) = chooser.purpose,
            let (index, _) = chooser.current
        else { return nil }
        return problems[index]
    }

    /// The change of a problem's travel that gives it a valid place.
    func remedy(for problem: Problem) -> (side: ItemField, value: TravelSide)? {
        guard let trip = board?.outline.trip else { return nil }
        return problem.items.first.flatMap { trip[$0] }.flatMap(trip.remedy)
    }

    /// Accepts the selected problem, revokes that, or changes the side of travel that has no valid place. The list stays
    /// open.
    private mutating func handle(_ action: Action, ofProblemIn chooser: Chooser) {
        guard case .problem(let problems) = chooser.purpose, let (index, _) = chooser.current else { return }
        let problem = problems[index]
        if let lost = chooser.lostChoice { return refuse(lost) }
        if refusesChange() { return }
        guard action == .openSide else {
            let acceptance = TripChange.Acceptance(of: problem.key, !problem.isAccepted)
            let again = problem.kind.isHint ? "It is a hint again." : "It counts as a problem again."
            let done = problem.isAccepted ? again : "Marked as intended."
            make(
                [.trip(TripChange(acceptance: acceptance))], done: done, name: "marking a problem as intended"
            )
            return
        }
        guard let trip = board?.outline.trip, let item = problem.items.first.flatMap({ trip[$0] }),
            let (side, value) = remedy(for: problem)
        else { return refuse("This is only for travel without a valid place.") }
        if refuseIfHeld(item) { return }
        let event = value.game.flatMap { trip[$0]?.content.title } ?? "no event"
        make(
            [.update(item.id, [FieldChange(side, .side(value))])],
            done:
                "\(item.content.title): \(event) constrains its \(side == .beforeGame ? "arrival" : "departure") now.",
            name: "changing \(item.content.title)")
    }

    /// Shows the preview of an import for confirmation, also again after the trip has changed.
    mutating func offer(_ preview: ImportPreview) {
        let isShown =
            if case .choosing(let shown) = mode, case .importing = shown.purpose { true } else { false }
        let isAwaited =
            if case .awaiting(let operation) = mode { operation.kind == .importPreview } else { false }
        guard isShown || isAwaited else { return }
        status.clear()
        guard preview.hasChanges else {
            returnToList()
            say("\(preview.name): there is nothing to import.")
            return
        }
        let choices = preview.lines.map { Chooser.Choice(text: $0, detail: "") }
        begin(.choosing(Chooser("Import \(preview.name)?", .importing(preview.result), choices)))
        if isShown { refuse("The trip has changed since: this is what the import would do now.") }
    }

    /// Applies the edits of an import.
    mutating func importAll(_ edits: [Edit]) {
        var result = counted(edits.count, "change")
        if case .choosing(let chooser) = mode, case .importing(let previewed) = chooser.purpose {
            result = previewed
            returnToList()
        }
        apply(edits, as: .other(done: "Imported: \(result).", name: "importing \(result)"))
    }

    mutating func choose(_ old: Chooser, _ action: Action) {
        var chooser = old
        switch action {
        case .up: chooser.select(chooser.selected - 1)
        case .down: chooser.select(chooser.selected + 1)
        case .previousDay: chooser.select(chooser.selected - screen.area(of: chooser).lines.count)
        case .nextDay: chooser.select(chooser.selected + screen.area(of: chooser).lines.count)
        case .first: chooser.select(0)
        case .last: chooser.select(.max)
        case .cancel:
            if case .notDone = chooser.purpose { return leaveNotDone() }
            closeKeepingDraft { $0.closeLine(of: chooser) }
            return
        case .search:
            guard chooser.isFiltered else { return }
            openLine(isEntry: false, of: chooser)
            return
        case .accept:
            accept(chooser)
            return
        case .notDone: return showNotDone()
        case .newTrip, .editTrip, .copyTrip, .deleteTrip:
            handle(action, of: chooser)
            return
        case .openSide, .acceptProblem: return handle(action, ofProblemIn: chooser)
        case .addTodo:
            if !refusesChange() { openLine(isEntry: true, of: chooser) }
            return
        case .removeTodo, .planIdea:
            if case .todo(let list) = chooser.purpose { handle(action, ofTodo: list, in: chooser) }
            return
        default: chooser.line?.editor.perform(action)
        }
        begin(.choosing(chooser))
    }

    /// Opens the line of a list, with its draft if there is one.
    private mutating func openLine(isEntry: Bool, of old: Chooser) {
        var chooser = old
        chooser.line = Chooser.Line(isEntry: isEntry)
        if let subject = chooser.subject, case .choosing(let draft)? = drafts.take(subject),
            let text = draft.typedText
        {
            chooser.line?.editor = LineEditor(text)
        }
        begin(.choosing(chooser))
    }

    /// Closes the open line of a list, or the list if none is open.
    mutating func closeLine(of old: Chooser) {
        guard old.line != nil else { return close(old) }
        var chooser = old
        let selected = chooser.current?.index
        chooser.line = nil
        if let selected { chooser.select(selected) }
        begin(.choosing(chooser))
    }

    /// Closes a list without a choice.
    private mutating func close(_ chooser: Chooser) {
        returnToList()
        if let row = chooser.origin.flatMap({ board?.outline.row(of: $0) }) { board?.focus(row: row) }
    }

    /// Chooses the line with a letter; false if no line has it. A digit in a list of places begins the number of a day.
    mutating func choose(_ old: Chooser, byKey key: KeyStroke) -> Bool {
        guard old.line == nil, case .character(let scalar) = key.key, key.modifiers.isEmpty else {
            return false
        }
        var chooser = old
        if old.placements != nil, "1"..."9" ~= scalar {
            chooser.line = Chooser.Line(isEntry: false, editor: LineEditor("day \(scalar)"))
            begin(.choosing(chooser))
            return true
        }
        guard let index = old.choices.firstIndex(where: { $0.key == scalar }) else { return false }
        chooser.select(index)
        accept(chooser)
        return true
    }

    private mutating func accept(_ chooser: Chooser) {
        if case .todo(let list) = chooser.purpose { return handle(.accept, ofTodo: list, in: chooser) }
        if chooser.goneSentence != nil { return close(chooser) }
        if let lost = chooser.lostChoice { return refuse(lost) }
        if case .trips = chooser.purpose, chooser.typedText != nil, !isViewer {
            return handle(.newTrip, of: chooser)
        }
        guard let (index, choice) = chooser.current else { return refuse(screen.focusSentence) }
        guard choice.isAllowed else {
            refuse("\(capitalized(choice.detail)): it was not moved there.")
            return
        }
        switch chooser.purpose {
        case .move(let item, let places):
            if refuseIfHeld(item) { return }
            close(chooser)
            move(item.id, to: places[index])
        case .moveSeveral(let items, let gaps):
            close(chooser)
            move(items, to: gaps[index])
            marks.clear()
        case .history(let lines):
            returnToList()
            focus(on: lines[index])
        case .costs(let lines): settle(lines[index])
        case .link(let links):
            returnToList()
            launch(links[index])
        case .kind(let kinds):
            returnToList()
            beginNew(kinds[index].kind, mode: kinds[index].mode)
        case .problem(let problems):
            returnToList()
            let target = problems[index].items.first.map(ListRow.item) ?? .day(problems[index].day)
            guard let row = board?.outline.row(of: target) else { return failJump("It no longer exists.") }
            focus(row: row)
        case .trips(let list): accept(list, at: index)
        case .todo: break
        case .importing: emit(.takeImport)
        case .notDone(let read):
            notDone.forget(read)
            leaveNotDone()
        }
    }
}
