import Dispatch
import LocalSystem
import Synchronization

/// Runs jobs one after another, on a thread that is started for the first one.
final class JobThread: Sendable {
    private let urgency: WorkerThread.Urgency
    private let jobs = Guarded<[@Sendable () -> Void]>([])
    private let isClosed = Atomic(false)
    private let bell = DispatchSemaphore(value: 0)
    private let thread = Mutex<WorkerThread?>(nil)

    init(_ urgency: WorkerThread.Urgency = .usual) { self.urgency = urgency }

    /// Appends a job; throws if the system cannot create a thread.
    func run(_ job: @escaping @Sendable () -> Void) throws(SystemError) {
        let failure = thread.withLock { thread -> SystemError? in
            if thread != nil { return nil }
            do throws(SystemError) {
                thread = try WorkerThread(urgency: urgency) { [self] in work() }
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
        jobs.withLock { $0.append(job) }
        bell.signal()
    }

    /// Ends the thread after its running job. The owner has cancelled unwanted jobs.
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
            if let job { WorkerThread.run(job, urgency) }
        }
    }
}

/// Syncs several files at the same time: a disk can make many syncs durable at once.
final class SyncThreads: Sendable {
    /// More threads were not faster.
    private let helpers = (0..<3).map { _ in JobThread() }

    /// Syncs the contents of files, the first ones first.
    ///
    /// - Parameters:
    ///   - threads: nil to sync one file after another.
    ///   - whenSynced: called on the caller's thread with a file's index and its failure: after each sync of this thread for
    ///     all that are done, and at the end for the rest.
    static func syncData(
        _ files: [ActiveJournal.File], on threads: SyncThreads?, whenSynced: (Int, SystemError?) -> Void
    ) {
        let work = Guarded(Work(count: files.count))
        let isDone = DispatchSemaphore(value: 0)
        @Sendable func syncNext() -> Bool {
            guard let index = work.withLock({ $0.takeNext() }) else { return false }
            var failure: SystemError?
            do throws(SystemError) { try files[index].file.syncData() } catch { failure = error }
            work.withLock { [failure] in $0.results.append((index, failure)) }
            return true
        }
        var helperCount = 0
        for helper in threads?.helpers.prefix(max(0, files.count - 1)) ?? [] {
            do throws(SystemError) {
                try helper.run {
                    while syncNext() {}
                    isDone.signal()
                }
                helperCount += 1
            } catch {
                // The other threads do its work.
            }
        }
        func report() {
            for (index, failure) in work.withLock({ $0.takeResults() }) { whenSynced(index, failure) }
        }
        while syncNext() { report() }
        for _ in 0..<helperCount { isDone.wait() }
        report()
    }

    private struct Work {
        let count: Int
        private var taken = 0
        var results: [(index: Int, failure: SystemError?)] = []

        init(count: Int) { self.count = count }

        /// The next file to sync.
        mutating func takeNext() -> Int? {
            guard taken < count else { return nil }
            taken += 1
            return taken - 1
        }

        mutating func takeResults() -> [(index: Int, failure: SystemError?)] {
            defer { results = [] }
            return results
        }
    }

    /// Ends the threads.
    func close() { for helper in helpers { helper.close() } }
}
