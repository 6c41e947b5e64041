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
        if change.isRemoval { member("removed", true) }
        endObject()
    }
}

extension Read {
    static func todo(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [TodoEntry] {
        guard node.kind == .array else { throw .invalid(field, "an array is needed") }
        var list: [TodoEntry] = []
        for (index, element) in node.elements.enumerated() {
            let entry = try Fields(element, path: FieldPath(index, of: field))
            list.append(
                TodoEntry(
                    id: try entry.required("id", Read.identifier),
                    text: try entry.required("text", Read.string),
                    doneBy: try entry.optional("doneBy", Read.string)))
        }
        return list
    }

    /// A change without an id concerns a new entry.
    static func todoChange(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> TodoChange {
        let change = try Fields(node, path: field)
        return TodoChange(
            try change.optional("id", Read.identifier) ?? .random(),
            text: try change.optional("text", Read.string), isDone: try change.optional("done", Read.bool),
            isRemoval: try change.optional("removed", Read.bool) ?? false)
    }
}
