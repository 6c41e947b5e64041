import JSONLine
import TripModel

// The values of members and their encoding, without Foundation.

extension String: WireValue {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard let text = node.string else { throw .invalid(path, "a string is needed") }
        self = text
    }

    func encode(into json: inout JSONWriter) { json.value(self) }
    func encode(as key: StaticString, into json: inout JSONWriter) { json.member(key, self) }
}

extension Int: WireValue {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard let number = node.int else {
            throw .invalid(path, "an integer within ±(2^53 − 1) is needed, written without a point")
        }
        self = number
    }

    func encode(into json: inout JSONWriter) { json.value(self) }
}

extension Double: WireValue {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard let number = node.double else { throw .invalid(path, "a number is needed") }
        self = number
    }

    func encode(into json: inout JSONWriter) { json.value(self) }
}

extension Bool: WireValue {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard let flag = node.bool else { throw .invalid(path, "true or false is needed") }
        self = flag
    }

    func encode(into json: inout JSONWriter) { json.value(self) }
}

extension Array: WireValue where Element: WireValue {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard node.kind == .array else { throw .invalid(path, "an array is needed") }
        self = []
        reserveCapacity(node.count)
        for (index, element) in node.elements.enumerated() {
            append(try Element(element, at: FieldPath(index, of: path)))
        }
    }

    func encode(into json: inout JSONWriter) {
        json.beginArray()
        for element in self { element.encode(into: &json) }
        json.endArray()
    }
}

extension Identifier: WireValue {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard let id = node.identifier(of: Subject.self) else {
            throw .invalid(path, node.kind == .string ? "a lower-case UUID is needed" : "a string is needed")
        }
        self = id
    }

    func encode(into json: inout JSONWriter) { json.plainString(Self.textBytes) { append(to: &$0) } }
    func encode(as key: StaticString, into json: inout JSONWriter) { json.member(key, self) }
}

extension JSONNode {
    /// The id in a string; nil for anything else. It is decoded from the bytes, without creating a string.
    package func identifier<Subject>(of subject: Subject.Type) -> Identifier<Subject>? {
        withStringBytes { Identifier(utf8: $0) } ?? nil
    }
}

/// A value in a string.
protocol WireText: WireValue {
    init?(_ text: String)
    var text: String { get }
    /// The message of the error for any other text.
    static var needed: String { get }
}

extension WireText {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        guard let value = Self(try String(node, at: path)) else { throw .invalid(path, Self.needed) }
        self = value
    }

    func encode(into json: inout JSONWriter) { json.value(text) }

    static var needed: String { "a string is needed" }
}

extension WireText where Self: CustomStringConvertible {
    var text: String { description }
}

extension WireText where Self: RawRepresentable<String> {
    init?(_ text: String) { self.init(rawValue: text) }

    var text: String { rawValue }
}

extension TripReference: WireText {}

extension DragID: WireText {}

extension BatchID: WireText {}

extension CalendarDate: WireText {
    static var needed: String { "a date like 2026-06-11 is needed, in the years 1583 to 9999" }
}

extension OffsetDateTime: WireText {
    static var needed: String { "a moment with its offset is needed, like 2026-06-11T13:00:00-06:00" }
}

extension Timestamp: WireText {
    static var needed: String { "a moment like 2026-06-11T19:00:00.000Z is needed" }
}

extension ClockTime: WireText {
    static var needed: String { "a time of day is needed, from 00:00 to 23:59 with two digits each" }
}

extension TravelSide: WireText {
    static var needed: String { "the item id of an event is needed, or \(openWord)" }
}

// MARK: Fields of items

extension Cost: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding cost: Cost?) throws(Coder.Failure) {
        self.init(
            amount: try coder.required("amount", cost?.amount),
            currency: try coder.required("currency", cost?.currency))
    }
}

extension Coordinate: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding point: Coordinate?) throws(Coder.Failure) {
        self.init(
            latitude: try coder.required("lat", point?.latitude),
            longitude: try coder.required("lon", point?.longitude))
    }
}

/// Without the last imported values, which are a member of their own.
extension ItemSource: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding source: ItemSource?) throws(Coder.Failure) {
        self.init(
            name: try coder.required("name", source?.name), id: try coder.required("id", source?.id))
    }
}

// MARK: Places

extension Placement: WireValue {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        let fields = try Fields(node, path: path)
        let day: Int = try fields.required("day")
        var found: [Placement] = []
        switch (try fields.optional("after", ItemID?.none), try fields.optional("before", ItemID?.none)) {
        case (let above?, let below?): found.append(.between(above, below, day: day))
        case (let above?, nil): found.append(.after(above, day: day))
        case (nil, let below?): found.append(.before(below, day: day))
        case (nil, nil): break
        }
        if let end = fields.present("at") {
            if end.stringEquals("start") {
                found.append(.start(day: day))
            } else if end.stringEquals("end") {
                found.append(.end(day: day))
            } else {
                throw .invalid(fields.name("at"), "\"start\" or \"end\" is needed")
            }
        }
        if let order: Double = try fields.optional("sortOrder") {
            guard order.magnitude <= Position.maximumOrder else {
                throw .invalid(fields.name("sortOrder"), "a sort order is within ±1e15")
            }
            found.append(.order(order, day: day))
        }
        guard found.count == 1 else {
            throw .invalid(
                path,
                "exactly one of after, before, at and sortOrder is needed, or after and before together")
        }
        self = found[0]
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.member("day", day)
        switch self {
        case .after(let id, _): json.member("after", id)
        case .before(let id, _): json.member("before", id)
        case .between(let above, let below, _):
            json.member("after", above)
            json.member("before", below)
        case .start: json.member("at", "start")
        case .end: json.member("at", "end")
        case .order(let order, _): json.member("sortOrder", order)
        }
        json.endObject()
    }
}

extension MemberCoder {
    /// A row of the list, which at most one of two members gives.
    mutating func row(
        item: StaticString, day: StaticString, _ row: ListRow?
    ) throws(Failure) -> ListRow? {
        var (id, number): (ItemID?, Int?) = (nil, nil)
        switch row {
        case .item(let item): id = item
        case .day(let day): number = day
        case nil: break
        }
        (id, number) = (try optional(item, id), try optional(day, number))
        try check { fields throws(WireError) in
            if id != nil, number != nil {
                throw .invalid(fields.name(day), "only one of \(item) and \(day) may be given")
            }
        }
        return id.map { .item($0) } ?? number.map { .day($0) }
    }
}

extension JSONWriter {
    /// Writes a key and an id.
    package mutating func member<Subject>(_ name: StaticString, _ id: Identifier<Subject>) {
        member(name, plain: Identifier<Subject>.textBytes) { id.append(to: &$0) }
    }

    /// Writes a key and an id, or nothing for nil.
    package mutating func member<Subject>(_ name: StaticString, _ id: Identifier<Subject>?) {
        if let id { member(name, id) }
    }

    /// Writes a list of ids.
    package mutating func encode(_ ids: some Sequence<ItemID>) {
        beginArray()
        for id in ids { id.encode(into: &self) }
        endArray()
    }

    /// Writes a list of numbers.
    package mutating func encode(_ numbers: some Sequence<Int>) {
        beginArray()
        for number in numbers { value(number) }
        endArray()
    }

    /// Writes a range as its first and its last day.
    package mutating func encode(_ days: ClosedRange<Int>) {
        encode([days.lowerBound, days.upperBound])
    }

    /// Writes a placement.
    package mutating func encode(_ placement: Placement) { placement.encode(into: &self) }

    /// Writes a version of the protocol.
    package mutating func encode(_ version: ProtocolVersion) { version.encode(into: &self) }
}
