import TripModel

/// Lists to choose from: places, problems, trips, an import.
extension EditorState {
    /// Offers all places the item in focus could go to, those it may not with the reason.
    mutating func chooseMove() {
        guard let board, let item = board.item else {
            refuse("A day is not moved.")
            return
        }
        guard !refuseIfFixed(item), let drag = Drag(row: board.cursor, of: board.outline) else { return }
        var choices: [Chooser.Choice] = []
        var places: [Placement] = []
        for (index, gap) in drag.report.gaps.enumerated() where index != drag.home {
            places.append(gap.placement)
            choices.append(choice(gap, board.outline))
        }
        mode = .choosing(
            Chooser("Move \(item.content.title) to:", .move(item.id, to: places), choices))
    }

    /// Offers the places again, as a newer state of the trip has them.
    mutating func chooseMove(again old: Chooser) {
        guard case .move(let id, _) = old.purpose, let row = board?.outline.row(of: id) else { return }
        focus(row: row)
        chooseMove()
        guard case .choosing(var chooser) = mode else { return }
        chooser.filter = old.filter
        if let text = old.current?.choice.text { chooser.select(text) }
        mode = .choosing(chooser)
    }

    private func choice(_ gap: Gap, _ outline: Outline) -> Chooser.Choice {
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
            choices.append(Chooser.Choice(text: problem.message, detail: "Day \(problem.day)"))
        }
        guard !outline.rows.isEmpty, !choices.isEmpty else {
            say("There is no problem.")
            return
        }
        let count = choices.count == 1 ? "1 problem" : "\(choices.count) problems"
        mode = .choosing(Chooser("\(count):", .problem(rows), choices))
    }

    /// Asks which trips there are.
    mutating func askForTrips() {
        wantsTrips = true
        emit(.listTrips)
        say("Asking for the trips.")
    }

    mutating func offer(_ trips: [TripChoice]) {
        guard wantsTrips, case .browsing = mode else { return }
        wantsTrips = false
        message = nil
        let choices = trips.map { Chooser.Choice(text: $0.name, detail: $0.detail) }
        mode = .choosing(Chooser("Open the trip:", .trip(trips.map(\.id)), choices))
    }

    /// Shows what an import would do, to be agreed to.
    mutating func offer(_ preview: ImportPreview) {
        guard case .browsing = mode else { return }
        message = nil
        let edits = preview.batches
        guard !edits.isEmpty else {
            say("\(preview.name): there is nothing to import.")
            return
        }
        let choices = preview.lines.map { Chooser.Choice(text: $0, detail: "") }
        mode = .choosing(Chooser("Import \(preview.name)?", .importing(edits), choices))
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
            mode = .browsing
            return
        case .accept:
            take(chooser)
            return
        default: chooser.filter.perform(action)
        }
        mode = .choosing(chooser)
    }

    private mutating func take(_ chooser: Chooser) {
        guard let (index, choice) = chooser.current else {
            refuse("Nothing of the list is called so.")
            return
        }
        guard choice.isAllowed else {
            refuse("\(capitalized(choice.detail)): not put there.")
            return
        }
        mode = .browsing
        switch chooser.purpose {
        case .move(let id, let places): move(id, to: places[index])
        case .problem(let rows):
            if let row = board?.outline.row(of: rows[index]) { focus(row: row) }
        case .trip(let ids):
            if ids[index] == board?.outline.trip.header.id {
                say("This is the trip.")
            } else {
                emit(.openTrip(ids[index]))
            }
        case .importing(let batches):
            for batch in batches { apply(batch) { "Imported \($0.counted(batch.count, "game"))." } }
        }
    }

    /// What the status line says of the choice.
    func sentence(of chooser: Chooser) -> String {
        guard let (_, choice) = chooser.current else { return "Nothing of the list is called so." }
        return choice.detail.isEmpty ? choice.text : "\(choice.text): \(choice.detail)"
    }
}
