import Dispatch
import LocalSystem
import Synchronization

/// Work that blocks, done in order on a thread of its own, which is blocked while there is none; or done in steps.
package final class WorkQueue: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private final class Shared: Sendable {
        let state = Guarded(State())
        /// Counts the work that waits, and the end.
        let bell = DispatchSemaphore(value: 0)

        func run() {
            while true {
                bell.wait()
                let next = state.withLock { state -> (@Sendable () -> Void)? in
                    state.isClosed ? nil : state.work.removeFirst()
                }
                guard let next else { return }
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
    func add(_ work: @escaping @Sendable () -> Void) {
        shared.state.withLock { $0.work.append(work) }
        shared.bell.signal()
    }

    /// Does the next work on the calling thread; false where there is none. Only without a thread.
    package func step() -> Bool {
        let next = shared.state.withLock { $0.work.isEmpty ? nil : $0.work.removeFirst() }
        next?()
        return next != nil
    }

    /// Finishes what has begun, drops the rest, and ends the thread. Blocks until then; never called by the work.
    func close() {
        shared.state.withLock { state in
            state.isClosed = true
            state.work = []
        }
        shared.bell.signal()
        let thread = thread.withLock { $0.take() }
        thread?.join()
    }
}
