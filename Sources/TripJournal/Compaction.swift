import Dispatch
import LocalSystem
import Synchronization
import TripModel

/// How the writer keeps journals small: when it asks for a trip's state, how it verifies a new journal, and who is
/// notified.
package struct CompactionPlan: Sendable {
    /// The size in bytes below which no journal is compacted. Above it, a journal is due when it is four times as large as
    /// the state that it begins with.
    package var floor: Int
    /// Reads a trip's state from a journal. A new journal has to read back as the state that it was made from.
    /// Called on the compaction thread.
    package var summarize: @Sendable (OpenedJournal) throws(CompactionFailure) -> JournalSnapshot
    /// Hears of each compaction, on the writer's thread.
    package var report: @Sendable (CompactionReport) -> Void
    /// The wall clock, in milliseconds since 1970, for when the last one was.
    package var wallClock: @Sendable () -> Int64 = { LocalSystem.WallClock.nowMilliseconds }

    /// A plan from its parts.
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

/// What became of a compaction.
package enum CompactionReport: Equatable, Sendable {
    /// The journal shrank; its bytes before and after.
    case compacted(TripID, from: Int, to: Int)
    /// The journal stays as it is, and is tried again when it has grown a good deal.
    case failed(TripID, CompactionFailure)
}

/// Why a journal was not compacted; it is as it was.
package enum CompactionFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case system(SystemError)
    /// What the disk gives back is not what was written.
    case damaged(String)
    /// The trip was closed or deleted meanwhile.
    case cancelled

    /// One sentence for a person.
    package var description: String {
        switch self {
        case .system(let error): error.description
        case .damaged(let message): message
        case .cancelled: "the trip was closed meanwhile"
        }
    }
}

/// Whether somebody still wants a compaction.
final class CompactionTicket: Sendable {
    private let isVoid = Atomic(false)
    var isCancelled: Bool { isVoid.load(ordering: .acquiring) }
    func cancel() { isVoid.store(true, ordering: .releasing) }
}

/// A journal in the making, synced, that tells what another tells up to a place.
struct CompactionDraft: Sendable {
    /// Up to where it has what the old file has.
    var copiedEnd: Int
    var checkpoint: JournalCheckpoint
    /// Its own size.
    var size: Int
    let baseEnd: Int
    /// How often records that came meanwhile were copied.
    var rounds = 0
}

/// Runs compactions one after another, on a thread that is made for the first one.
final class CompactionThread: Sendable {
    private let jobs = Guarded<[@Sendable () -> Void]>([])
    private let isClosed = Atomic(false)
    private let bell = DispatchSemaphore(value: 0)
    private let thread = Mutex<WorkerThread?>(nil)

    /// Does a piece of work after those that were given before; throws when the system gives it no thread.
    func run(_ job: @escaping @Sendable () -> Void) throws(SystemError) {
        let failure = thread.withLock { thread -> SystemError? in
            if thread != nil { return nil }
            do throws(SystemError) {
                thread = try WorkerThread { [self] in work() }
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
        jobs.withLock { $0.append(job) }
        bell.signal()
    }

    /// Ends the thread when what was begun is done. The owner has cancelled what it does not want.
    func close() {
        isClosed.store(true, ordering: .releasing)
        bell.signal()
        let thread = thread.withLock { $0.take() }
        thread?.join()
    }

    private func work() {
        while true {
            bell.wait()
            if isClosed.load(ordering: .acquiring) { return }
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            job?()
        }
    }
}
