import TripModel

/// Lists to choose from: places, problems, trips, an import.
extension EditorState {
    /// Offers all places the item in focus could go to, those it may not with the reason.
    mutating func chooseMove() {
        if !marks.isEmpty { return chooseMoveOfMarked() }
        guard let item = board?.item else { return refuse("A day is not moved.") }
        guard !refuseIfFixed(item), let chooser = moveChooser() else { return }
        begin(.choosing(chooser))
    }

    /// All places that the item in focus could go to.
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
            text = "\(day) · after \(title(after, outline))"
        } else if let before = gap.before {
            text = "\(day) · before \(title(before, outline))"
        } else {
            text = "\(day) · nothing else yet"
        }
        let date = outline.trip.header.date(ofDay: gap.day).map(DateText.text(of:)) ?? ""
        let detail = gap.refusal.map { reason($0, outline) } ?? date
        return Chooser.Choice(text: text, detail: detail, isAllowed: gap.isValid)
    }

    /// Lists what does not fit.
    mutating func chooseProblem() {
        guard let outline = board?.outline else { return }
        var choices: [Chooser.Choice] = []
        var rows: [Outline.Row] = []
        for problem in board?.view.problems ?? [] {
            rows.append(problem.items.first.map { .item($0) } ?? .day(problem.day))
            let day = DateText.name(ofDay: problem.day, in: outline.trip.header)
            choices.append(Chooser.Choice(text: problem.message, detail: day))
        }
        guard !outline.rows.isEmpty, !choices.isEmpty else { return say("There is no problem.") }
        let count = choices.count == 1 ? "1 problem" : "\(choices.count) problems"
        begin(.choosing(Chooser("\(count):", .problem(rows), choices)))
    }

    /// Shows what an import would do, to be agreed to; also again, where the trip has changed since it was shown.
    mutating func offer(_ preview: ImportPreview) {
        let isShown =
            if case .choosing(let shown) = mode, case .importing = shown.purpose { true } else { false }
        let isAwaited =
            if case .awaiting(let errand) = mode { errand.answer == .importPreview } else { false }
        guard isShown || isAwaited else { return }
        status.clear()
        guard preview.hasChanges else {
            returnToList()
            say("\(preview.name): there is nothing to import.")
            return
        }
        let choices = preview.lines.map { Chooser.Choice(text: $0, detail: "") }
        begin(.choosing(Chooser("Import \(preview.name)?", .importing, choices)))
        if isShown { refuse("The trip has changed meanwhile: this is what the import does now.") }
    }

    /// Makes the edits that an import comes to.
    mutating func importAll(_ edits: [Edit]) {
        if case .choosing(let chooser) = mode, case .importing = chooser.purpose { returnToList() }
        apply(edits, as: .importGames(edits.count))
    }

    mutating func choose(_ old: Chooser, _ action: Action) {
        var chooser = old
        switch action {
        case .up: chooser.select(chooser.selected - 1)
        case .down: chooser.select(chooser.selected + 1)
        case .previousDay: chooser.select(chooser.selected - listHeight)
        case .nextDay: chooser.select(chooser.selected + listHeight)
        case .first: chooser.select(0)
        case .last: chooser.select(.max)
        case .cancel:
            returnToList()
            return
        case .accept:
            accept(chooser)
            return
        case .newTrip, .editTrip, .copyTrip, .deleteTrip:
            handle(action, of: chooser)
            return
        default: chooser.filter.perform(action)
        }
        begin(.choosing(chooser))
    }

    private mutating func accept(_ chooser: Chooser) {
        if chooser.goneSentence != nil {
            returnToList()
            return
        }
        guard let (index, choice) = chooser.current else { return refuse("Nothing in the list matches.") }
        if let lost = chooser.lostChoice { return refuse(lost) }
        guard choice.isAllowed else {
            refuse("\(capitalized(choice.detail)): not put there.")
            return
        }
        switch chooser.purpose {
        case .move(let item, let places):
            if refuseIfHeld(item) { return }
            returnToList()
            move(item.id, to: places[index])
        case .moveSeveral(let items, let gaps):
            returnToList()
            move(items, to: gaps[index])
            marks.clear()
        case .history(let lines):
            returnToList()
            focus(on: lines[index])
        case .link(let links):
            returnToList()
            launch(links[index])
        case .kind(let kinds):
            returnToList()
            beginNew(kinds[index])
        case .problem(let rows):
            returnToList()
            guard let row = board?.outline.row(of: rows[index]) else { return failJump("It has gone since.") }
            focus(row: row)
        case .trips(let list): accept(list, at: index)
        case .importing: emit(.takeImport)
        case .notDone(let read):
            notDone.forget(read)
            returnToList()
        }
    }

    /// What the status line says of the choice.
    func sentence(of chooser: Chooser) -> String {
        if case .notDone = chooser.purpose, let (index, choice) = chooser.current, showsWhole(choice) {
            return "\(index + 1) of \(chooser.choices.count)."
        }
        if let gone = chooser.goneSentence { return "\(gone) Enter or Esc leaves." }
        if let lost = chooser.lostChoice { return lost }
        guard let (_, choice) = chooser.current else { return "Nothing in the list matches." }
        return choice.detail.isEmpty ? choice.text : "\(choice.text): \(choice.detail)"
    }
}
