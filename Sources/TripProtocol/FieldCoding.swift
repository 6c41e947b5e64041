import JSONLine
import TripModel

// The wire encoding of items' fields, by the types of their values.

/// A member of an item's object that is not a field of the item's kind.
struct OtherMember {
    let key: JSONNode
    let value: JSONNode
    let kind: ItemKind
    /// The field of another kind with this name.
    let field: ItemField?
}

extension FieldKeeper {
    /// Decodes the kind's own fields in one pass over the members.
    ///
    /// - Parameter readOther: called with each other member.
    init(_ fields: Fields, _ readOther: (OtherMember) throws(WireError) -> Void) throws(WireError) {
        self = Self.blank
        let kind = Self.kind
        var missing = kind.fields.count { $0.isRequired }
        guard let members = fields.members else { preconditionFailure("its kind has been read") }
        for (key, value) in members {
            let field = key.withStringBytes { ItemField(utf8: $0) }
            guard let field = field ?? nil, kind.fields.contains(field) else {
                try readOther(OtherMember(key: key, value: value, kind: kind, field: field ?? nil))
                continue
            }
            let row = field.row
            if row.isRequired { missing -= 1 }
            if row.isRequired || !value.isNull {
                self[field] = try FieldValue(value, as: row.type, fields.name(row.key))
            }
        }
        if case .source(var source)? = self[.source], let said = fields.present("said") {
            source.said = try SourceValues(said, at: fields.name("said"))
            self[.source] = .source(source)
        }
        guard missing == 0 else {
            for field in kind.fields where field.isRequired && fields.node(field.row.key) == nil {
                throw .invalid(fields.name(field.row.key), "it is missing")
            }
            preconditionFailure("an object has no key twice")
        }
    }
}

extension FieldValue {
    init(_ node: JSONNode, as type: FieldType, _ path: FieldPath) throws(WireError) {
        switch type {
        case .text: self = .text(try String(node, at: path))
        case .minutes: self = .minutes(try Int(node, at: path))
        case .nights: self = .nights(try Int(node, at: path))
        case .flag: self = .flag(try Bool(node, at: path))
        case .moment: self = .moment(try OffsetDateTime(node, at: path))
        case .cost: self = .cost(try Cost(node, at: path))
        case .side: self = .side(try TravelSide(node, at: path))
        case .time: self = .time(try ClockTime(node, at: path))
        case .coordinate: self = .coordinate(try Coordinate(node, at: path))
        case .source: self = .source(try ItemSource(node, at: path))
        }
    }
}

extension JSONWriter {
    /// The kind and the kind's own fields.
    mutating func encodeMembers<Content: FieldKeeper>(of content: Content) {
        member("kind", Content.kind.rawValue)
        for slot in Content.slots {
            guard let value = slot.get(content) else { continue }
            member(slot.field.row.key, value)
        }
    }

    private mutating func member(_ key: StaticString, _ value: FieldValue) {
        switch value {
        case .text(let text): member(key, text)
        case .minutes(let minutes): member(key, minutes)
        default:
            self.key(key)
            encode(value)
        }
    }

    mutating func encode(_ value: FieldValue) {
        switch value {
        case .text(let text): self.value(text)
        case .minutes(let minutes): self.value(minutes)
        case .nights(let nights): self.value(nights)
        case .flag(let flag): self.value(flag)
        case .moment(let moment): moment.encode(into: &self)
        case .cost(let cost): cost.encode(into: &self)
        case .side(let side): side.encode(into: &self)
        case .time(let time): time.encode(into: &self)
        case .coordinate(let point): point.encode(into: &self)
        case .source(let source): source.encode(into: &self)
        }
    }
}
