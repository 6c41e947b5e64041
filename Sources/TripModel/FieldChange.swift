/// A new value of one field of an item; nil clears a field that may be left out.
public struct FieldChange: Equatable, Sendable {
    /// Which field.
    public let field: ItemField
    /// Its new value; nil for none.
    package let value: FieldValue?

    /// Makes a change. A value of another type than the field's, or none for one that is required, is a bug of the
    /// caller's and traps.
    package init(_ field: ItemField, _ value: FieldValue?) {
        precondition(value != nil || !field.isRequired, "\(field) is required")
        self.field = field
        self.value = value
    }
}

extension FieldChange {
    /// The changes that make one content of an item into another of the same kind.
    ///
    /// - Returns: nil where the kinds differ: no change of fields makes a game of a custom item.
    public static func between(_ old: ItemContent, and new: ItemContent) -> [FieldChange]? {
        guard old.kind == new.kind else { return nil }
        return new.kind.fields.compactMap { field in
            let value = new[field]
            return value == old[field] ? nil : FieldChange(field, value)
        }
    }
    /// The fields that differ between two contents of one kind, as words: `cost, note and time`; nil where there is none, or
    /// where there are so many that it makes no sentence.
    package static func words(from old: ItemContent, to new: ItemContent) -> String? {
        let names = between(old, and: new)?.map(\.field.spokenName) ?? []
        guard let last = names.last, names.count <= 3 else { return nil }
        return names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
