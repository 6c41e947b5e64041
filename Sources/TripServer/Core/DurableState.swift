import LocalSystem
import TripModel
import TripProtocol

/// A trip as of the version that the disk has.
struct DurableView {
    let trip: Trip
    /// Items of which later bytes are kept: commits in flight have changed them.
    let outdated: Set<ItemID>
}

/// What others may be told of a trip: how far the disk has it, with every item's bytes kept and the snapshot encoded at
/// most once a version.
///
/// There is one copy of the trip, the decided one. What is durable is that without the commits in flight; whoever needs
/// the whole of it gets it as a `DurableView`, made when it is asked for.
struct DurableState {
    let epoch: String
    private(set) var version: Int
    private(set) var header: TripHeader
    private(set) var itemCount: Int
    /// Who made the last commit.
    private(set) var cause: Cause?
    /// The last version at which the trip may have got other problems.
    private var problemsVersion: Int
    private var encodedItems = EncodedItems()
    /// The problems since a version.
    private var encodedProblems: (since: Int, bytes: [UInt8])?
    private var deltas: DeltaLog
    private var cachedMembers: (version: Int, bytes: SharedBytes)?
    /// The last merged delta that leads to the present version, for all who lag alike: no larger than a snapshot,
    /// and nil members where it would be.
    private var cachedDelta: (from: Int, members: SharedBytes?, line: SharedBytes?)?

    init(trip: Trip, epoch: String, deltas: DeltaLog = DeltaLog()) {
        self.epoch = epoch
        version = trip.version
        header = trip.header
        itemCount = trip.itemCount
        problemsVersion = trip.version
        self.deltas = deltas
    }

    /// Takes over a commit that has become durable.
    mutating func adopt(_ pending: TripCore.PendingCommit) {
        let commit = pending.commit
        let step = DeltaLog.Step(commit, cause: pending.cause, line: pending.delta)
        version = commit.version
        if let header = commit.headerAfter { self.header = header }
        itemCount += step.added - step.removed.count
        cause = pending.cause
        if step.changedProblems { problemsVersion = version }
        cachedDelta = nil
        deltas.append(step)
    }

    // MARK: Bytes of what is decided

    /// Keeps the bytes of items as a commit leaves them, in the order of its changes; empty for those that are gone, and for
    /// those that are encoded when they are first sent.
    mutating func know(_ encoded: [[UInt8]], of commit: Commit) {
        for (change, bytes) in zip(commit.changes, encoded) {
            encodedItems[change.id] = bytes.isEmpty ? nil : bytes
        }
    }

    /// Keeps the bytes of items of the present version.
    mutating func know(_ encoded: some Sequence<(Item, [UInt8])>) {
        for (item, bytes) in encoded { encodedItems[item.id] = bytes }
    }

    /// Forgets the bytes of what is withdrawn.
    mutating func forget(_ commits: [Commit]) {
        for commit in commits { for change in commit.changes { encodedItems[change.id] = nil } }
        encodedProblems = nil
    }

    /// A commit as a notification, from the version before it.
    ///
    /// - Parameters:
    ///   - encoded: the bytes of its items, in the order of its changes; empty for those that are gone.
    ///   - trip: the trip right after it, for the problems.
    mutating func delta(
        _ commit: Commit, encoded: [[UInt8]], cause: Cause, in trip: Trip
    ) -> SharedBytes {
        let problems = commit.mayChangeProblems ? problems(since: commit.version, of: trip) : nil
        let delta = EncodedDelta(
            trip: header.id, epoch: epoch, from: commit.version - 1, version: commit.version, cause: cause,
            header: commit.headerBefore == nil ? nil : trip.header, upserts: encoded,
            removed: commit.changes.filter(\.isRemoval).map(\.id), problems: problems)
        return SharedBytes(delta.line())
    }

    // MARK: Telling

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

    /// The last commit's line, where it leads from a version here and is kept.
    func lastLine(after version: Int) -> SharedBytes? { deltas.lastLine(after: version) }

    /// What leads a client from an earlier version here: lines, each one step from where the one before leads; nil
    /// where it is too far behind, or they would be larger than everything.
    mutating func catchUp(from version: Int, _ pace: Pace, _ view: () -> DurableView) -> [SharedBytes]? {
        let (count, bytes) = pace.lines
        if let lines = deltas.lines(after: version, atMost: count, of: bytes) { return lines }
        guard let members = mergedMembers(from: version, view) else { return nil }
        let line = cachedDelta?.line ?? SharedBytes(ServerLine.delta(members: members.bytes))
        cachedDelta?.line = line
        return [line]
    }

    /// Nobody is told commits one by one any more.
    mutating func forgetLines() { deltas.dropLines() }

    /// What a subscription begins with.
    enum Resumption: Sendable {
        case upToDate
        /// One step from what the client has, as the members of an object.
        case delta(SharedBytes)
        /// Everything; with why, where the client had asked for less.
        case snapshot(SnapshotReason?)
    }

    /// What a subscription begins with, by what the client has already.
    mutating func resumption(for subscribe: Subscribe, _ view: () -> DurableView) -> Resumption {
        guard let since = subscribe.since else { return .snapshot(nil) }
        guard since.epoch == epoch || PlantedBug.epochIgnored.isPlanted else {
            return .snapshot(.epochChanged)
        }
        guard since.version <= version else { return .snapshot(.ahead) }
        if since.version == version { return .upToDate }
        guard subscribe.mode == .delta else { return .snapshot(nil) }
        guard let members = mergedMembers(from: since.version, view) else { return .snapshot(.behind) }
        return .delta(members)
    }

    /// The members of the one delta from an earlier version to the present one; nil where the steps are not kept,
    /// or a snapshot is smaller.
    private mutating func mergedMembers(from: Int, _ view: () -> DurableView) -> SharedBytes? {
        if let cachedDelta, cachedDelta.from == from { return cachedDelta.members }
        guard from >= 1, let steps = deltas.steps(after: from) else { return nil }
        let view = view()
        let delta = MergedDelta(steps, into: view.trip)
        let encoded = EncodedDelta(
            trip: header.id, epoch: epoch, from: from, version: version, cause: delta.cause,
            header: delta.changesHeader ? header : nil, upserts: delta.upserts.map { bytes(of: $0, view) },
            removed: delta.removed,
            problems: delta.changesProblems ? problems(since: problemsVersion, of: view.trip) : nil
        ).members()
        // Most deltas are smaller than the shortest items could be, and no snapshot is made to see it.
        let isSmall = encoded.count <= itemCount * Self.leastItemBytes
        let members =
            isSmall || encoded.count <= snapshotMembers({ view }).bytes.count ? SharedBytes(encoded) : nil
        cachedDelta = (from, members, nil)
        return members
    }

    /// Bytes that any item has at least on the wire.
    static let leastItemBytes = 160

    /// The members of a snapshot, without the braces around them: `"trip":…,"epoch":…,"version":…,…`.
    mutating func snapshotMembers(_ view: () -> DurableView) -> SharedBytes {
        if let cachedMembers, cachedMembers.version == version { return cachedMembers.bytes }
        let view = view()
        let snapshot = EncodedSnapshot(
            header: header, epoch: epoch, version: version,
            items: view.trip.shownIDs.map { bytes(of: $0, view) },
            problems: problems(since: problemsVersion, of: view.trip))
        let shared = SharedBytes(snapshot.members())
        cachedMembers = (version, shared)
        return shared
    }

    private mutating func bytes(of id: ItemID, _ view: DurableView) -> [UInt8] {
        let isOutdated = view.outdated.contains(id)
        if !isOutdated, let bytes = encodedItems[id] { return bytes }
        guard let item = view.trip[id] else { preconditionFailure("shown ids are items") }
        let bytes = item.encoded()
        if !isOutdated { encodedItems[id] = bytes }
        return bytes
    }

    /// The problems of a trip, which has had them since a version.
    private mutating func problems(since version: Int, of trip: Trip) -> [UInt8] {
        if let encodedProblems, encodedProblems.since == version { return encodedProblems.bytes }
        let bytes = Problem.encoded(trip.problems)
        encodedProblems = (version, bytes)
        return bytes
    }

    // MARK: Encoding on a worker

    /// An upper bound of the work of encoding a snapshot.
    ///
    /// - Parameters:
    ///   - trip: the decided trip.
    ///   - limit: units past which it need not be exact.
    func snapshotWork(of trip: Trip, upTo limit: Int) -> Work {
        if let cachedMembers, cachedMembers.version == version { return Work() }
        // Bytes that are there are only copied, and eight items' take as long as the change of one.
        var work = Work(items: itemCount / 8, bytes: encodedItems.byteCount)
        guard encodedItems.count < itemCount else { return work }
        for id in trip.shownIDs where encodedItems[id] == nil {
            work += Self.encoding(trip[id])
            if work.units >= limit { break }
        }
        return work
    }

    /// The same of what leads from an earlier version here.
    func catchUpWork(from version: Int, _ pace: Pace, in trip: Trip, upTo limit: Int) -> Work {
        let (count, bytes) = pace.lines
        if deltas.lines(after: version, atMost: count, of: bytes) != nil { return Work() }
        return mergeWork(from: version, in: trip, upTo: limit)
    }

    /// The same of what a subscription begins with.
    func resumptionWork(for subscribe: Subscribe, in trip: Trip, upTo limit: Int) -> Work {
        guard let since = subscribe.since, since.epoch == epoch, since.version <= version,
            since.version == version || subscribe.mode == .delta
        else { return snapshotWork(of: trip, upTo: limit) }
        return since.version == version ? Work() : mergeWork(from: since.version, in: trip, upTo: limit)
    }

    private func mergeWork(from: Int, in trip: Trip, upTo limit: Int) -> Work {
        if let cachedDelta, cachedDelta.from == from {
            guard let members = cachedDelta.members else { return snapshotWork(of: trip, upTo: limit) }
            return Work(bytes: cachedDelta.line == nil ? members.bytes.count : 0)
        }
        guard from >= 1, let steps = deltas.steps(after: from) else {
            return snapshotWork(of: trip, upTo: limit)
        }
        var work = Work()
        for step in steps {
            for id in step.changed {
                work += encodedItems[id].map { Work(items: 1, bytes: $0.count) } ?? Self.encoding(trip[id])
            }
            work.items += step.removed.count
            if work.units >= limit { return work }
        }
        // A large one is compared with a snapshot.
        if work.bytes > itemCount * Self.leastItemBytes { work += snapshotWork(of: trip, upTo: limit) }
        return work
    }

    private static func encoding(_ item: Item?) -> Work {
        Work(items: 1, bytes: leastItemBytes + 2 * (item?.content.textBytes ?? 0))
    }

    /// Forgets what has been encoded of an earlier version, so that the last reference to it may be a worker's.
    mutating func forgetOldEncodings() {
        if let cachedMembers, cachedMembers.version < version { self.cachedMembers = nil }
    }

    /// Takes over what a worker has encoded of a copy of the same trip.
    mutating func adoptEncodings(of copy: TripCore, into trip: Trip) {
        let encoded = copy.durable
        if encoded.version == version {
            cachedMembers = encoded.cachedMembers
            cachedDelta = encoded.cachedDelta
        }
        guard encodedItems.count < itemCount else { return }
        for (id, bytes) in encoded.encodedItems.byID where encodedItems[id] == nil {
            // An item of a version that the disk has is never withdrawn: the version tells what it is.
            guard let item = copy.trip[id], item.version <= encoded.version, trip[id]?.version == item.version
            else { continue }
            encodedItems[id] = bytes
        }
    }
}

/// The bytes of items, each as it was last decided.
private struct EncodedItems {
    private(set) var byID: [ItemID: [UInt8]] = [:]
    /// Bytes of all.
    private(set) var byteCount = 0

    var count: Int { byID.count }

    subscript(id: ItemID) -> [UInt8]? {
        get { byID[id] }
        set {
            let old = newValue.map { byID.updateValue($0, forKey: id) } ?? byID.removeValue(forKey: id)
            byteCount += (newValue?.count ?? 0) - (old?.count ?? 0)
        }
    }
}
