import JSONLine
import TripModel

extension JSONWriter {
    /// Writes changed values of a header, for a journal.
    package mutating func encode(_ values: HeaderValues) {
        beginObject()
        member("name", values.name)
        member("slug", values.slug)
        member("startDate", values.startDate?.description)
        member("timeZone", values.timeZone)
        member("dayCount", values.dayCount)
        if !values.accepted.isEmpty { encode("accepted", values.accepted) }
        if !values.revoked.isEmpty { encode("revoked", values.revoked) }
        if !values.todo.isEmpty {
            key("todo")
            beginArray()
            for step in values.todo { encode(step) }
            endArray()
        }
        endObject()
    }

    private mutating func encode(_ name: StaticString, _ keys: [String]) {
        key(name)
        beginArray()
        for key in keys { value(key) }
        endArray()
    }

    private mutating func encode(_ step: TodoStep) {
        beginObject()
        member("id", step.id)
        member("text", step.entry?.text)
        member("doneBy", step.entry?.doneBy)
        member("index", step.place?.index)
        member("above", step.place?.above)
        endObject()
    }
}

extension HeaderValues {
    /// Decodes values as encoded for a journal.
    package init(_ node: JSONNode) throws(WireError) {
        let fields = try Fields(node, path: "header")
        self.init(
            name: try fields.optional("name", Read.string), slug: try fields.optional("slug", Read.string),
            startDate: try fields.optional("startDate", Read.date),
            timeZone: try fields.optional("timeZone", Read.string),
            dayCount: try fields.optional("dayCount", Read.int),
            accepted: try fields.optional("accepted", Read.strings) ?? [],
            revoked: try fields.optional("revoked", Read.strings) ?? [],
            todo: try fields.optional("todo", Self.steps) ?? [])
    }

    private static func place(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Int {
        let index = try Read.int(node, field)
        guard index >= 0 else { throw .invalid(field, "at least 0 is needed") }
        return index
    }

    private static func steps(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [TodoStep] {
        guard node.kind == .array else { throw .invalid(field, "an array is needed") }
        var steps: [TodoStep] = []
        for (index, element) in node.elements.enumerated() {
            let step = try Fields(element, path: FieldPath(index, of: field))
            let id: TodoID = try step.required("id", Read.identifier)
            let doneBy = try step.optional("doneBy", Read.string)
            let above: TodoID? = try step.optional("above", Read.identifier)
            steps.append(
                TodoStep(
                    id,
                    try step.optional("text", Read.string).map {
                        TodoEntry(id: id, text: $0, doneBy: doneBy)
                    },
                    at: try step.optional("index", Self.place).map { TodoStep.Place(index: $0, above: above) }
                ))
        }
        return steps
    }
}
