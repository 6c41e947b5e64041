import JSONLine
import TripModel

/// The encoding of the model's values, without Foundation.
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
        for id in ids { plainString(ItemID.textBytes) { id.append(to: &$0) } }
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

    /// Writes a version of the protocol.
    package mutating func encode(_ version: ProtocolVersion) {
        beginObject()
        member("major", version.major)
        member("minor", version.minor)
        endObject()
    }

    /// Writes a row of the list under the key of its kind, or nothing for nil.
    package mutating func member(_ row: ListRow?, item: StaticString, day: StaticString) {
        switch row {
        case .item(let id): member(item, id)
        case .day(let number): member(day, number)
        case nil: break
        }
    }

    /// Writes a placement.
    package mutating func encode(_ placement: Placement) {
        beginObject()
        member("day", placement.day)
        switch placement {
        case .after(let id, _): member("after", id)
        case .before(let id, _): member("before", id)
        case .between(let above, let below, _):
            member("after", above)
            member("before", below)
        case .start: member("at", "start")
        case .end: member("at", "end")
        case .order(let order, _): member("sortOrder", order)
        }
        endObject()
    }
}
