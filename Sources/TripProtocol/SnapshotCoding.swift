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
        let header = try fields.required("trip") { node, _ throws(WireError) in try TripHeader(node) }
        let version = try fields.required("version", Read.int)
        let items = try fields.required("items", Read.items)
        do throws(TripInconsistency) {
            trip = try Trip(header: header, version: version, items: items)
        } catch {
            throw WireError(.internalError, "the daemon's items do not make a trip: \(error)")
        }
        epoch = try fields.required("epoch", Read.string)
        problems = try fields.optional("problems", Read.problems) ?? []
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
            json.member("cause", cause)
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
        users = try fields.optional("presence", Read.users) ?? []
        if let node = fields.present("snapshot") {
            start = .snapshot(try Snapshot(result: node))
        } else if let node = fields.present("delta") {
            start = .delta(try TripDelta(try Fields(node, path: "delta")))
        } else if try fields.optional("upToDate", Read.bool) == true {
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
            json.member("presence", users)
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
            json.member("presence", users)
            json.endObject()
            return place
        }
    }
}

extension JSONWriter {
    /// Writes changed values of a header, for a journal.
    package mutating func encode(_ values: HeaderValues) {
        beginObject()
        member("name", values.name)
        member("slug", values.slug)
        member("startDate", values.startDate?.description)
        member("timeZone", values.timeZone)
        member("dayCount", values.dayCount)
        member("rates", values.rates)
        if !values.accepted.isEmpty { encode("accepted", values.accepted) }
        if !values.revoked.isEmpty { encode("revoked", values.revoked) }
        if !values.todo.isEmpty {
            key("todo")
            beginArray()
            for step in values.todo { encode(step) }
            endArray()
        }
        endObject()
    }

    private mutating func encode(_ name: StaticString, _ keys: [String]) {
        key(name)
        beginArray()
        for key in keys { value(key) }
        endArray()
    }

    private mutating func encode(_ step: TodoStep) {
        beginObject()
        member("id", step.id)
        member("text", step.entry?.text)
        member("doneBy", step.entry?.doneBy)
        if let item = step.entry?.item { member("item", item) }
        member("index", step.place?.index)
        member("above", step.place?.above)
        endObject()
    }
}

extension HeaderValues {
    /// Decodes values as encoded for a journal.
    package init(_ node: JSONNode) throws(WireError) {
        let fields = try Fields(node, path: "header")
        self.init(
            name: try fields.optional("name", Read.string), slug: try fields.optional("slug", Read.string),
            startDate: try fields.optional("startDate", Read.date),
            timeZone: try fields.optional("timeZone", Read.string),
            dayCount: try fields.optional("dayCount", Read.int),
            rates: try fields.optional("rates", Read.string),
            accepted: try fields.optional("accepted", Read.strings) ?? [],
            revoked: try fields.optional("revoked", Read.strings) ?? [],
            todo: try fields.optional("todo", Self.steps) ?? [])
    }

    private static func place(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> Int {
        let index = try Read.int(node, field)
        guard index >= 0 else { throw .invalid(field, "at least 0 is needed") }
        return index
    }

    private static func steps(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [TodoStep] {
        guard node.kind == .array else { throw .invalid(field, "an array is needed") }
        var steps: [TodoStep] = []
        for (index, element) in node.elements.enumerated() {
            let step = try Fields(element, path: FieldPath(index, of: field))
            let id: TodoID = try step.required("id", Read.identifier)
            let doneBy = try step.optional("doneBy", Read.string)
            let item = try step.optional("item", Read.idea)
            let above: TodoID? = try step.optional("above", Read.identifier)
            steps.append(
                TodoStep(
                    id,
                    try step.optional("text", Read.string).map {
                        TodoEntry(id: id, text: $0, doneBy: doneBy, item: item)
                    },
                    at: try step.optional("index", Self.place).map { TodoStep.Place(index: $0, above: above) }
                ))
        }
        return steps
    }
}
