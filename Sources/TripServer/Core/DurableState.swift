import LocalSystem
import TripModel
import TripProtocol

/// The state of a trip that may be sent: the durable version, with a snapshot that is encoded at most once per version.
///
/// Only the decided trip is stored as a whole. The durable trip is the decided one without the commits in
/// flight; it is computed on demand.
struct DurableState {
    let epoch: String
    /// The members of a delta that name the trip and the epoch.
    private let identity: [UInt8]
    private(set) var version: Int
    private(set) var header: TripHeader
    private(set) var itemCount: Int
    /// The author of the last commit.
    private(set) var cause: Cause?
    /// The last version at which the trip's problems may have changed.
    private var problemsVersion: Int
    /// The number of items that were encoded for a state since the trip was opened.
    var itemsRead = 0
    /// The encoded problems, which are valid since a version.
    private var encodedProblems: (since: Int, bytes: [UInt8])?
    /// The last cause that was encoded: consecutive changes often have the same one.
    private var encodedCause: (cause: Cause, bytes: [UInt8])?
    private var lines = DeltaLines()
    private var cachedMembers: (version: Int, bytes: SharedBytes)?
    /// The last merged delta to the current version, shared by all subscribers that lag alike. Its members
    /// are nil if a snapshot is smaller.
    private var cachedDelta: (from: Int, members: SharedBytes?, line: SharedBytes?)?

    /// - Parameter problemsVersion: the last version at which the problems may have changed; nil for the trip's.
    init(trip: Trip, epoch: String, problemsVersion: Int? = nil) {
        self.epoch = epoch
        identity = EncodedDelta.identity(trip.header.id, epoch: epoch)
        version = trip.version
        header = trip.header
        itemCount = trip.itemCount
        self.problemsVersion = problemsVersion ?? trip.version
    }

    /// Applies a commit that has become durable.
    mutating func apply(_ pending: PendingCommit) {
        let commit = pending.commit
        version = commit.version
        if let change = commit.header { header = change.after.applied(to: header) }
        for change in commit.changes {
            itemCount += (change.isAddition ? 1 : 0) - (change.isRemoval ? 1 : 0)
            if change.before?.shared !== change.after?.shared { change.before?.shared.dropEncoded() }
        }
        cause = pending.line.by.cause
        if pending.mayChangeProblems { problemsVersion = version }
        cachedDelta = nil
    }

    /// Caches the encoded deltas of the commits that became durable together; nil for one that was not encoded.
    mutating func append(_ encoded: [[UInt8]?]) { lines.append(encoded) }

    // MARK: Decided state

    /// Discards encodings that include commits that were rolled back.
    mutating func rollBack() { encodedProblems = nil }

    /// Encodes a commit as a notification, from the version before it.
    ///
    /// - Parameters:
    ///   - encoded: the bytes of its items; empty for removed ones.
    ///   - includesProblems: whether the problems may have changed.
    ///   - trip: the trip right after the commit.
    mutating func delta(
        _ commit: Commit, encoded: [[UInt8]], includesProblems: Bool, cause: Cause, in trip: Trip
    ) -> [UInt8] {
        let problems = includesProblems ? problems(since: commit.version, of: trip) : nil
        let delta = EncodedDelta(
            identity: identity, from: commit.version - 1, version: commit.version, cause: bytes(of: cause),
            header: commit.header == nil ? nil : trip.header, upserts: encoded,
            removed: commit.changes.filter(\.isRemoval).map(\.id), problems: problems)
        return delta.line()
    }

    private mutating func bytes(of cause: Cause) -> [UInt8] {
        if let encodedCause, encodedCause.cause == cause { return encodedCause.bytes }
        let bytes = cause.encoded()
        encodedCause = (cause, bytes)
        return bytes
    }

    // MARK: Sending

    /// How commits are coalesced for a subscriber in delta mode.
    enum Pace {
        /// Never: the connection had room for everything so far, so each commit is sent alone.
        case keepsUp
        /// The connection lacked room: deltas beyond a few commits or a window of bytes are merged.
        case lags
        /// The connection has dragged: all deltas are merged into one.
        case wantsOne

        /// The maximum number of single deltas for a lagging subscriber.
        static let few = 8

        fileprivate var lines: (count: Int, bytes: Int) {
            switch self {
            case .keepsUp: (.max, .max)
            case .lags: (Self.few, Connection.writeWindow)
            case .wantsOne: (1, .max)
            }
        }
    }

    /// The version before the commits that became durable last, if their lines are cached, and the lines.
    var lastLines: (from: Int, lines: SharedBytes)? {
        lines.pieces.last.map { (version - $0.count, $0.lines) }
    }

    /// The cached lines of all deltas from an earlier version to the current one; nil if they are too many.
    func cachedLines(after version: Int, _ pace: Pace) -> [SharedBytes]? {
        let missing = self.version - version
        return missing <= pace.lines.count ? lines.last(missing, of: pace.lines.bytes) : nil
    }

    /// The line of one merged delta from an earlier version to the current one; nil if the version is too old, or a
    /// snapshot is smaller.
    mutating func mergedLine(from version: Int, _ log: EditLog, _ view: () -> Trip) -> SharedBytes? {
        guard let members = mergedMembers(from: version, log, view) else { return nil }
        let line = cachedDelta?.line ?? SharedBytes(ServerLine.delta(members: members.bytes))
        cachedDelta?.line = line
        return line
    }

    /// Drops the cached lines. A subscriber that lacks some of them gets a merged delta.
    mutating func dropLines() { lines.drop() }

    /// The start of a subscription.
    enum Resumption: Sendable {
        case upToDate
        /// One delta from the client's version, as the members of an object.
        case delta(SharedBytes)
        /// The whole state, with the reason if the client asked for a delta.
        case snapshot(SnapshotReason?)
    }

    /// Chooses the start of a subscription from the client's known version.
    mutating func resumption(
        for subscribe: Subscribe, _ log: EditLog, _ view: () -> Trip
    ) -> Resumption {
        guard let since = subscribe.since else { return .snapshot(nil) }
        guard since.epoch == epoch else { return .snapshot(.epochChanged) }
        guard since.version <= version else { return .snapshot(.ahead) }
        if since.version == version { return .upToDate }
        guard subscribe.mode == .delta else { return .snapshot(nil) }
        guard let members = mergedMembers(from: since.version, log, view) else { return .snapshot(.behind) }
        return .delta(members)
    }

    /// The commits after a version; nil if some were evicted, or are known only from a snapshot.
    private static func commits(after version: Int, in log: EditLog) -> ArraySlice<EditLog.Line>? {
        guard version >= 1, let lines = log.lines(after: version), lines.first?.by.cause != nil else {
            return nil
        }
        return lines
    }

    /// The members of one merged delta from an earlier version to the current one; nil if commits were evicted,
    /// or a snapshot is smaller.
    private mutating func mergedMembers(
        from: Int, _ log: EditLog, _ view: () -> Trip
    ) -> SharedBytes? {
        if let cachedDelta, cachedDelta.from == from { return cachedDelta.members }
        guard let lines = Self.commits(after: from, in: log) else { return nil }
        let trip = view()
        let delta = MergedDelta(lines, into: trip)
        let encoded = EncodedDelta(
            identity: identity, from: from, version: version, cause: delta.cause.map { bytes(of: $0) },
            header: delta.changesHeader ? header : nil, upserts: delta.upserts.map { bytes(of: $0, trip) },
            removed: delta.removed,
            problems: problemsVersion > from ? problems(since: problemsVersion, of: trip) : nil
        ).members()
        // Fast path: most deltas are smaller than any snapshot can be, so no snapshot is encoded to compare them.
        let isSmall = encoded.count <= itemCount * Self.leastItemBytes
        let members =
            isSmall || encoded.count <= snapshotMembers({ trip }).bytes.count ? SharedBytes(encoded) : nil
        cachedDelta = (from, members, nil)
        return members
    }

    /// The minimum size of an encoded item.
    static let leastItemBytes = 160

    /// The members of a snapshot, without the braces around them: `"trip":…,"epoch":…,"version":…,…`.
    mutating func snapshotMembers(_ view: () -> Trip) -> SharedBytes {
        if let cachedMembers, cachedMembers.version == version { return cachedMembers.bytes }
        let shared = encodedMembers(of: view())
        cachedMembers = (version, shared)
        return shared
    }

    /// The same with the last imported values.
    mutating func storedSnapshotMembers(_ trip: Trip) -> SharedBytes {
        encodedMembers(of: trip, withSaid: true)
    }

    private mutating func encodedMembers(of trip: Trip, withSaid: Bool = false) -> SharedBytes {
        itemsRead += trip.itemCount
        let problems = problems(since: problemsVersion, of: trip)
        return SharedBytes(trip.snapshotMembers(epoch: epoch, problems: problems, withSaid: withSaid))
    }

    private mutating func bytes(of id: ItemID, _ trip: Trip) -> [UInt8] {
        guard let item = trip[id] else { preconditionFailure("shown ids are items") }
        itemsRead += 1
        return item.encoded()
    }

    /// The encoded problems of a trip, which are valid since `version`.
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
    ///   - limit: the number of units above which the result may be inexact.
    ///   - inFlight: the cost of the durable trip.
    func snapshotWork(of trip: Trip, upTo limit: Int, _ inFlight: () -> Work) -> Work {
        if let cachedMembers, cachedMembers.version == version { return Work() }
        return storedSnapshotWork(of: trip, upTo: limit, inFlight)
    }

    /// The cost of encoding a snapshot with the stored source values of the items, which is never cached.
    func storedSnapshotWork(of trip: Trip, upTo limit: Int, _ inFlight: () -> Work) -> Work {
        var work = Work(items: itemCount, bytes: 2 * trip.textBytes) + inFlight()
        if encodedProblems?.since != problemsVersion { work.items += trip.plannedCount }
        return work
    }

    /// An upper bound of the work of encoding the deltas from an earlier version.
    func catchUpWork(
        from version: Int, _ pace: Pace, in trip: Trip, _ log: EditLog, upTo limit: Int,
        _ inFlight: () -> Work
    ) -> Work {
        if cachedLines(after: version, pace) != nil { return Work() }
        return mergeWork(from: version, in: trip, log, upTo: limit, inFlight)
    }

    /// An upper bound of the work of encoding the start of a subscription.
    func resumptionWork(
        for subscribe: Subscribe, in trip: Trip, _ log: EditLog, upTo limit: Int, _ inFlight: () -> Work
    ) -> Work {
        guard let since = subscribe.since, since.epoch == epoch, since.version <= version,
            since.version == version || subscribe.mode == .delta
        else { return snapshotWork(of: trip, upTo: limit, inFlight) }
        if since.version == version { return Work() }
        return mergeWork(from: since.version, in: trip, log, upTo: limit, inFlight)
    }

    private func mergeWork(
        from: Int, in trip: Trip, _ log: EditLog, upTo limit: Int, _ inFlight: () -> Work
    ) -> Work {
        if let cachedDelta, cachedDelta.from == from {
            guard let members = cachedDelta.members else {
                return snapshotWork(of: trip, upTo: limit, inFlight)
            }
            return Work(bytes: cachedDelta.line == nil ? members.bytes.count : 0)
        }
        guard let lines = Self.commits(after: from, in: log) else {
            return snapshotWork(of: trip, upTo: limit, inFlight)
        }
        var work = inFlight()
        for commit in lines.lazy.map(\.commit) {
            for id in commit.changedIDs {
                work += Work(items: 1, bytes: Self.leastItemBytes + 2 * (trip[id]?.textBytes ?? 0))
            }
            work.items += commit.changes.count(where: \.isRemoval)
            if work.units >= limit { return work }
        }
        // A delta that may be large is compared with a snapshot.
        let mayBeLong = problemsVersion > from || lines.contains { $0.commit.header != nil }
        if mayBeLong || 2 * work.bytes + 1024 > itemCount * Self.leastItemBytes {
            work += snapshotWork(of: trip, upTo: limit, inFlight)
        }
        return work
    }

    /// Drops the encodings of earlier versions, so that a worker may hold their last reference.
    mutating func dropOldEncodings() {
        if let cachedMembers, cachedMembers.version < version { self.cachedMembers = nil }
    }

    /// Adopts the encodings that a worker has made from a copy of this trip.
    mutating func adoptEncodings(of copy: TripCore) {
        let encoded = copy.durable
        if encoded.version == version {
            cachedMembers = encoded.cachedMembers
            cachedDelta = encoded.cachedDelta
        }
        if let problems = encoded.encodedProblems, problems.since == problemsVersion {
            encodedProblems = problems
        }
    }
}

/// The last durable commits as notifications, for subscribers that keep up. Other clients get a merged delta, which
/// follows from the history.
struct DeltaLines {
    /// The lines of the commits that became durable together. Every subscriber has seen all of them or none.
    struct Piece {
        let count: Int
        let lines: SharedBytes
    }

    /// Maximum bytes of all lines.
    static let maximumBytes = 4 * Connection.writeWindow
    /// Maximum number of pieces.
    private static let maximumCount = 1024

    /// The lines of consecutive versions, the last of which is the trip's.
    private(set) var pieces: ArraySlice<Piece> = []
    private(set) var byteCount = 0

    /// Appends the encoded deltas of the next versions. If one was not encoded, all cached lines are dropped, because a
    /// subscriber needs consecutive ones.
    mutating func append(_ lines: [[UInt8]?]) {
        guard let bytes = Self.joined(lines), bytes.count <= Self.maximumBytes else { return drop() }
        pieces.append(Piece(count: lines.count, lines: SharedBytes(bytes)))
        byteCount += bytes.count
        while byteCount > Self.maximumBytes || pieces.count > Self.maximumCount {
            byteCount -= pieces.removeFirst().lines.bytes.count
        }
    }

    private static func joined(_ lines: [[UInt8]?]) -> [UInt8]? {
        if lines.count == 1 { return lines[0] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.reduce(0) { $0 + ($1?.count ?? 0) })
        for line in lines {
            guard let line else { return nil }
            bytes += line
        }
        return bytes
    }

    /// Drops all lines.
    mutating func drop() {
        if !pieces.isEmpty { self = DeltaLines() }
    }

    /// The last lines, if all of them are cached.
    ///
    /// - Parameters:
    ///   - missing: their number.
    ///   - limit: the maximum number of bytes if there are several lines.
    func last(_ missing: Int, of limit: Int) -> [SharedBytes]? {
        guard missing > 0 else { return nil }
        var (first, rest, bytes) = (pieces.endIndex, missing, 0)
        while rest > 0, first > pieces.startIndex {
            first -= 1
            rest -= pieces[first].count
            bytes += pieces[first].lines.bytes.count
        }
        return rest == 0 && (missing == 1 || bytes <= limit) ? pieces[first...].map(\.lines) : nil
    }
}

/// Several commits merged into one change.
struct MergedDelta {
    private(set) var upserts: [ItemID] = []
    private(set) var removed: [ItemID] = []
    let changesHeader: Bool
    let cause: Cause?

    /// Merges commits, the last of which is the trip's version.
    init(_ lines: ArraySlice<EditLog.Line>, into trip: Trip) {
        changesHeader = lines.contains { $0.commit.header != nil }
        cause = lines.last?.by.cause
        var seen: Set<ItemID> = []
        for commit in lines.lazy.map(\.commit) {
            for id in commit.changedIDs where trip[id] != nil && seen.insert(id).inserted {
                upserts.append(id)
            }
            // An item that was added and removed in between is listed too; removing an unknown item is harmless.
            for change in commit.changes
            where change.isRemoval && trip[change.id] == nil && seen.insert(change.id).inserted {
                removed.append(change.id)
            }
        }
    }
}

extension Commit {
    /// The items that it added or changed, with those that only have a new place.
    var changedIDs: [ItemID] { changes.compactMap { $0.isRemoval ? nil : $0.id } + shifts.map(\.id) }

    /// True if it may change the trip's problems, which depend on its planned items and its header.
    ///
    /// - Parameter trip: the trip right after the commit.
    func mayChangeProblems(of trip: Trip) -> Bool {
        header != nil
            || changes.contains { change in
                change.before?.content.isPlanned == true || change.after?.content.isPlanned == true
            } || shifts.contains { trip[$0.id]?.content.isPlanned == true }
    }
}
