import TripModel

/// A field of a form, of an item or of a trip, that others may change while it is written.
struct FormField<Name: Sendable>: Sendable {
    let field: Name
    /// What it said when the user last saw it unedited.
    private(set) var original: String
    var line: LineEditor
    /// What somebody else has made of it meanwhile.
    var theirs: Form.Theirs?

    init(_ field: Name, _ line: LineEditor) {
        self.field = field
        self.line = line
        original = line.text
    }

    var isChanged: Bool { line.text != original }

    /// Whether it would overwrite what somebody else has just written.
    var isInConflict: Bool { isChanged && theirs != nil && theirs?.text != line.text }

    /// Takes over what it says now: what is not edited here follows, what is edited shows both.
    mutating func follow(_ text: String, by user: String) {
        guard text != theirs?.text ?? original else { return }
        if !isChanged || line.text == text {
            original = text
            line = LineEditor(text, limit: line.limit)
        }
        theirs = Form.Theirs(text: text, user: user)
    }
}

extension FormField<ItemField> {
    init(_ field: ItemField, _ text: String) {
        self.init(field, LineEditor(text, limit: field.writingLimit))
    }
}

extension Array {
    /// The place of the first field that would overwrite what somebody else has written, the user not knowing yet; from
    /// now on the user knows.
    mutating func takeConflict<Name>() -> Int? where Element == FormField<Name> {
        guard let index = firstIndex(where: { $0.isInConflict && $0.theirs?.isKnown == false }) else {
            return nil
        }
        self[index].theirs?.isKnown = true
        return index
    }
}
