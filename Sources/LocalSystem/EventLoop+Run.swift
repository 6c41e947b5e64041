import Synchronization

extension EventLoop {
    /// Buffers of the loop's thread that keep their storage from round to round.
    private struct Scratch {
        var events: [LoopEvent] = []
        var batch: [Work] = []
        var endOfRound: [@Sendable () -> Void] = []
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
        while runRound(&scratch) {}

        thread.store(0, ordering: .relaxed)
        phase.store(.finished, ordering: .releasing)
        // Handlers commonly hold what holds the loop.
        registrations.withLock { $0 = Registrations() }
    }

    /// Runs one round on the calling thread without waiting, in place of `run()`: who steps a loop decides what
    /// happens between its rounds. Returns false once the loop was stopped and nothing is queued any more.
    package func step() -> Bool {
        _ = phase.compareExchange(expected: .prepared, desired: .running, ordering: .acquiringAndReleasing)
        thread.store(currentThread(), ordering: .relaxed)
        defer { thread.store(0, ordering: .relaxed) }
        var scratch = Scratch()
        return runRound(&scratch, mayWait: false)
    }

    /// Whether the next round, without an event, would do nothing.
    package var isIdle: Bool {
        let (isIdle, deadline) = registrations.withLock { ($0.endOfRound.isEmpty, $0.timers.nextDeadline) }
        return isIdle && inbox.withLock { $0.work.isEmpty }
            && (deadline.map { $0 > kernel.nowNanoseconds } ?? true)
    }

    /// Forgets everything, as the end of a process would; a stepped loop is given up so.
    package func abandon() {
        phase.store(.finished, ordering: .releasing)
        registrations.withLock { $0 = Registrations() }
        inbox.withLock { $0 = Inbox() }
    }

    private func runRound(_ scratch: inout Scratch, mayWait: Bool = true) -> Bool {
        let (isIdle, deadline) = registrations.withLock { ($0.endOfRound.isEmpty, $0.timers.nextDeadline) }
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
            handleEvents(&scratch, milliseconds: 0)
        case .wait:
            handleEvents(&scratch, milliseconds: timeout(until: deadline))
        }
        runTimers()
        runQueue(&scratch)
        runEndOfRound(&scratch)
        return true
    }

    /// One round without waiting, sockets or timers; false if there was nothing left to do.
    private func drain(_ scratch: inout Scratch) -> Bool {
        let ranQueue = runQueue(&scratch)
        let ranEnd = runEndOfRound(&scratch)
        return ranQueue || ranEnd
    }

    private func handleEvents(_ scratch: inout Scratch, milliseconds: Int32) {
        scratch.events.removeAll(keepingCapacity: true)
        kernel.wait(into: &scratch.events, milliseconds: milliseconds)
        // The queue is looked at again before the next wait, so from here on nobody needs to wake the loop for it.
        inbox.withLock { $0.isSleeping = false }
        rounds.wrappingAdd(1, ordering: .relaxed)
        roundBegan.store(kernel.nowNanoseconds, ordering: .relaxed)
        roundEvents.store(scratch.events.count, ordering: .relaxed)
        for event in scratch.events {
            let receiver = registrations.withLock { $0.watches.receiver(of: event.readiness, event.token) }
            if let receiver { receiver.handler(receiver.readiness) }
        }
    }

    private func runTimers() {
        let now = roundBegan.load(ordering: .relaxed)
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
    private func runEndOfRound(_ scratch: inout Scratch) -> Bool {
        registrations.withLock { swap(&$0.endOfRound, &scratch.endOfRound) }
        for work in scratch.endOfRound { work() }
        return scratch.endOfRound.clear()
    }

    /// Milliseconds for the kernel to wait, rounded up, lest the loop spins through the last one.
    private func timeout(until deadline: Int64?) -> Int32 {
        guard let deadline else { return -1 }
        let rest = deadline - kernel.nowNanoseconds
        return rest <= 0 ? 0 : Int32(clamping: (rest + 999_999) / 1_000_000)
    }
}

extension Array {
    /// Empties the array; keeps its storage unless a rare burst made it large. Returns whether it had elements.
    fileprivate mutating func clear() -> Bool {
        let hadElements = !isEmpty
        removeAll(keepingCapacity: capacity <= 4096)
        return hadElements
    }
}
