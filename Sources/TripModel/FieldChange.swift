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
}
