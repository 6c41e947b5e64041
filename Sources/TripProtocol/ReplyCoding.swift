import JSONLine
import TripModel

// The daemon's answers, each with its decoder and encoder. Answers with a trip's state are in SnapshotCoding.

// MARK: hello

extension Welcome {
    /// Decodes the answer to hello.
    package init(result: JSONNode) throws(WireError) {
        let fields = try Fields(result)
        version = try fields.required("protocol")
        let server = try Fields(fields.node("server"), path: "server")
        serverProcess = try server.required("pid")
        clientID = try fields.required("clientId")
        connectionID = try fields.required("connectionId")
        role = Hello.Role(rawValue: try fields.required("role")) ?? .editor
        user = try fields.optional("user")
        let access: String? = try fields.optional("access")
        // A daemon of 1.0 restricts only connections that requested it.
        self.access = access.flatMap(Access.init) ?? (role == .viewer ? .viewer : .owner)
        isVerified = try fields.optional("verified") ?? false
        let durability: String? = try fields.optional("durability")
        self.durability = durability.map { Durability(rawValue: $0) ?? .relaxed } ?? .sync
        var limits: [String: Int] = [:]
        // A limit of a newer daemon may have another form; this client ignores those.
        if let announced = fields.present("limits") {
            for (name, value) in announced.members { limits[name] = value.int }
        }
        self.limits = limits
    }
}

extension ServerLine {
    /// The answer to hello.
    package static func welcome(_ id: RequestID?, _ welcome: Welcome, capabilities: [String]) -> [UInt8] {
        reply(id) { json in
            json.beginObject()
            _ = json.required("protocol", welcome.version)
            json.key("server")
            json.beginObject()
            json.member("name", "itineraryd")
            json.member("version", ProtocolVersion.program)
            json.member("pid", welcome.serverProcess)
            json.endObject()
            json.member("clientId", welcome.clientID)
            json.member("connectionId", welcome.connectionID)
            json.member("role", welcome.role.rawValue)
            json.member("user", welcome.user)
            json.member("access", welcome.access.rawValue)
            json.member("verified", welcome.isVerified)
            json.member("durability", welcome.durability.rawValue)
            json.key("limits")
            json.beginObject()
            for limit in WireLimits.announced {
                json.key(escaping: limit.name)
                json.value(limit.value)
            }
            json.endObject()
            json.key("capabilities")
            json.beginArray()
            for capability in capabilities { json.value(capability) }
            json.endArray()
            json.endObject()
        }
    }
}

// MARK: trip.list

extension TripSummary: WireObject {
    /// Decodes the answer to trip.list.
    package static func list(result: JSONNode) throws(WireError) -> [TripSummary] {
        try Fields(result).required("trips")
    }

    /// The rows of trip.list as elements of an array, without brackets.
    package static func encoded(_ rows: some Collection<TripSummary>) -> [UInt8] {
        JSONWriter.elements(reserving: 64 + 256 * rows.count) { json in
            for row in rows { row.encode(into: &json) }
        }
    }

    init<Coder: MemberCoder>(_ coder: inout Coder, encoding trip: TripSummary?) throws(Coder.Failure) {
        self.init(
            header: try TripHeader(&coder, encoding: trip?.header.brief),
            version: try coder.required("version", trip?.version),
            itemCount: try coder.required("itemCount", trip?.itemCount),
            subscribers: try coder.required("subscribers", trip?.subscribers),
            state: State(rawValue: try coder.required("state", trip?.state.rawValue)) ?? .unknown,
            access: try coder.optional("access", trip?.access?.rawValue).flatMap(Access.init))
    }
}

extension ServerLine {
    /// The answer to trip.list, around its rows.
    package static func tripList(_ id: RequestID?) -> SplitLine {
        splitReply(id) { json in
            json.beginObject()
            json.key("trips")
            json.beginArray()
            let place = json.gap()
            json.endArray()
            json.endObject()
            return place
        }
    }
}

// MARK: Changes

extension ChangeResult {
    /// Decodes the answer to a change.
    package init(result: JSONNode) throws(WireError) {
        let fields = try Fields(result)
        version = try fields.required("version")
        isNoop = try fields.optional("noop") ?? false
        let items: [Item]? = try fields.optional("items")
        let item: Item? = try fields.optional("item")
        self.items = items ?? item.map { [$0] } ?? []
        moved = try fields.optional("moved") ?? []
        header = try fields.optional("trip")
        summary = try fields.optional("summary")
        isRepeated = try fields.optional("repeated") ?? false
    }
}

/// The result of a change with already encoded items.
package struct EncodedChange: Sendable {
    /// The method's part of the answer.
    package enum Body: Sendable {
        /// For item.remove.
        case nothing
        /// For a method about one item; nil if it is gone.
        case item([UInt8]?)
        /// For trip.update: the header, and the items whose day is gone.
        case trip(TripHeader, moved: [[UInt8]])
        /// For trip.apply and batch.commit.
        case items([[UInt8]])
        /// For trip.undo and trip.redo: a summary of the reversed change, without a subject.
        case reversed(summary: String?, [[UInt8]])
    }

    /// The trip's version after it.
    package let version: Int
    /// True if nothing changed.
    package let isNoop: Bool
    /// The method's part of the answer.
    package let body: Body
    /// The days whose items were re-spaced.
    package let respacedDays: [Int]

    /// Creates the result of a change.
    package init(version: Int, isNoop: Bool, body: Body, respacedDays: [Int]) {
        self.version = version
        self.isNoop = isNoop
        self.body = body
        self.respacedDays = respacedDays
    }

    /// The size of the items in bytes beyond which a result omits them all: an answer is at most `changeBytes` long.
    private static let maximumItemBytes = WireLimits.changeBytes - TripLimits.itemBytes

    /// The encoded result.
    package func result() -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        encode(into: &json)
        return json.take()
    }

    fileprivate func encode(into json: inout JSONWriter) {
        var isBrief = false
        func fitting(_ items: [[UInt8]]) -> [[UInt8]] {
            isBrief = items.reduce(0) { $0 + $1.count + 1 } > Self.maximumItemBytes
            return isBrief ? [] : items
        }
        json.beginObject()
        json.member("version", version)
        if isNoop { json.member("noop", true) }
        switch body {
        case .nothing: break
        case .item(let item):
            json.key("item")
            if let item { json.raw(item) } else { json.null() }
        case .trip(let header, let moved):
            json.key("trip")
            json.encode(header)
            json.member("moved", encoded: fitting(moved))
        case .items(let items): json.member("items", encoded: fitting(items))
        case .reversed(let summary, let items):
            json.member("summary", summary)
            json.member("items", encoded: fitting(items))
        }
        if isBrief { json.member("brief", true) }
        if !respacedDays.isEmpty {
            json.key("respaced")
            json.encode(respacedDays)
        }
        json.endObject()
    }

    /// The result of a retry of which only a version is known, at or before which it was applied.
    package static func repeated(version: Int) -> [UInt8] {
        var json = JSONWriter(reserving: 64)
        json.beginObject()
        json.member("version", version)
        json.member("repeated", true)
        json.endObject()
        return json.take()
    }
}

extension ServerLine {
    /// The answer to a change.
    package static func reply(_ id: RequestID?, _ change: EncodedChange) -> [UInt8] {
        reply(id) { change.encode(into: &$0) }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, encoded items: [[UInt8]]) {
        key(name)
        beginArray()
        for item in items { raw(item) }
        endArray()
    }
}

extension ServerLine {
    /// The answer to trip.sync: the version up to which everything was sent.
    package static func synced(_ id: RequestID?, epoch: String, version: Int) -> [UInt8] {
        reply(id) { json in
            json.beginObject()
            json.member("epoch", epoch)
            json.member("version", version)
            json.endObject()
        }
    }
}

// MARK: Batches

extension BatchID {
    /// Decodes the answer to batch.open.
    package init(result: JSONNode) throws(WireError) {
        self = try Fields(result).required("batch")
    }
}

extension ServerLine {
    /// The answer to batch.open.
    package static func batch(_ id: RequestID?, _ batch: BatchID) -> [UInt8] {
        reply(id, reserving: 96) { json in
            json.beginObject()
            json.member("batch", batch.text)
            json.endObject()
        }
    }
}

// MARK: daemon.stats

/// The daemon's counters since its start.
package struct DaemonStatistics: Sendable {
    /// When it started.
    package var startedAt: Timestamp
    /// `sync` or `relaxed`.
    package var durability: String
    /// The users of all connections, without duplicates.
    package var people: [String] = []
    /// The current number of connections.
    package var connections = 0
    /// The current number of trips, and of open ones.
    package var trips = 0, openTrips = 0
    /// The sum of all trips' versions.
    package var versions = 0
    /// The number of received requests.
    package var requests = 0
    /// The bytes that wait to be sent now.
    package var queuedBytes = 0
    /// The number of sent snapshots, and of versions skipped between them.
    package var sentSnapshots = 0, skippedSnapshots = 0
    /// The number of commits in the journals, and of their syncs.
    package var commits = 0, syncs = 0
    /// The duration of all syncs in microseconds.
    package var syncMicroseconds = 0
    /// The number of compacted journals.
    package var compactions = 0
    /// The time of the last compaction.
    package var lastCompactionAt: Timestamp?

    package init(startedAt: Timestamp, durability: String) {
        self.startedAt = startedAt
        self.durability = durability
    }
}

extension ServerLine {
    /// The answer to daemon.stats.
    package static func statistics(_ id: RequestID?, _ statistics: DaemonStatistics) -> [UInt8] {
        reply(id) { json in
            json.beginObject()
            json.member("program", ProtocolVersion.program)
            json.member("startedAt", statistics.startedAt.description)
            json.key("people")
            json.beginArray()
            for name in statistics.people { json.value(name) }
            json.endArray()
            json.member("connections", statistics.connections)
            json.member("trips", statistics.trips)
            json.member("openTrips", statistics.openTrips)
            json.member("versions", statistics.versions)
            json.member("requests", statistics.requests)
            json.member("queuedBytes", statistics.queuedBytes)
            json.member("sentSnapshots", statistics.sentSnapshots)
            json.member("skippedSnapshots", statistics.skippedSnapshots)
            json.member("commits", statistics.commits)
            json.member("syncs", statistics.syncs)
            json.member("compactions", statistics.compactions)
            json.member("lastCompactionAt", statistics.lastCompactionAt?.description)
            json.member("durability", statistics.durability)
            json.member("syncMicroseconds", statistics.syncMicroseconds)
            json.endObject()
        }
    }
}
