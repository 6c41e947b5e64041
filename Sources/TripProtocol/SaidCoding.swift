import JSONLine
import TripModel

// `said`, a member beside an item's fields: the item's values at its last import. They are stored, and sent only on request.

extension SourceValues: WireValue {
    /// Reads the object; members that are not known here are ignored.
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        self.init()
        let fields = try Fields(node, path: path)
        for (key, value) in node.members where !value.isNull {
            guard let field = ItemField(name: key), Self.canHold(field) else { continue }
            self[field] = try FieldValue(value, as: field.row.type, FieldPath(sent: key, of: path))
        }
        if let date: CalendarDate = try fields.optional("date") {
            day = .date(date)
        } else if let number: Int = try fields.optional("day") {
            day = .number(number)
        }
        for name in fields.present("kept").map({ Array($0.elements) }) ?? [] {
            switch name.string {
            case "day"?: keepsDay = true
            case let name?: if let field = ItemField(name: name) { keptFields.insert(field) }
            case nil: throw .invalid(fields.name("kept"), "a list of names is needed")
            }
        }
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        for change in values {
            guard let value = change.value else { continue }
            json.key(change.field.row.key)
            json.encode(value)
        }
        switch day {
        case .date(let date)?: json.member("date", date.description)
        case .number(let number)?: json.member("day", number)
        case nil: break
        }
        if !keptFields.isEmpty || keepsDay {
            json.key("kept")
            json.beginArray()
            for field in ItemField.allCases where keptFields.contains(field) { json.value(field.name) }
            if keepsDay { json.value("day") }
            json.endArray()
        }
        json.endObject()
    }
}

extension JSONWriter {
    /// Writes the member `said`, or nothing if the values are unknown.
    mutating func member(said: SourceValues?) { _ = optional("said", said) }
}

extension Item {
    /// The item as it is stored, decoded from its encoded bytes, with the last imported values.
    package func stored(_ wire: [UInt8]) -> [UInt8] {
        guard let said = content.said else { return wire }
        var json = JSONWriter(reserving: 512)
        said.encode(into: &json)
        let value = json.take()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(wire.count + value.count + 8)
        // The last byte closes the object.
        bytes += wire.dropLast()
        bytes += #","said":"#.utf8
        bytes += value
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
