import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// The last commits of a trip as deltas, so that a client with an earlier version can catch up.
///
/// It is bounded: a client that is further behind gets a snapshot.
struct DeltaLog {
    /// The effect of one commit.
    struct Step {
        let version: Int
        let changed: [ItemID]
        let removed: [ItemID]
        let changedHeader: Bool
        let changedProblems: Bool
        let cause: Cause
        /// The commit as a notification, from the version before it; encoded only if there are subscribers for it.
        var line: SharedBytes?

        /// The number of added items.
        let added: Int

        init(_ commit: Commit, cause: Cause, line: SharedBytes? = nil) {
            self.line = line
            version = commit.version
            var (added, changed, removed) = (0, [ItemID](), [ItemID]())
            changed.reserveCapacity(commit.changes.count)
            for change in commit.changes {
                if change.isAddition { added += 1 }
                if change.isRemoval { removed.append(change.id) } else { changed.append(change.id) }
            }
            (self.added, self.changed, self.removed) = (added, changed, removed)
            changedHeader = commit.header != nil
            changedProblems = commit.mayChangeProblems
            self.cause = cause
        }
    }

    /// Maximum number of retained commits.
    static let maximumSteps = 1024
    /// Maximum number of ids in all steps together; a commit that re-spaces a whole day has many.
    static let maximumIDs = 100_000
    /// The excess of ids at which the oldest steps are evicted.
    private static let spareIDs = 25_000
    /// Maximum bytes of all cached lines.
    static let maximumLineBytes = 4 * Connection.writeWindow

    private(set) var steps: [Step] = []
    private var idCount = 0
    /// The number of latest steps with a cached line.
    private var lineCount = 0
    private(set) var lineBytes = 0

    mutating func append(_ step: Step) {
        // A step without a line ends the run: clients before it can no longer catch up line by line.
        if step.line == nil { dropLines() }
        steps.append(step)
        if let line = step.line {
            lineCount += 1
            lineBytes += line.bytes.count
            while lineBytes > Self.maximumLineBytes { dropOldestLine() }
        }
        idCount += step.changed.count + step.removed.count
        // Trimmed in blocks, so that a commit does not move the whole array.
        if steps.count >= 2 * Self.maximumSteps { trim(to: Self.maximumSteps) }
        if idCount > Self.maximumIDs + Self.spareIDs, steps.count > 1 {
            var (retained, ids) = (0, 0)
            for step in steps.reversed() {
                ids += step.changed.count + step.removed.count
                if ids > Self.maximumIDs, retained > 0 { break }
                retained += 1
            }
            trim(to: retained)
        }
    }

    /// The last step's line, if it is cached and that step is the only one after `version`.
    func lastLine(after version: Int) -> SharedBytes? {
        guard let last = steps.last, version == last.version - 1 else { return nil }
        return last.line
    }

    /// The lines of the steps after a version, if all of them are cached.
    ///
    /// - Parameters:
    ///   - count: the maximum number of lines.
    ///   - bytes: the maximum number of bytes if there are several lines.
    func lines(after version: Int, atMost count: Int, of bytes: Int) -> [SharedBytes]? {
        guard let last = steps.last, version < last.version else { return nil }
        let missing = last.version - version
        guard missing <= min(count, lineCount) else { return nil }
        let lines = steps.suffix(missing).compactMap(\.line)
        return missing == 1 || lines.reduce(0, { $0 + $1.bytes.count }) <= bytes ? lines : nil
    }

    /// Drops all cached lines; their steps can still be merged.
    mutating func dropLines() {
        while lineCount > 0 { dropOldestLine() }
    }

    private mutating func dropOldestLine() {
        let oldest = steps.count - lineCount
        lineBytes -= steps[oldest].line?.bytes.count ?? 0
        steps[oldest].line = nil
        lineCount -= 1
    }

    private mutating func trim(to count: Int) {
        for step in steps.dropLast(count) {
            idCount -= step.changed.count + step.removed.count
            lineBytes -= step.line?.bytes.count ?? 0
        }
        lineCount = min(lineCount, count)
        steps.removeFirst(steps.count - count)
    }

    /// The steps after a version; nil if some of them were evicted.
    func steps(after version: Int) -> ArraySlice<Step>? {
        guard let first = steps.first else { return nil }
        guard first.version <= version + 1 else { return nil }
        return steps[steps.partitioningIndex { $0.version > version }...]
    }
}

/// Several steps merged into one.
struct MergedDelta {
    let upserts: [ItemID]
    let removed: [ItemID]
    let changesHeader: Bool
    let changesProblems: Bool
    let cause: Cause?

    /// Merges steps that end at the trip's current version.
    init(_ steps: ArraySlice<DeltaLog.Step>, into trip: Trip) {
        var seen: Set<ItemID> = []
        var upserts: [ItemID] = []
        var removed: [ItemID] = []
        for step in steps {
            for id in step.changed where trip[id] != nil && seen.insert(id).inserted { upserts.append(id) }
            // An item that was added and removed in between is listed too; removing an unknown item is harmless.
            for id in step.removed where trip[id] == nil && seen.insert(id).inserted { removed.append(id) }
        }
        self.upserts = upserts
        self.removed = removed
        changesHeader = steps.contains(where: \.changedHeader)
        changesProblems = steps.contains(where: \.changedProblems)
        cause = steps.last?.cause
    }
}

extension Commit {
    /// True if the commit may change the trip's problems, which depend on its planned items and its header.
    var mayChangeProblems: Bool {
        header != nil
            || changes.contains { change in
                change.before?.content.isPlanned == true || change.after?.content.isPlanned == true
            }
    }
}
