import TripModel

/// Who changed which field of which item and who placed it, found by comparing the trip before and after each change.
struct PartEdits {
    /// A change of an item's fields, as its undo must restore them, or of the places of custom items alone.
    enum Parts {
        /// The former values of the changed fields.
        case fields([ItemID: [FieldChange]])
        case places(Set<ItemID>)
    }

    private struct Part: Hashable {
        let item: ItemID
        /// Nil for its place.
        let field: ItemField?
    }

    private struct Edit {
        let number: Int
        let person: Int
    }

    private var edits: [Part: [Edit]] = [:]
    /// The last content of each item, also of removed ones.
    private var contents: [ItemID: ItemContent] = [:]

    /// Records a change.
    ///
    /// - Parameter placed: the items that it added, moved or removed.
    /// - Returns: the changed parts; nil if it changed others, too.
    mutating func note(
        _ before: Trip, _ after: Trip, placed: Set<ItemID>, number: Int, person: Int
    ) -> Parts? {
        var former: [ItemID: [FieldChange]] = [:]
        var placed = placed
        var keepsKinds = true
        for item in before.items { contents[item.id] = item.content }
        for item in after.items {
            guard let old = contents[item.id], old != item.content else { continue }
            former[item.id] = FieldChange.between(item.content, and: old)
            if former[item.id] == nil { keepsKinds = false }
            // An edited item that its change also re-spaces may count as moved.
            if let place = before[item.id]?.position, place != item.position { placed.insert(item.id) }
            let fields = former[item.id]?.map(\.field) ?? ItemField.allCases
            for field in fields { note(Part(item: item.id, field: field), number, person) }
        }
        for id in placed { note(Part(item: id, field: nil), number, person) }
        let isSameList =
            keepsKinds && before.header == after.header && Set(before.shownIDs) == Set(after.shownIDs)
        if isSameList, placed.isEmpty { return .fields(former) }
        let areCustom = placed.allSatisfy { if case .custom? = after[$0]?.content { true } else { false } }
        return isSameList && former.isEmpty && areCustom ? .places(placed) : nil
    }

    private mutating func note(_ part: Part, _ number: Int, _ person: Int) {
        edits[part, default: []].append(Edit(number: number, person: person))
    }

    /// Whether one of the parts was changed by somebody else after a change, or its item is gone.
    func areTaken(_ parts: Parts, since number: Int, from person: Int, in trip: Trip) -> Bool {
        let all =
            switch parts {
            case .fields(let former):
                former.flatMap { id, changes in changes.map { Part(item: id, field: $0.field) } }
            case .places(let items): items.map { Part(item: $0, field: nil) }
            }
        return all.contains { part in
            trip[part.item] == nil
                || edits[part, default: []].contains { $0.number > number && $0.person != person }
        }
    }
}
