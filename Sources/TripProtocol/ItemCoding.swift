import JSONLine
import TripModel

extension ItemContent {
    /// Decodes the kind and the kind's own fields of an item.
    ///
    /// - Parameter readOther: called with each other member.
    init(
        _ fields: Fields, _ readOther: (OtherMember) throws(WireError) -> Void = { _ throws(WireError) in }
    ) throws(WireError) {
        switch ItemKind(rawValue: try fields.required("kind", Read.string)) {
        case .game?: self = .game(try Game(fields, readOther))
        case .travel?: self = .travel(try Travel(fields, readOther))
        case .custom?: self = .custom(try CustomItem(fields, readOther))
        case nil: throw .invalid(fields.name("kind"), "\"game\", \"travel\" or \"custom\" is needed")
        }
    }
}

extension ItemContent {
    /// Decodes the content of an item from its object, without its position.
    package init(_ node: JSONNode) throws(WireError) {
        try self.init(Fields(node, path: "item"))
    }
}

extension Item {
    /// Decodes an item as encoded by the daemon.
    package init(_ node: JSONNode) throws(WireError) {
        let fields = try Fields(node, path: "item")
        let order = try fields.required("sortOrder", Read.double)
        guard order.magnitude <= Position.maximumOrder else {
            throw .invalid(fields.name("sortOrder"), "a sort order is within ±1e15")
        }
        self.init(
            id: try fields.required("id", Read.itemID),
            position: Position(day: try fields.required("day", Read.int), sortOrder: order),
            content: try ItemContent(fields), version: try fields.required("version", Read.int),
            modifiedAt: try fields.required("modifiedAt", Read.timestamp),
            modifiedBy: try fields.required("modifiedBy", Read.string))
    }
}

extension TripHeader {
    /// Decodes a header as encoded by the daemon.
    package init(_ node: JSONNode) throws(WireError) {
        let fields = try Fields(node, path: "trip")
        self.init(
            id: try fields.required("id", Read.identifier), slug: try fields.required("slug", Read.string),
            name: try fields.required("name", Read.string),
            startDate: try fields.required("startDate", Read.date),
            timeZone: try fields.required("timeZone", Read.string),
            dayCount: try fields.required("dayCount", Read.int),
            rates: try fields.optional("rates", Read.string) ?? "",
            acceptedProblems: Set(try fields.optional("acceptedProblems", Read.strings) ?? []),
            todo: try fields.optional("todo", Read.todo) ?? [])
    }
}

extension JSONWriter {
    /// Writes a header.
    package mutating func encode(_ header: TripHeader) {
        beginObject()
        encodeMembers(of: header)
        endObject()
    }

    /// Writes the members of a header, without braces.
    package mutating func encodeMembers(of header: TripHeader) {
        member("id", header.id)
        member("slug", header.slug)
        member("name", header.name)
        member("startDate", header.startDate.description)
        member("timeZone", header.timeZone)
        member("dayCount", header.dayCount)
        if !header.rates.isEmpty { member("rates", header.rates) }
        if !header.acceptedProblems.isEmpty {
            key("acceptedProblems")
            beginArray()
            for problem in header.acceptedProblems.sorted() { value(problem) }
            endArray()
        }
        if !header.todo.isEmpty {
            key("todo")
            encode(header.todo)
        }
    }

    /// Writes an item; its version comes before its own fields.
    ///
    /// - Parameter withSaid: whether to write the last imported values too; subscribers do not get them.
    package mutating func encode(_ item: Item, withSaid: Bool = true) {
        beginObject()
        encodeStamp(of: item)
        encodeMembers(of: item.content)
        if withSaid { member(said: item.content.said) }
        endObject()
    }

    /// Writes the members of an item that every move changes, and its id.
    fileprivate mutating func encodeStamp(of item: Item) {
        member("id", item.id)
        let (position, version, modifiedAt) = (item.position, item.version, item.modifiedAt)
        members(room: 160) { text in
            text.appendMember("day", position.day)
            text.appendMember("sortOrder", position.sortOrder)
            text.appendMember("version", version)
            text.appendMember("modifiedAt") { modifiedAt.append(to: &$0) }
        }
        member("modifiedBy", item.modifiedBy)
    }

    /// The kind and the kind's own fields.
    package mutating func encodeMembers(of content: ItemContent) {
        switch content {
        case .game(let game): encodeMembers(of: game)
        case .travel(let travel): encodeMembers(of: travel)
        case .custom(let custom): encodeMembers(of: custom)
        }
    }

    /// Writes a problem.
    package mutating func encode(_ problem: Problem) {
        beginObject()
        member("kind", problem.kind.rawValue)
        member("key", problem.key)
        key("items")
        encode(problem.items)
        member("day", problem.day)
        member("message", problem.message)
        if let games = problem.games {
            member("after", games.after.description)
            member("before", games.before.description)
        }
        if problem.kind.isHint { member("hint", true) }
        if problem.isAccepted { member("accepted", true) }
        endObject()
    }
}

extension Item {
    /// The encoded item, without the last imported values.
    package func encoded() -> [UInt8] {
        var json = JSONWriter(reserving: 320 + textBytes)
        json.encode(sent: self)
        return json.take()
    }
}

extension JSONWriter {
    /// Writes an item without the last imported values. All copies of the item share its encoded fields.
    mutating func encode(sent item: Item) {
        let fields = item.shared.encoded { content in
            var json = JSONWriter(reserving: 256)
            json.beginObject()
            json.encodeMembers(of: content)
            json.endObject()
            return json.take()
        }
        beginObject()
        encodeStamp(of: item)
        endObject(withMembersOf: fields)
    }
}

extension Problem {
    /// The encoded list of problems.
    package static func encoded(_ problems: [Problem]) -> [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        for problem in problems { json.encode(problem) }
        json.endArray()
        return json.take()
    }
}

extension Read {
    static func items(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [Item] {
        var items: [Item] = []
        items.reserveCapacity(node.count)
        for element in node.elements { items.append(try Item(element)) }
        return items
    }

    static func strings(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [String] {
        guard node.kind == .array else { throw .invalid(field, "an array is needed") }
        var strings: [String] = []
        for element in node.elements { strings.append(try string(element, field)) }
        return strings
    }

    static func itemIDs(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [ItemID] {
        var ids: [ItemID] = []
        ids.reserveCapacity(node.count)
        for element in node.elements { ids.append(try itemID(element, field)) }
        return ids
    }

    static func problems(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [Problem] {
        var problems: [Problem] = []
        for element in node.elements {
            let fields = try Fields(element, path: field)
            guard let kind = Problem.Kind(rawValue: try fields.required("kind", Read.string)) else {
                continue
            }
            var games: Problem.BetweenGames?
            if let after = try fields.optional("after", Read.itemID),
                let before = try fields.optional("before", Read.itemID)
            {
                games = Problem.BetweenGames(after: after, before: before)
            }
            problems.append(
                Problem(
                    kind: kind, items: try fields.required("items", Read.itemIDs),
                    day: try fields.required("day", Read.int),
                    message: try fields.required("message", Read.string), games: games,
                    isAccepted: try fields.optional("accepted", Read.bool) ?? false))
        }
        return problems
    }
}

extension FieldChange {
    /// Decodes the object `set` of an update; null clears an optional field.
    static func list(_ node: JSONNode, _ path: FieldPath) throws(WireError) -> [FieldChange] {
        guard node.kind == .object else { throw .invalid(path, "an object is needed") }
        var changes: [FieldChange] = []
        for (key, value) in node.members {
            if let change = try FieldChange(key, value, FieldPath(sent: key, of: path)) {
                changes.append(change)
            }
        }
        guard let said = node["said"], !said.isNull else { return changes }
        let place = FieldPath(sent: "said", of: path)
        guard let index = changes.firstIndex(where: { $0.field == .source }),
            case .source(var source)? = changes[index].value
        else { throw .invalid(place, "it is only allowed with source") }
        source.said = try SourceValues(said, place)
        changes[index] = FieldChange(.source, .source(source))
        return changes
    }

    /// Nil for an unknown field.
    private init?(_ key: String, _ value: JSONNode, _ path: FieldPath) throws(WireError) {
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
