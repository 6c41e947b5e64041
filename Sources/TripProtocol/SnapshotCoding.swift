import JSONLine
import TripModel

// A whole trip: the answers to trip.get, trip.create and trip.subscribe, and trip.snapshot.

/// A snapshot whose items and problems have been encoded before, each once for all who are told it.
package struct EncodedSnapshot: Sendable {
    /// What is said of the trip besides its items.
    package let header: TripHeader
    /// Names the unbroken history that the version belongs to.
    package let epoch: String
    /// The trip's version.
    package let version: Int
    /// The items, in the order of the list.
    package let items: [[UInt8]]
    /// The list of problems.
    package let problems: [UInt8]

    /// Makes a snapshot.
    package init(header: TripHeader, epoch: String, version: Int, items: [[UInt8]], problems: [UInt8]) {
        self.header = header
        self.epoch = epoch
        self.version = version
        self.items = items
        self.problems = problems
    }

    /// The members of the snapshot, without the braces around them; `version` comes before any item.
    package func members() -> [UInt8] {
        // Most of it is items, which are copied once.
        let capacity = 512 + problems.count + items.reduce(0) { $0 + $1.count + 1 }
        return JSONWriter.members(reserving: capacity) { json in
            json.key("trip")
            json.encode(header)
            json.member("epoch", epoch)
            json.member("version", version)
            json.key("items")
            json.beginArray()
            for item in items { json.raw(item) }
            json.endArray()
            json.key("problems")
            json.raw(problems)
        }
    }
}

extension Snapshot {
    init(_ fields: Fields) throws(WireError) {
        let header = try fields.required("trip") { node, _ throws(WireError) in try TripHeader(node) }
        let version = try fields.required("version", Read.int)
        let items = try fields.required("items", Read.items)
        do throws(AdoptFailure) {
            trip = try Trip(header: header, version: version, items: items)
        } catch {
            throw WireError(.internalError, "the daemon's items do not make a trip: \(error)")
        }
        epoch = try fields.required("epoch", Read.string)
        problems = try fields.optional("problems", Read.problems) ?? []
    }

    /// Reads the answer to trip.get and trip.create.
    package init(result: JSONNode) throws(WireError) {
        try self.init(try Fields(result))
    }
}

/// Why a client that asked for less gets a whole snapshot.
package enum SnapshotReason: String, Equatable, Sendable {
    /// It is further behind than is remembered.
    case behind
    /// It has a version that this history has not reached.
    case ahead
    /// What it has belongs to another history.
    case epochChanged = "epoch_changed"
}

extension ServerLine {
    /// The answer to trip.get and trip.create, around a snapshot's members.
    package static func trip(_ id: RequestID?) -> SplitLine {
        splitReply(id) { json in
            json.beginObject()
            let place = json.gap()
            json.endObject()
            return place
        }
    }

    /// trip.snapshot, around a snapshot's members.
    ///
    /// - Parameters:
    ///   - previous: the version that was told last.
    ///   - skipped: how many versions in between were not told.
    ///   - reason: why it comes to somebody who wants deltas.
    package static func snapshot(
        previous: Int, skipped: Int, reason: SnapshotReason? = nil, cause: Cause?
    ) -> SplitLine {
        splitNotification("trip.snapshot") { json in
            json.member("previous", previous)
            json.member("skipped", skipped)
            json.member("reason", reason?.rawValue)
            json.member("cause", cause)
            return json.gap()
        }
    }
}

// MARK: trip.subscribe

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

extension ServerLine {
    /// The answer to trip.subscribe of a client that has the present state already.
    package static func subscriptionUpToDate(_ id: RequestID?, _ users: [PresentUser]) -> [UInt8] {
        reply(id) { json in
            json.beginObject()
            json.member("upToDate", true)
            json.member("presence", users)
            json.endObject()
        }
    }

    /// The answer to trip.subscribe, around a delta's members.
    package static func subscriptionWithDelta(_ id: RequestID?, _ users: [PresentUser]) -> SplitLine {
        subscription(id, "delta", reason: nil, users)
    }

    /// The answer to trip.subscribe, around a snapshot's members; with why, where the client had asked for less.
    package static func subscriptionWithSnapshot(
        _ id: RequestID?, because reason: SnapshotReason?, _ users: [PresentUser]
    ) -> SplitLine {
        subscription(id, "snapshot", reason: reason, users)
    }

    private static func subscription(
        _ id: RequestID?, _ start: StaticString, reason: SnapshotReason?, _ users: [PresentUser]
    ) -> SplitLine {
        splitReply(id) { json in
            json.beginObject()
            json.member("reason", reason?.rawValue)
            json.key(start)
            json.beginObject()
            let place = json.gap()
            json.endObject()
            json.member("presence", users)
            json.endObject()
            return place
        }
    }
}
