import Synchronization

extension EventLoop {
    /// Buffers of the loop's thread, reused in every iteration.
    private struct Scratch {
        var events: [LoopEvent] = []
        var batch: [Work] = []
        var endOfIteration: [@Sendable () -> Void] = []
    }

    private enum Plan {
        case wait
        case look
        case finish
    }

    /// Runs the loop on the calling thread until `stop()`, and then until nothing is queued; may be called once.
    ///
    /// Work submitted after that never runs.
    package func run() {
        let (isFirst, _) = phase.compareExchange(
            expected: .prepared, desired: .running, ordering: .acquiringAndReleasing)
        precondition(isFirst, "an event loop runs once")
        thread.store(currentThread(), ordering: .relaxed)

        var scratch = Scratch()
        while runIteration(&scratch) {}

        thread.store(0, ordering: .relaxed)
        phase.store(.finished, ordering: .releasing)
        // Handlers commonly retain an owner of the loop.
        registrations.withLock { $0 = Registrations() }
    }

    /// Runs one iteration on the calling thread without waiting, instead of `run()`. Returns false once the
    /// loop was stopped and nothing is queued.
    package func step() -> Bool {
        _ = phase.compareExchange(expected: .prepared, desired: .running, ordering: .acquiringAndReleasing)
        thread.store(currentThread(), ordering: .relaxed)
        defer { thread.store(0, ordering: .relaxed) }
        var scratch = Scratch()
        return runIteration(&scratch, mayWait: false)
    }

    /// True if the next iteration would do nothing without an event.
    package var isIdle: Bool {
        let (isIdle, deadline) = registrations.withLock {
            ($0.endOfIteration.isEmpty, $0.timers.nextDeadline)
        }
        return isIdle && inbox.withLock { $0.work.isEmpty }
            && (deadline.map { $0 > kernel.nowNanoseconds } ?? true)
    }

    /// Drops all registrations and work, like the end of a process; for stepped loops.
    package func abandon() {
        phase.store(.finished, ordering: .releasing)
        registrations.withLock { $0 = Registrations() }
        inbox.withLock { $0 = Inbox() }
    }

    private func runIteration(_ scratch: inout Scratch, mayWait: Bool = true) -> Bool {
        let (isIdle, deadline) = registrations.withLock {
            ($0.endOfIteration.isEmpty, $0.timers.nextDeadline)
        }
        let plan = inbox.withLock { inbox -> Plan in
            if !inbox.work.isEmpty || !isIdle { return inbox.isStopping ? .finish : .look }
            if inbox.isStopping { return .finish }
            guard mayWait else { return .look }
            inbox.isSleeping = true
            return .wait
        }
        switch plan {
        case .finish:
            return drain(&scratch)
        case .look:
            handleEvents(&scratch, milliseconds: 0, deadline)
        case .wait:
            handleEvents(&scratch, milliseconds: timeout(until: deadline), deadline)
        }
        runTimers()
        runQueue(&scratch)
        runEndOfIteration(&scratch)
        return true
    }

    /// An iteration without waiting, sockets or timers; false if there was nothing left to do.
    private func drain(_ scratch: inout Scratch) -> Bool {
        let ranQueue = runQueue(&scratch)
        let ranEnd = runEndOfIteration(&scratch)
        return ranQueue || ranEnd
    }

    /// Waits for events, and calls their handlers.
    ///
    /// - Parameter deadline: the deadline of the next timer.
    private func handleEvents(_ scratch: inout Scratch, milliseconds: Int32, _ deadline: Int64?) {
        scratch.events.removeAll(keepingCapacity: true)
        kernel.wait(into: &scratch.events, milliseconds: milliseconds)
        if milliseconds != 0, scratch.events.isEmpty, let deadline, deadline <= kernel.nowNanoseconds {
            // A stop of the process interrupts the wait. Input that arrived during it precedes the timers. An event
            // must not be reported twice: its handler would wait for input that it has already read.
            kernel.wait(into: &scratch.events, milliseconds: 0)
        }
        // The queue is read before the next wait, so until then no wake is needed for it.
        inbox.withLock { $0.isSleeping = false }
        iterations.wrappingAdd(1, ordering: .relaxed)
        iterationStart.store(kernel.nowNanoseconds, ordering: .relaxed)
        iterationEvents.store(scratch.events.count, ordering: .relaxed)
        for event in scratch.events {
            let receiver = registrations.withLock { $0.watches.receiver(of: event.readiness, event.token) }
            if let receiver { receiver.handler(receiver.readiness) }
        }
    }

    private func runTimers() {
        let now = iterationStart.load(ordering: .relaxed)
        while let work = registrations.withLock({ $0.timers.popDue(at: now) }) { work() }
    }

    @discardableResult
    private func runQueue(_ scratch: inout Scratch) -> Bool {
        inbox.withLock { swap(&$0.work, &scratch.batch) }
        let executor = asUnownedSerialExecutor()
        for work in scratch.batch {
            switch work {
            case .job(let job): job.runSynchronously(on: executor)
            case .closure(let closure): closure()
            }
        }
        return scratch.batch.clear()
    }

    @discardableResult
    private func runEndOfIteration(_ scratch: inout Scratch) -> Bool {
        registrations.withLock { swap(&$0.endOfIteration, &scratch.endOfIteration) }
        for work in scratch.endOfIteration { work() }
        return scratch.endOfIteration.clear()
    }

    /// The timeout for the kernel in milliseconds, rounded up so that the loop does not spin through the last one.
    private func timeout(until deadline: Int64?) -> Int32 {
        guard let deadline else { return -1 }
        let rest = deadline - kernel.nowNanoseconds
        return rest <= 0 ? 0 : Int32(clamping: (rest + 999_999) / 1_000_000)
    }
}

extension Array {
    /// Empties the array, and keeps its storage unless a rare burst made it large. Returns whether it had elements.
    fileprivate mutating func clear() -> Bool {
        let hadElements = !isEmpty
        removeAll(keepingCapacity: capacity <= 4096)
        return hadElements
    }
}
