import Synchronization

/// An event loop on one thread: descriptors, timers and submitted work, including the jobs of actors.
///
/// The loop is a serial executor. An actor that returns it as its `unownedExecutor` runs on the loop's
/// thread, so a handler of a watch or a timer can enter that actor synchronously; see `LoopActor`.
///
/// An iteration waits, calls the handlers of the ready descriptors in the kernel's order, runs the due timers
/// by deadline, runs the jobs and closures queued so far in order, and runs the end-of-iteration work. Work
/// queued meanwhile belongs to the next iteration, so that jobs which queue jobs never starve a socket. An
/// idle loop blocks in the kernel without a timeout.
///
/// Watches, timers and end-of-iteration work belong to the loop's thread; before `run()` the thread that
/// prepares the loop may set them up. `execute` and `stop` may be called from any thread.
package final class EventLoop: SerialExecutor {
    /// Counters since the loop's creation.
    package struct Statistics: Equatable, Sendable {
        /// The number of iterations.
        package let iterations: Int
        /// The number of wakes by other threads, each of which is one system call.
        package let wakes: Int
    }

    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    /// The state shared between threads. Its lock is held for a few instructions, never during a call outside.
    struct Inbox {
        var work: [Work] = []
        /// The loop waits or is about to, and no thread has woken it yet.
        var isSleeping = false
        var isStopping = false

        /// Clears the sleep flag; if the result is true, the caller must wake the loop.
        mutating func endSleep() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    /// The state of the loop's thread. The lock satisfies the compiler and allows the set-up before `run()`;
    /// it is never contended, and never held during a call outside.
    struct Registrations {
        var watches = WatchTable()
        var timers = TimerQueue()
        var endOfIteration: [@Sendable () -> Void] = []
    }

    enum Phase: UInt8, AtomicRepresentable {
        case prepared
        case running
        case finished
    }

    let kernel: any LoopKernel
    let registrations = Guarded(Registrations())
    let inbox = Guarded(Inbox())
    let phase = Atomic(Phase.prepared)
    /// The thread in `run()`; 0 if there is none.
    let thread = Atomic<UInt>(0)
    private let created: Int64
    let iterationStart: Atomic<Int64>
    let iterations = Atomic(0)
    let iterationEvents = Atomic(0)
    private let wakes = Atomic(0)

    /// A loop that is not running yet; throws if the system has no free descriptor.
    package convenience init() throws(SystemError) {
        self.init(on: try Poller())
    }

    /// A loop on a given kernel.
    package init(on kernel: any LoopKernel) {
        self.kernel = kernel
        created = kernel.nowNanoseconds
        iterationStart = Atomic(created)
    }

    /// True if the caller is on the loop's thread, inside `run()`.
    package var isCurrent: Bool { thread.load(ordering: .relaxed) == currentThread() }

    /// The time since the loop's creation, at the beginning of this iteration.
    package var now: Duration { .nanoseconds(iterationStart.load(ordering: .relaxed) - created) }

    /// Nanoseconds since the loop's creation, read from the clock now; `now` changes only between iterations.
    package var nanoseconds: Int64 { kernel.nowNanoseconds - created }

    /// Nanoseconds since the loop's creation, at the beginning of this iteration.
    package var iterationNanoseconds: Int64 { iterationStart.load(ordering: .relaxed) - created }

    /// The number of descriptors with an event in this iteration, including a wake by another thread.
    package var iterationEventCount: Int { iterationEvents.load(ordering: .relaxed) }

    /// Counters, from any thread.
    package var statistics: Statistics {
        Statistics(iterations: iterations.load(ordering: .relaxed), wakes: wakes.load(ordering: .relaxed))
    }

    /// Runs work on the loop in the order of these calls; from any thread. It wakes the loop only if it
    /// sleeps, so a burst costs one system call.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        post(.closure(work))
    }

    /// Makes `run()` return once nothing is queued; from any thread, repeatedly.
    package func stop() {
        let mustWake = inbox.withLock { inbox in
            inbox.isStopping = true
            return inbox.endSleep()
        }
        if mustWake { wake() }
    }

    func post(_ work: Work) {
        let mustWake = inbox.withLock { inbox in
            inbox.work.append(work)
            return inbox.endSleep()
        }
        if mustWake { wake() }
    }

    private func wake() {
        wakes.wrappingAdd(1, ordering: .relaxed)
        kernel.wake()
    }

    /// Traps if the caller may not access the loop's state; returns false if the loop has finished.
    func checkThread() -> Bool {
        if isCurrent { return true }
        switch phase.load(ordering: .acquiring) {
        case .prepared: return true
        case .running: preconditionFailure("this belongs to the event loop's thread")
        case .finished: return false
        }
    }
}

extension EventLoop {
    /// Adds a job of an actor; called by the runtime, from any thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        post(.job(UnownedJob(job)))
    }

    /// The loop in the form that an actor returns as its `unownedExecutor`; the actor must retain the loop.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Traps unless on the loop's thread; called by the runtime for `assumeIsolated` outside a task.
    package func checkIsolated() {
        precondition(isCurrent, "not on the event loop's thread")
    }

    /// True on the loop's thread; newer runtimes call it before `checkIsolated()`.
    @available(macOS 26.0, iOS 26.0, *)
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
