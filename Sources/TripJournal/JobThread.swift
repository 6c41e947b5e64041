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

    /// Syncs the contents of files; returns the failures in the same order, nil for those without.
    func syncData(_ files: [ActiveJournal.File]) -> [SystemError?] {
        let results = Guarded(Results(failures: Array(repeating: nil, count: files.count)))
        let isDone = DispatchSemaphore(value: 0)
        @Sendable func work() {
            while let index = results.withLock({ $0.takeIndex() }) {
                do throws(SystemError) { try files[index].file.syncData() } catch {
                    results.withLock { [error] in $0.failures[index] = error }
                }
            }
        }
        var helperCount = 0
        for helper in helpers.prefix(files.count - 1) {
            do throws(SystemError) {
                try helper.run {
                    work()
                    isDone.signal()
                }
                helperCount += 1
            } catch {
                // The other threads do its work.
            }
        }
        work()
        for _ in 0..<helperCount { isDone.wait() }
        return results.withLock { $0.failures }
    }

    private struct Results {
        private var taken = 0
        var failures: [SystemError?]

        init(failures: [SystemError?]) { self.failures = failures }

        /// The next file to sync.
        mutating func takeIndex() -> Int? {
            guard taken < failures.count else { return nil }
            taken += 1
            return taken - 1
        }
    }

    /// Ends the threads.
    func close() { for helper in helpers { helper.close() } }
}
