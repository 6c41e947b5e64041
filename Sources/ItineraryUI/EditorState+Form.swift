import TripModel

/// Editing an item's fields.
extension EditorState {
    mutating func beginForm() {
        guard let board, let item = board.item else { return }
        if let holder = holder(of: item.id) {
            refuse("\(holder) is moving \(item.content.title).", heldItem: item.id)
            return
        }
        mode = .filling(Form(item, at: Spot(ofRow: board.cursor, of: board.outline), of: board.outline.trip))
    }

    mutating func fill(_ old: Form, _ action: Action) {
        var form = old
        switch action {
        case .up: form.go(to: form.index - 1)
        case .down: form.go(to: form.index + 1)
        case .cancel:
            mode = .browsing
            return
        case .accept:
            accept(form)
            return
        default: form.current.line.perform(action)
        }
        mode = .filling(form)
    }

    /// Sends what is different, if the trip would take it.
    private mutating func accept(_ old: Form) {
        guard var trip = board?.outline.trip else { return }
        var form = old
        let changes: [FieldChange]
        do throws(Form.Objection) { changes = try form.changes(in: trip) } catch {
            object(form, error.field, error.reason)
            return
        }
        guard form.remover == nil else { return addAgain(form, changes) }
        if let field = form.takeConflict(), let theirs = field.theirs {
            mode = .filling(form)
            refuse(
                "\(field.field.look.label) is \(theirs.text.isEmpty ? "empty" : theirs.text) now (\(theirs.user)). "
                    + "Enter again writes \(field.line.text).")
            return
        }
        guard !changes.isEmpty else {
            mode = .browsing
            return
        }
        let edit = Edit.update(form.item.id, changes)
        do throws(EditFailure) { _ = try trip.rehearse([edit], by: nobody) } catch {
            let (field, reason) = explain(error.rejection, trip)
            object(form, field.map(form.index(of:)) ?? form.index, reason)
            return
        }
        mode = .browsing
        let names = form.fields.filter(\.isChanged).map { $0.field.spokenName }
        apply(
            [edit],
            as: .change(form.item.id, title: form.item.content.title, fields: names.joined(separator: ", ")))
        offerUndo()
    }

    /// Adds the item that somebody removed meanwhile as a new one, with what has been written, where it was.
    private mutating func addAgain(_ form: Form, _ changes: [FieldChange]) {
        guard var trip = board?.outline.trip else { return }
        let id = ItemID.random(using: &options.generator)
        let day = max(min(form.item.position.day, trip.header.dayCount), 1)
        var edits: [Edit] = [
            .add(id, form.item.content, to: form.spot?.placement(in: trip) ?? .end(day: day))
        ]
        if !changes.isEmpty { edits.append(.update(id, changes)) }
        do throws(EditFailure) { _ = try trip.rehearse(edits, by: nobody) } catch {
            let (field, reason) = explain(error.rejection, trip)
            object(form, field.map(form.index(of:)) ?? form.index, reason)
            return
        }
        mode = .browsing
        awaitedFocus = id
        apply(edits, as: .add([id], what: form.item.content.title))
        offerUndo()
    }

    /// Says what is wrong and goes to the field that it is about.
    private mutating func object(_ form: Form, _ field: Int, _ reason: String) {
        var form = form
        form.go(to: field)
        mode = .filling(form)
        refuse(reason)
    }

    /// Why an edit is refused, and the field that it is about.
    private func explain(_ rejection: Rejection, _ trip: Trip) -> (field: ItemField?, reason: String) {
        switch rejection {
        case .place(let refusal): return (nil, capitalized(trip.explanation(of: refusal)) + ".")
        case .limitExceeded(_, let name), .textNotAllowed(let name, _), .invalid(let name, _):
            // A part of a field, `cost.currency`, is named behind its point.
            let field = ItemField(name: String(name.prefix { $0 != "." }))
            return (field, field?.sentence(for: rejection) ?? "That cannot be.")
        default: return (nil, "That cannot be.")
        }
    }
}
