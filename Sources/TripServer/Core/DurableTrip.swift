import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// The trip as others may see it: what is durable, with every item's bytes kept and the snapshot encoded at most
/// once a version.
struct DurableTrip {
    private(set) var trip: Trip
    let epoch: String
    private var encodedItems: [ItemID: [UInt8]] = [:]
    private var encodedProblems: [UInt8]?
    /// Who made the last commit.
    private(set) var cause: Cause?
    private var deltas: DeltaLog
    private var cachedMembers: (version: Int, bytes: [UInt8])?
    /// The last merged delta that leads to the present version, for all who lag alike: no larger than a snapshot,
    /// and nil members where it would be.
    private var cachedDelta: (from: Int, members: [UInt8]?)?

    init(trip: Trip, epoch: String, deltas: DeltaLog = DeltaLog()) {
        self.trip = trip
        self.epoch = epoch
        self.deltas = deltas
    }

    var version: Int { trip.version }

    /// Takes over a commit that has become durable.
    ///
    /// - Parameters:
    ///   - header: the trip's header after it.
    ///   - encoded: the bytes of the items, in the order of the commit's changes; empty for those that are gone.
    ///   - tellsDelta: whether somebody listens for the commit as a delta of its own.
    mutating func adopt(
        _ commit: Commit, header: TripHeader, encoded: [[UInt8]], cause: Cause, tellsDelta: Bool
    ) {
        var removed: [ItemID] = []
        var upserts: [Item] = []
        for (change, bytes) in zip(commit.changes, encoded) {
            if let after = change.after {
                upserts.append(after)
                encodedItems[change.id] = bytes
            } else {
                removed.append(change.id)
                encodedItems[change.id] = nil
            }
        }
        var step = DeltaLog.Step(commit, cause: cause)
        if step.changedProblems { encodedProblems = nil }
        do throws(AdoptFailure) {
            try trip.adopt(
                version: commit.version, upserts: upserts, removed: removed,
                header: commit.headerBefore == nil ? nil : header)
        } catch {
            preconditionFailure("a commit that was applied can be adopted: \(error)")
        }
        self.cause = cause
        cachedDelta = nil
        if tellsDelta {
            let delta = MergedDelta([step][...], into: trip)
            step.line = ServerLine.notification("trip.delta") { json in
                encode(delta, from: commit.version - 1, into: &json)
            }
        }
        deltas.append(step)
    }

    /// Takes over the bytes of items of the present version.
    mutating func know(_ encoded: some Sequence<(Item, [UInt8])>) {
        encodedItems.reserveCapacity(trip.itemCount)
        for (item, bytes) in encoded { encodedItems[item.id] = bytes }
    }

    /// What a subscriber in delta mode is told next.
    enum CatchUp {
        /// Lines, each one step from where the one before leads.
        case deltas([[UInt8]])
        /// Everything: it is too far behind, or a delta would be larger.
        case snapshot
    }

    /// How a subscriber in delta mode takes what it is told.
    enum Pace {
        /// There was room for everything so far: each commit comes alone, however many one write made durable.
        case keepsUp
        /// There was not: more than a few commits, or than a window of bytes, are merged.
        case lags
        /// It has dragged meanwhile, and wants one step.
        case wantsOne

        /// Commits that one who lags is told one by one.
        static let few = 8

        fileprivate var lines: (count: Int, bytes: Int) {
            switch self {
            case .keepsUp: (.max, .max)
            case .lags: (Self.few, Connection.writeWindow)
            case .wantsOne: (1, .max)
            }
        }
    }

    /// What leads a client from an earlier version here.
    mutating func catchUp(from version: Int, _ pace: Pace) -> CatchUp {
        let (count, bytes) = pace.lines
        if let lines = deltas.lines(after: version, atMost: count, of: bytes) { return .deltas(lines) }
        guard let members = mergedMembers(from: version) else { return .snapshot }
        return .deltas([Array(Self.deltaHead.utf8) + members + Array("}}\n".utf8)])
    }

    /// Nobody is told commits one by one any more.
    mutating func forgetLines() { deltas.dropLines() }

    private static let deltaHead = #"{"jsonrpc":"2.0","method":"trip.delta","params":{"#

    /// What a subscription begins with.
    enum Resumption: Sendable {
        case upToDate
        /// One step from what the client has, as the members of an object.
        case delta([UInt8])
        /// Everything; with why, where the client had asked for less.
        case snapshot(SnapshotReason?)
    }

    /// What a subscription begins with, by what the client has already.
    mutating func resumption(for subscribe: Subscribe) -> Resumption {
        guard let since = subscribe.since else { return .snapshot(nil) }
        guard since.epoch == epoch || PlantedBug.epochIgnored.isPlanted else {
            return .snapshot(.epochChanged)
        }
        guard since.version <= version else { return .snapshot(.ahead) }
        if since.version == version { return .upToDate }
        guard subscribe.mode == .delta else { return .snapshot(nil) }
        guard let members = mergedMembers(from: since.version) else { return .snapshot(.behind) }
        return .delta(members)
    }

    /// The members of the one delta from an earlier version to the present one; nil where the steps are not kept,
    /// or a snapshot is smaller.
    private mutating func mergedMembers(from: Int) -> [UInt8]? {
        if let cachedDelta, cachedDelta.from == from { return cachedDelta.members }
        guard from >= 1, let steps = deltas.steps(after: from) else { return nil }
        let delta = MergedDelta(steps, into: trip)
        var json = JSONWriter(reserving: 512 + 320 * delta.upserts.count)
        json.beginObject()
        encode(delta, from: from, into: &json)
        let bytes = Array(json.unfinished().dropFirst())
        // Most deltas are smaller than the shortest items could be, and no snapshot is made to see it.
        let isSmall = bytes.count <= trip.itemCount * Self.leastItemBytes
        let members = isSmall || bytes.count <= snapshotMembers().count ? bytes : nil
        cachedDelta = (from, members)
        return members
    }

    /// Bytes that any item has at least on the wire.
    static let leastItemBytes = 160

    /// The members of a delta that leads from a version to the present one.
    mutating func encode(_ delta: MergedDelta, from version: Int, into json: inout JSONWriter) {
        json.member("trip", trip.header.id)
        json.member("epoch", epoch)
        json.member("from", version)
        json.member("version", self.version)
        if let cause = delta.cause {
            json.key("cause")
            json.encode(cause)
        }
        if delta.changesHeader {
            json.key("header")
            json.encode(trip.header)
        }
        json.key("upserts")
        json.beginArray()
        for id in delta.upserts { json.raw(bytes(of: id)) }
        json.endArray()
        json.key("removed")
        json.encode(delta.removed)
        if delta.changesProblems {
            json.key("problems")
            json.raw(problems())
        }
    }

    /// The members of a snapshot, without the braces around them: `"trip":…,"epoch":…,"version":…,…`.
    mutating func snapshotMembers() -> [UInt8] {
        if let cachedMembers, cachedMembers.version == version { return cachedMembers.bytes }
        let items = trip.shownIDs.map { bytes(of: $0) }
        let problems = problems()
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.key("trip")
        json.encode(trip.header)
        json.member("epoch", epoch)
        json.member("version", version)
        json.key("items")
        // The items' bytes are joined here rather than by the writer: they are most of it, and copied once.
        let head = json.unfinished().dropFirst()
        var members: [UInt8] = []
        members.reserveCapacity(head.count + problems.count + 32 + items.reduce(0) { $0 + $1.count + 1 })
        members += head
        members.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { members.append(UInt8(ascii: ",")) }
            members += item
        }
        members += Array("],\"problems\":".utf8)
        members += problems
        cachedMembers = (version, members)
        return members
    }

    private mutating func bytes(of id: ItemID) -> [UInt8] {
        if let bytes = encodedItems[id] { return bytes }
        guard let item = trip[id] else { preconditionFailure("shown ids are items") }
        let bytes = item.encoded()
        encodedItems[id] = bytes
        return bytes
    }

    private mutating func problems() -> [UInt8] {
        if let encodedProblems { return encodedProblems }
        var json = JSONWriter()
        json.beginArray()
        for problem in trip.problems { json.encode(problem) }
        json.endArray()
        let bytes = json.take()
        encodedProblems = bytes
        return bytes
    }
}

/// Why a client that asked for less gets a whole snapshot.
enum SnapshotReason: String, Sendable {
    /// It is further behind than is remembered.
    case behind
    /// It has a version that this history has not reached.
    case ahead
    /// What it has belongs to another history.
    case epochChanged = "epoch_changed"
}

extension Item {
    /// The item as an object of the wire.
    func encoded() -> [UInt8] {
        var json = JSONWriter(reserving: 320)
        json.encode(self)
        return json.take()
    }
}
