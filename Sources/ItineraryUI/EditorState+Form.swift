import TripModel

/// Editing an item's fields.
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
        if let holder = holder(of: item.id) {
            refuse("\(holder) is moving \(item.content.title).", heldItem: item.id)
            return
        }
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
        guard var trip = board?.outline.trip else { return }
        var form = old
        // The daemon would refuse it, and what is written would be gone.
        if let holder = holder(of: form.item.id) {
            begin(.filling(form))
            return refuse("\(holder) is moving \(form.item.content.title).", heldItem: form.item.id)
        }
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
                "\(field.field.look.label) is \(theirs.text.isEmpty ? "empty" : theirs.text) now (\(theirs.user)). "
                    + "Enter again writes \(field.line.text).")
            return
        }
        guard !changes.isEmpty else { return close(form) }
        let edit = Edit.update(form.item.id, changes)
        do throws(EditFailure) { _ = try trip.rehearse([edit], by: nobody) } catch {
            let (field, reason) = explain(error.rejection, trip)
            object(form, field.map(form.index(of:)) ?? form.index, reason)
            return
        }
        close(form)
        let names = form.fields.filter(\.isChanged).map { $0.field.spokenName }
        apply(
            [edit],
            as: .change(form.item.id, title: form.item.content.title, fields: names.joined(separator: ", ")))
        offerUndo()
    }

    /// Adds the item that somebody removed meanwhile as a new one, with what has been written, where it was.
    private mutating func addAgain(_ form: Form, _ changes: [FieldChange]) {
        guard var trip = board?.outline.trip else { return }
        let id = newItemID()
        let edits = editsToAddAgain(form.item, as: id, at: form.spot, changes, in: trip)
        do throws(EditFailure) { _ = try trip.rehearse(edits, by: nobody) } catch {
            let (field, reason) = explain(error.rejection, trip)
            object(form, field.map(form.index(of:)) ?? form.index, reason)
            return
        }
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

    /// Why an edit is refused, and the field that it is about.
    func explain(_ rejection: Rejection, _ trip: Trip) -> (field: ItemField?, reason: String) {
        switch rejection {
        case .place(.noValidPosition):
            return (.afterGame, "\(capitalized(trip.explanation(of: .noValidPosition))).")
        case .place(let refusal): return (nil, capitalized(trip.explanation(of: refusal)) + ".")
        case .limitExceeded(_, let name), .textNotAllowed(let name, _), .invalid(let name, _):
            // A part of a field, `cost.currency`, is named behind its point.
            let field = ItemField(name: String(name.prefix { $0 != "." }))
            return (field, field?.sentence(for: rejection) ?? "That cannot be.")
        default: return (nil, "That cannot be.")
        }
    }
}
