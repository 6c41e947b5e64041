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
