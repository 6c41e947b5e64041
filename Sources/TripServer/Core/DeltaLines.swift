import LocalSystem
import TripModel
import TripProtocol

/// The last durable commits as notifications, for subscribers that keep up. Other clients get a merged delta, which
/// follows from the history.
struct DeltaLines {
    /// Maximum bytes of all lines.
    static let maximumBytes = 4 * Connection.writeWindow
    /// Maximum number of lines.
    private static let maximumCount = 1024

    /// The lines of consecutive versions, the last of which is the trip's.
    private(set) var lines: ArraySlice<SharedBytes> = []
    private(set) var byteCount = 0

    /// Appends the line of the next version; nil if it was not encoded, which ends the run.
    mutating func append(_ line: SharedBytes?) {
        guard let line else { return drop() }
        lines.append(line)
        byteCount += line.bytes.count
        while byteCount > Self.maximumBytes || lines.count > Self.maximumCount {
            byteCount -= lines.removeFirst().bytes.count
        }
    }

    /// Drops all lines.
    mutating func drop() {
        if !lines.isEmpty { self = DeltaLines() }
    }

    /// The last lines, if all of them are cached.
    ///
    /// - Parameters:
    ///   - missing: their number.
    ///   - limit: the maximum number of bytes if there are several lines.
    func last(_ missing: Int, of limit: Int) -> ArraySlice<SharedBytes>? {
        guard missing > 0, missing <= lines.count else { return nil }
        let last = lines.suffix(missing)
        return missing == 1 || last.reduce(0, { $0 + $1.bytes.count }) <= limit ? last : nil
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
