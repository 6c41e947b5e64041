import JSONLine
import TripModel

/// The line of an `item.move` with a number as its id, in the form in which `Request.line` writes it.
///
/// Most lines of a busy daemon have this form. Reading it in one pass takes about a third of the instructions of the general
/// decoder, which gives the same result.
package struct MoveLine {
    /// The request's id.
    package let id: Int
    private let trip: TripReference
    private let item: ItemID
    private let placement: Placement
    /// The options of the change.
    package let options: ChangeOptions
    /// The size of the parameters.
    package let byteCount: Int

    /// Reads a line without its newline; nil if it has any other form.
    package init?(_ line: UnsafeBufferPointer<UInt8>) {
        var reader = PlainReader(line)
        guard reader.skip("{\"jsonrpc\":\"2.0\",\"id\":"), let id = reader.integer(),
            reader.skip(",\"method\":\"item.move\",\"params\":")
        else { return nil }
        let start = reader.position
        guard reader.skip("{\"trip\":"), let trip = reader.tripReference(),
            reader.skip(",\"item\":"), let item = reader.identifier(of: Item.self),
            reader.skip(",\"to\":"), let placement = reader.placement()
        else { return nil }
        var options = ChangeOptions()
        guard reader.option(",\"seq\":", &options.seq), reader.option(",\"ifVersion\":", &options.ifVersion),
            reader.option(",\"ifItemVersion\":", &options.ifItemVersion), reader.skip("}")
        else { return nil }
        byteCount = reader.position - start
        guard reader.skip("}"), reader.isAtEnd else { return nil }
        (self.id, self.trip, self.item, self.placement, self.options) = (id, trip, item, placement, options)
    }

    /// The change.
    package var change: ChangeRequest {
        ChangeRequest(method: .moveItem, trip: trip, edits: [.move(item, to: placement)], options: options)
    }

    /// The parameters in the form of `JSONNode.canonicalBytes`.
    package var canonicalParams: [UInt8] {
        var json = JSONWriter(reserving: 256)
        json.beginObject()
        json.member("ifItemVersion", options.ifItemVersion)
        json.member("ifVersion", options.ifVersion)
        json.member("item", item)
        json.member("seq", options.seq)
        json.key("to")
        json.encode(canonical: placement)
        json.member("trip", trip.text)
        json.endObject()
        return json.take()
    }
}

extension PlainReader {
    fileprivate mutating func identifier<Subject>(of subject: Subject.Type) -> Identifier<Subject>? {
        quoted(Identifier<Subject>.textBytes).flatMap(Identifier.init(utf8:))
    }

    fileprivate mutating func tripReference() -> TripReference? {
        var ahead = self
        if let id = ahead.identifier(of: Trip.self) {
            self = ahead
            return .id(id)
        }
        return text().map { .slug($0) }
    }

    /// A placement.
    fileprivate mutating func placement() -> Placement? {
        guard skip("{\"day\":"), let day = integer() else { return nil }
        let placement: Placement
        if skip(",\"after\":") {
            guard let above = identifier(of: Item.self) else { return nil }
            if skip(",\"before\":") {
                guard let below = identifier(of: Item.self) else { return nil }
                placement = .between(above, below, day: day)
            } else {
                placement = .after(above, day: day)
            }
        } else if skip(",\"before\":") {
            guard let below = identifier(of: Item.self) else { return nil }
            placement = .before(below, day: day)
        } else if skip(",\"at\":\"start\"") {
            placement = .start(day: day)
        } else if skip(",\"at\":\"end\"") {
            placement = .end(day: day)
        } else if skip(",\"sortOrder\":"), let order = number().map(JSONNumber.double),
            order.magnitude <= Position.maximumOrder
        {
            placement = .order(order, day: day)
        } else {
            return nil
        }
        return skip("}") ? placement : nil
    }

    /// Reads the number of an option; false if it is there but has another form.
    fileprivate mutating func option(_ key: StaticString, _ value: inout Int?) -> Bool {
        guard skip(key) else { return true }
        value = integer()
        return value != nil
    }
}

extension JSONWriter {
    /// Writes the members of a placement in the order of their keys.
    fileprivate mutating func encode(canonical placement: Placement) {
        beginObject()
        switch placement {
        case .after(let above, _): member("after", above)
        case .before(let below, _): member("before", below)
        case .between(let above, let below, _):
            member("after", above)
            member("before", below)
        case .start: member("at", "start")
        case .end: member("at", "end")
        case .order: break
        }
        member("day", placement.day)
        if case .order(let order, _) = placement { member("sortOrder", order.isZero ? 0 : order) }
        endObject()
    }
}
