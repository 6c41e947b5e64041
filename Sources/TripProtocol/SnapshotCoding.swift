import JSONLine
import TripModel

// Whole trips: the answers to trip.get, trip.create and trip.subscribe, and trip.snapshot.

extension Trip {
    /// The members of an encoded snapshot of the trip, without braces; `version` precedes any item.
    ///
    /// - Parameters:
    ///   - epoch: the epoch of the version.
    ///   - problems: the encoded list of problems.
    ///   - withSaid: whether to write the last imported values too; subscribers do not get them.
    package func snapshotMembers(epoch: String, problems: [UInt8], withSaid: Bool = false) -> [UInt8] {
        JSONWriter.members(reserving: 512 + problems.count + 320 * itemCount + textBytes) { json in
            json.key("trip")
            json.encode(header)
            json.member("epoch", epoch)
            json.member("version", version)
            json.key("items")
            json.beginArray()
            for id in shownIDs {
                guard let item = self[id] else { continue }
                if withSaid { json.encode(item) } else { json.encode(sent: item) }
            }
            json.endArray()
            json.key("problems")
            json.raw(problems)
        }
    }
}

extension Snapshot {
    init(_ fields: Fields) throws(WireError) {
        let header: TripHeader = try fields.required("trip")
        let version: Int = try fields.required("version")
        let items: [Item] = try fields.required("items")
        do throws(TripInconsistency) {
            trip = try Trip(header: header, version: version, items: items)
        } catch {
            throw WireError(.internalError, "the daemon's items do not make a trip: \(error)")
        }
        epoch = try fields.required("epoch")
        problems = try fields.problems() ?? []
    }

    /// Decodes the answer to trip.get and trip.create.
    package init(result: JSONNode) throws(WireError) {
        try self.init(try Fields(result))
    }
}

/// The reason why a client that asked for a delta gets a snapshot.
package enum SnapshotReason: String, Equatable, Sendable {
    /// Its version is too old for a delta.
    case behind
    /// Its version is above the current one.
    case ahead
    /// Its version belongs to another epoch.
    case epochChanged = "epoch_changed"
}

extension ServerLine {
    /// The beginning and the end of an answer, without the members of its result.
    package static func answer(_ id: RequestID?) -> SplitLine {
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
    ///   - previous: the last version sent.
    ///   - skipped: the number of omitted versions in between.
    ///   - reason: the reason why a subscriber to deltas gets it.
    package static func snapshot(
        previous: Int, skipped: Int, reason: SnapshotReason? = nil, cause: Cause?
    ) -> SplitLine {
        splitNotification("trip.snapshot") { json in
            json.member("previous", previous)
            json.member("skipped", skipped)
            json.member("reason", reason?.rawValue)
            _ = json.optional("cause", cause)
            return json.gap()
        }
    }
}

// MARK: trip.subscribe

/// The start of a subscription.
package struct Subscription: Equatable, Sendable {
    /// How the client gets to the current state.
    package enum Start: Equatable, Sendable {
        /// It has the current state.
        case upToDate
        /// By one delta from its state.
        case delta(TripDelta)
        /// By a snapshot that replaces its state.
        case snapshot(Snapshot)
    }

    /// How the client gets to the current state.
    package let start: Start
    /// The users who have the trip open.
    package let users: [PresentUser]

    /// Decodes the answer to trip.subscribe.
    package init(result: JSONNode) throws(WireError) {
        let fields = try Fields(result)
        users = try fields.optional("presence") ?? []
        if let node = fields.present("snapshot") {
            start = .snapshot(try Snapshot(result: node))
        } else if let node = fields.present("delta") {
            start = .delta(try TripDelta(try Fields(node, path: "delta")))
        } else if try fields.optional("upToDate") == true {
            start = .upToDate
        } else {
            throw WireError(.internalError, "the answer to a subscription has no state")
        }
    }
}

extension ServerLine {
    /// The answer to trip.subscribe for a client with the current state.
    package static func subscriptionUpToDate(_ id: RequestID?, _ users: [PresentUser]) -> [UInt8] {
        reply(id) { json in
            json.beginObject()
            json.member("upToDate", true)
            _ = json.required("presence", users)
            json.endObject()
        }
    }

    /// The answer to trip.subscribe, around a delta's members.
    package static func subscriptionWithDelta(_ id: RequestID?, _ users: [PresentUser]) -> SplitLine {
        subscription(id, "delta", reason: nil, users)
    }

    /// The answer to trip.subscribe, around a snapshot's members, with the reason if the client asked for a delta.
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
            _ = json.required("presence", users)
            json.endObject()
            return place
        }
    }
}
