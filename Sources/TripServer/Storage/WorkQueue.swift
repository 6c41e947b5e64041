import Dispatch
import LocalSystem
import Synchronization

/// Work that blocks, done in order on a thread of its own, which is blocked while there is none; or done in steps.
package final class WorkQueue: Sendable {
    /// Who waits for a piece of work. Each kind has its own order; where there is of both, they have turns.
    package enum Waiters: Sendable {
        /// Who has asked for it.
        case one
        /// Others, too, so that it must not stand behind much that is for one.
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

        mutating func next() -> (@Sendable () -> Void)? {
            if isClosed || (forOne.isEmpty && forMany.isEmpty) { return nil }
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
        /// Counts the work that waits, and the end.
        let bell = DispatchSemaphore(value: 0)

        func run() {
            while true {
                bell.wait()
                guard let next = state.withLock({ $0.next() }) else { return }
                next()
            }
        }
    }

    private let shared: Shared
    private let thread: Mutex<WorkerThread?>

    /// A queue without a thread: it works in `step`, and who steps it decides when.
    package static func stepped() -> WorkQueue { WorkQueue(Shared(), nil) }

    /// A queue with its thread running; throws when the system gives it none.
    package convenience init(urgency: WorkerThread.Urgency = .usual) throws(SystemError) {
        let shared = Shared()
        self.init(shared, try WorkerThread(urgency: urgency) { shared.run() })
    }

    private init(_ shared: Shared, _ thread: consuming sending WorkerThread?) {
        self.shared = shared
        self.thread = Mutex(thread)
    }

    deinit { close() }

    /// Adds work, from any thread; dropped after `close`.
    func add(for waiters: Waiters = .one, _ work: @escaping @Sendable () -> Void) {
        shared.state.withLock { $0.add(work, for: waiters) }
        shared.bell.signal()
    }

    /// Does the next work on the calling thread; false where there is none. Only without a thread.
    package func step() -> Bool {
        let next = shared.state.withLock { $0.next() }
        next?()
        return next != nil
    }

    /// Finishes what has begun, drops the rest, and ends the thread. Blocks until then; never called by the work.
    func close() {
        shared.state.withLock { $0.close() }
        shared.bell.signal()
        let thread = thread.withLock { $0.take() }
        thread?.join()
    }
}
