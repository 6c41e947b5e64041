import JSONLine
import TripModel

extension ItemContent {
    /// Reads the kind and the kind's own fields of an item.
    init(_ fields: Fields) throws(WireError) {
        func text(_ key: StaticString) throws(WireError) -> String { try fields.required(key, Read.string) }
        func optionalText(_ key: StaticString) throws(WireError) -> String? {
            try fields.optional(key, Read.string)
        }
        let minutes = try fields.optional("durationMinutes", Read.int)
        switch try fields.required("kind", Read.string) {
        case "game":
            self = .game(
                Game(
                    gameID: try text("gameId"), title: try text("title"), city: try optionalText("city"),
                    venue: try optionalText("venue"),
                    startsAt: try fields.required("startsAt", Read.dateTime),
                    timeZone: try optionalText("timeZone"), durationMinutes: minutes))
        case "travel":
            self = .travel(
                Travel(
                    fromCity: try text("fromCity"), toCity: try text("toCity"),
                    mode: try optionalText("mode"), durationMinutes: minutes, note: try optionalText("note"),
                    afterGame: try fields.optional("afterGame", Read.itemID),
                    beforeGame: try fields.optional("beforeGame", Read.itemID)))
        case "custom":
            self = .custom(
                CustomItem(
                    title: try text("title"), icon: try optionalText("icon"), city: try optionalText("city"),
                    note: try optionalText("note"), durationMinutes: minutes,
                    cost: try fields.optional("cost", Read.cost)))
        default:
            throw .invalid(fields.name("kind"), "\"game\", \"travel\" or \"custom\" is needed")
        }
    }
}

extension Item {
    /// Reads an item as the daemon writes it.
    package init(_ node: JSONNode) throws(WireError) {
        let fields = try Fields(node, path: "item")
        let order = try fields.required("sortOrder", Read.double)
        guard order.magnitude <= Position.maximumOrder else {
            throw .invalid(fields.name("sortOrder"), "a sort order lies within ±1e15")
        }
        guard let modifiedAt = Timestamp(try fields.required("modifiedAt", Read.string)) else {
            throw .invalid(fields.name("modifiedAt"), "a moment like 2026-06-11T19:00:00.000Z is needed")
        }
        self.init(
            id: try fields.required("id", Read.itemID),
            position: Position(day: try fields.required("day", Read.int), sortOrder: order),
            content: try ItemContent(fields), version: try fields.required("version", Read.int),
            modifiedAt: modifiedAt, modifiedBy: try fields.required("modifiedBy", Read.string))
    }
}

extension TripHeader {
    /// Reads a header as the daemon writes it.
    package init(_ node: JSONNode) throws(WireError) {
        let fields = try Fields(node, path: "trip")
        self.init(
            id: try fields.required("id", Read.identifier), slug: try fields.required("slug", Read.string),
            name: try fields.required("name", Read.string),
            startDate: try fields.required("startDate", Read.date),
            timeZone: try fields.required("timeZone", Read.string),
            dayCount: try fields.required("dayCount", Read.int))
    }
}

extension FieldChange {
    /// Reads the object `set` of an update; null clears a field that may be left out.
    static func list(_ node: JSONNode, _ path: FieldPath) throws(WireError) -> [FieldChange] {
        guard node.kind == .object else { throw .invalid(path, "an object is needed") }
        let object = path.description
        var changes: [FieldChange] = []
        for (key, value) in node.members {
            if let change = try FieldChange(key, value, FieldPath(object: object, sent: key)) {
                changes.append(change)
            }
        }
        return changes
    }

    /// Nil for a field that the protocol does not know.
    private init?(_ key: String, _ value: JSONNode, _ field: FieldPath) throws(WireError) {
        func optional<Value>(
            _ read: (JSONNode, FieldPath) throws(WireError) -> Value
        ) throws(WireError) -> Value? {
            value.isNull ? nil : try read(value, field)
        }
        switch key {
        case "title": self = .title(try Read.string(value, field))
        case "city": self = .city(try optional(Read.string))
        case "note": self = .note(try optional(Read.string))
        case "icon": self = .icon(try optional(Read.string))
        case "durationMinutes": self = .durationMinutes(try optional(Read.int))
        case "cost": self = .cost(try optional(Read.cost))
        case "gameId": self = .gameID(try Read.string(value, field))
        case "venue": self = .venue(try optional(Read.string))
        case "startsAt": self = .startsAt(try Read.dateTime(value, field))
        case "timeZone": self = .timeZone(try optional(Read.string))
        case "fromCity": self = .fromCity(try Read.string(value, field))
        case "toCity": self = .toCity(try Read.string(value, field))
        case "mode": self = .mode(try optional(Read.string))
        case "afterGame": self = .afterGame(try optional(Read.itemID))
        case "beforeGame": self = .beforeGame(try optional(Read.itemID))
        case "id", "kind", "day", "sortOrder", "version", "modifiedAt", "modifiedBy":
            throw .invalid(field, "it cannot be set; an item's place changes by item.move")
        default: return nil
        }
    }
}
