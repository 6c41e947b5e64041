/// A new value of one field of an item; nil clears an optional field.
public struct FieldChange: Equatable, Sendable {
    /// The field.
    public let field: ItemField
    /// Its new value; nil for none.
    package let value: FieldValue?

    /// Makes a change. Traps for a value of the wrong type and for nil in a required field: both are bugs of
    /// the caller.
    package init(_ field: ItemField, _ value: FieldValue?) {
        precondition(value != nil || !field.isRequired, "\(field) is required")
        self.field = field
        self.value = value
    }
}

extension FieldChange {
    /// The changes that turn one content into another of the same kind.
    ///
    /// - Returns: nil if the kinds differ.
    public static func between(_ old: ItemContent, and new: ItemContent) -> [FieldChange]? {
        guard old.kind == new.kind else { return nil }
        return new.kind.fields.compactMap { field in
            let value = new[field]
            return value == old[field] ? nil : FieldChange(field, value)
        }
    }

    /// Whether the change affects only the values last imported from the item's source, which are not shown.
    package func isOnlySaid(of old: ItemContent) -> Bool {
        guard field == .source, case .source(let before)? = old[.source], case .source(let after)? = value
        else { return false }
        return before.isSame(as: after)
    }

    /// The labels of the fields that differ between two contents of one kind, such as `cost, note and time`;
    /// nil for none or too many.
    package static func words(from old: ItemContent, to new: ItemContent) -> String? {
        let changes = between(old, and: new)?.filter { !$0.isOnlySaid(of: old) } ?? []
        let names = changes.map(\.field.spokenName)
        guard let last = names.last, names.count <= 3 else { return nil }
        return names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
