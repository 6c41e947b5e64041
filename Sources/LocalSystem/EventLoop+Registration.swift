import Synchronization

extension EventLoop {
    /// Calls `handler` in every round in which `descriptor` is ready for something of `interest` (level triggered).
    ///
    /// The descriptor stays the caller's and must not be closed before `unwatch`. Loop's thread only. Throws where
    /// the system cannot wait for such a descriptor, as for a regular file.
    package func watch(
        _ descriptor: Int32, for interest: Interest, handler: @escaping @Sendable (Readiness) -> Void
    ) throws(SystemError) {
        guard checkConfinement() else { preconditionFailure("this event loop has run already") }
        let token = registrations.withLock { $0.watches.insert(descriptor, interest, handler) }
        do {
            try kernel.add(token, interest)
        } catch {
            _ = registrations.withLock { $0.watches.remove(descriptor) }
            throw error
        }
    }

    /// Sets what the watch on `descriptor` waits for; with nothing, it is still told once that the other end is gone.
    ///
    /// Costs nothing where it waits for that already. Loop's thread only.
    package func changeInterest(_ descriptor: Int32, to interest: Interest) {
        guard checkConfinement() else { return }
        let (token, old) = registrations.withLock { $0.watches.change(descriptor, to: interest) }
        if old == interest { return }
        do {
            try kernel.change(token, from: old, to: interest)
        } catch {
            preconditionFailure("a watched descriptor was closed before its watch ended: \(error)")
        }
    }

    /// Ends the watch on `descriptor`: its handler is not called again, not even for an event of this round that
    /// the kernel has already reported. Loop's thread only.
    package func unwatch(_ descriptor: Int32) {
        guard checkConfinement() else { return }
        let interest = registrations.withLock { $0.watches.remove(descriptor) }
        do {
            try kernel.remove(descriptor, interest)
        } catch {
            preconditionFailure("a watched descriptor was closed before its watch ended: \(error)")
        }
    }

    /// Runs `work` once, not before `delay` has passed, and not in this round. Loop's thread only.
    @discardableResult
    package func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> TimerID {
        guard checkConfinement() else { preconditionFailure("this event loop has run already") }
        let (seconds, attoseconds) = delay.components
        // Half a lifetime of the clock: far beyond any uptime, and sums of it do not overflow.
        let wholeSeconds = min(max(seconds, 0), Int64.max / 2_000_000_000)
        let nanoseconds = max(0, wholeSeconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000)
        let deadline =
            max(kernel.nowNanoseconds, roundBegan.load(ordering: .relaxed) + 1) + nanoseconds
        return registrations.withLock { $0.timers.insert(deadline: deadline, work) }
    }

    /// Cancels a timer; one that has run, or runs now, is left alone. Loop's thread only.
    package func cancel(_ timer: TimerID) {
        guard checkConfinement() else { return }
        registrations.withLock { $0.timers.remove(timer) }
    }

    /// Runs `work` once, after all events, timers and jobs of this round and before the loop waits again; called
    /// by such work itself, at the end of the next round, which does not wait. Loop's thread only.
    package func atEndOfRound(_ work: @escaping @Sendable () -> Void) {
        guard checkConfinement() else { return }
        registrations.withLock { $0.endOfRound.append(work) }
    }
}
