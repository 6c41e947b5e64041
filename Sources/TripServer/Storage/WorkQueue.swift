import Dispatch
import LocalSystem
import Synchronization

/// A queue of jobs that run in order on its own thread, or are stepped by the caller.
package final class WorkQueue: Sendable {
    /// The scheduling class of a job. Each class has its own order; if both have jobs, they alternate.
    package enum Waiters: Sendable {
        /// For a single client.
        case one
        /// For several clients, so it must not wait behind many jobs of class `one`; or one of many small jobs for
        /// one client, so no other must wait for all of them.
        case many
    }

    private struct State {
        private var (forOne, forMany): ([@Sendable () -> Void], [@Sendable () -> Void]) = ([], [])
        private var wasForMany = false
        var isClosed = false

        mutating func add(_ work: @escaping @Sendable () -> Void, for waiters: Waiters) {
            switch waiters {
            case .one: forOne.append(work)
            case .many: forMany.append(work)
            }
        }

        var isEmpty: Bool { forOne.isEmpty && forMany.isEmpty }

        mutating func next() -> (@Sendable () -> Void)? {
            if isClosed || isEmpty { return nil }
            wasForMany = forOne.isEmpty || (!forMany.isEmpty && !wasForMany)
            return wasForMany ? forMany.removeFirst() : forOne.removeFirst()
        }

        mutating func close() {
            isClosed = true
            (forOne, forMany) = ([], [])
        }
    }

    private final class Shared: Sendable {
        let state = Guarded(State())
        /// One signal for each queued job, and one for the end of the queue.
        let bell = DispatchSemaphore(value: 0)

        func run(_ urgency: WorkerThread.Urgency) {
            while true {
                bell.wait()
                guard let next = state.withLock({ $0.next() }) else { return }
                WorkerThread.run(next, urgency)
            }
        }
    }

    private let shared: Shared
    private let thread: Mutex<WorkerThread?>

    /// A queue without a thread: the caller runs its jobs with `step`.
    package static func stepped() -> WorkQueue { WorkQueue(Shared(), nil) }

    /// A queue with a running thread; throws if the system cannot create one.
    package convenience init(urgency: WorkerThread.Urgency = .usual) throws(SystemError) {
        let shared = Shared()
        self.init(shared, try WorkerThread(urgency: urgency) { shared.run(urgency) })
    }

    private init(_ shared: Shared, _ thread: consuming sending WorkerThread?) {
        self.shared = shared
        self.thread = Mutex(thread)
    }

    deinit { close() }

    /// Adds a job from any thread. It is dropped after `close`.
    func add(for waiters: Waiters = .one, _ work: @escaping @Sendable () -> Void) {
        shared.state.withLock { $0.add(work, for: waiters) }
        shared.bell.signal()
    }

    /// Runs the next job on the calling thread; false if there is none. Only for a queue without a thread.
    package func step() -> Bool {
        let next = shared.state.withLock { $0.next() }
        next?()
        return next != nil
    }

    /// Whether no job waits.
    package var isIdle: Bool { shared.state.withLock { $0.isEmpty } }

    /// Finishes the running job, drops the others, and ends the thread. Blocks, so a job must not call it.
    func close() {
        shared.state.withLock { $0.close() }
        shared.bell.signal()
        let thread = thread.withLock { $0.take() }
        thread?.join()
    }
}
