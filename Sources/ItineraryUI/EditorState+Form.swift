import TripModel

/// The fields of an item: of one that is there, or of a new one of any kind.
extension EditorState {
    mutating func beginForm() {
        guard let board else { return }
        if !marks.isEmpty {
            return refuse("This edits one item, and \(markedCount): \(markedKeys); Esc unmarks.")
        }
        guard let item = board.item else {
            let key = keys.advertisedKey(of: .editTrip, in: .list).map { " \($0) edits the trip." } ?? ""
            return refuse("A day has no fields of its own.\(key)")
        }
        if refuseIfHeld(item) { return }
        let spot = Spot(ofRow: board.cursor, of: board.outline)
        begin(.filling(Form(item, at: spot, of: board.outline.trip)))
    }

    mutating func fill(_ old: Form, _ action: Action) {
        var form = old
        switch action {
        case .up: form.go(to: form.index - 1)
        case .down: form.go(to: form.index + 1)
        case .cancel:
            close(form)
            return
        case .accept:
            accept(form)
            return
        case .lineBreak:
            guard form.current.field == .note else { return refuse("Only a note has several lines.") }
            return write(Array(ItemField.lineBreakSign.unicodeScalars))
        default: form.current.line.perform(action)
        }
        begin(.filling(form))
    }

    /// Leaves the fields. The item that they are of is in focus again, also where it had gone and come back.
    private mutating func close(_ form: Form) {
        returnToList()
        if let row = board?.outline.row(of: form.item.id) { focus(row: row) }
    }

    /// Sends what is different, if the trip would take it.
    private mutating func accept(_ old: Form) {
        guard let trip = board?.outline.trip else { return }
        var form = old
        // The daemon would refuse it, and what is written would be gone.
        if refuseIfHeld(form.item) { return begin(.filling(form)) }
        let changes: [FieldChange]
        do throws(Form.Objection) { changes = try form.changes(in: trip) } catch {
            object(form, error.field, error.reason)
            return
        }
        if form.isNew {
            do throws(Form.Objection) { return addNew(form, try form.content(in: trip)) } catch {
                return object(form, error.field, error.reason)
            }
        }
        guard form.remover == nil else { return addAgain(form, changes) }
        if let field = form.takeConflict(), let theirs = field.theirs {
            begin(.filling(form))
            refuse(
                "\(field.field.label) is \(theirs.text.isEmpty ? "empty" : theirs.text) now (\(theirs.user)). "
                    + "Enter again writes \(field.line.text).")
            return
        }
        guard !changes.isEmpty else { return close(form) }
        let edit = Edit.update(form.item.id, changes)
        if objects(to: [edit], of: form) { return }
        close(form)
        let names = form.fields.filter(\.isChanged).map { $0.field.spokenName }
        apply(
            [edit],
            as: .change(form.item.id, title: form.item.content.title, fields: names.joined(separator: ", ")))
        offerUndo()
    }

    /// Adds the item that somebody removed meanwhile as a new one, with what has been written, where it was.
    private mutating func addAgain(_ form: Form, _ changes: [FieldChange]) {
        guard let trip = board?.outline.trip else { return }
        let id = newItemID()
        let edits = editsToAddAgain(form.item, as: id, at: form.spot, changes, in: trip)
        if objects(to: edits, of: form) { return }
        returnToList()
        board?.wait(for: id)
        apply(edits, as: .add([id], what: form.item.content.title))
        offerUndo()
    }

    /// What adds an item that has gone under another id, with changes, where it was or else at the end of its day.
    func editsToAddAgain(
        _ item: Item, as id: ItemID, at spot: Spot?, _ changes: [FieldChange], in trip: Trip
    ) -> [Edit] {
        let day = max(min(item.position.day, trip.header.dayCount), 1)
        let add = Edit.add(id, item.content, to: spot?.placement(in: trip) ?? .end(day: day))
        return changes.isEmpty ? [add] : [add, .update(id, changes)]
    }

    /// Says what is wrong and goes to the field that it is about.
    mutating func object(_ form: Form, _ field: Int, _ reason: String) {
        var form = form
        form.go(to: field)
        begin(.filling(form))
        refuse(reason)
    }

    /// Whether the trip would refuse what is written; then it says why.
    private mutating func objects(to edits: [Edit], of form: Form) -> Bool {
        guard var trip = board?.outline.trip else { return true }
        do throws(EditFailure) { _ = try trip.rehearse(edits, by: nobody) } catch {
            let (field, reason) = explain(error.rejection, trip)
            object(form, field.map(form.index(of:)) ?? form.index, reason)
            return true
        }
        return false
    }

    /// Why an edit is refused, and the field that it is about.
    func explain(_ rejection: Rejection, _ trip: Trip) -> (field: ItemField?, reason: String) {
        switch rejection {
        case .place(.noValidPosition(let after, let before)):
            let why = trip.explanation(of: .noValidPosition(after: after, before: before))
            return (.afterGame, "\(capitalized(why)).")
        case .place(let refusal): return (nil, capitalized(trip.explanation(of: refusal)) + ".")
        case .limitExceeded(_, let name), .textNotAllowed(let name, _), .invalid(let name, _):
            // A part of a field, `cost.currency`, is named behind its point.
            let field = ItemField(name: String(name.prefix { $0 != "." }))
            return (field, field?.sentence(for: rejection) ?? "That cannot be.")
        default: return (nil, "That cannot be.")
        }
    }

    // MARK: New items

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

    // MARK: What is probable of a new item

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

    /// Adds what is written, at its spot or where its time belongs; where its games do not let it be there, as near as they
    /// do.
    mutating func addNew(_ form: Form, _ content: ItemContent) {
        guard let board else { return }
        let trip = board.outline.trip
        let title = content.title
        guard !content.isGame, let spot = form.spot else {
            return add(form, content, to: nil, done: "Added \(title).")
        }
        let timed = trip.placement(of: content, at: spot)
        guard case .travel = content else {
            return add(form, content, to: timed, done: "Added \(title).")
        }
        let wanted = content
        let open = trip.sideOpened(in: wanted, onDay: spot.day)
        let content = open?.content ?? wanted
        let done = "Added \(title)." + (open.map { " \($0.why)" } ?? "")
        let report = trip.gaps(for: content)
        // Where its time belongs, if its games let it be there, else where it was written.
        guard let early = drag(of: form, content, at: timed, board),
            let drag = report.gaps[early.gap].isValid
                ? early : drag(of: form, content, at: spot.placement(in: trip), board)
        else { return }
        if report.gaps[drag.gap].isValid {
            return add(form, content, to: report.gaps[drag.gap].placement, done: done)
        }
        let nearest = [drag.validGap(from: drag.gap, step: -1), drag.validGap(from: drag.gap, step: 1)]
            .compactMap { $0 }.min { abs($0 - drag.gap) < abs($1 - drag.gap) }
        guard let nearest else {
            var form = form
            form.go(to: form.index(of: .afterGame))
            begin(.filling(form))
            return refuse(
                trip.noPlace(for: content).map { "\(capitalized(trip.explanation(of: $0)))." } ?? "")
        }
        let why = report.gaps[drag.gap].refusal.map { reason($0, board.outline) } ?? ""
        add(
            form, content, to: report.gaps[nearest].placement,
            done: "Added \(title) to day \(report.gaps[nearest].day): it \(why).")
    }

    /// What is written, in hand at a place.
    private func drag(of form: Form, _ content: ItemContent, at place: Placement, _ board: Board) -> Drag? {
        let open = board.openOutline
        let row = open.rowAbove(place) ?? board.cursor
        return Drag(new: [NewItem(id: form.item.id, content: content)], belowRow: row, of: open)
    }

    private mutating func add(_ form: Form, _ content: ItemContent, to placement: Placement?, done: String) {
        let edit = Edit.add(form.item.id, content, to: placement)
        if objects(to: [edit], of: form) { return }
        returnToList()
        board?.wait(for: form.item.id)
        apply([edit], as: .other(done: done, name: "adding \(content.title)"))
        showPutDown(form.item.id)
        offerUndo()
    }
}
