import JSONLine
import TripModel

// MARK: Reading

extension Request {
    /// Decodes the parameters of a method.
    ///
    /// - Throws: `WireError` with the path of the invalid field.
    package init(_ method: Method, params: JSONNode?) throws(WireError) {
        let fields = try Fields(params)
        func trip() throws(WireError) -> TripReference { try fields.required("trip", Read.reference) }
        func item() throws(WireError) -> ItemID { try fields.required("item", Read.itemID) }
        func drag() throws(WireError) -> DragID { DragID(try fields.required("drag", Read.string)) }
        func batch() throws(WireError) -> BatchID { BatchID(try fields.required("batch", Read.string)) }
        switch method {
        case .ping: self = .ping
        case .discover: self = .discover
        case .hello: self = .hello(try Hello(fields))
        case .restrict:
            self = .restrict(
                Restriction(
                    user: try fields.optional("user", Read.string),
                    role: try fields.optional("role", Read.role)))
        case .focus: self = .focus(try trip(), try Read.row(fields, item: "item", day: "day"))
        case .openBatch: self = .openBatch(try trip())
        case .addToBatch: self = .addToBatch(try batch(), try Self.operations(fields))
        case .commitBatch:
            var options = try ChangeOptions(fields)
            options.ifItemVersion = nil
            self = .commitBatch(try batch(), options)
        case .dropBatch: self = .dropBatch(try batch())
        case .createTrip: self = .createTrip(try TripDraft(fields))
        case .listTrips: self = .listTrips
        case .getTrip:
            self = .getTrip(try trip(), withSaid: try fields.optional("said", Read.bool) ?? false)
        case .deleteTrip:
            self = .deleteTrip(
                try trip(), ifVersion: try fields.optional("ifVersion", Read.int),
                isDryRun: try fields.optional("dryRun", Read.bool) ?? false)
        case .listTrash: self = .listTrash
        case .restoreTrip: self = .restoreTrip(try trip())
        case .removedItems: self = .removedItems(try trip())
        case .updateTrip:
            self = .change(method, try trip(), [.trip(try TripChange(fields))], try ChangeOptions(fields))
        case .accept:
            let acceptance = TripChange.Acceptance(
                of: try fields.required("problem", Read.string), try fields.required("accepted", Read.bool))
            self = .change(
                method, try trip(), [.trip(TripChange(acceptance: acceptance))], try ChangeOptions(fields))
        case .todo:
            let change = TripChange(todo: try fields.required("todo", Read.todoChange))
            self = .change(method, try trip(), [.trip(change)], try ChangeOptions(fields))
        case .apply:
            self = .change(method, try trip(), try Self.operations(fields), try ChangeOptions(fields))
        case .addItem:
            self = .change(method, try trip(), [try Edit(adding: fields)], try ChangeOptions(fields))
        case .moveItem:
            self = .change(method, try trip(), [try Edit(moving: fields)], try ChangeOptions(fields))
        case .updateItem:
            self = .change(method, try trip(), [try Edit(updating: fields)], try ChangeOptions(fields))
        case .removeItem:
            self = .change(method, try trip(), [.remove(try item())], try ChangeOptions(fields))
        case .gaps: self = .gaps(try trip(), try item())
        case .subscribe: self = .subscribe(try Subscribe(fields))
        case .unsubscribe: self = .unsubscribe(try trip())
        case .sync: self = .sync(try trip())
        case .beginDrag:
            self = .beginDrag(
                try trip(), try item(), includesGaps: try fields.optional("gaps", Read.bool) ?? true)
        case .hover: self = .hover(try drag(), over: try fields.optional("over", Read.placement))
        case .drop: self = .drop(try Drop(fields))
        case .cancelDrag: self = .cancelDrag(try drag())
        case .undo: self = .undo(try trip(), try ChangeOptions(fields))
        case .redo: self = .redo(try trip(), try ChangeOptions(fields))
        case .history:
            self = .history(
                HistoryRequest(
                    trip: try trip(), before: try fields.optional("before", Read.int),
                    since: try fields.optional("since", Read.since),
                    limit: try fields.optional("limit") { node, field throws(WireError) in
                        let limit = try Read.int(node, field)
                        guard limit >= 1 else { throw .invalid(field, "at least 1 is needed") }
                        return limit
                    }))
        case .stats: self = .stats
        case .shutdown: self = .shutdown
        }
    }

    private static func change(
        _ method: Method, _ trip: TripReference, _ edits: [Edit], _ options: ChangeOptions
    ) -> Request {
        .change(ChangeRequest(method: method, trip: trip, edits: edits, options: options))
    }

    private static func operations(_ fields: Fields) throws(WireError) -> [Edit] {
        let list = try fields.required("ops") { node, field throws(WireError) in
            guard node.kind == .array else { throw .invalid(field, "an array is needed") }
            return node
        }
        guard list.count > 0 else { throw .invalid("ops", "at least one operation is needed") }
        guard list.count <= TripLimits.operations else {
            throw .limit(
                Limit.ops.rawValue, max: TripLimits.operations,
                "ops: at most \(TripLimits.operations) operations in a batch")
        }
        var edits: [Edit] = []
        edits.reserveCapacity(list.count)
        for (index, node) in list.elements.enumerated() {
            do throws(WireError) {
                edits.append(try Edit(operation: try Fields(node, path: FieldPath(index, of: "ops"))))
            } catch {
                throw error.with(.opIndex(index))
            }
        }
        return edits
    }
}

extension Edit {
    init(operation fields: Fields) throws(WireError) {
        switch try fields.required("op", Read.string) {
        case "add": try self.init(adding: fields)
        case "move": try self.init(moving: fields)
        case "update": try self.init(updating: fields)
        case "remove": self = .remove(try fields.required("item", Read.itemID))
        case "trip": self = .trip(try TripChange(fields))
        default: throw .invalid(fields.name("op"), "add, move, update, remove or trip is needed")
        }
    }

    /// Decodes `item` and `to`; an item without an id gets a random one.
    init(adding fields: Fields) throws(WireError) {
        let draft = try fields.required("item") { node, field throws(WireError) in
            let item = try Fields(node, path: field)
            let content = try ItemContent(item, item.refuseOther)
            return (id: try item.optional("id", Read.itemID), content: content)
        }
        self = .add(
            draft.id ?? .random(), draft.content, to: try fields.optional("to", Read.placement))
    }

    init(moving fields: Fields) throws(WireError) {
        self = .move(
            try fields.required("item", Read.itemID), to: try fields.required("to", Read.placement))
    }

    init(updating fields: Fields) throws(WireError) {
        let item = try fields.required("item", Read.itemID)
        let changes = try fields.required("set") { node, field throws(WireError) in
            try FieldChange.list(node, field)
        }
        self = .update(item, changes)
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

extension Drop {
    init(_ fields: Fields) throws(WireError) {
        self.init(
            drag: DragID(try fields.required("drag", Read.string)),
            placement: try fields.required("to", Read.placement),
            trip: try fields.optional("trip", Read.reference), options: try ChangeOptions(fields))
        guard options.seq == nil || trip != nil else {
            throw .invalid(
                "trip", "it is needed with seq, so that a retry finds its answer after the drag has ended")
        }
    }
}

extension ChangeOptions {
    init(_ fields: Fields) throws(WireError) {
        self.init(
            seq: try fields.optional("seq", Read.int), ifVersion: try fields.optional("ifVersion", Read.int),
            ifItemVersion: try fields.optional("ifItemVersion", Read.int),
            isDryRun: try fields.optional("dryRun", Read.bool) ?? false)
    }
}

extension TripChange {
    init(_ fields: Fields) throws(WireError) {
        self.init(
            name: try fields.optional("name", Read.string), slug: try fields.optional("slug", Read.string),
            startDate: try fields.optional("startDate", Read.date),
            timeZone: try fields.optional("timeZone", Read.string),
            dayCount: try fields.optional("dayCount", Read.int),
            rates: try fields.optional("rates", Read.string),
            acceptance: try fields.optional("problem", Read.string).map { problem throws(WireError) in
                Acceptance(of: problem, try fields.required("accepted", Read.bool))
            }, todo: try fields.optional("todo", Read.todoChange))
    }
}

extension TripDraft {
    init(_ fields: Fields) throws(WireError) {
        let items = try fields.optional("items") { node, field throws(WireError) in
            guard node.kind == .array else { throw .invalid(field, "an array is needed") }
            guard node.count <= TripLimits.items else {
                throw .limit(
                    Limit.items.rawValue, max: TripLimits.items,
                    "items: at most \(TripLimits.items) items in a trip")
            }
            var edits: [Edit] = []
            edits.reserveCapacity(node.count)
            for (index, element) in node.elements.enumerated() {
                edits.append(try Edit(adding: try Fields(element, path: FieldPath(index, of: field))))
            }
            return edits
        }
        self.init(
            id: try fields.optional("id", Read.identifier), name: try fields.required("name", Read.string),
            startDate: try fields.required("startDate", Read.date),
            timeZone: try fields.required("timeZone", Read.string),
            dayCount: try fields.required("dayCount", Read.int),
            slug: try fields.optional("slug", Read.string), items: items ?? [],
            isDryRun: try fields.optional("dryRun", Read.bool) ?? false)
    }
}

extension Subscribe {
    init(_ fields: Fields) throws(WireError) {
        let mode = try fields.optional("mode") { node, field throws(WireError) in
            guard let mode = Mode(rawValue: try Read.string(node, field)) else {
                throw .invalid(field, "\"snapshot\" or \"delta\" is needed")
            }
            return mode
        }
        self.init(
            trip: try fields.required("trip", Read.reference), mode: mode ?? .snapshot,
            since: try fields.optional("since") { node, field throws(WireError) in
                let parts = try Fields(node, path: field)
                return Since(
                    epoch: try parts.required("epoch", Read.string),
                    version: try parts.required("version", Read.int))
            },
            defersWhileDragging: try fields.optional("deferWhileDragging", Read.bool) ?? true)
    }
}

extension Hello {
    init(_ fields: Fields) throws(WireError) {
        let version = try fields.required("protocol") { node, field throws(WireError) in
            let parts = try Fields(node, path: field)
            return ProtocolVersion(
                major: try parts.required("major", Read.int), minor: try parts.required("minor", Read.int))
        }
        // Checked first, because another major version may define the other fields differently.
        guard version.major == ProtocolVersion.current.major else { throw .unsupported(version) }
        guard version.minor >= 0 else {
            throw .invalid("protocol.minor", "it is not negative")
        }
        let client = try fields.required("client") { node, field throws(WireError) in
            let parts = try Fields(node, path: field)
            return (
                name: try parts.required("name", Read.string),
                version: try parts.required("version", Read.string)
            )
        }
        let role = try fields.optional("role", Read.role)
        self.init(
            version: version, clientName: client.name, clientVersion: client.version,
            user: try fields.optional("user", Read.string),
            clientID: try fields.optional("clientId", Read.identifier),
            person: try fields.optional("person", Read.identifier), role: role ?? .editor)
    }
}

// MARK: - Writing

extension Request {
    /// The method of the request.
    public var method: Method {
        switch self {
        case .ping: .ping
        case .discover: .discover
        case .hello: .hello
        case .restrict: .restrict
        case .focus: .focus
        case .openBatch: .openBatch
        case .addToBatch: .addToBatch
        case .commitBatch: .commitBatch
        case .dropBatch: .dropBatch
        case .createTrip: .createTrip
        case .listTrips: .listTrips
        case .getTrip: .getTrip
        case .deleteTrip: .deleteTrip
        case .listTrash: .listTrash
        case .restoreTrip: .restoreTrip
        case .removedItems: .removedItems
        case .change(let change): change.method
        case .gaps: .gaps
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        case .sync: .sync
        case .beginDrag: .beginDrag
        case .hover: .hover
        case .drop: .drop
        case .cancelDrag: .cancelDrag
        case .undo: .undo
        case .redo: .redo
        case .history: .history
        case .stats: .stats
        case .shutdown: .shutdown
        }
    }

    /// The request as a line with its newline.
    package func line(id: RequestID?) -> [UInt8] {
        RequestEnvelope.line(id: id, method.rawValue, reserving: 256) { json in
            json.beginObject()
            encodeParams(into: &json)
            json.endObject()
        }
    }

    private func encodeParams(into json: inout JSONWriter) {
        switch self {
        case .ping, .discover, .listTrips, .listTrash, .stats, .shutdown: break
        case .hello(let hello): hello.encodeMembers(into: &json)
        case .restrict(let restriction):
            json.member("user", restriction.user)
            json.member("role", restriction.role?.rawValue)
        case .focus(let trip, let row):
            json.member("trip", trip.text)
            json.member(row, item: "item", day: "day")
        case .addToBatch(let batch, let edits):
            json.member("batch", batch.text)
            json.encode(operations: edits)
        case .commitBatch(let batch, let options):
            json.member("batch", batch.text)
            options.encodeMembers(into: &json)
        case .dropBatch(let batch): json.member("batch", batch.text)
        case .createTrip(let draft): draft.encodeMembers(into: &json)
        case .getTrip(let trip, let withSaid):
            json.member("trip", trip.text)
            if withSaid { json.member("said", true) }
        case .unsubscribe(let trip), .sync(let trip), .openBatch(let trip),
            .restoreTrip(let trip), .removedItems(let trip):
            json.member("trip", trip.text)
        case .deleteTrip(let trip, let version, let isDryRun):
            json.member("trip", trip.text)
            json.member("ifVersion", version)
            if isDryRun { json.member("dryRun", true) }
        case .change(let change):
            json.member("trip", change.trip.text)
            if change.method == .apply {
                json.encode(operations: change.edits)
            } else {
                precondition(change.edits.count == 1, "only trip.apply carries several edits")
                change.edits.first?.encodeMembers(into: &json)
            }
            change.options.encodeMembers(into: &json)
        case .gaps(let trip, let item):
            json.member("trip", trip.text)
            json.member("item", item)
        case .beginDrag(let trip, let item, let includesGaps):
            json.member("trip", trip.text)
            json.member("item", item)
            if !includesGaps { json.member("gaps", false) }
        case .subscribe(let subscribe):
            json.member("trip", subscribe.trip.text)
            json.member("mode", subscribe.mode.rawValue)
            if let since = subscribe.since {
                json.key("since")
                json.beginObject()
                json.member("epoch", since.epoch)
                json.member("version", since.version)
                json.endObject()
            }
            json.member("deferWhileDragging", subscribe.defersWhileDragging)
        case .undo(let trip, let options), .redo(let trip, let options):
            json.member("trip", trip.text)
            options.encodeMembers(into: &json)
        case .history(let history):
            json.member("trip", history.trip.text)
            json.member("before", history.before)
            switch history.since {
            case .version(let version)?: json.member("since", version)
            case .time(let moment)?: json.member("since", moment.text)
            case nil: break
            }
            json.member("limit", history.limit)
        case .hover(let drag, let over):
            json.member("drag", drag.text)
            json.member("over", over)
        case .drop(let drop):
            json.member("drag", drop.drag.text)
            json.member("to", drop.placement)
            json.member("trip", drop.trip?.text)
            drop.options.encodeMembers(into: &json)
        case .cancelDrag(let drag): json.member("drag", drag.text)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func encode(operations edits: [Edit]) {
        key("ops")
        beginArray()
        for edit in edits { encode(operation: edit) }
        endArray()
    }

    fileprivate mutating func encode(operation edit: Edit) {
        beginObject()
        member("op", edit.operationName)
        edit.encodeMembers(into: &self)
        endObject()
    }

    mutating func member(_ name: StaticString, _ placement: Placement?) {
        guard let placement else { return }
        key(name)
        encode(placement)
    }
}

extension ChangeOptions {
    func encodeMembers(into json: inout JSONWriter) {
        json.member("seq", seq)
        json.member("ifVersion", ifVersion)
        json.member("ifItemVersion", ifItemVersion)
        if isDryRun { json.member("dryRun", true) }
    }
}

extension Hello {
    func encodeMembers(into json: inout JSONWriter) {
        json.key("protocol")
        json.encode(version)
        json.key("client")
        json.beginObject()
        json.member("name", clientName)
        json.member("version", clientVersion)
        json.endObject()
        json.member("user", user)
        json.member("clientId", clientID)
        json.member("person", person)
        json.member("role", role.rawValue)
    }
}

extension TripDraft {
    func encodeMembers(into json: inout JSONWriter) {
        json.member("id", id)
        json.member("name", name)
        json.member("startDate", startDate.description)
        json.member("timeZone", timeZone)
        json.member("dayCount", dayCount)
        json.member("slug", slug)
        json.key("items")
        json.beginArray()
        for item in items {
            json.beginObject()
            item.encodeMembers(into: &json)
            json.endObject()
        }
        json.endArray()
        if isDryRun { json.member("dryRun", true) }
    }
}

extension Edit {
    /// The size of the edit in bytes as an operation of a batch.
    package var operationBytes: Int {
        var json = JSONWriter()
        json.encode(operation: self)
        return json.take().count
    }

    /// The path of the edit's fields in its request.
    package var fieldPrefix: String {
        switch self {
        case .add: "item."
        case .update: "set."
        case .move, .remove, .trip: ""
        }
    }

    var operationName: String {
        switch self {
        case .add: "add"
        case .move: "move"
        case .update: "update"
        case .remove: "remove"
        case .trip: "trip"
        }
    }

    func encodeMembers(into json: inout JSONWriter) {
        switch self {
        case .add(let id, let content, let placement):
            json.key("item")
            json.beginObject()
            json.member("id", id)
            json.encodeMembers(of: content)
            json.member(said: content.said)
            json.endObject()
            json.member("to", placement)
        case .move(let id, let placement):
            json.member("item", id)
            json.member("to", placement)
        case .update(let id, let changes):
            json.member("item", id)
            json.key("set")
            json.beginObject()
            for change in changes {
                json.key(change.field.row.key)
                if let value = change.value { json.encode(value) } else { json.null() }
                if case .source(let source)? = change.value { json.member(said: source.said) }
            }
            json.endObject()
        case .remove(let id): json.member("item", id)
        case .trip(let change):
            json.member("name", change.name)
            json.member("slug", change.slug)
            json.member("startDate", change.startDate?.description)
            json.member("timeZone", change.timeZone)
            json.member("dayCount", change.dayCount)
            json.member("rates", change.rates)
            if let acceptance = change.acceptance {
                json.member("problem", acceptance.problem)
                json.member("accepted", acceptance.isAccepted)
            }
            if let todo = change.todo {
                json.key("todo")
                json.encode(todo)
            }
        }
    }
}
