import TripModel

/// A field of a form for an item or a trip, which others may change at the same time.
struct FormField<Name: Sendable>: Sendable {
    let field: Name
    /// The last text that the user saw before editing.
    private(set) var original: String
    var line: LineEditor
    /// Another user's new value.
    var theirs: Form.Theirs?

    init(_ field: Name, _ line: LineEditor) {
        self.field = field
        self.line = line
        original = line.text
    }

    var isChanged: Bool { line.text != original }

    /// Whether it would overwrite another user's new value.
    var isInConflict: Bool { isChanged && theirs != nil && theirs?.text != line.text }

    /// Updates the present value: an unedited field follows, an edited one shows both.
    mutating func follow(_ text: String, by user: String) {
        guard text != theirs?.text ?? original else { return }
        if !isChanged || line.text == text {
            original = text
            line =
                line.isSuggestion
                ? LineEditor(suggesting: text, limit: line.limit) : LineEditor(text, limit: line.limit)
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
    /// The index of the first field that would overwrite another user's value without a warning; marks it as
    /// warned.
    mutating func takeConflict<Name>() -> Int? where Element == FormField<Name> {
        guard let index = firstIndex(where: { $0.isInConflict && $0.theirs?.isKnown == false }) else {
            return nil
        }
        self[index].theirs?.isKnown = true
        return index
    }
}
