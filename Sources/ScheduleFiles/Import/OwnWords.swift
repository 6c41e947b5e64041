import TripModel

/// An item with users' values that its source no longer has.
package struct OwnWords: Equatable, Sendable {
    /// The item.
    package let item: ItemID
    /// Its title.
    package let title: String
    /// The fields with users' values.
    package let fields: [ItemField]

    /// Nil if the item has no users' values.
    package init?(_ item: Item) {
        let values = Self.values(of: item.content)
        fields = ItemField.allCases.filter { values[$0] != nil }
        if fields.isEmpty { return nil }
        self.item = item.id
        title = item.content.title
    }

    /// Users' values of an item, by field.
    package static func values(of content: ItemContent) -> [ItemField: FieldValue] {
        var values: [ItemField: FieldValue] = [:]
        for field in content.kind.fields where field.row.writer != .source {
            guard let value = content[field] else { continue }
            let isOwn =
                content.said.map { $0[field] != SourceValues.shortened(value) }
                ?? (field.row.writer == .user)
            if isOwn { values[field] = value }
        }
        return values
    }

    /// Users' values of an item, by field, including edited values of the source. They are restored with its entry.
    package static func changes(of content: ItemContent) -> [ItemField: FieldValue] {
        var changes = values(of: content)
        if content[.attending] == .flag(false) { changes[.attending] = .flag(false) }
        guard let said = content.said else { return changes }
        for field in content.kind.fields where SourceValues.canHold(field) {
            guard let value = content[field], !SourceComparison.isSame(value, said[field]) else { continue }
            changes[field] = value
        }
        return changes
    }

    /// `Camp (your cost and note)`.
    var description: String {
        let names = fields.map(\.spokenName)
        let list =
            names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
        return "\(title) (your \(list))"
    }
}
