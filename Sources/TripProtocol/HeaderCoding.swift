import JSONLine
import TripModel

// A trip's own fields, and the changes of them that a journal contains.

extension TripHeader: WireObject {
    /// Decodes a header as encoded by the daemon.
    package init(_ node: JSONNode) throws(WireError) { try self.init(node, at: "trip") }

    init<Coder: MemberCoder>(_ coder: inout Coder, encoding header: TripHeader?) throws(Coder.Failure) {
        self.init(
            id: try coder.required("id", header?.id), slug: try coder.required("slug", header?.slug),
            name: try coder.required("name", header?.name),
            startDate: try coder.required("startDate", header?.startDate),
            timeZone: try coder.required("timeZone", header?.timeZone),
            dayCount: try coder.required("dayCount", header?.dayCount),
            rates: try coder.unlessEmpty("rates", header?.rates),
            acceptedProblems: Set(
                try coder.unlessEmpty("acceptedProblems", header?.acceptedProblems.sorted())),
            todo: try coder.unlessEmpty("todo", header?.todo))
    }
}

extension TodoEntry: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding entry: TodoEntry?) throws(Coder.Failure) {
        let id = try coder.required("id", entry?.id)
        let text = try coder.required("text", entry?.text)
        // It follows from the next member.
        _ = try coder.flag("done", entry.map { $0.doneBy != nil })
        self.init(
            id: id, text: text, doneBy: try coder.optional("doneBy", entry?.doneBy),
            item: try coder.optional("item", entry?.item))
    }
}

extension HeaderValues: WireObject {
    /// Decodes values as encoded for a journal.
    package init(_ node: JSONNode) throws(WireError) { try self.init(node, at: "header") }

    init<Coder: MemberCoder>(_ coder: inout Coder, encoding values: HeaderValues?) throws(Coder.Failure) {
        self.init(
            name: try coder.optional("name", values?.name), slug: try coder.optional("slug", values?.slug),
            startDate: try coder.optional("startDate", values?.startDate),
            timeZone: try coder.optional("timeZone", values?.timeZone),
            dayCount: try coder.optional("dayCount", values?.dayCount),
            rates: try coder.optional("rates", values?.rates),
            accepted: try coder.unlessEmpty("accepted", values?.accepted),
            revoked: try coder.unlessEmpty("revoked", values?.revoked),
            todo: try coder.unlessEmpty("todo", values?.todo))
    }
}

extension TodoStep: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding step: TodoStep?) throws(Coder.Failure) {
        let id = try coder.required("id", step?.id)
        let text = try coder.optional("text", step?.entry?.text)
        let doneBy = try coder.optional("doneBy", step?.entry?.doneBy)
        let item = try coder.optional("item", step?.entry?.item)
        let index = try coder.optional("index", step?.place?.index)
        let above = try coder.optional("above", step?.place?.above)
        try coder.check { fields throws(WireError) in
            if let index, index < 0 { throw .invalid(fields.name("index"), "at least 0 is needed") }
        }
        self.init(
            id, text.map { TodoEntry(id: id, text: $0, doneBy: doneBy, item: item) },
            at: index.map { Place(index: $0, above: above) })
    }
}

extension JSONWriter {
    /// Writes a header.
    package mutating func encode(_ header: TripHeader) { header.encode(into: &self) }

    /// Writes the members of a header, without braces.
    package mutating func encodeMembers(of header: TripHeader) { header.encodeMembers(into: &self) }

    /// Writes a list of things to do.
    package mutating func encode(_ list: [TodoEntry]) { list.encode(into: &self) }

    /// Writes changed values of a header, for a journal.
    package mutating func encode(_ values: HeaderValues) { values.encode(into: &self) }

    /// Writes the kind and the fields of an item without a day.
    package mutating func encode(_ item: ItemContent) { item.encode(into: &self) }
}
