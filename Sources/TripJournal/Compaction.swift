import Dispatch
import LocalSystem
import Synchronization
import TripModel

/// The configuration of compaction: when the writer requests a trip's state, how it verifies a new journal,
/// and the callbacks.
package struct CompactionPlan: Sendable {
    /// The size in bytes below which no journal is compacted.
    package var floor: Int
    /// Above the floor, a journal is due when it is this many times as large as its initial state.
    package var growth = 8
    /// A journal is also due when its records have this size and that of the state, because a start reads all of them.
    package var maximumRecords = 64 << 20
    /// Every draft is compared with the written bytes. The first one of an open journal, and then one of this many,
    /// is also decoded, and its state must give the same bytes again.
    package var decodingInterval = 16
    /// Decodes a trip's state from a journal. Called on the compaction thread.
    package var summarize: @Sendable (OpenedJournal) throws(CompactionFailure) -> JournalSnapshot
    /// Called after each compaction on the writer's thread.
    package var report: @Sendable (CompactionReport) -> Void
    /// The wall clock in milliseconds since 1970, for the time of the last compaction.
    package var wallClock: @Sendable () -> Int64 = { LocalSystem.WallClock.nowMilliseconds }

    package init(
        floor: Int = 4 << 20,
        summarize: @escaping @Sendable (OpenedJournal) throws(CompactionFailure) -> JournalSnapshot,
        report: @escaping @Sendable (CompactionReport) -> Void
    ) {
        self.floor = floor
        self.summarize = summarize
        self.report = report
    }
}

/// The result of a compaction.
package enum CompactionReport: Equatable, Sendable {
    /// The journal shrank; its sizes before and after.
    case compacted(TripID, from: Int, to: Int)
    /// The journal is unchanged. Compaction is tried again after it has grown considerably.
    case failed(TripID, CompactionFailure)
}

/// The reason why a journal was not compacted; it is unchanged.
package enum CompactionFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case system(SystemError)
    /// The bytes read from the disk differ from those written.
    case damaged(String)
    /// The trip was closed or deleted during the compaction.
    case cancelled

    /// One sentence for the user.
    package var description: String {
        switch self {
        case .system(let error): error.description
        case .damaged(let message): message
        case .cancelled: "the trip was closed during the compaction"
        }
    }
}

/// A cancellation flag for a compaction.
final class CompactionTicket: Sendable {
    private let isVoid = Atomic(false)
    var isCancelled: Bool { isVoid.load(ordering: .acquiring) }
    func cancel() { isVoid.store(true, ordering: .releasing) }
}

/// A synced draft of a compacted journal, with the content of the old journal up to a position.
struct CompactionDraft: Sendable {
    /// The end of the copied part of the old file.
    var copiedEnd: Int
    var checkpoint: JournalCheckpoint
    /// The draft's size.
    var size: Int
    let baseEnd: Int
    /// The number of passes that copied newer records.
    var passes = 0
}
