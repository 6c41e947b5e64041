import Synchronization

extension EventLoop {
    /// Calls `handler` in every iteration in which `descriptor` is ready for `interest` (level triggered).
    ///
    /// The caller still owns the descriptor and must not close it before `unwatch`. Loop's thread only.
    /// Throws if the system cannot poll such a descriptor, for example a regular file.
    package func watch(
        _ descriptor: Int32, for interest: Interest, handler: @escaping @Sendable (Readiness) -> Void
    ) throws(SystemError) {
        guard checkThread() else { preconditionFailure("this event loop has run already") }
        let token = registrations.withLock { $0.watches.insert(descriptor, interest, handler) }
        do {
            try kernel.add(token, interest)
        } catch {
            _ = registrations.withLock { $0.watches.remove(descriptor) }
            throw error
        }
    }

    /// Sets the interest of the watch on `descriptor`. An empty interest still reports a hang-up once.
    ///
    /// An unchanged interest costs nothing. Loop's thread only.
    package func changeInterest(_ descriptor: Int32, to interest: Interest) {
        guard checkThread() else { return }
        let (token, old) = registrations.withLock { $0.watches.change(descriptor, to: interest) }
        if old == interest { return }
        do {
            try kernel.change(token, from: old, to: interest)
        } catch {
            preconditionFailure("a watched descriptor was closed before its watch ended: \(error)")
        }
    }

    /// Ends the watch on `descriptor`: its handler is not called again, not even for an event that the kernel
    /// has already reported in this iteration. Loop's thread only.
    package func unwatch(_ descriptor: Int32) {
        guard checkThread() else { return }
        let interest = registrations.withLock { $0.watches.remove(descriptor) }
        do {
            try kernel.remove(descriptor, interest)
        } catch {
            preconditionFailure("a watched descriptor was closed before its watch ended: \(error)")
        }
    }

    /// Runs `work` once after `delay`, and not in this iteration. Loop's thread only.
    @discardableResult
    package func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> TimerID {
        guard checkThread() else { preconditionFailure("this event loop has run already") }
        let (seconds, attoseconds) = delay.components
        // Half the range of the clock: far beyond any uptime, and sums do not overflow.
        let wholeSeconds = min(max(seconds, 0), Int64.max / 2_000_000_000)
        let nanoseconds = max(0, wholeSeconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000)
        let deadline =
            max(kernel.nowNanoseconds, iterationStart.load(ordering: .relaxed) + 1) + nanoseconds
        return registrations.withLock { $0.timers.insert(deadline: deadline, work) }
    }

    /// Cancels a timer; one that has run or is running is ignored. Loop's thread only.
    package func cancel(_ timer: TimerID) {
        guard checkThread() else { return }
        registrations.withLock { $0.timers.remove(timer) }
    }

    /// Runs `work` once, after all events, timers and jobs of this iteration and before the loop waits again. If such
    /// work calls it, the new work runs at the end of the next iteration, which does not wait. Loop's thread only.
    package func atEndOfIteration(_ work: @escaping @Sendable () -> Void) {
        guard checkThread() else { return }
        registrations.withLock { $0.endOfIteration.append(work) }
    }
}
