import Synchronization

/// One thread that waits for everything: descriptors, timers, and work handed to it, the jobs of actors among it.
///
/// The loop is a serial executor. An actor that returns it as its `unownedExecutor` runs on the loop's thread, so a
/// handler of a watch or a timer can enter that actor synchronously; see `LoopActor`.
///
/// A round is: wait; call the handlers of the ready descriptors, in the kernel's order; run the timers that are due,
/// by deadline; run the jobs and closures that were queued by then, first in, first out; run what was left for the
/// end of the round. What is queued while the queue runs is for the next round, so that jobs which queue jobs never
/// starve a socket. A loop with nothing to do is blocked in the kernel without a timeout.
///
/// Watches, timers and end-of-round work belong to the loop's thread; before `run()` they may be set up by the
/// thread that prepares the loop. `execute` and `stop` are for any thread.
package final class EventLoop: SerialExecutor {
    /// What the loop has done since it was made.
    package struct Statistics: Equatable, Sendable {
        /// How often it waited, found something or not.
        package let rounds: Int
        /// How often another thread had to wake it, at one system call each.
        package let wakes: Int
    }

    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    /// The state shared between threads. Its lock is held for a few instructions, never during a call outside.
    struct Inbox {
        var work: [Work] = []
        /// The loop waits, or is about to wait, and no thread has woken it yet.
        var isSleeping = false
        var isStopping = false

        /// Clears the sleep flag; if the result is true, the caller must wake the loop.
        mutating func takeSleep() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    /// What belongs to the loop's thread. The lock is there for the compiler's sake and for the set-up before
    /// `run()`; it is never contended, and never held while calling out.
    struct Registrations {
        var watches = WatchTable()
        var timers = TimerQueue()
        var endOfRound: [@Sendable () -> Void] = []
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
    /// The thread in `run()`, 0 when there is none.
    let thread = Atomic<UInt>(0)
    private let created: Int64
    let roundBegan: Atomic<Int64>
    let rounds = Atomic(0)
    let roundEvents = Atomic(0)
    private let wakes = Atomic(0)

    /// A loop that waits for its thread; throws when the system has no descriptor left for it.
    package convenience init() throws(SystemError) {
        self.init(on: try Poller())
    }

    /// A loop on a kernel of the caller's.
    package init(on kernel: any LoopKernel) {
        self.kernel = kernel
        created = kernel.nowNanoseconds
        roundBegan = Atomic(created)
    }

    /// Whether the caller is on the loop's thread, inside `run()`.
    package var isCurrent: Bool { thread.load(ordering: .relaxed) == currentThread() }

    /// The time since the loop was made, as of the beginning of this round.
    package var now: Duration { .nanoseconds(roundBegan.load(ordering: .relaxed) - created) }

    /// Nanoseconds since the loop was made, as of this very moment; `now` only rises from round to round.
    package var nanoseconds: Int64 { kernel.nowNanoseconds - created }

    /// Nanoseconds of a processor that the loop's thread has had so far; on that thread.
    package var spentNanoseconds: Int64 { kernel.spentNanoseconds }

    /// Nanoseconds since the loop was made, as of the beginning of this round.
    package var roundNanoseconds: Int64 { roundBegan.load(ordering: .relaxed) - created }

    /// How many descriptors had something in this round; a wake by another thread is one of them.
    package var roundEventCount: Int { roundEvents.load(ordering: .relaxed) }

    /// Counters, from any thread.
    package var statistics: Statistics {
        Statistics(rounds: rounds.load(ordering: .relaxed), wakes: wakes.load(ordering: .relaxed))
    }

    /// Hands work to the loop, from any thread; it runs there in the order of these calls. Wakes the loop only if
    /// it sleeps, so a burst costs one system call.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        post(.closure(work))
    }

    /// Lets `run()` return once nothing is queued any more; from any thread, any number of times.
    package func stop() {
        let mustWake = inbox.withLock { inbox in
            inbox.isStopping = true
            return inbox.takeSleep()
        }
        if mustWake { wake() }
    }

    func post(_ work: Work) {
        let mustWake = inbox.withLock { inbox in
            inbox.work.append(work)
            return inbox.takeSleep()
        }
        if mustWake { wake() }
    }

    private func wake() {
        wakes.wrappingAdd(1, ordering: .relaxed)
        kernel.wake()
    }

    /// Traps where the loop's state may not be touched; returns false when the loop is over and there is none.
    func checkConfinement() -> Bool {
        if isCurrent { return true }
        switch phase.load(ordering: .acquiring) {
        case .prepared: return true
        case .running: preconditionFailure("this belongs to the event loop's thread")
        case .finished: return false
        }
    }
}

extension EventLoop {
    /// Takes a job of an actor; called by the runtime, from any thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        post(.job(UnownedJob(job)))
    }

    /// The loop in the form that an actor returns as its `unownedExecutor`; the actor has to keep the loop alive.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Traps unless on the loop's thread; the runtime asks it for `assumeIsolated` outside of a task.
    package func checkIsolated() {
        precondition(isCurrent, "not on the event loop's thread")
    }

    /// Whether on the loop's thread; the runtime asks it before `checkIsolated()`, where it is new enough.
    @available(macOS 26.0, iOS 26.0, *)
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
