import TripModel

/// Forms for existing and new items.
extension EditorState {
    /// Opens the form of the focused item.
    ///
    /// - Parameter field: the first field to edit.
    mutating func beginForm(at field: ItemField? = nil) {
        guard let board else { return }
        if !marks.isEmpty {
            return refuse(
                "Only one item can be edited at a time, and \(markedCount). Esc unmarks.")
        }
        guard let item = board.item else {
            let key = keys.advertisedKey(of: .editTrip, in: .list).map { " \($0) edits the trip." } ?? ""
            return refuse("A day has no fields of its own.\(key)")
        }
        if refuseIfHeld(item) { return }
        let trip = board.outline.trip
        if case .filling(var draft)? = drafts.take(.item(item.id)) {
            draft.follow(item, goneBy: nil, of: trip)
            return begin(.filling(draft))
        }
        let insertionPoint = InsertionPoint(ofRow: board.cursor, of: board.outline)
        var form = ItemForm(item, at: insertionPoint, of: trip)
        if let field { form.fields.go(to: field) }
        begin(.filling(form))
    }

    mutating func fill(_ old: ItemForm, _ action: Action) {
        var form = old
        switch action {
        case .cancel: return closeKeepingDraft { $0.close(form) }
        case .accept: return accept(form)
        case .lineBreak:
            guard form.fields.current.field == .note else {
                return refuse("Only a note can have several lines.")
            }
            return write(Array(ItemField.lineBreakSign.unicodeScalars))
        default: form.fields.perform(action)
        }
        begin(.filling(form))
    }

    /// Closes the form. Its item gets the focus, even if it was removed and restored in between.
    private mutating func close(_ form: ItemForm) {
        returnToList()
        if let row = board?.outline.row(of: form.item.id) { focus(row: row) }
    }

    /// Submits the changed fields, if the trip would accept them.
    private mutating func accept(_ old: ItemForm) {
        guard let trip = board?.outline.trip else { return }
        var form = old
        // The daemon would refuse it, and the text would be lost.
        if refuseIfHeld(form.item) { return begin(.filling(form)) }
        var changes: [FieldChange]
        do throws(ItemForm.Objection) { changes = try form.changes(in: trip) } catch {
            object(form, error.field, error.reason)
            return
        }
        let sharing = form.sharing(by: changes, in: trip)
        if let sharing { changes.append(.sharedBy(sharing.names)) }
        if form.isNew {
            do throws(ItemForm.Objection) { return addNew(form, try form.content(in: trip)) } catch {
                return object(form, error.field, error.reason)
            }
        }
        guard form.remover == nil else { return addAgain(form, changes) }
        if let field = form.fields.takeConflict() {
            begin(.filling(form))
            return refuse(field.conflictSentence(options))
        }
        guard !changes.isEmpty else {
            close(form)
            if form.written != nil { say("Nothing was changed.") }
            return
        }
        let edit = Edit.update(form.item.id, changes)
        if objects(to: [edit], of: form) { return }
        close(form)
        let names =
            form.fields.all.filter { field in
                field.isChanged && changes.contains { $0.field == field.field }
            }.map { $0.field.spokenName } + (sharing.map { ["paid for \($0.names)"] } ?? [])
        let (title, fields) = (form.item.content.title, names.joined(separator: ", "))
        let note = form.startNote(in: trip).map { note in
            ChangeDescription.other(done: "Changed \(title). \(note)", name: "changing \(fields) of \(title)")
        }
        apply([edit], as: note ?? .change(form.item.id, title: title, fields: fields))
        offerUndo()
    }

    /// Adds an item that was removed in the meantime as a new one with the written fields, at its former
    /// place.
    private mutating func addAgain(_ form: ItemForm, _ changes: [FieldChange]) {
        guard let trip = board?.outline.trip else { return }
        let id = newItemID()
        let edits = editsToAddAgain(form.item, as: id, at: form.insertionPoint, changes, in: trip)
        if objects(to: edits, of: form) { return }
        returnToList()
        board?.wait(for: id)
        apply(edits, as: .add([id], what: form.item.content.title))
        offerUndo()
    }

    /// The edits that add a removed item with another id and with changes, at its former place or at the end
    /// of its day.
    private func editsToAddAgain(
        _ item: Item, as id: ItemID, at insertionPoint: InsertionPoint?, _ changes: [FieldChange],
        in trip: Trip
    ) -> [Edit] {
        let day = max(min(item.position.day, trip.header.dayCount), 1)
        let add = Edit.add(id, item.content, to: insertionPoint?.placement(in: trip) ?? .end(day: day))
        return changes.isEmpty ? [add] : [add, .update(id, changes)]
    }

    /// Reports an error and goes to its field.
    mutating func object(_ form: ItemForm, _ field: ItemField?, _ reason: String) {
        var form = form
        if let field { form.fields.go(to: field) }
        begin(.filling(form))
        refuse(reason)
    }

    /// Whether the trip would refuse the edits; then reports the reason.
    private mutating func objects(to edits: [Edit], of form: ItemForm) -> Bool {
        guard var trip = board?.outline.trip else { return true }
        do throws(EditFailure) { _ = try trip.rehearse(edits, by: tentativeAuthor) } catch {
            let (field, reason) = explain(error.rejection, trip)
            object(form, field, reason)
            return true
        }
        return false
    }

    /// The reason why an edit is refused, and its field.
    func explain(_ rejection: Rejection, _ trip: Trip) -> (field: ItemField?, reason: String) {
        switch rejection {
        case .place(.noValidPosition(let after, let before)):
            let why = trip.explanation(of: .noValidPosition(after: after, before: before), .form)
            return (.afterGame, "\(capitalized(why)).")
        case .place(let refusal): return (nil, capitalized(trip.explanation(of: refusal, .form)) + ".")
        case .limitExceeded(_, let name), .textNotAllowed(let name, _), .invalid(let name, _):
            // A part of a field, such as `cost.currency`, is named after a point.
            let field = ItemField(name: String(name.prefix { $0 != "." }))
            return (field, field?.sentence(for: rejection) ?? "That is not possible.")
        default: return (nil, "That is not possible.")
        }
    }

    // MARK: New items

    /// Lists the kinds of new items.
    mutating func chooseKind() {
        guard let board else { return }
        guard InsertionPoint(belowRow: board.cursor, of: board.outline) != nil else {
            return refuse("This day is outside the trip.")
        }
        begin(.choosing(Chooser("Add:", .kind(NewKind.all), NewKind.all.map(\.choice))))
    }

    /// Opens the form of a new item, to be added below the focus or where its kind may be.
    mutating func beginNew(_ kind: ItemKind, mode: String? = nil) {
        guard let board, let insertionPoint = InsertionPoint(belowRow: board.cursor, of: board.outline) else {
            return
        }
        let id = newItemID()
        var texts = suggestions(for: kind, at: insertionPoint, board)
        texts[.mode] = mode
        var form = ItemForm(new: kind, as: id, at: insertionPoint, texts, board.outline.trip)
        if options.style.showsRows { form.fields.goToFirstEmpty() }
        if case .filling(let draft)? = drafts.take(.newItem(kind)) { form.fields.fill(from: draft.fields) }
        begin(.filling(form))
    }

    // MARK: Suggested values

    private func suggestions(for kind: ItemKind, at insertionPoint: InsertionPoint, _ board: Board)
        -> [ItemField: String]
    {
        let outline = board.outline
        let above = city(outline, from: board.cursor, step: -1)
        switch kind {
        case .custom: return [:]
        case .game:
            let zone = TripClocks(outline.trip).zone(
                below: outline.item(atRow: board.cursor), onDay: insertionPoint.day)
            var texts: [ItemField: String] = [.timeZone: zone]
            if let date = outline.trip.header.date(ofDay: insertionPoint.day) { texts[.startsAt] = "\(date)" }
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
                    case .game(let game): game.isBinding ? game.effectiveCity : nil
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

    /// Adds the written item at its place or, with a time, at the place of its time. If its games do not
    /// allow that, at the nearest valid place.
    private mutating func addNew(_ form: ItemForm, _ content: ItemContent) {
        guard let board else { return }
        let trip = board.outline.trip
        let title = content.title
        var added = "Added \(title)."
        if form.isEmpty(.sharedBy), case .text(let names)? = content[.sharedBy] {
            added += " Its cost is shared by \(names)."
        }
        if let note = form.startNote(in: trip) { added += " \(note)" }
        guard !content.isGame, let insertionPoint = form.insertionPoint else {
            return add(form, content, to: nil, done: added)
        }
        let timed = trip.placement(of: content, at: insertionPoint.placement(in: trip))
        guard case .travel = content else { return add(form, content, to: timed, done: added) }
        let wanted = content
        let open = trip.sideOpened(in: wanted, onDay: insertionPoint.day)
        let content = open?.content ?? wanted
        let sentences = [added, open?.why] + borrowedZones(of: form, content, trip)
        let done = sentences.compactMap(\.self).joined(separator: " ")
        let report = trip.gaps(for: content)
        // At the place of its time if its games allow it, otherwise at the insertion point.
        guard let early = drag(of: form, content, at: timed, board),
            let drag = report.gaps[early.gap].isValid
                ? early : drag(of: form, content, at: insertionPoint.placement(in: trip), board)
        else { return }
        if report.gaps[drag.gap].isValid {
            return add(form, content, to: report.gaps[drag.gap].placement, done: done)
        }
        // The valid gaps are consecutive, so they are all on one side of an invalid one.
        let nearest = drag.validGap(from: drag.gap, step: -1) ?? drag.validGap(from: drag.gap, step: 1)
        guard let nearest else {
            let why = trip.noPlace(for: content).map { "\(capitalized(trip.explanation(of: $0, .form)))." }
            return object(form, .afterGame, why ?? "")
        }
        let why = report.gaps[drag.gap].refusal.map { board.outline.trip.reason(of: $0) } ?? ""
        add(
            form, content, to: report.gaps[nearest].placement,
            done: "Added \(title) to day \(report.gaps[nearest].day): it \(why).")
    }

    /// Sentences on the zones of written travel that are not its cities' own.
    private func borrowedZones(of form: ItemForm, _ content: ItemContent, _ trip: Trip) -> [String?] {
        guard case .travel(var travel) = content else { return [] }
        for (field, path) in [(ItemField.timeZone, \Travel.timeZone), (.arrivalTimeZone, \.arrivalTimeZone)]
        where form.isEmpty(field) {
            travel[keyPath: path] = nil
        }
        let zones = trip.borrowedZones(
            of: travel, onDay: form.item.position.day, isByArrival: travel.durationMinutes != nil)
        return zones.map(\.formSentence)
    }

    /// A drag of the written item at a place.
    private func drag(of form: ItemForm, _ content: ItemContent, at place: Placement, _ board: Board) -> Drag?
    {
        let open = board.openOutline
        let row = open.rowAbove(place) ?? board.cursor
        return Drag(new: [NewItem(id: form.item.id, content: content)], belowRow: row, of: open)
    }

    private mutating func add(
        _ form: ItemForm, _ content: ItemContent, to placement: Placement?, done: String
    ) {
        let edit = Edit.add(form.item.id, content, to: placement)
        if objects(to: [edit], of: form) { return }
        returnToList()
        board?.wait(for: form.item.id)
        apply([edit], as: .other(done: done, name: "adding \(content.title)"))
        showPutDown(form.item.id)
        offerUndo()
    }
}
