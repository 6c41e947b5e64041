import TripModel

/// Editing an item's fields.
extension EditorState {
    mutating func beginForm() {
        guard let item = board?.item else { return }
        guard let form = Form(item) else {
            refuse("A game follows the schedule and is not edited.")
            return
        }
        if let holder = holder(of: item.id) {
            refuse("\(holder) is moving \(item.content.title).")
            return
        }
        mode = .filling(form)
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
    private mutating func accept(_ form: Form) {
        let changes: [FieldChange]
        do throws(Form.Objection) { changes = try form.changes() } catch {
            object(form, error.field, error.reason)
            return
        }
        guard !changes.isEmpty, var trip = board?.outline.trip else {
            mode = .browsing
            return
        }
        let edit = Edit.update(form.item, changes)
        do throws(EditFailure) { _ = try trip.rehearse([edit], by: nobody) } catch {
            let (field, reason) = explain(error.rejection, trip)
            object(form, field.map(form.index(ofField:)) ?? form.index, reason)
            return
        }
        mode = .browsing
        apply([edit]) { state in
            guard let title = state.board?.outline.trip[form.item]?.content.title else { return "" }
            if case .title? = changes.first, changes.count == 1 { return "The title is \(title) now." }
            return "Changed \(title).\(state.undoHint)"
        }
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
    private func explain(_ rejection: Rejection, _ trip: Trip) -> (field: String?, reason: String) {
        switch rejection {
        case .place(let refusal): (nil, capitalized(trip.explanation(of: refusal)) + ".")
        case .limitExceeded(.combiningMarks, let field):
            (field, "There are too many marks on one character.")
        case .limitExceeded(let limit, let field):
            (field, "That is too long: at most \(limit.maximum) bytes.")
        case .textNotAllowed(let field, _): (field, "There is a character that may not be shown.")
        case .invalid(let field, let reason): (field, capitalized(reason) + ".")
        default: (nil, "That cannot be.")
        }
    }
}
