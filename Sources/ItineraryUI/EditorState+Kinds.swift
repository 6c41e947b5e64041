import TripModel

/// New items of every kind, with all their fields.
extension EditorState {
    /// Asks what kind of item is to be added.
    mutating func chooseKind() {
        guard let board else { return }
        guard Spot(belowRow: board.cursor, of: board.outline) != nil else {
            return refuse("This day is outside the trip.")
        }
        let kinds: [ItemKind] = [.travel, .custom, .game]
        let choices = kinds.map { kind in
            switch kind {
            case .travel:
                Chooser.Choice(text: "Travel", detail: "from one city to another")
            case .custom: Chooser.Choice(text: "Anything else", detail: "a hotel, a dinner, a visit")
            case .game: Chooser.Choice(text: "Game", detail: "at its own time, which fixes its place")
            }
        }
        begin(.choosing(Chooser("Add:", .kind(kinds), choices)))
    }

    /// Writes a new item, which goes below the focus, or where its kind has to go.
    mutating func beginNew(_ kind: ItemKind) {
        guard let board, let spot = Spot(belowRow: board.cursor, of: board.outline) else { return }
        let id = newItemID()
        let texts = suggestions(for: kind, at: spot, board)
        begin(.filling(Form(new: kind, as: id, at: spot, texts, board.outline.trip)))
    }

    // MARK: What is probable

    private func suggestions(for kind: ItemKind, at spot: Spot, _ board: Board) -> [ItemField: String] {
        let outline = board.outline
        let above = city(outline, from: board.cursor, step: -1)
        switch kind {
        case .custom: return [:]
        case .game:
            var texts: [ItemField: String] = [.timeZone: outline.trip.header.timeZone]
            if let date = outline.trip.header.date(ofDay: spot.day) { texts[.startsAt] = "\(date) " }
            return texts
        case .travel:
            var texts: [ItemField: String] = [:]
            texts[.fromCity] = above
            texts[.toCity] = city(outline, from: board.cursor + 1, step: 1, besides: above)
            return texts
        }
    }

    /// The city of the nearest row in a direction that has one.
    private func city(_ outline: Outline, from row: Int, step: Int, besides other: String? = nil) -> String? {
        var row = row
        while outline.rows.indices.contains(row) {
            if let item = outline.item(atRow: row) {
                let city: String? =
                    switch item.content {
                    case .game(let game): game.effectiveCity
                    case .custom(let custom): custom.city
                    case .travel(let travel): step < 0 ? travel.toCity : travel.fromCity
                    }
                if let city, city.lowercased() != other?.lowercased() { return city }
            }
            row += step
        }
        return nil
    }

    // MARK: Adding

    /// Adds what is written, at its spot or, where its games do not let it be there, as near as they do.
    mutating func addNew(_ form: Form, _ content: ItemContent) {
        guard let board else { return }
        let trip = board.outline.trip
        let title = content.title
        guard !content.isGame, let spot = form.spot else {
            return add(form, content, to: nil, done: "Added \(title).")
        }
        let wanted = spot.placement(in: trip)
        guard case .travel = content else {
            return add(form, content, to: wanted, done: "Added \(title).")
        }
        let report = trip.gaps(for: content)
        let open = board.openOutline
        let row = open.rowAbove(wanted) ?? board.cursor
        guard let drag = Drag(new: [NewItem(id: form.item.id, content: content)], belowRow: row, of: open)
        else {
            return
        }
        if report.gaps[drag.gap].isValid {
            return add(form, content, to: report.gaps[drag.gap].placement, done: "Added \(title).")
        }
        let nearest = [drag.validGap(from: drag.gap, step: -1), drag.validGap(from: drag.gap, step: 1)]
            .compactMap { $0 }.min { abs($0 - drag.gap) < abs($1 - drag.gap) }
        guard let nearest else {
            var form = form
            form.go(to: form.index(of: .afterGame))
            begin(.filling(form))
            return refuse(noPlaceSentence(content, trip))
        }
        let why = report.gaps[drag.gap].refusal.map { reason($0, board.outline) } ?? ""
        add(
            form, content, to: report.gaps[nearest].placement,
            done: "Added \(title) to day \(report.gaps[nearest].day): it \(why).")
    }

    private mutating func add(_ form: Form, _ content: ItemContent, to placement: Placement?, done: String) {
        guard var trip = board?.outline.trip else { return }
        let edit = Edit.add(form.item.id, content, to: placement)
        do throws(EditFailure) { _ = try trip.rehearse([edit], by: nobody) } catch {
            let (field, reason) = explain(error.rejection, trip)
            return object(form, field.map(form.index(of:)) ?? form.index, reason)
        }
        returnToList()
        board?.wait(for: form.item.id)
        apply([edit], as: .other(done: done, name: "adding \(content.title)"))
        showPutDown(form.item.id)
        offerUndo()
    }

    /// Why travel fits nowhere, with the two games and what would do.
    func noPlaceSentence(_ content: ItemContent, _ trip: Trip) -> String {
        let bound = trip.boundGames(of: content)
        guard let after = bound.after.flatMap({ trip[$0] }), let before = bound.before.flatMap({ trip[$0] })
        else { return "\(capitalized(trip.explanation(of: .noValidPosition)))." }
        return "\(after.content.title) on day \(after.position.day), which it follows, is after "
            + "\(before.content.title) on day \(before.position.day), which it precedes: "
            + "name the games that it is between."
    }

    /// What travel that is being written is bound to, for the line below its fields.
    func boundSentence(of content: ItemContent, _ trip: Trip) -> String {
        let bound = trip.boundGames(of: content)
        let sides = [("after", bound.after), ("before", bound.before)].compactMap { word, id in
            id.flatMap { trip[$0] }.map { "\(word) \($0.content.title) (day \($0.position.day))" }
        }
        return sides.isEmpty ? "no game holds it" : sides.joined(separator: ", ")
    }
}
