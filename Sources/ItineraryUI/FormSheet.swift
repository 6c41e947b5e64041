/// Fields as they are drawn: every form becomes this, whatever it is about.
struct FormSheet: Sendable {
    /// One field.
    struct Line: Sendable {
        let label: String
        let text: String
        /// What is said at its right.
        var aside = ""
        var isChanged = false
    }

    /// What stands above the fields.
    let heading: String
    let lines: [Line]
    /// The field being edited.
    let index: Int
}

extension Mode {
    /// The form that is open, if one is.
    var formSheet: FormSheet? {
        switch self {
        case .filling(let form):
            let lines = form.fields.map { field in
                let theirs = field.theirs.map {
                    field.isInConflict ? "now \($0.text) (\($0.user))" : "(\($0.user))"
                }
                return FormSheet.Line(
                    label: field.field.label, text: field.line.text, aside: theirs ?? "",
                    isChanged: field.isChanged)
            }
            return FormSheet(heading: form.heading, lines: lines, index: form.index)
        case .planning(let form): return sheet(of: form)
        default: return nil
        }
    }

    /// What was written into a form and is to be seen: in the one that is open, or in one that is no more.
    var shownSheet: FormSheet? {
        switch self {
        case .awaiting(let errand): errand.form.map(sheet)
        case .ended(let end): end.written
        case .acknowledging(let notice):
            if case .form(let form) = notice.next { sheet(of: form) } else { nil }
        default: formSheet
        }
    }

    private func sheet(of form: TripForm) -> FormSheet {
        let lines = form.fields.map { field in
            let theirs = field.theirs.map {
                field.isInConflict ? "now \($0.text) (\($0.user))" : "(\($0.user))"
            }
            return FormSheet.Line(
                label: field.field.label, text: field.line.text, aside: theirs ?? "",
                isChanged: field.line.text != field.original)
        }
        return FormSheet(heading: form.heading, lines: lines, index: form.index)
    }
}
