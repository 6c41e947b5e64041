import JSONLine
import TripModel

// The edits of requests: members of their own methods, or operations of a list.

extension Edit {
    /// The kind of an edit, by its name as an operation.
    enum Kind: String {
        case add, move, update, remove, trip
    }

    private var kind: Kind {
        switch self {
        case .add: .add
        case .move: .move
        case .update: .update
        case .remove: .remove
        case .trip: .trip
        }
    }

    /// The change of the trip itself.
    var header: TripChange? { if case .trip(let change) = self { change } else { nil } }

    /// The path of the edit's fields in its request.
    package var fieldPrefix: String {
        switch kind {
        case .add: "item."
        case .update: "set."
        case .move, .remove, .trip: ""
        }
    }

    /// The size of the edit in bytes as an operation of a batch.
    package var operationBytes: Int {
        var json = JSONWriter()
        encode(into: &json)
        return json.take().count
    }

    /// Describes the members of an edit of one kind, without the kind.
    init<Coder: MemberCoder>(
        _ kind: Kind, _ coder: inout Coder, encoding edit: Edit?
    ) throws(Coder.Failure) {
        func item() throws(Coder.Failure) -> ItemID { try coder.required("item", edit?.item) }
        switch kind {
        case .add:
            let item = try coder.required("item", edit.flatMap(NewItem.init))
            self = .add(item.id, item.content, to: try coder.optional("to", edit?.placement))
        case .move: self = .move(try item(), to: try coder.required("to", edit?.placement))
        case .update:
            let item = try item()
            let changes = try coder.required("set", edit?.changes)
            self = .update(item, changes.list)
        case .remove: self = .remove(try item())
        case .trip: self = .trip(try TripChange(&coder, encoding: edit?.header))
        }
    }

    private var placement: Placement? {
        switch self {
        case .add(_, _, let placement): placement
        case .move(_, let placement): placement
        case .update, .remove, .trip: nil
        }
    }

    private var changes: FieldChanges? {
        if case .update(_, let changes) = self { FieldChanges(list: changes) } else { nil }
    }
}

extension Edit.Kind: WireText {
    static var needed: String { "add, move, update, remove or trip is needed" }
}

/// An edit as an operation of a list.
extension Edit: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding edit: Edit?) throws(Coder.Failure) {
        try self.init(try coder.required("op", edit?.kind), &coder, encoding: edit)
    }
}

/// The operations of a request.
struct Operations: WireValue {
    let edits: [Edit]

    init(_ edits: [Edit]) { self.edits = edits }

    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard node.kind == .array else { throw .invalid(path, "an array is needed") }
        guard node.count > 0 else { throw .invalid(path, "at least one operation is needed") }
        guard node.count <= TripLimits.operations else {
            throw .limit(
                Limit.ops.rawValue, max: TripLimits.operations,
                "\(path): at most \(TripLimits.operations) operations in a batch")
        }
        var edits: [Edit] = []
        edits.reserveCapacity(node.count)
        for (index, element) in node.elements.enumerated() {
            do throws(WireError) {
                edits.append(try Edit(element, at: FieldPath(index, of: path)))
            } catch {
                throw error.with(.opIndex(index))
            }
        }
        self.edits = edits
    }

    func encode(into json: inout JSONWriter) { edits.encode(into: &json) }
}

/// The first items of a trip.
struct NewItems: WireValue {
    let edits: [Edit]

    /// An item and its placement.
    private struct Row: WireObject {
        let edit: Edit

        init(_ edit: Edit) { self.edit = edit }

        init<Coder: MemberCoder>(_ coder: inout Coder, encoding row: Row?) throws(Coder.Failure) {
            edit = try Edit(.add, &coder, encoding: row?.edit)
        }
    }

    init(edits: [Edit]) { self.edits = edits }

    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard node.kind != .array || node.count <= TripLimits.items else {
            throw .limit(
                Limit.items.rawValue, max: TripLimits.items,
                "\(path): at most \(TripLimits.items) items in a trip")
        }
        edits = try [Row](node, at: path).map(\.edit)
    }

    func encode(into json: inout JSONWriter) { edits.map(Row.init).encode(into: &json) }
}

/// The new item of an addition; one without an id gets a random one.
private struct NewItem: WireValue {
    let id: ItemID
    let content: ItemContent

    init?(_ edit: Edit) {
        guard case .add(let id, let content, _) = edit else { return nil }
        (self.id, self.content) = (id, content)
    }

    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        let item = try Fields(node, path: path)
        content = try ItemContent(item, item.refuseOther)
        id = try item.optional("id") ?? .random()
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.encodeMembers(of: content)
        json.member(said: content.said)
        json.endObject()
    }
}

extension Fields {
    /// Refuses a field of a new item that its kind does not have, because it would be lost silently: fields
    /// that the daemon determines, and fields of other kinds.
    fileprivate func refuseOther(_ other: OtherMember) throws(WireError) {
        if other.value.isNull { return }
        if let field = other.field {
            throw .invalid(name(field.row.key), "\(other.kind.noun) has no such field")
        }
        for key: StaticString in ["day", "sortOrder"] where other.key.stringEquals(key) {
            throw .invalid(name(key), "the place of a new item is given by `to`")
        }
        for key: StaticString in ["version", "modifiedAt", "modifiedBy"] where other.key.stringEquals(key) {
            throw .invalid(name(key), "the daemon sets it")
        }
    }
}

/// The object `set` of an update; null clears an optional field.
private struct FieldChanges: WireValue {
    let list: [FieldChange]

    init(list: [FieldChange]) { self.list = list }

    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard node.kind == .object else { throw .invalid(path, "an object is needed") }
        var changes: [FieldChange] = []
        for (key, value) in node.members {
            if let change = try FieldChange(key, value, FieldPath(sent: key, of: path)) {
                changes.append(change)
            }
        }
        if let said = node["said"], !said.isNull {
            let place = FieldPath(sent: "said", of: path)
            guard let index = changes.firstIndex(where: { $0.field == .source }),
                case .source(var source)? = changes[index].value
            else { throw .invalid(place, "it is only allowed with source") }
            source.said = try SourceValues(said, at: place)
            changes[index] = FieldChange(.source, .source(source))
        }
        list = changes
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        for change in list {
            json.key(change.field.row.key)
            if let value = change.value { json.encode(value) } else { json.null() }
            if case .source(let source)? = change.value { json.member(said: source.said) }
        }
        json.endObject()
    }
}

extension FieldChange {
    /// Nil for an unknown field.
    fileprivate init?(_ key: String, _ value: JSONNode, _ path: FieldPath) throws(WireError) {
        guard let field = ItemField(name: key) else {
            switch key {
            case "id", "kind", "day", "sortOrder", "version", "modifiedAt", "modifiedBy":
                throw .invalid(path, "it cannot be set; an item's place changes by item.move")
            default: return nil
            }
        }
        let isCleared = value.isNull && !field.isRequired
        self.init(field, isCleared ? nil : try FieldValue(value, as: field.row.type, path))
    }
}

// MARK: Changes of a trip's own fields

extension TripChange: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding change: TripChange?) throws(Coder.Failure) {
        self.init(
            name: try coder.optional("name", change?.name), slug: try coder.optional("slug", change?.slug),
            startDate: try coder.optional("startDate", change?.startDate),
            timeZone: try coder.optional("timeZone", change?.timeZone),
            dayCount: try coder.optional("dayCount", change?.dayCount),
            rates: try coder.optional("rates", change?.rates),
            acceptance: try Acceptance(optional: &coder, encoding: change?.acceptance),
            todo: try coder.optional("todo", change?.todo))
    }
}

extension TripChange.Acceptance {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding acceptance: Self?) throws(Coder.Failure) {
        self.init(
            of: try coder.required("problem", acceptance?.problem),
            try coder.required("accepted", acceptance?.isAccepted))
    }

    /// Nil without a problem.
    fileprivate init?<Coder: MemberCoder>(
        optional coder: inout Coder, encoding acceptance: Self?
    ) throws(Coder.Failure) {
        guard let problem = try coder.optional("problem", acceptance?.problem) else { return nil }
        self.init(of: problem, try coder.required("accepted", acceptance?.isAccepted))
    }
}

extension TodoChange: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding change: TodoChange?) throws(Coder.Failure) {
        self.init(
            // A change without an id concerns a new entry.
            try coder.optional("id", change?.id) ?? .random(),
            text: try coder.optional("text", change?.text),
            isDone: try coder.optional("done", change?.isDone),
            item: try coder.optional("item", change?.item),
            isRemoval: try coder.flag("removed", change?.isRemoval))
    }
}
