import JSONLine
import TripModel

extension ItemContent {
    /// Decodes the kind and the kind's own fields of an item.
    ///
    /// - Parameter readOther: called with each other member.
    init(
        _ fields: Fields, _ readOther: (OtherMember) throws(WireError) -> Void = { _ throws(WireError) in }
    ) throws(WireError) {
        switch ItemKind(rawValue: try fields.required("kind")) {
        case .game?: self = .game(try Game(fields, readOther))
        case .travel?: self = .travel(try Travel(fields, readOther))
        case .custom?: self = .custom(try CustomItem(fields, readOther))
        case nil: throw .invalid(fields.name("kind"), "\"game\", \"travel\" or \"custom\" is needed")
        }
    }
}

extension ItemContent: WireValue {
    /// Decodes the content of an item from its object, without its position.
    package init(_ node: JSONNode) throws(WireError) { try self.init(node, at: "item") }

    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        try self.init(Fields(node, path: path))
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.encodeMembers(of: self)
        json.endObject()
    }
}

extension Item: WireValue {
    /// Decodes an item as encoded by the daemon.
    package init(_ node: JSONNode) throws(WireError) { try self.init(node, at: "item") }

    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        let fields = try Fields(node, path: path)
        let order: Double = try fields.required("sortOrder")
        guard order.magnitude <= Position.maximumOrder else {
            throw .invalid(fields.name("sortOrder"), "a sort order is within ±1e15")
        }
        self.init(
            id: try fields.required("id"),
            position: Position(day: try fields.required("day"), sortOrder: order),
            content: try ItemContent(fields), version: try fields.required("version"),
            modifiedAt: try fields.required("modifiedAt"), modifiedBy: try fields.required("modifiedBy"))
    }

    func encode(into json: inout JSONWriter) { json.encode(self) }
}

extension JSONWriter {
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

    /// The beginning of an encoded item: its id, day and order, without the closing brace.
    package static func place(ofEncoded item: [UInt8]) -> ArraySlice<UInt8> {
        var commas = 0
        let end = item[(#"{"id":""#.utf8.count + ItemID.textBytes)...].firstIndex { byte in
            if byte == UInt8(ascii: ",") { commas += 1 }
            return commas == 3
        }
        guard let end else { preconditionFailure("an item's version follows its place") }
        return item[..<end]
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

extension Fields {
    /// The member `problems`, without those of an unknown kind, from a newer daemon.
    func problems() throws(WireError) -> [Problem]? {
        guard present("problems") != nil else { return nil }
        var problems: [Problem] = []
        for fields in try objects("problems") {
            guard let kind = Problem.Kind(rawValue: try fields.required("kind")) else { continue }
            var games: Problem.BetweenGames?
            if let after: ItemID = try fields.optional("after"),
                let before: ItemID = try fields.optional("before")
            {
                games = Problem.BetweenGames(after: after, before: before)
            }
            problems.append(
                Problem(
                    kind: kind, items: try fields.required("items"), day: try fields.required("day"),
                    message: try fields.required("message"), games: games,
                    isAccepted: try fields.optional("accepted") ?? false))
        }
        return problems
    }
}
