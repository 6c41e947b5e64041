import JSONLine
import TripModel

extension ItemContent {
    /// Reads the kind and the kind's own fields of an item.
    ///
    /// - Parameter readOther: is given each other member.
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
    /// Reads what an item is from the object of the item; where it stands is for others.
    package init(_ node: JSONNode) throws(WireError) {
        try self.init(Fields(node, path: "item"))
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
        var changes: [FieldChange] = []
        for (key, value) in node.members {
            if let change = try FieldChange(key, value, FieldPath(sent: key, of: path)) {
                changes.append(change)
            }
        }
        return changes
    }

    /// Nil for a field that the protocol does not know.
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
