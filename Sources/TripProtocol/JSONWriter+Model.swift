import JSONLine
import TripModel

/// How the model's values look on the wire. Nothing here goes through Foundation.
extension JSONWriter {
    package mutating func member<Subject>(_ name: StaticString, _ id: Identifier<Subject>) {
        member(name, plain: Identifier<Subject>.textBytes) { id.append(to: &$0) }
    }

    package mutating func member<Subject>(_ name: StaticString, _ id: Identifier<Subject>?) {
        if let id { member(name, id) }
    }

    package mutating func encode(_ ids: some Sequence<ItemID>) {
        beginArray()
        for id in ids { plainString(ItemID.textBytes) { id.append(to: &$0) } }
        endArray()
    }

    package mutating func encode(_ numbers: some Sequence<Int>) {
        beginArray()
        for number in numbers { value(number) }
        endArray()
    }

    package mutating func encode(_ days: ClosedRange<Int>) {
        encode([days.lowerBound, days.upperBound])
    }

    package mutating func encode(_ version: ProtocolVersion) {
        beginObject()
        member("major", version.major)
        member("minor", version.minor)
        endObject()
    }

    package mutating func encode(_ header: TripHeader) {
        beginObject()
        encodeMembers(of: header)
        endObject()
    }

    package mutating func encodeMembers(of header: TripHeader) {
        member("id", header.id)
        member("slug", header.slug)
        member("name", header.name)
        member("startDate", header.startDate.description)
        member("timeZone", header.timeZone)
        member("dayCount", header.dayCount)
    }

    package mutating func encode(_ item: Item) {
        beginObject()
        member("id", item.id)
        let (position, version, modifiedAt) = (item.position, item.version, item.modifiedAt)
        members(room: 160) { text in
            text.appendMember("day", position.day)
            text.appendMember("sortOrder", position.sortOrder)
            text.appendMember("version", version)
            text.appendMember("modifiedAt") { modifiedAt.append(to: &$0) }
        }
        member("modifiedBy", item.modifiedBy)
        encodeMembers(of: item.content)
        endObject()
    }

    /// The kind and the kind's own fields.
    package mutating func encodeMembers(of content: ItemContent) {
        switch content {
        case .game(let game): encodeMembers(of: game)
        case .travel(let travel): encodeMembers(of: travel)
        case .custom(let custom): encodeMembers(of: custom)
        }
    }

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

    package mutating func encode(_ problem: Problem) {
        beginObject()
        member("kind", problem.kind.rawValue)
        key("items")
        encode(problem.items)
        member("day", problem.day)
        member("message", problem.message)
        endObject()
    }

    /// `validDays`, `barriers` and `gaps`.
    package mutating func encodeMembers(of report: GapReport) {
        key("validDays")
        if let days = report.validDays { encode(days) } else { null() }
        key("barriers")
        encode(report.barriers)
        key("gaps")
        beginArray()
        for gap in report.gaps {
            beginObject()
            member("day", gap.day)
            key("after")
            if let after = gap.after { value(after.description) } else { null() }
            key("before")
            if let before = gap.before { value(before.description) } else { null() }
            member("valid", gap.isValid)
            member("reason", gap.refusal?.reason.rawValue)
            endObject()
        }
        endArray()
    }
}
