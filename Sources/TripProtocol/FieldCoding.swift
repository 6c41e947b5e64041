import JSONLine
import TripModel

// The fields of items on the wire, each by the type of its values.

extension FieldKeeper {
    /// Reads the kind's own fields.
    init(_ fields: Fields) throws(WireError) {
        self = Self.blank
        for field in Self.kind.fields {
            let row = field.row
            if let node = fields.node(row.key), row.isRequired || !node.isNull {
                self[field] = try FieldValue(node, as: row.type, fields.name(row.key))
            } else if row.isRequired {
                throw .invalid(fields.name(row.key), "it is missing")
            }
        }
    }
}

extension FieldValue {
    init(_ node: JSONNode, as type: FieldType, _ path: FieldPath) throws(WireError) {
        switch type {
        case .text: self = .text(try Read.string(node, path))
        case .minutes: self = .minutes(try Read.int(node, path))
        case .moment: self = .moment(try Read.dateTime(node, path))
        case .cost: self = .cost(try Read.cost(node, path))
        case .game: self = .game(try Read.itemID(node, path))
        case .time: self = .time(try Read.time(node, path))
        case .coordinate: self = .coordinate(try Read.coordinate(node, path))
        case .source: self = .source(try Read.source(node, path))
        }
    }
}

extension JSONWriter {
    /// The kind and the kind's own fields.
    mutating func encodeMembers<Content: FieldKeeper>(of content: Content) {
        member("kind", Content.kind.rawValue)
        for field in Content.kind.fields {
            guard let value = content[field] else { continue }
            key(field.row.key)
            encode(value)
        }
    }

    mutating func encode(_ value: FieldValue) {
        switch value {
        case .text(let text): self.value(text)
        case .minutes(let minutes): self.value(minutes)
        case .moment(let moment): self.value(moment.text)
        case .cost(let cost):
            beginObject()
            member("amount", cost.amount)
            member("currency", cost.currency)
            endObject()
        case .game(let id): plainString { id.append(to: &$0) }
        case .time(let time): self.value(time.description)
        case .coordinate(let point):
            beginObject()
            member("lat", point.latitude)
            member("lon", point.longitude)
            endObject()
        case .source(let source):
            beginObject()
            member("name", source.name)
            member("id", source.id)
            endObject()
        }
    }
}
