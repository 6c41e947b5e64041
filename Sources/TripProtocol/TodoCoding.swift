import JSONLine
import TripModel

extension JSONWriter {
    /// Writes a list of things to do.
    package mutating func encode(_ list: [TodoEntry]) {
        beginArray()
        for entry in list {
            beginObject()
            member("id", entry.id)
            member("text", entry.text)
            if let user = entry.doneBy {
                member("done", true)
                member("doneBy", user)
            }
            if let item = entry.item { member("item", item) }
            endObject()
        }
        endArray()
    }

    /// Writes a change of one thing to do.
    mutating func encode(_ change: TodoChange) {
        beginObject()
        member("id", change.id)
        member("text", change.text)
        member("done", change.isDone)
        if let item = change.item { member("item", item) }
        if change.isRemoval { member("removed", true) }
        endObject()
    }
}

extension JSONWriter {
    /// Writes the kind and the fields of an idea.
    mutating func member(_ name: StaticString, _ item: ItemContent) {
        key(name)
        encode(item)
    }

    /// Writes the kind and the fields of an item without a day.
    package mutating func encode(_ item: ItemContent) {
        beginObject()
        encodeMembers(of: item)
        endObject()
    }
}

extension Read {
    static func idea(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> ItemContent {
        try ItemContent(Fields(node, path: field))
    }

    static func todo(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [TodoEntry] {
        guard node.kind == .array else { throw .invalid(field, "an array is needed") }
        var list: [TodoEntry] = []
        for (index, element) in node.elements.enumerated() {
            let entry = try Fields(element, path: FieldPath(index, of: field))
            list.append(
                TodoEntry(
                    id: try entry.required("id", Read.identifier),
                    text: try entry.required("text", Read.string),
                    doneBy: try entry.optional("doneBy", Read.string), item: try entry.optional("item", idea))
            )
        }
        return list
    }

    /// A change without an id concerns a new entry.
    static func todoChange(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> TodoChange {
        let change = try Fields(node, path: field)
        return TodoChange(
            try change.optional("id", Read.identifier) ?? .random(),
            text: try change.optional("text", Read.string), isDone: try change.optional("done", Read.bool),
            item: try change.optional("item", idea),
            isRemoval: try change.optional("removed", Read.bool) ?? false)
    }
}
