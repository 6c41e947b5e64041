import JSONLine
import TripModel

/// The changes from one version of a trip to a newer one of the same epoch.
package struct TripDelta: Equatable, Sendable {
    /// The trip.
    package let trip: TripID
    /// The epoch of both versions.
    package let epoch: String
    /// The version before.
    package let from: Int
    /// The version after.
    package let version: Int
    /// The author of the last change.
    package let cause: Cause?
    /// The header, if it changed.
    package let header: TripHeader?
    /// The added or changed items.
    package let upserts: [Item]
    /// The removed items; may contain unknown ones.
    package let removed: [ItemID]
    /// All problems, if they may have changed.
    package let problems: [Problem]?

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
            trip: try fields.required("trip"), epoch: try fields.required("epoch"),
            from: try fields.required("from"), version: try fields.required("version"),
            cause: try fields.optional("cause"), header: try fields.optional("header"),
            upserts: try fields.required("upserts"), removed: try fields.required("removed"),
            problems: try fields.problems())
    }
}

/// A delta with encoded parts, which are shared by all recipients.
package struct EncodedDelta: Sendable {
    /// The members `trip` and `epoch`, which are the same in all deltas of a trip.
    package let identity: [UInt8]
    /// The version before.
    package let from: Int
    /// The version after.
    package let version: Int
    /// The encoded author of the last change.
    package let cause: [UInt8]?
    /// The header, if it changed.
    package let header: TripHeader?
    /// The added or changed items; empty ones are omitted.
    package let upserts: [[UInt8]]
    /// The removed items.
    package let removed: [ItemID]
    /// The list of problems, if they may have changed.
    package let problems: [UInt8]?

    package init(
        identity: [UInt8], from: Int, version: Int, cause: [UInt8]?, header: TripHeader?,
        upserts: [[UInt8]], removed: [ItemID], problems: [UInt8]?
    ) {
        self.identity = identity
        self.from = from
        self.version = version
        self.cause = cause
        self.header = header
        self.upserts = upserts
        self.removed = removed
        self.problems = problems
    }

    /// Encodes the members that name a trip and an epoch.
    package static func identity(_ trip: TripID, epoch: String) -> [UInt8] {
        JSONWriter.members { json in
            json.member("trip", trip)
            json.member("epoch", epoch)
        }
    }

    /// The notification trip.delta.
    package func line() -> [UInt8] {
        ServerLine.notification("trip.delta", reserving: capacity) { encodeMembers(into: &$0) }
    }

    /// The members of the delta, without braces.
    package func members() -> [UInt8] {
        JSONWriter.members(reserving: capacity) { encodeMembers(into: &$0) }
    }

    private var capacity: Int { 512 + (problems?.count ?? 0) + upserts.reduce(0) { $0 + $1.count } }

    private func encodeMembers(into json: inout JSONWriter) {
        json.raw(members: identity)
        json.members(room: 64) { text in
            text.appendMember("from", from)
            text.appendMember("version", version)
        }
        if let cause {
            json.key("cause")
            json.raw(cause)
        }
        if let header {
            json.key("header")
            json.encode(header)
        }
        json.key("upserts")
        json.beginArray()
        for item in upserts where !item.isEmpty { json.raw(item) }
        json.endArray()
        json.key("removed")
        json.encode(removed)
        guard let problems else { return }
        json.key("problems")
        json.raw(problems)
    }
}

extension ServerLine {
    /// The notification trip.delta with a delta's members.
    package static func delta(members: [UInt8]) -> [UInt8] {
        notification("trip.delta", reserving: members.count + 96) { $0.raw(members: members) }
    }
}

extension Cause: WireObject {
    /// The encoded author.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        encode(into: &json)
        return json.take()
    }

    init<Coder: MemberCoder>(_ coder: inout Coder, encoding cause: Cause?) throws(Coder.Failure) {
        self.init(
            user: try coder.required("user", cause?.user),
            clientID: try coder.required("clientId", cause?.clientID),
            method: try coder.required("method", cause?.method))
    }
}
