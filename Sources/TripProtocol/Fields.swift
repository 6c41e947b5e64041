import JSONLine
import TripModel

/// The path of a field in a request; converted to text only for an error.
struct FieldPath: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The object or array of the field.
    private let parent: Parent
    private let key: Key

    private enum Key {
        case known(StaticString)
        case sent(String)
        case index(Int)
    }

    /// The shared part of the paths of one object or array.
    fileprivate indirect enum Parent {
        case request
        case value(of: FieldPath)

        /// - Parameter path: nil for the request itself.
        init(_ path: FieldPath?) { self = path.map { .value(of: $0) } ?? .request }
    }

    /// A field of the request itself.
    init(stringLiteral key: StaticString) { self.init(key, in: .request) }

    fileprivate init(_ key: StaticString, in parent: Parent) {
        self.parent = parent
        self.key = .known(key)
    }

    /// A field by its name in the request.
    init(sent key: String, of object: FieldPath) {
        parent = .value(of: object)
        self.key = .sent(key)
    }

    init(_ index: Int, of array: FieldPath) {
        parent = .value(of: array)
        key = .index(index)
    }

    var description: String {
        let parent =
            switch parent {
            case .request: ""
            case .value(let path): path.description
            }
        let dot = parent.isEmpty ? "" : "."
        return switch key {
        case .known(let key): "\(parent)\(dot)\(key)"
        case .sent(let key): "\(parent)\(dot)\(key)"
        case .index(let index): "\(parent)[\(index)]"
        }
    }
}

/// The fields of one object of a request, by name; errors contain the field's whole path.
struct Fields {
    private let object: JSONNode?
    /// The object's path in the request.
    private let place: FieldPath.Parent

    /// - Parameter object: nil for an empty object.
    init(_ object: JSONNode?, path: FieldPath? = nil) throws(WireError) {
        if let object, object.kind != .object {
            throw .invalid(path ?? "params", "an object is needed")
        }
        self.object = object
        place = FieldPath.Parent(path)
    }

    func name(_ key: StaticString) -> FieldPath { FieldPath(key, in: place) }

    /// All members, known or not.
    var members: JSONMemberNodes? { object?.memberNodes }

    /// The value of a field; nil if it is missing.
    func node(_ key: StaticString) -> JSONNode? { object?[key] }

    /// The value of a field; nil if it is missing or null.
    func present(_ key: StaticString) -> JSONNode? {
        guard let node = node(key), !node.isNull else { return nil }
        return node
    }

    func optional<Value>(
        _ key: StaticString, _ read: (JSONNode, FieldPath) throws(WireError) -> Value
    ) throws(WireError) -> Value? {
        guard let node = present(key) else { return nil }
        return try read(node, name(key))
    }

    func required<Value>(
        _ key: StaticString, _ read: (JSONNode, FieldPath) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        guard let node = node(key) else { throw .invalid(name(key), "it is missing") }
        return try read(node, name(key))
    }
}

extension JSONNode {
    /// The id in a string; nil for anything else. It is decoded from the bytes, without creating a string.
    package func identifier<Subject>(of subject: Subject.Type) -> Identifier<Subject>? {
        withStringBytes { Identifier(utf8: $0) } ?? nil
    }
}

/// Decoders of single values; the second argument is the field's path for the error.
enum Read {
    static func string(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> String {
        guard let text = node.string else { throw .invalid(field, "a string is needed") }
        return text
    }

    static func int(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Int {
        guard let number = node.int else {
            throw .invalid(field, "an integer within ±(2^53 − 1) is needed, written without a point")
        }
        return number
    }

    static func double(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Double {
        guard let number = node.double else { throw .invalid(field, "a number is needed") }
        return number
    }

    static func bool(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Bool {
        guard let flag = node.bool else { throw .invalid(field, "true or false is needed") }
        return flag
    }

    static func identifier<Subject>(
        _ node: JSONNode, _ field: FieldPath
    ) throws(WireError) -> Identifier<Subject> {
        if let id = node.identifier(of: Subject.self) { return id }
        throw .invalid(field, node.kind == .string ? "a lower-case UUID is needed" : "a string is needed")
    }

    static func itemID(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> ItemID {
        try identifier(node, field)
    }

    static func side(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> TravelSide {
        guard let side = TravelSide(try string(node, field)) else {
            throw .invalid(field, "the item id of an event is needed, or \(TravelSide.openWord)")
        }
        return side
    }

    static func date(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> CalendarDate {
        guard let date = CalendarDate(try string(node, field)) else {
            throw .invalid(field, "a date like 2026-06-11 is needed, in the years 1583 to 9999")
        }
        return date
    }

    static func dateTime(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> OffsetDateTime {
        guard let moment = OffsetDateTime(try string(node, field)) else {
            throw .invalid(field, "a moment with its offset is needed, like 2026-06-11T13:00:00-06:00")
        }
        return moment
    }

    static func timestamp(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Timestamp {
        guard let moment = Timestamp(try string(node, field)) else {
            throw .invalid(field, "a moment like 2026-06-11T19:00:00.000Z is needed")
        }
        return moment
    }

    static func cost(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Cost {
        let fields = try Fields(node, path: field)
        return Cost(
            amount: try fields.required("amount", double), currency: try fields.required("currency", string))
    }

    static func time(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> ClockTime {
        guard let time = ClockTime(try string(node, field)) else {
            throw .invalid(field, "a time of day is needed, from 00:00 to 23:59 with two digits each")
        }
        return time
    }

    static func coordinate(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Coordinate {
        let fields = try Fields(node, path: field)
        return Coordinate(
            latitude: try fields.required("lat", double), longitude: try fields.required("lon", double))
    }

    static func source(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> ItemSource {
        let fields = try Fields(node, path: field)
        return ItemSource(
            name: try fields.required("name", string), id: try fields.required("id", string))
    }

    static func role(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Hello.Role {
        guard let role = Hello.Role(rawValue: try string(node, field)) else {
            throw .invalid(field, "\"editor\" or \"viewer\" is needed")
        }
        return role
    }

    static func since(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> HistoryRequest.Since {
        if let version = node.int { return .version(version) }
        guard let moment = node.string.flatMap(OffsetDateTime.init) else {
            throw .invalid(field, "a version or a moment like 2026-06-11T13:00:00Z is needed")
        }
        return .time(moment)
    }

    static func reference(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> TripReference {
        // Only a slug needs a string.
        if let id = node.identifier(of: Trip.self) { return .id(id) }
        return TripReference(try string(node, field))
    }

    /// A row of the list, which at most one of two fields gives.
    static func row(
        _ fields: Fields, item: StaticString, day: StaticString
    ) throws(WireError) -> ListRow? {
        switch (try fields.optional(item, itemID), try fields.optional(day, int)) {
        case (let item?, nil): return .item(item)
        case (nil, let day?): return .day(day)
        case (nil, nil): return nil
        case (.some, .some):
            throw .invalid(fields.name(day), "only one of \(item) and \(day) may be given")
        }
    }

    static func placement(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Placement {
        let fields = try Fields(node, path: field)
        let day = try fields.required("day", int)
        var found: Placement?
        var count = 0
        func find(_ placement: Placement) {
            found = placement
            count += 1
        }
        switch (try fields.optional("after", itemID), try fields.optional("before", itemID)) {
        case (let above?, let below?): find(.between(above, below, day: day))
        case (let above?, nil): find(.after(above, day: day))
        case (nil, let below?): find(.before(below, day: day))
        case (nil, nil): break
        }
        if let end = fields.present("at") {
            if end.stringEquals("start") {
                find(.start(day: day))
            } else if end.stringEquals("end") {
                find(.end(day: day))
            } else {
                throw .invalid(fields.name("at"), "\"start\" or \"end\" is needed")
            }
        }
        if let order = try fields.optional("sortOrder", double) {
            guard order.magnitude <= Position.maximumOrder else {
                throw .invalid(fields.name("sortOrder"), "a sort order is within ±1e15")
            }
            find(.order(order, day: day))
        }
        guard count == 1, let placement = found else {
            throw .invalid(
                field,
                "exactly one of after, before, at and sortOrder is needed, or after and before together")
        }
        return placement
    }
}
