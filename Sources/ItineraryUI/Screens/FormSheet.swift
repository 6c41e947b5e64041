/// A drawable form, independent of its subject.
struct FormSheet: Sendable {
    /// One field.
    struct Line: Sendable {
        let label: String
        let text: String
        /// The text at the right.
        var aside = ""
        var isChanged = false
        /// Whether there is a gap above it, if there is room.
        var beginsGroup = false
    }

    /// The heading above the fields.
    let heading: String
    let lines: [Line]
    /// The index of the current field.
    let index: Int
}

extension Mode {
    /// The open form, if any.
    var formSheet: FormSheet? {
        switch self {
        case .filling(let form):
            let lines = form.fields.enumerated().map { index, field in
                let theirs = field.theirs.map {
                    field.isInConflict ? "now \($0.text) (\($0.user))" : "(\($0.user))"
                }
                return FormSheet.Line(
                    label: field.field.label, text: field.line.text, aside: theirs ?? "",
                    isChanged: field.isChanged,
                    beginsGroup: index > 0 && field.field.group != form.fields[index - 1].field.group)
            }
            return FormSheet(heading: form.heading, lines: lines, index: form.index)
        case .planning(let form): return sheet(of: form)
        default: return nil
        }
    }

    /// The visible form: the open one, or the text of one that was closed.
    var shownSheet: FormSheet? {
        switch self {
        case .awaiting(let operation): operation.form.map(sheet)
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
