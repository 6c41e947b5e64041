import JSONLine
import TripModel

/// What leads from one version of a trip to a newer one of the same history.
package struct TripDelta: Equatable, Sendable {
    /// The trip.
    package let trip: TripID
    /// Names the unbroken history that both versions belong to.
    package let epoch: String
    /// The version that it leads on from.
    package let from: Int
    /// The version that it leads to.
    package let version: Int
    /// Who made the last of the changes.
    package let cause: Cause?
    /// The header, where it changed.
    package let header: TripHeader?
    /// Whole items that are new or changed.
    package let upserts: [Item]
    /// Items that are gone; may name some that were never there.
    package let removed: [ItemID]
    /// All problems, where they may have changed.
    package let problems: [Problem]?

    /// Makes a delta.
    package init(
        trip: TripID, epoch: String, from: Int, version: Int, cause: Cause? = nil, header: TripHeader? = nil,
        upserts: [Item] = [], removed: [ItemID] = [], problems: [Problem]? = nil
    ) {
        self.trip = trip
        self.epoch = epoch
        self.from = from
        self.version = version
        self.cause = cause
        self.header = header
        self.upserts = upserts
        self.removed = removed
        self.problems = problems
    }
}

extension TripDelta {
    init(_ fields: Fields) throws(WireError) {
        self.init(
            trip: try fields.required("trip", Read.identifier),
            epoch: try fields.required("epoch", Read.string),
            from: try fields.required("from", Read.int),
            version: try fields.required("version", Read.int),
            cause: try fields.optional("cause") { node, field throws(WireError) in
                try Cause(try Fields(node, path: field))
            },
            header: try fields.optional("header") { node, _ throws(WireError) in try TripHeader(node) },
            upserts: try fields.required("upserts", Read.items),
            removed: try fields.required("removed", Read.itemIDs),
            problems: try fields.optional("problems", Read.problems))
    }

    /// The delta as a line of the wire, newline included.
    package func line() -> [UInt8] {
        ServerLine.notification("trip.delta") { encodeMembers(into: &$0) }
    }

    /// The members of the delta, without the braces around them.
    package func encodeMembers(into json: inout JSONWriter) {
        json.member("trip", trip)
        json.member("epoch", epoch)
        json.member("from", from)
        json.member("version", version)
        if let cause {
            json.key("cause")
            json.encode(cause)
        }
        if let header {
            json.key("header")
            json.encode(header)
        }
        json.key("upserts")
        json.beginArray()
        for item in upserts { json.encode(item) }
        json.endArray()
        json.key("removed")
        json.encode(removed)
        guard let problems else { return }
        json.key("problems")
        json.beginArray()
        for problem in problems { json.encode(problem) }
        json.endArray()
    }
}

/// What a subscription begins with.
package struct Subscription: Equatable, Sendable {
    /// How the client comes to the present state.
    package enum Start: Equatable, Sendable {
        /// It has it already.
        case upToDate
        /// By one step from what it has.
        case delta(TripDelta)
        /// By taking this for what it has.
        case snapshot(Snapshot)
    }

    /// How the client comes to the present state.
    package let start: Start
    /// Who has the trip open.
    package let users: [PresentUser]

    /// Reads the answer to trip.subscribe.
    package init(result: JSONNode) throws(WireError) {
        let fields = try Fields(result)
        users = try fields.optional("presence", Read.users) ?? []
        if let node = fields.present("snapshot") {
            start = .snapshot(try Snapshot(result: node))
        } else if let node = fields.present("delta") {
            start = .delta(try TripDelta(try Fields(node, path: "delta")))
        } else if try fields.optional("upToDate", Read.bool) == true {
            start = .upToDate
        } else {
            throw WireError(.internalError, "a subscription that begins with nothing")
        }
    }
}

extension Read {
    static func itemIDs(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [ItemID] {
        var ids: [ItemID] = []
        ids.reserveCapacity(node.count)
        for element in node.elements { ids.append(try itemID(element, field)) }
        return ids
    }
}
