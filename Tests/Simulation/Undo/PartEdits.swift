import TripModel

/// Who changed which field of which item and who placed it, found by comparing the trip before and after each change.
struct PartEdits {
    /// A change of an item's fields, as its undo must restore them, or of the places of custom items alone.
    enum Parts {
        /// The kind of each changed item, and the former values of its changed fields.
        case fields([ItemID: (kind: ItemKind, former: [FieldChange])])
        case places(Set<ItemID>)
    }

    private struct Part: Hashable {
        let item: ItemID
        /// Nil for its place.
        let field: ItemField?
    }

    private struct Place: Equatable {
        let position: Position
        let above: ItemID?
        let below: ItemID?
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
    /// - Parameters:
    ///   - placed: the items that it added, moved or removed.
    ///   - respaces: whether it re-spaced a day.
    /// - Returns: the changed parts; nil if it changed others, too.
    mutating func note(
        _ before: Trip, _ after: Trip, placed: Set<ItemID>, respaces: Bool, number: Int, person: Int
    ) -> Parts? {
        var former: [ItemID: (kind: ItemKind, former: [FieldChange])] = [:]
        var placed = placed
        var keepsKinds = true
        let (old, new) = (Self.places(in: before), Self.places(in: after))
        // If the change re-spaces a day, each edited item there with other neighbours counts as moved.
        if respaces { placed.formUnion(new.keys.filter { old[$0] != nil && old[$0] != new[$0] }) }
        for item in before.items { contents[item.id] = item.content }
        for item in after.items {
            guard let known = contents[item.id], known != item.content else { continue }
            let changes = FieldChange.between(item.content, and: known)
            former[item.id] = changes.map { (item.content.kind, $0) }
            if changes == nil { keepsKinds = false }
            let fields = changes?.map(\.field) ?? ItemField.allCases
            for field in fields { note(Part(item: item.id, field: field), number, person) }
        }
        for id in placed { note(Part(item: id, field: nil), number, person) }
        let isSameList =
            keepsKinds && before.header == after.header && Set(before.shownIDs) == Set(after.shownIDs)
        if isSameList, placed.isEmpty { return .fields(former) }
        let areCustom = placed.allSatisfy { if case .custom? = after[$0]?.content { true } else { false } }
        return isSameList && former.isEmpty && areCustom ? .places(placed) : nil
    }

    /// The position of each item and its neighbours on its day.
    private static func places(in trip: Trip) -> [ItemID: Place] {
        let items = trip.items
        var places: [ItemID: Place] = [:]
        for (index, item) in items.enumerated() {
            func neighbour(_ index: Int) -> ItemID? {
                guard items.indices.contains(index), items[index].position.day == item.position.day else {
                    return nil
                }
                return items[index].id
            }
            places[item.id] = Place(
                position: item.position, above: neighbour(index - 1), below: neighbour(index + 1))
        }
        return places
    }

    private mutating func note(_ part: Part, _ number: Int, _ person: Int) {
        edits[part, default: []].append(Edit(number: number, person: person))
    }

    /// Whether one of the parts was changed by somebody else after a change, or its item is gone or of another
    /// kind.
    func areTaken(_ parts: Parts, since number: Int, from person: Int, in trip: Trip) -> Bool {
        func isTaken(_ item: ItemID, _ kind: ItemKind, _ field: ItemField?) -> Bool {
            trip[item]?.content.kind != kind
                || edits[Part(item: item, field: field), default: []].contains {
                    $0.number > number && $0.person != person
                }
        }
        return switch parts {
        case .fields(let former):
            former.contains { id, part in part.former.contains { isTaken(id, part.kind, $0.field) } }
        case .places(let items): items.contains { isTaken($0, .custom, nil) }
        }
    }
}
