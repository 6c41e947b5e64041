import TripModel

/// The name of a field in a form.
protocol FormFieldName: Equatable, Sendable {
    var label: String { get }
    /// The placeholder for an empty value.
    var hint: String { get }
    /// The number of the group that it is shown in, if there are groups.
    var group: Int? { get }
}

extension ItemField: FormFieldName {}

/// The fields of an item or a trip, edited one at a time.
protocol Form: Sendable {
    associatedtype Name: FormFieldName
    var fields: FormFields<Name> { get set }
    /// The heading above the fields.
    var heading: String { get }
    /// Whether Enter adds an item or a trip, instead of changing one.
    var isAddition: Bool { get }
    /// The mode in which it is open.
    var mode: Mode { get }
}

extension Form {
    /// The current field's label and the text in it.
    var label: String { fields.current.field.label }
    var line: LineEditor {
        get { fields.current.line }
        set { fields.current.line = newValue }
    }
    var hint: String { fields.current.field.hint }

    /// The texts of all fields; nil if none is changed.
    var written: [String]? {
        fields.all.contains(where: \.isChanged) ? fields.all.map(\.line.text) : nil
    }

    /// Whether the user was warned about overwriting another user's value of the current field, and has not answered.
    var awaitsConfirmation: Bool { fields.current.awaitsConfirmation }

    mutating func go(to target: Int) { fields.go(to: target) }

    /// The form as it is drawn.
    var sheet: FormSheet {
        var group: Int?
        let lines = fields.all.enumerated().map { index, field in
            defer { group = field.field.group }
            return field.sheetLine(beginsGroup: index > 0 && field.field.group != group)
        }
        return FormSheet(heading: heading, lines: lines, index: fields.index)
    }
}

/// The fields of a form, and which of them is edited.
struct FormFields<Name: FormFieldName>: Sendable {
    private(set) var all: [FormField<Name>]
    private(set) var index = 0

    init(_ all: [FormField<Name>]) { self.all = all }

    /// The current field.
    var current: FormField<Name> {
        get { all[index] }
        set { all[index] = newValue }
    }

    /// Moves to another field; after the last comes the first.
    mutating func go(to target: Int) { index = (target + all.count) % all.count }

    mutating func go(to name: Name) { index = index(of: name) }

    /// Moves to the first field without a suggestion.
    mutating func goToFirstEmpty() { index = all.firstIndex { $0.line.text.isEmpty } ?? 0 }

    /// The index of a field; of a field that is not in the form the current one.
    func index(of name: Name) -> Int { all.firstIndex { $0.field == name } ?? index }

    /// The text in a field; nil if there is none.
    func text(of name: Name) -> String? { all.first { $0.field == name }?.line.trimmed }

    /// Goes to another field or edits the current one.
    mutating func perform(_ action: Action) {
        switch action {
        case .up: go(to: index - 1)
        case .down: go(to: index + 1)
        default: current.line.perform(action)
        }
    }

    /// Writes a text that typing replaces into a field, if the form has it.
    mutating func suggest(_ text: String, for name: Name) {
        guard let index = all.firstIndex(where: { $0.field == name }) else { return }
        all[index].line = LineEditor(suggesting: text, limit: all[index].line.limit)
    }

    /// Copies the changed fields and the current field of another form with the same fields.
    mutating func fill(from draft: FormFields) {
        for index in all.indices where draft.all[index].isChanged { all[index].line = draft.all[index].line }
        index = draft.index
    }

    /// Updates the fields after changes by others.
    mutating func follow(by user: String, _ text: (Name) -> String) {
        for index in all.indices { all[index].follow(text(all[index].field), by: user) }
    }

    /// Goes to the first field that would overwrite another user's value without a warning, and marks it as warned.
    mutating func takeConflict() -> FormField<Name>? {
        guard let index = all.firstIndex(where: { $0.isInConflict && !$0.awaitsConfirmation }) else {
            return nil
        }
        self.index = index
        all[index].noteWarning()
        return all[index]
    }
}

/// A field of a form, which others may change at the same time.
struct FormField<Name: FormFieldName>: Sendable {
    /// Another user's value.
    private struct Theirs: Sendable {
        let text: String
        let user: String
        /// Whether the user was warned about overwriting it.
        var isKnown = false
    }

    let field: Name
    /// The last text that the user saw before editing.
    private var original: String
    var line: LineEditor
    /// Another user's new value.
    private var theirs: Theirs?

    init(_ field: Name, _ line: LineEditor) {
        self.field = field
        self.line = line
        original = line.text
    }

    var isChanged: Bool { line.text != original }

    /// Whether it would overwrite another user's new value.
    var isInConflict: Bool { isChanged && theirs != nil && theirs?.text != line.text }

    /// Whether the user was warned about that value, and has not answered.
    var awaitsConfirmation: Bool { isInConflict && theirs?.isKnown == true }

    fileprivate mutating func noteWarning() { theirs?.isKnown = true }

    /// The warning about another user's value, and what would overwrite it.
    func conflictSentence(_ options: EditorOptions) -> String {
        let text = theirs?.text ?? ""
        return "\(field.label) is now \(text.isEmpty ? "empty" : text) (\(theirs?.user ?? "")). "
            + "\(options.style.acceptName) again saves \(line.text)."
    }

    /// The field as a line of a drawable form.
    fileprivate func sheetLine(beginsGroup: Bool) -> FormSheet.Line {
        let aside = theirs.map { isInConflict ? "now \($0.text) (\($0.user))" : "(\($0.user))" }
        return FormSheet.Line(
            label: field.label, text: line.text, aside: aside ?? "", isChanged: isChanged,
            beginsGroup: beginsGroup)
    }

    /// Updates the present value: an unedited field follows, an edited one shows both.
    fileprivate mutating func follow(_ text: String, by user: String) {
        guard text != theirs?.text ?? original else { return }
        if !isChanged || line.text == text {
            original = text
            line =
                line.isSuggestion
                ? LineEditor(suggesting: text, limit: line.limit) : LineEditor(text, limit: line.limit)
        }
        theirs = Theirs(text: text, user: user)
    }
}

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
    var form: (any Form)? {
        get {
            switch self {
            case .filling(let form): form
            case .planning(let form): form
            default: nil
            }
        }
        set { if let newValue { self = newValue.mode } }
    }

    /// The visible form: the open one, or the text of one that was closed.
    var shownSheet: FormSheet? {
        switch self {
        case .awaiting(let operation): operation.form?.sheet
        case .ended(let end): end.written
        case .acknowledging(let notice): if case .form(let form) = notice.next { form.sheet } else { nil }
        default: form?.sheet
        }
    }
}
